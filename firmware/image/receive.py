"""What the table's key of updates may start on a node, and nothing else.

Run as root by sshd's forced command (update_keys.py) with the words that the table
asked for::

    state           say the board and the releases that are here
    install BYTES   read the archive of a kit, so long, from stdin; install it
    back            go back to the release before

Whatever else is asked for is refused. An archive is believed nothing: it is unpacked by
:func:`firmware.image.kit.load` alone, and its install.sh is run only when every sum is right
and it is for this board. Who holds the key can install any kit, so the key is root's
on the table; it gives no shell, no files and no way into the network.

Prints lines for the table: first what is told, at the end ``done`` or ``failed WHY``.
"""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import BoardError, KitError
from firmware.image import kit as kits
from firmware.image.pins import BOARDS

INSTALL_S: Final = 3600.0
"""Patience with an installer: packages of apt on a slow line."""

STALL_S: Final = 60.0
"""A line that brings nothing for longer is given up."""

CHUNK: Final = 1 << 18
"""Bytes that are read at once."""

ROOM: Final = 4
"""The card's room for a kit, in times of its archive: it, its files, a release of them."""

WHY_MAX: Final = 300
"""Letters of a reason; a table shows them in a line."""


class Places(msgspec.Struct, frozen=True):
    """Where things are on a node."""

    work: Path = Path("/var/lib/mafia-update")
    """Where a kit is unpacked; root's alone."""
    opt: Path = Path("/opt/mafia")
    installer: Path = Path(__file__).with_name(kits.INSTALLER)
    """The one of the release that runs; it can go back."""


def main(words: list[str], source: int, places: Places) -> int:
    """Do what *words* ask for, reading from the descriptor *source*; return the exit code."""
    try:
        match words:
            case ["state"]:
                _tell_state(places)
            case ["install", size] if size.isascii() and size.isdecimal() and len(size) < 16:
                with _alone(places.work):
                    _install(int(size), source, places)
            case ["back"]:
                with _alone(places.work):
                    _run(["bash", str(places.installer), "--back"])
            case _:
                raise BoardError("this key is for updates of the kit alone")
    except KitError as error:
        _say("failed", str(error))
        return 1
    except OSError as error:
        _say("failed", f"{error.filename or places.work}: {error.strerror}")
        return 1
    _say("done")
    return 0


def board_here(python: tuple[int, int] = sys.version_info[:2]) -> str:
    """Return the board whose system has this *python*; "": none of the kit's."""
    wanted = "{}.{}".format(*python)
    return next((board.name for board in BOARDS.values() if board.python == wanted), "")


def release_at(opt: Path, name: str) -> str:
    """Return the release that the link *name*, ``current`` or ``before``, leads to; "": none."""
    try:
        return (opt / name).readlink().name
    except OSError:
        return ""


def _tell_state(places: Places) -> None:
    _say("board", board_here())
    _say("release", release_at(places.opt, "current"))
    _say("before", release_at(places.opt, "before"))


@contextlib.contextmanager
def _alone(work: Path) -> Iterator[None]:
    """Keep a second table, or a second command of one, from the same folder."""
    work.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (work / "lock").open("w") as lock:
        import fcntl  # not on Windows, where the commands are read too

        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BoardError("another update runs here: wait until it has ended") from None
        yield


def _install(size: int, source: int, places: Places) -> None:
    if not 0 < size <= kits.BYTES_MAX:
        raise BoardError(f"an archive of {size} bytes: no kit is so large")
    if shutil.disk_usage(places.work).free < ROOM * size:
        raise BoardError(f"no room on the card: the kit needs {ROOM * size >> 20} MB")
    archive, kit = places.work / "archive.tar", places.work / kits.TOP
    try:
        _receive(size, source, archive)
        _say("received")
        kits.load(archive, kit)
        archive.unlink()
        version, board = kits.version(kit)
        if board != board_here():
            raise BoardError(f"kit {version} is for a {board}, this is a {board_here() or '?'}")
        _run(["bash", str(kit / kits.INSTALLER)])
    finally:
        archive.unlink(missing_ok=True)
        shutil.rmtree(kit, ignore_errors=True)


def _receive(size: int, source: int, archive: Path) -> None:
    left = size
    with archive.open("wb") as file:
        while left:
            ready, _, _ = select.select([source], [], [], STALL_S)
            chunk = os.read(source, min(left, CHUNK)) if ready else b""
            if not chunk:
                raise BoardError(f"the line broke {left} bytes before the archive's end")
            file.write(chunk)
            left -= len(chunk)


def _run(command: list[str]) -> None:
    """Run an installer and pass on what it says.

    :raises BoardError: with its last line, if it fails or takes longer than INSTALL_S.
    """
    # With a group of its own it is not ended by a line that breaks: the next run finds it done.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        cwd="/",
    ) as process:
        assert process.stdout is not None
        last = ""
        watch = threading.Timer(INSTALL_S, os.killpg, (process.pid, signal.SIGKILL))
        watch.start()
        try:
            for line in process.stdout:
                last = line.strip() or last
                _say("says", line)
        finally:
            watch.cancel()
    if process.returncode:
        raise BoardError(last or f"install.sh ended with {process.returncode}")


def _say(word: str, text: str = "") -> None:
    """Print a line for the table; nobody may be there to read it any more."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text).strip()
    with contextlib.suppress(OSError):
        print(f"{word} {shown[:WHY_MAX]}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.fileno(), Places()))
