"""A card's boot partition: recognised, and filled with what the kit brings.

It is mounted (a folder, on Windows a drive), or it is a FAT file system in a file or a
device, alone or as the first of a disk. It runs where cards are made: Linux, macOS, Windows.

What is on the card already stays as it is: a card that was written before is looked
through, and only what differs is written. ``user-data`` goes first and comes last: a
card that has it is whole.
"""

import contextlib
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

import msgspec

from firmware.errors import KitError
from firmware.image.cloud_init import INCLUDE, SETTINGS
from firmware.image.fat import CHUNK, Fat, forget
from firmware.image.first_run import ARGUMENTS, SCRIPT

LAST: Final = "user-data"
OURS: Final = (LAST, "network-config", "meta-data", SETTINGS, SCRIPT)
"""Files of the kit beside its folder; an operating system's own of these names are replaced."""
FOLDER: Final = "mafia"
KIT: Final = f"{FOLDER}/kit/"
"""What is installed from; a folder without one renews who the card is."""
CONFIG: Final = "config.txt"
CMDLINE: Final = "cmdline.txt"
MARKS: Final = (CONFIG, CMDLINE)
"""What a boot partition of Raspberry Pi OS has."""
CLUSTER: Final = 4096
"""Of a mounted FAT, where the system does not say; Raspberry Pi's own have less."""
DRIVE: Final = re.compile(r"[A-Za-z]:")
SPARE: Final = 1 << 20
"""Left free, for folders and for what the system writes itself."""

Progress = Callable[[int, int], object]
"""Is told bytes done and bytes in all, each time there is more; writing and reading back count."""


class BootError(KitError, OSError):
    """That is no boot partition of a Raspberry Pi, or it cannot take the files."""


class Written(msgspec.Struct, frozen=True):
    """What was done; what was there already is not counted."""

    files: int
    bytes: int
    removed: int
    """Files of a card before that are gone."""


class Volume(Protocol):
    """A file system, as :class:`firmware.image.fat.Fat`; paths are relative, with slashes."""

    cluster: int

    def listing(self, folder: str) -> dict[str, int | None]: ...  # noqa: D102  see Fat
    def free(self) -> int: ...  # noqa: D102
    def read(self, path: str) -> Iterator[bytes]: ...  # noqa: D102
    def write(self, path: str, content: Iterable[bytes]) -> None: ...  # noqa: D102
    def remove(self, path: str) -> None: ...  # noqa: D102
    def flush(self) -> None: ...  # noqa: D102


def nothing(done: int, whole: int) -> None:
    """Take progress and show none."""


def write(folder: Path, target: Path, progress: Progress = nothing) -> Written:
    """Put what lies in *folder*, of one card, on the boot partition *target*.

    The system's own files stay; the kit's of before go unless they are the same, or are
    mafia/kit and *folder* brings none. All that is written is read back and compared.
    Interrupted, by Ctrl-C too, the card is not whole, has no ``user-data``, and is made
    whole by another run.

    :raises BootError: before anything is changed if *target* is no boot partition or has no
        room, with what was found; after it, if it was interrupted or holds something else.
    """
    wanted = {path: file for path, file in _files(folder) if path in OURS or _kit(path)}
    if LAST not in wanted:
        raise BootError(f"{folder}: no {LAST} in it, so it is no folder of a card")
    try:
        with _volume(target) as volume:
            _recognise(volume, target)
            return _Filling(volume, target, wanted, progress).done()
    except KeyboardInterrupt as error:
        raise BootError(f"{target}: interrupted, the card is not whole; do it again") from error
    except OSError as error:
        if isinstance(error, KitError):
            raise BootError(str(error)) from error
        raise BootError(f"{target}: {error}; the card is not whole") from error


class _Filling:
    """One run."""

    def __init__(
        self, volume: Volume, target: Path, wanted: dict[str, Path], progress: Progress
    ) -> None:
        self._volume = volume
        self._target = target
        self._wanted = wanted
        self._sizes = {path: file.stat().st_size for path, file in wanted.items()}
        self._whole = 2 * sum(self._sizes.values())
        self._progress = progress
        self._at = 0

    def done(self) -> Written:
        volume, present = self._volume, _present(self._volume)
        fresh = sorted(path for path in self._wanted if not self._same(path, present))
        gone = sorted(filter(self._goes, present.keys() - self._wanted.keys()), reverse=True)
        named = self._named(change=False)
        if not fresh and not gone and named:
            return Written(0, 0, 0)
        if LAST not in fresh:
            self._step(-2 * self._sizes[LAST])
            fresh.append(LAST)
        self._make_sure_of_room(fresh, gone, present)
        for path in ([LAST] if LAST in present else []) + gone:
            volume.remove(path)
        _remove_empty(volume, FOLDER)
        self._named(change=True)
        fresh.remove(LAST)
        for batch in (fresh, [LAST]):
            for path in batch:
                volume.write(path, self._counted(self._content(path)))
            volume.flush()
            for path in batch:
                self._compare(path)
        return Written(len(fresh) + 1, sum(self._sizes[path] for path in [*fresh, LAST]), len(gone))

    def _goes(self, path: str) -> bool:
        """Tell whether what is not wanted goes: a kit stays where none is brought."""
        return not path.startswith(KIT) or any(one.startswith(KIT) for one in self._wanted)

    def _same(self, path: str, present: dict[str, int]) -> bool:
        if present.get(path) != self._sizes[path]:
            return False
        if not _equal(self._content(path), self._volume.read(path)):
            return False
        self._step(2 * self._sizes[path])
        return True

    def _make_sure_of_room(
        self, fresh: list[str], gone: list[str], present: dict[str, int]
    ) -> None:
        replaced = [path for path in fresh if path in present]
        room = self._volume.free() + sum(map(self._taken, (present[p] for p in [*gone, *replaced])))
        needed = SPARE + sum(self._taken(self._sizes[path]) for path in fresh)
        if needed > room:
            raise BootError(
                f"{self._target}: {needed / 1e6:.1f} MB are needed, {room / 1e6:.1f} MB are free"
            )

    def _taken(self, size: int) -> int:
        cluster = self._volume.cluster
        return -(-size // cluster) * cluster

    def _named(self, *, change: bool) -> bool:
        """Tell whether the system's files name ours if there are any, and only then."""
        config = b"".join(self._volume.read(CONFIG)).splitlines(keepends=True)
        others = [line for line in config if line.strip() != INCLUDE.encode()]
        ours = [f"\n[all]\n{INCLUDE}\n".encode()] if SETTINGS in self._wanted else []
        words = b"".join(self._volume.read(CMDLINE)).split()
        theirs = [word for word in words if word.decode("ascii", "replace") not in ARGUMENTS]
        added = [word.encode() for word in ARGUMENTS if SCRIPT in self._wanted]
        right = True
        if bool(ours) != (len(others) < len(config)):
            right = False
            if change:
                self._volume.write(CONFIG, [b"".join(others + ours)])
        if [*theirs, *added] != words:
            right = False
            if change:
                self._volume.write(CMDLINE, [b" ".join([*theirs, *added]) + b"\n"])
        return right

    def _compare(self, path: str) -> None:
        if not _equal(self._content(path), self._counted(self._volume.read(path))):
            self._volume.remove(path)
            raise BootError(
                f"{self._target}: {path} was written and reads back as something else; "
                "take another card"
            )

    def _content(self, path: str) -> Iterator[bytes]:
        return _chunks(self._wanted[path])

    def _counted(self, content: Iterator[bytes]) -> Iterator[bytes]:
        with _closing(content):
            for chunk in content:
                yield chunk
                self._step(len(chunk))

    def _step(self, size: int) -> None:
        self._at += size
        self._progress(self._at, self._whole)


class _Mounted:
    """A boot partition that the system shows as a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fresh: list[Path] = []
        self.cluster = os.statvfs(folder).f_frsize if hasattr(os, "statvfs") else CLUSTER

    def listing(self, folder: str) -> dict[str, int | None]:
        found = sorted((self._folder / folder).iterdir())
        return {one.name: None if one.is_dir() else one.stat().st_size for one in found}

    def free(self) -> int:
        return shutil.disk_usage(self._folder).free

    def read(self, path: str) -> Iterator[bytes]:
        return _chunks(self._folder / path)

    def write(self, path: str, content: Iterable[bytes]) -> None:
        where = self._folder / path
        where.parent.mkdir(parents=True, exist_ok=True)
        with where.open("wb") as file:
            for chunk in content:
                file.write(chunk)
        self._fresh.append(where)

    def remove(self, path: str) -> None:
        where = self._folder / path
        if where.is_dir():
            where.rmdir()
        else:
            where.unlink()

    def flush(self) -> None:
        for where in self._fresh:
            with where.open("r+b") as file:
                os.fsync(file.fileno())
                forget(file)
        self._fresh.clear()


def _volume(target: Path) -> contextlib.AbstractContextManager[Volume]:
    if DRIVE.fullmatch(str(target)):
        target = Path(f"{target}\\")
    if target.is_dir():
        return contextlib.nullcontext(_Mounted(target))
    if not target.exists():
        raise BootError(f"{target}: nothing there; is the card in, and was it flashed?")
    return Fat(target)


def _recognise(volume: Volume, target: Path) -> None:
    found = sorted(volume.listing(""))
    if set(MARKS) <= {name.lower() for name in found}:
        return
    seen = ", ".join(found[:6]) + (f" and {len(found) - 6} more" if len(found) > 6 else "")
    raise BootError(
        f"{target}: no boot partition of Raspberry Pi OS, which has {' and '.join(MARKS)}; "
        f"found {seen or 'nothing'}"
    )


def _present(volume: Volume) -> dict[str, int]:
    """Return path -> size of the kit's files that are on the card."""
    found = dict(_below(volume, FOLDER)) if FOLDER in volume.listing("") else {}
    top = volume.listing("")
    return found | {name: size for name in OURS if (size := top.get(name)) is not None}


def _below(volume: Volume, folder: str) -> Iterator[tuple[str, int]]:
    for name, size in volume.listing(folder).items():
        path = f"{folder}/{name}"
        if size is None:
            yield from _below(volume, path)
        else:
            yield path, size


def _remove_empty(volume: Volume, folder: str) -> None:
    """Remove the folders below *folder* that hold no file."""
    if folder == FOLDER and FOLDER not in volume.listing(""):
        return
    for name, size in volume.listing(folder).items():
        if size is None:
            _remove_empty(volume, f"{folder}/{name}")
    if not volume.listing(folder):
        volume.remove(folder)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield relative path and file; not what a desktop leaves in every folder."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.startswith("."):
            yield file.relative_to(folder).as_posix(), file


def _kit(path: str) -> bool:
    return path.startswith(f"{FOLDER}/")


def _chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK):
            yield chunk


def _equal(one: Iterator[bytes], other: Iterator[bytes]) -> bool:
    """Compare; both are read in chunks of one size, and to their end."""
    with _closing(one), _closing(other):
        return all(a == b for a, b in itertools.zip_longest(one, other))


def _closing(content: Iterator[bytes]) -> contextlib.AbstractContextManager[object]:
    """Let go of the file that a generator reads, also when it is not read to its end."""
    return contextlib.closing(content)  # type: ignore[type-var]
