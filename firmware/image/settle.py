"""Settling: a card's identity and the kit's files of the system get their places.

Run as root by ``install.sh``, by the Python of the release that is installed::

    python -m firmware.image.settle --card /boot/firmware/mafia/card    # takes it over
    python -m firmware.image.settle                                     # keeps what is there
    python -m firmware.image.settle --card FOLDER --forget              # removes FOLDER

Prints what it changed, a line each: twice changes nothing. Interrupted it is done again:
the card's folder stays until it is told to be forgotten. Exit codes: firmware/service.py;
78: the card is wrong.
"""

import argparse
import contextlib
import os
import pwd
import secrets
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from firmware import service
from firmware.card import CardConfig, SeatCard, TableCard, read_seat_card, read_table_card
from firmware.errors import BoardError, CardError
from firmware.image import places
from firmware.image.places import Placed

ROOT: Final = Path("/")
CHUNK: Final = 1 << 20
"""Bytes that are overwritten at once."""
WAITS: Final = "NetworkManager-wait-online.service"
"""Debian's broker and nginx would start after it, a minute late where there is no network."""


def settle(source: Path | None, root: Path = ROOT) -> Iterator[str]:
    """Settle the card in the folder *source*, or again the one that is settled.

    A folder without kit.toml is one that was being forgotten; then, too, what is settled
    counts. Yields what is changed, as it is; nothing is, if the card is wrong.

    :raises CardError: if the card is wrong, there is none, or it is of another kind than
        the one that is settled.
    :raises BoardError: if a file cannot be written or a user is missing.
    """
    settled = within(root, places.ETC)
    fresh = source if source and (source / places.KIT_TOML).is_file() else None
    card = read_card(fresh or settled)
    if fresh:
        _same_kind(card, settled)
        wanted = places.identity(fresh, card, _signer(card, root))
        yield from place_all(wanted, root)
        yield from _remove_other_passwords(wanted, settled)
    yield from place_all(places.machine(card), root)
    if isinstance(card, TableCard):
        site = within(root, places.DEFAULT_SITE)
        if site.is_symlink() or site.exists():
            site.unlink()
            yield f"{site} is removed"


def forget(source: Path) -> None:
    """Overwrite and remove all that is in the card's folder *source*, kit.toml first.

    A card of flash may keep a copy of what is overwritten; what is gone for certain is
    the way to it by the file system, which every program of the Pi may read.

    :raises BoardError: if it cannot be removed.
    """
    os.sync()  # what was settled is on the disk before this is gone
    toml = source / places.KIT_TOML
    try:
        for path in [toml, *(path for path in source.rglob("*") if not path.is_dir())]:
            _overwrite(path)
            path.unlink(missing_ok=True)
        for path in sorted(source.rglob("*"), reverse=True):
            path.rmdir()
        source.rmdir()
    except OSError as error:
        raise BoardError(f"{source}: cannot be removed: {error.strerror}") from error
    os.sync()


def read_card(folder: Path) -> CardConfig:
    """Return the card in *folder*, of whichever kind.

    :raises CardError: naming file, key, value and what is allowed.
    """
    path = folder / places.KIT_TOML
    kind = ""
    with contextlib.suppress(OSError, ValueError, RecursionError):  # told by who reads it below
        kind = tomllib.loads(path.read_text("utf-8")).get("kind", "")
    return read_table_card(path) if kind == "table" else read_seat_card(path)


def place_all(wanted: list[Placed], root: Path = ROOT) -> Iterator[str]:
    """Put each of *wanted* in its place below *root*; yield the paths of those that were not.

    :raises BoardError: if one cannot be written or its owner is missing.
    """
    for each in wanted:
        owner = _owner(each.owner)
        try:
            if _place(each, owner, within(root, each.path)):
                yield str(each.path)
        except OSError as error:
            raise BoardError(f"{each.path}: {error.strerror}") from error


def within(root: Path, path: PurePosixPath) -> Path:
    """Return where the absolute *path* is below *root*."""
    return root / path.relative_to("/")


def _place(each: Placed, owner: tuple[int, int], path: Path) -> bool:
    """Make *path* what *each* says, whole or not at all; tell whether it was something else."""
    made = False
    if each.content is None:
        if not path.is_dir():
            path.mkdir(parents=True, mode=each.mode)
            made = True
    elif path.is_symlink() or not path.is_file() or path.read_bytes() != each.content:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, each.content)
        made = True
    # By a descriptor: the owner of a folder may put something else there meanwhile.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        now = os.fstat(handle)
        if (now.st_uid, now.st_gid) != owner:
            os.fchown(handle, *owner)
            made = True
        if now.st_mode & 0o7777 != each.mode:
            os.fchmod(handle, each.mode)
            made = True
    finally:
        os.close(handle)
    return made


def _write(path: Path, content: bytes) -> None:
    """Write a file that is its owner's alone until more is allowed."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _owner(name: str) -> tuple[int, int]:
    try:
        user = pwd.getpwnam(name)
    except KeyError:
        raise BoardError(f"no user {name}: its package is not installed, or sysusers") from None
    return user.pw_uid, user.pw_gid


def _overwrite(path: Path) -> None:
    if path.is_symlink() or not path.is_file():
        return
    with path.open("r+b") as file:
        left = path.stat().st_size
        while left > 0:
            left -= file.write(secrets.token_bytes(min(left, CHUNK)))
        file.flush()
        os.fsync(file.fileno())


def _same_kind(card: CardConfig, settled: Path) -> None:
    """See that *card* is of the kind of the one in *settled*; a damaged one counts as none."""
    before = card
    with contextlib.suppress(CardError):
        before = read_card(settled)
    if card.kind != before.kind:
        raise CardError(
            f"the card's folder is a {card.kind}'s, but this system was a {before.kind}'s: write "
            "the system's image onto the card anew, then the card's folder"
        )


def _signer(card: CardConfig, root: Path) -> bytes | None:
    """Return the certificate of who signs for the table's pages by now."""
    if isinstance(card, SeatCard):
        return None
    with contextlib.suppress(FileNotFoundError):
        return within(root, places.web_folder(card) / places.SIGNER).read_bytes()
    return None


def _remove_other_passwords(wanted: list[Placed], settled: Path) -> Iterator[str]:
    """Remove the passwords of a card that this one was before."""
    names = {each.path.name for each in wanted}
    for file in settled.glob("*.password"):
        if file.name not in names:
            _overwrite(file)
            file.unlink()
            yield f"{file} is removed"


def enable(card: CardConfig, root: Path = ROOT) -> Iterator[str]:
    """Let systemd start at every boot what *card* needs, and nothing of it that it has not."""
    units = places.started_units(card)
    off = {*places.own_units(card), WAITS} - set(units)
    for action, wanted, names in (("enable", "enabled", units), ("disable", "disabled", off)):
        for unit in sorted(names):
            state = _systemctl(root, "is-enabled", unit).stdout.strip()
            if state in (wanted, "not-found", ""):
                continue
            done = _systemctl(root, action, "--quiet", unit)
            if done.returncode:
                raise BoardError(f"systemctl {action} {unit}: {done.stderr.strip()}")
            yield f"{action} {unit}"


def _systemctl(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    offline = [] if root == ROOT else [f"--root={root}"]
    return subprocess.run(
        ["systemctl", *offline, *words], capture_output=True, text=True, check=False
    )


def _make_users() -> None:
    file = places.users().path
    made = subprocess.run(
        ["systemd-sysusers", str(file)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise BoardError(f"systemd-sysusers {file}: {made.stderr.strip()}")


def _settle_here(source: Path | None) -> None:
    for changed in place_all([places.users()]):
        print(changed)
    _make_users()
    for changed in settle(source):
        print(changed)
    for changed in enable(read_card(Path(places.ETC))):
        print(changed)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m firmware.image.settle", description=__doc__)
    parser.add_argument("--card", type=Path, help="the card's folder")
    parser.add_argument("--forget", action="store_true", help="remove it: it is settled")
    told = parser.parse_args()
    if told.forget and not told.card:
        parser.error("--forget: which folder? --card FOLDER")
    service.start_logging()
    os.umask(0o022)
    if told.forget:
        sys.exit(service.run(lambda: forget(told.card)))
    sys.exit(service.run(lambda: _settle_here(told.card)))


if __name__ == "__main__":
    main()
