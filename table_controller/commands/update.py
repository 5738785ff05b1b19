"""The command ``mafia-table update``: this table and its nodes get another version of the kit."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import click
import msgspec

from firmware.card import TableCard
from firmware.errors import BoardError, CardError, JournalError, LinkError
from firmware.fit import fits
from firmware.image import kit as kits
from firmware.image.receive import Places, board_here, release_at
from firmware.image.update_keys import IDENTITY, KNOWN_HOSTS, known_users
from firmware.service import Exit
from firmware.words import Words
from table_controller.commands.options import card_options
from table_controller.commands.progress_lines import TABLE, ProgressLines
from table_controller.game import Phase
from table_controller.record.examine import examine
from table_controller.record.journals import current_game
from table_controller.updating import (
    Found,
    Line,
    Load,
    Node,
    Progress,
    Stage,
    ask_all,
    update_all,
)

KEYS: Final = Path("/etc/mafia/update")
SCRATCH: Final = "/var/tmp"  # noqa: S108 - a folder of its own in it
"""Where kits are unpacked: /tmp of a Pi is its memory."""

HOST: Final = "{}-{}.local"
"""Where a node is, unless it is told: the table's name and its own. Source: make_cards.py."""


class Kit(msgspec.Struct, frozen=True):
    """A kit of one board, checked."""

    folder: Path
    archive: Path
    version: str
    release: str


@click.command(short_help="Bring another version of the kit to this table and its nodes.")
@click.argument("kits_", metavar="KIT...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--only", multiple=True, metavar="NODE", help="Of all only these; also: table.")
@click.option("--back", is_flag=True, help="Go back to the release before, all of them.")
@click.option("--at", multiple=True, metavar="NODE=HOST", help="Where a node is; HOST:PORT too.")
@click.option("--login", default="club", show_default=True, help="The nodes' user.")
@click.option(
    "--keys",
    type=click.Path(path_type=Path),
    default=KEYS,
    show_default=True,
    help="The table's key of updates and the nodes' host keys.",
)
@card_options
def update(
    found: TableCard | None,
    data: Path,
    words: Words,
    kits_: tuple[Path, ...],
    only: tuple[str, ...],
    back: bool,
    at: tuple[str, ...],
    login: str,
    keys: Path,
) -> None:
    """Install KIT here and on all nodes, over the network: an archive or a kit's folder.

    Run it with sudo, between games. Boards of two kinds need a KIT each. First this
    table, then the nodes, some at a time; one that fails stops no other, and what has
    the kit already is left alone, so the same command again goes on. Each keeps the
    release that it had: --back. Exit code 3: some have failed.
    """
    if bool(kits_) == back:
        raise click.UsageError("either KIT or --back")
    _check_no_game(data / "journal", words)
    nodes = _nodes(keys, only, at, words)
    # Ctrl-C leaves nothing behind; a node that has its kit by then goes on by itself.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    here = not only or TABLE in only
    click.echo(
        words.gettext("The kits are looked through, and the nodes are asked what they have.")
    )
    with tempfile.TemporaryDirectory(prefix="mafia-update-", dir=SCRATCH) as scratch:
        loaded = _load(kits_, Path(scratch), words)
        line = Line(keys, login)
        states = ask_all(line, nodes)
        if not back:
            _check_boards(loaded, states, here, words)
        lines = ProgressLines(
            [*([TABLE] if here else []), *states], words, in_place=sys.stdout.isatty()
        )
        if here:
            # What it is installed from lies in *scratch*: Ctrl-C waits for it.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _update_table(loaded, back, lines, words)
            signal.signal(signal.SIGINT, signal.default_int_handler)
        do = _job(
            line, loaded, states, back, lambda: _check_no_game(data / "journal", words), words
        )
        ended = update_all(nodes, do, lines.tell)
        lines.end()
    failed = [user for user, end in ended.items() if end.stage is Stage.FAILED]
    if failed:
        again = " ".join(f"--only {user}" for user in sorted(failed))
        click.echo(words.gettext("Again for these alone: {options}").format(options=again))
        sys.exit(Exit.PARTLY)


def _check_no_game(journals: Path, words: Words) -> None:
    """Look whether a game would be disturbed: an update starts the table anew.

    :raises JournalError: if one is not over.
    """
    game = current_game(journals) if journals.is_dir() else ""
    path = journals / f"{game}.db"
    if game and path.exists():
        looked = examine(path)
        if looked.state is None or looked.state.phase is not Phase.OVER:
            raise JournalError(
                words.gettext("A game is being played. Update when it is over, or end it first.")
            )


def _nodes(keys: Path, only: Iterable[str], at: Iterable[str], words: Words) -> list[Node]:
    """Return the nodes to update and where they are.

    :raises CardError: if the table has no keys, or does not know one that is asked for.
    """
    t = words.gettext
    chosen = [user for user in only if user != TABLE]
    if only and not chosen:
        return []
    try:
        (keys / IDENTITY).read_bytes()
        known = known_users((keys / KNOWN_HOSTS).read_text("utf-8"))
    except OSError as error:
        raise CardError(
            t(
                "{path}: {fault}; run it with sudo, on a table whose card has keys of updates"
            ).format(path=error.filename, fault=error.strerror)
        ) from error
    where = dict(text.partition("=")[::2] for text in at)
    for user in (*chosen, *where):
        if user not in known:
            raise CardError(t("{user}: no node of this table's card").format(user=repr(user)))
    return [_node(user, where.get(user, "")) for user in chosen or known]


def _node(user: str, where: str) -> Node:
    host, _, port = (
        where.rpartition(":") if where.rpartition(":")[2].isdecimal() else (where, "", "")
    )
    name = socket.gethostname().partition(".")[0]
    return Node(user, host or HOST.format(name, user), int(port or 22))


def _load(paths: Iterable[Path], scratch: Path, words: Words) -> dict[str, Kit]:
    """Check the kits at *paths* and return them by board; each is ready to be sent and run.

    :raises KitError: if one is damaged, is none, or two do not go together.
    """
    t = words.gettext
    loaded: dict[str, Kit] = {}
    for number, path in enumerate(paths):
        folder, archive = path, path
        if path.is_dir():
            archive = scratch / f"{number}.tar"
            kits.pack(folder, archive, 0)
        else:
            folder = scratch / str(number)
            kits.load(archive, folder)
        version, board = kits.version(folder)
        if board in loaded:
            raise BoardError(t("{path}: two kits for a {board}").format(path=path, board=board))
        loaded[board] = Kit(folder, archive, version, kits.release(folder))
    versions = [each.version for each in loaded.values()]
    for version in versions:
        if not fits(version, versions[0]):
            raise BoardError(
                t("The kits {one} and {other} do not play together.").format(
                    one=versions[0], other=version
                )
            )
    return loaded


def _check_boards(
    loaded: dict[str, Kit], states: dict[str, Found | LinkError], here: bool, words: Words
) -> None:
    """Look whether there is a kit for every board, before anything is sent.

    :raises BoardError: if one is missing.
    """
    wanted = {TABLE: board_here()} if here else {}
    wanted |= {user: state.board for user, state in states.items() if isinstance(state, Found)}
    lacking = [f"{user} ({board or '?'})" for user, board in wanted.items() if board not in loaded]
    if lacking:
        raise BoardError(
            words.gettext("Nothing is sent: a kit is missing for {devices}").format(
                devices=", ".join(lacking)
            )
        )


def _update_table(loaded: dict[str, Kit], back: bool, lines: ProgressLines, words: Words) -> None:
    """Install here first: a kit that does not work is found before a node has it.

    :raises BoardError: with the installer's last line, if it fails.
    """
    places = Places()
    if back:
        command = ["bash", str(places.installer), "--back"]
    else:
        kit = loaded[board_here()]
        if release_at(places.opt, "current") == kit.release:
            lines.tell(TABLE, Progress(Stage.HAS_IT))
            return
        command = ["bash", str(kit.folder / kits.INSTALLER)]
    last = ""
    # In a group of its own: a terminal that goes away does not take it along.
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        cwd=os.sep,
    ) as process:
        assert process.stdout is not None
        for raw in process.stdout:
            last = raw.strip() or last
            lines.tell(TABLE, Progress(Stage.INSTALLS, told=last))
    if process.returncode:
        lines.tell(TABLE, Progress(Stage.FAILED, told=last))
        raise BoardError(words.gettext("The table has kept what it had; no node was touched."))
    lines.tell(TABLE, Progress(Stage.DONE))


def _job(
    line: Line,
    loaded: dict[str, Kit],
    states: dict[str, Found | LinkError],
    back: bool,
    check: Callable[[], None],
    words: Words,
) -> Callable[[Node, Callable[[Progress], None]], Progress]:
    """Return what brings one node where it should be, if *check* finds no game then either."""

    def do(node: Node, tell: Callable[[Progress], None]) -> Progress:
        state = states[node.user]
        if isinstance(state, LinkError):
            raise state
        try:
            check()
        except JournalError as error:
            raise LinkError(str(error)) from error
        if back:
            if not state.before:
                raise LinkError(words.gettext("there is no release before"))
            line.back(node, tell)
            return Progress(Stage.DONE)
        kit = loaded[state.board]
        if state.release == kit.release:
            return Progress(Stage.HAS_IT)
        line.send(node, Load(kit.archive, kit.release), tell)
        return Progress(Stage.DONE)

    return do
