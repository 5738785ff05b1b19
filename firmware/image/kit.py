"""The kit's folder of a card, and the archive that it travels in.

A kit is all that is the same on every card of one board: VERSION (two lines:
the version, the board), install.sh, ``wheels/``, constraints.txt, eyes.txt,
apt-table.txt, apt-seat.txt, ``models/``, perhaps ``debs/``, and SHA256SUMS,
which is written last and names all the others. Packed as a tar, under
``kit/``, it is the archive of an update. Nothing in it is secret or a card's own.
"""

import hashlib
import os
import re
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware.errors import BoardError, KitError

SUMS: Final = "SHA256SUMS"
VERSION: Final = "VERSION"
INSTALLER: Final = "install.sh"
TOP: Final = "kit"
"""The folder in an archive under which a kit's files are."""

SAFE: Final = re.compile(r"(?![.-])[A-Za-z0-9][A-Za-z0-9._+!~-]*(?<!\.)")
"""A name of a file or folder that every system takes, and that leads nowhere else."""
SUM_LINE: Final = re.compile(r"([0-9a-f]{64})  (\S+)")
FILES_MAX: Final = 2000
BYTES_MAX: Final = 2 << 30
"""More than any kit: with the camera's packages for apt it is some 500 MB."""


class ArchiveError(KitError, ValueError):
    """A file that is no archive of a kit, or a damaged one."""


def version(kit: Path) -> tuple[str, str]:
    """Return the version and the board of *kit*.

    :raises BoardError: if it has no VERSION.
    """
    try:
        said, board = (kit / VERSION).read_text("utf-8").split()
    except (OSError, ValueError) as error:
        raise BoardError(f"{kit}: no {VERSION} of two lines in it: this is no kit") from error
    return said, board


def release(kit: Path) -> str:
    """Return what *kit* is called on a card: its version and 8 digits of its sums' sum.

    :raises BoardError: if it has no VERSION or no SHA256SUMS.
    """
    said, _ = version(kit)
    try:
        sums = (kit / SUMS).read_bytes()
    except OSError as error:
        raise BoardError(f"{kit}: no {SUMS}: the kit is not whole") from error
    return f"{said}-{hashlib.sha256(sums).hexdigest()[:8]}"


def read_sums(kit: Path) -> dict[str, str]:
    """Return the sum that *kit* says each of its files has, by name; none: it is not whole."""
    try:
        lines = (kit / SUMS).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return {}
    found = [SUM_LINE.fullmatch(line) for line in lines]
    return {match[2]: match[1] for match in found if match}


def faults(kit: Path) -> list[str]:
    """Return what keeps *kit* from being whole, a line each; none: it is whole."""
    sums = read_sums(kit)
    if not sums:
        return [f"no {SUMS}"]
    there = dict(files(kit))
    wanted = dict.fromkeys((VERSION, INSTALLER, *sums))
    wrong = [f"{name} is missing" for name in wanted if name not in there]
    wrong += [f"{name} is too much" for name in there if name not in sums]
    return wrong + [
        f"{name} is damaged"
        for name, path in there.items()
        if name in sums and sum_of(path) != sums[name]
    ]


def seal(kit: Path) -> None:
    """Write the sums of all that is in *kit*, unless they are there: it is whole now."""
    text = "".join(f"{sum_of(path)}  {name}\n" for name, path in files(kit))
    write(kit / SUMS, text.encode())


def pack(kit: Path, archive: Path, made_s: int) -> None:
    """Write *kit* as an archive; the same files and *made_s* give the same bytes.

    *made_s* is the time of all its members, in seconds since 1970.

    :raises BoardError: if *kit* is not whole, or *archive* cannot be written.
    """
    if wrong := faults(kit):
        raise BoardError(f"{kit}: {wrong[0]}: the kit is not whole")
    fresh = archive.with_name(archive.name + ".new")
    try:
        with tarfile.open(fresh, "w", format=tarfile.USTAR_FORMAT) as tar:
            for name, path in [*files(kit), (SUMS, kit / SUMS)]:
                member = tarfile.TarInfo(f"{TOP}/{name}")
                member.size = path.stat().st_size
                member.mtime = made_s
                member.mode = 0o755 if name == INSTALLER else 0o644
                with path.open("rb") as file:
                    tar.addfile(member, file)
        fresh.replace(archive)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise BoardError(f"{archive}: {error.strerror}") from error


def load(archive: Path, kit: Path) -> None:
    """Put the kit that *archive* holds in place of what is in *kit*.

    :raises ArchiveError: if the archive is damaged, is no kit, or holds what does
        not belong in one; *kit* is unchanged then.
    :raises BoardError: if *archive* cannot be read or *kit* not be written.
    """
    try:
        kit.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".kit-", dir=kit.parent) as scratch:
            fresh = Path(scratch) / TOP
            fresh.mkdir()
            try:
                _unpack(archive, fresh)
            except (tarfile.TarError, EOFError) as error:
                raise ArchiveError(f"{archive}: {error}: get the archive again") from error
            if wrong := faults(fresh):
                raise ArchiveError(f"{archive}: {wrong[0]}: get the archive again")
            before = Path(scratch) / "before"
            if kit.exists():
                kit.replace(before)
            try:
                fresh.replace(kit)
            except OSError:
                if before.exists():
                    before.replace(kit)
                raise
    except KitError:
        raise
    except OSError as error:
        raise BoardError(f"{error.filename or kit}: {error.strerror}") from error


def files(kit: Path) -> Iterator[tuple[str, Path]]:
    """Return each file of *kit* but the sums, by its name in them, sorted.

    What begins with a dot is the file manager's of who looked at it, and not the kit's.
    """
    found = []
    for folder, folders, names in os.walk(kit):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(folder) / name for name in names if not name.startswith(".")]
    for name, path in sorted((path.relative_to(kit).as_posix(), path) for path in found):
        if name != SUMS:
            yield name, path


def sum_of(path: Path) -> str:
    """Return the SHA-256 of the file at *path* in hex, "" if there is none."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def write(path: Path, content: bytes) -> None:
    """Put *content* at *path*, whole or not at all; the same content is left alone."""
    try:
        if path.read_bytes() == content:
            return
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(content)
    fresh.replace(path)


def _unpack(archive: Path, into: Path) -> None:
    """Write the files of *archive*; nothing of a member is believed but its name and bytes."""
    left = BYTES_MAX
    seen: set[str] = set()
    with tarfile.open(archive, "r:") as tar:
        for member in tar:
            top, *parts = member.name.split("/")
            if member.isdir() and top == TOP:
                continue
            left -= member.size
            if (
                top != TOP
                or not parts
                or not member.isreg()
                or not all(map(SAFE.fullmatch, parts))
                or member.name.lower() in seen
            ):
                raise ArchiveError(f"{archive}: {member.name!r} does not belong in a kit")
            if left < 0 or len(seen) >= FILES_MAX:
                raise ArchiveError(f"{archive}: more in it than a kit has")
            seen.add(member.name.lower())
            path = into.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            content = tar.extractfile(member)
            assert content is not None  # it is a regular file
            with path.open("xb") as file:
                shutil.copyfileobj(content, file)
