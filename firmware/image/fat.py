"""A FAT file system in a file or a device: alone, or the first of a disk.

The only file that imports fatfs (ChaN's FatFs, as in many cameras and players). It comes with
the extra ``cards`` and is needed for what is not mounted only.

Source: Microsoft, FAT32 File System Specification 1.03; UEFI 2.10, 5.2.1 (legacy MBR).
"""

import array
import contextlib
import os
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from firmware.errors import KitError

SECTOR: Final = 512
CHUNK: Final = 1 << 20
READ, WRITE = 0x01, 0x02 | 0x08
"""Source: FatFs, f_open: FA_READ; FA_WRITE | FA_CREATE_ALWAYS."""
TYPES: Final = (0x01, 0x04, 0x06, 0x0B, 0x0C, 0x0E)
"""Kinds of partitions that hold FAT."""
GPT: Final = 0xEE
FAT12_BELOW, FAT16_BELOW = 4085, 65525
"""Clusters that a file system of the next kind has at least."""


class FatError(KitError, OSError):
    """There is no FAT file system that can be used."""


class Fat:
    """The file system in *target*; a context manager. Paths in it are relative, with slashes.

    :raises FatError: on entering, if there is none, or *target* is in use.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._ends = contextlib.ExitStack()

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as ends:
            self._file = ends.enter_context(_open(self._target))
            self._start = _first_fat(self._file, self._target)
            self._shape = _Shape(self._file, self._start, self._target)
            self.cluster = self._shape.cluster
            self._volume = self._mounted()
            ends.callback(self._volume.unmount)
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        self._ends.close()

    def _mounted(self) -> Any:
        try:
            from fatfs import create_extended_partition, wrapper
            from fatfs.diskio import Disk
        except ImportError as error:
            raise FatError(
                f"{self._target}: to write into it takes one more package, "
                "pip install 'mafia-table-kit[cards]'; or mount it and name the folder or drive"
            ) from error
        file, start, sectors = self._file, self._start, self._shape.sectors

        class Part(Disk):  # type: ignore[misc]  # fatfs has no hints
            """The sectors of the file system."""

            def ioctl_get_sector_count(self) -> int:
                return sectors

            def ioctl_get_sector_size(self) -> int:
                return SECTOR

            def ioctl_get_block_size(self) -> int:
                return 1

            def read(self, sector: int, count: int) -> bytes:
                file.seek(start + sector * SECTOR)
                return file.read(count)

            def write(self, sector: int, count: int, content: bytes) -> None:
                file.seek(start + sector * SECTOR)
                file.write(content)

        # The calls of FatFs itself: of the package's own file objects read() gives nothing.
        self._calls = wrapper
        volume = create_extended_partition(Part())
        volume.mount()
        return volume

    def listing(self, folder: str) -> dict[str, int | None]:
        """Return name -> size of what is in *folder*, "" at the top; None: a folder."""
        names = self._volume.listdir(f"/{folder}")
        found = {name: self._volume.stat(f"/{folder}/{name}") for name in names}
        return {name: None if one["is_dir"] else one["size"] for name, one in found.items()}

    def free(self) -> int:
        """Return how many bytes are free."""
        return self._shape.free(self._file) * self.cluster

    def read(self, path: str) -> Iterator[bytes]:
        """Yield what the file *path* holds."""
        with self._opened(path, READ) as file:
            while chunk := self._done(path, self._calls.pyf_read(file, CHUNK)):
                yield chunk

    def write(self, path: str, content: Iterable[bytes]) -> None:
        """Write the file *path*, in place of one of that name; its folders are made."""
        folder = path.rpartition("/")[0]
        if folder:
            self._volume.makedirs(f"/{folder}", exist_ok=True)
        with self._opened(path, WRITE) as file:
            for chunk in content:
                if self._done(path, self._calls.pyf_write(file, chunk)) < len(chunk):
                    raise FatError(f"{self._target}: {path}: no room for it")

    def remove(self, path: str) -> None:
        """Remove the file or the empty folder *path*."""
        self._volume.remove(f"/{path}")

    @contextlib.contextmanager
    def _opened(self, path: str, how: int) -> Iterator[Any]:
        file = self._calls.FIL_Handle()
        place = self._volume._adjust_path(f"/{path}")
        self._done(path, (self._calls.pyf_open(file, place, how), None))
        try:
            yield file
        finally:
            self._done(path, (self._calls.pyf_close(file), None))

    def _done(self, path: str, answer: tuple[int, Any]) -> Any:
        code, result = answer
        if code:
            raise FatError(f"{self._target}: {path}: FatFs refuses with code {code}")
        return result

    def flush(self) -> None:
        """Have all on the medium, and read it from there from now on."""
        self._file.flush()
        os.fsync(self._file.fileno())
        forget(self._file)


def forget(file: BinaryIO) -> None:
    """Have the system read *file* from the medium again, where it can be asked to."""
    if sys.platform == "linux":
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class _Shape:
    """How the file system is laid out."""

    def __init__(self, file: BinaryIO, start: int, target: Path) -> None:
        file.seek(start)
        head = file.read(SECTOR)
        size, per_cluster, reserved, copies, roots, few = struct.unpack_from("<HBHBHH", head, 11)
        (small,) = struct.unpack_from("<H", head, 22)
        many, large = struct.unpack_from("<II", head, 32)
        if size != SECTOR or not per_cluster or not copies:
            raise FatError(f"{target}: no usable FAT file system, sectors of {size} bytes")
        table = small or large
        self.sectors: int = few or many
        self.cluster: int = per_cluster * SECTOR
        data = self.sectors - reserved - copies * table - (roots * 32 + SECTOR - 1) // SECTOR
        self._clusters = data // per_cluster
        if self._clusters < FAT12_BELOW:
            raise FatError(f"{target}: {self._clusters} clusters, too small for a boot partition")
        self._entry = "H" if self._clusters < FAT16_BELOW else "I"
        self._table = start + reserved * SECTOR

    def free(self, file: BinaryIO) -> int:
        """Return how many clusters are free."""
        entries = array.array(self._entry)
        file.seek(self._table)
        entries.frombytes(file.read((self._clusters + 2) * entries.itemsize))
        if sys.byteorder == "big":
            entries.byteswap()
        return entries[2:].count(0)


def _open(target: Path) -> BinaryIO:
    how = os.O_RDWR | getattr(os, "O_BINARY", 0)
    try:
        if stat.S_ISBLK(target.stat().st_mode):
            # Linux refuses a device then of which something is mounted.
            how |= os.O_EXCL
        return os.fdopen(os.open(target, how), "r+b")
    except OSError as error:
        raise FatError(f"{target}: {error.strerror}: is it mounted, or not yours?") from error


def _first_fat(file: BinaryIO, target: Path) -> int:
    """Return at which byte the file system begins."""
    head = file.read(SECTOR)
    if len(head) < SECTOR or head[510:] != b"\x55\xaa":
        raise FatError(f"{target}: neither a FAT file system nor a disk with partitions")
    if head[54:57] == b"FAT" or head[82:87] == b"FAT32":
        return 0
    kinds = []
    for entry in range(446, 510, 16):
        kind, begin = head[entry + 4], int.from_bytes(head[entry + 8 : entry + 12], "little")
        if kind in TYPES:
            return begin * SECTOR
        kinds.append(f"{kind:#04x}")
    gpt = ", a GPT disk" if f"{GPT:#04x}" in kinds else ""
    raise FatError(f"{target}: no partition of FAT, found kinds {' '.join(kinds)}{gpt}")
