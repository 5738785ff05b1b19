"""The nodes get a kit over SSH: asked what they have, sent theirs, several at once.

The system's own ``ssh`` with the table's key of updates and the nodes' host keys, and
nothing of anybody's own settings. What a node does with it: firmware/image/receive.py.
"""

import contextlib
import enum
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

import msgspec

from firmware.errors import LinkError
from firmware.image.update_keys import IDENTITY, KNOWN_HOSTS

AT_ONCE: Final = 4
"""Nodes that are updated at the same time: one radio carries it all."""

ASK_S: Final = 30.0
"""Patience with a node that is asked what it has."""

WHOLE_S: Final = 5400.0
"""Patience with one node: half an hour to send, an hour to install."""

CHUNK: Final = 1 << 18
"""Bytes between two looks at how far a node is."""

CONNECT_S: Final = 10
BEAT_S: Final = 5
"""So often a silent line is felt for; three in a row without an answer end it."""


class Stage(enum.StrEnum):
    """How far a node is."""

    WAITS = "waits"
    SENDS = "sends"
    INSTALLS = "installs"
    DONE = "done"
    HAS_IT = "has it"
    """It had this very release before."""
    FAILED = "failed"


class Progress(msgspec.Struct, frozen=True):
    """How far one node is."""

    stage: Stage = Stage.WAITS
    percent: int = 0
    """Of what is sent."""
    told: str = ""
    """Why it failed, or what its installer does."""


class Node(msgspec.Struct, frozen=True):
    """A node, and where it is reached."""

    user: str
    host: str
    port: int = 22


class Found(msgspec.Struct, frozen=True):
    """What a node says of itself."""

    board: str
    release: str
    before: str


class Load(msgspec.Struct, frozen=True):
    """A kit that is ready to be sent."""

    archive: Path
    release: str


Tell = Callable[[str, Progress], None]
"""Takes how far a user's node is; called by several threads, one at a time."""


class Line:
    """Reaches nodes as *login*, by the keys in *folder*.

    :raises LinkError: from all that it does, with a node's own last word if it has one.
    """

    def __init__(self, folder: Path, login: str) -> None:
        self._folder = folder
        self._login = login

    def ask(self, node: Node) -> Found:
        """Return what *node* has."""
        told = dict(self._talk(node, ("state",), None, ASK_S))
        return Found(told.get("board", ""), told.get("release", ""), told.get("before", ""))

    def back(self, node: Node, tell: Callable[[Progress], None]) -> None:
        """Let *node* go back to the release before."""
        for word, text in self._talk(node, ("back",), None, WHOLE_S):
            if word == "says":
                tell(Progress(Stage.INSTALLS, told=text))

    def send(self, node: Node, load: Load, tell: Callable[[Progress], None]) -> None:
        """Send *load* to *node* and let it be installed there."""
        size = load.archive.stat().st_size

        def feed(line: IO[bytes]) -> None:
            percent = -1
            with load.archive.open("rb") as file, contextlib.suppress(BrokenPipeError):
                for sent in range(0, size, CHUNK):
                    if 100 * sent // size > percent:
                        percent = 100 * sent // size
                        tell(Progress(Stage.SENDS, percent))
                    line.write(file.read(CHUNK))
                line.flush()

        for word, text in self._talk(node, ("install", str(size)), feed, WHOLE_S):
            if word in ("received", "says"):
                tell(Progress(Stage.INSTALLS, told=text))

    def _talk(
        self,
        node: Node,
        words: tuple[str, ...],
        feed: Callable[[IO[bytes]], None] | None,
        patience_s: float,
    ) -> Iterator[tuple[str, str]]:
        """Yield the words that *node* says to *words*, until it has done what they ask."""
        with tempfile.TemporaryFile() as errors, subprocess.Popen(
            self._command(node, words),
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process:  # fmt: skip
            watch = threading.Timer(patience_s, process.kill)
            feeder = threading.Thread(target=_feed, args=(feed, process.stdin))
            watch.start()
            feeder.start()
            last = ""
            try:
                assert process.stdout is not None
                for raw in process.stdout:
                    word, _, text = _plain(raw).partition(" ")
                    last = text if word == "failed" else ""
                    if word == "done":
                        return
                    yield word, text
            finally:
                process.kill()
                watch.cancel()
                feeder.join()
            errors.seek(0)
            lines = errors.read().splitlines()
            raise LinkError(last or (_plain(lines[-1]) if lines else "") or "no answer")

    def _command(self, node: Node, words: Iterable[str]) -> list[str]:
        options = {
            "IdentitiesOnly": "yes",
            "BatchMode": "yes",
            "PreferredAuthentications": "publickey",
            "StrictHostKeyChecking": "yes",
            "UserKnownHostsFile": str(self._folder / KNOWN_HOSTS),
            "GlobalKnownHostsFile": os.devnull,
            "HostKeyAlias": node.user,
            "HostKeyAlgorithms": "ssh-ed25519",
            "CheckHostIP": "no",
            "UpdateHostKeys": "no",
            "ClearAllForwardings": "yes",
            "ConnectTimeout": str(CONNECT_S),
            "ServerAliveInterval": str(BEAT_S),
            "ServerAliveCountMax": "3",
            "LogLevel": "ERROR",
        }
        told = [f"-o{name}={value}" for name, value in options.items()]
        command = ["ssh", "-T", "-F", os.devnull, "-i", str(self._folder / IDENTITY), *told]
        return [*command, "-p", str(node.port), "-l", self._login, "--", node.host, *words]


def ask_all(line: Line, nodes: Iterable[Node]) -> dict[str, Found | LinkError]:
    """Return what each of *nodes* has, or why it does not say, by user."""

    def ask(node: Node) -> Found | LinkError:
        try:
            return line.ask(node)
        except LinkError as error:
            return error

    wanted = tuple(nodes)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip((node.user for node in wanted), pool.map(ask, wanted), strict=True))


def update_all(
    nodes: Iterable[Node],
    do: Callable[[Node, Callable[[Progress], None]], Progress],
    tell: Tell,
) -> dict[str, Progress]:
    """Let *do* bring each of *nodes* where it should be; return how each ended, by user.

    One that fails stops no other.
    """
    ended: dict[str, Progress] = {}
    lock = threading.Lock()

    def run(node: Node) -> None:
        def told(progress: Progress) -> None:
            with lock:
                tell(node.user, progress)

        try:
            end = do(node, told)
        except LinkError as error:
            end = Progress(Stage.FAILED, told=str(error))
        ended[node.user] = end
        told(end)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(run, nodes))
    return ended


def _feed(feed: Callable[[IO[bytes]], None] | None, line: IO[bytes] | None) -> None:
    if feed is None or line is None:
        return
    # Whoever reads has gone: what it said of that is told by its words.
    with contextlib.suppress(BrokenPipeError), line:
        feed(line)


def _plain(raw: bytes) -> str:
    """Return a line of a node as a terminal may show it."""
    text = raw.decode("utf-8", "replace").strip()
    return "".join(letter if letter.isprintable() else " " for letter in text)[:400]
