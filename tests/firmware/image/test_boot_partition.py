"""A card's boot partition, as the tools of Debian make and read one."""

import shutil
import struct
import subprocess

import pytest

from firmware.image import boot_partition
from firmware.image.boot_partition import BootError, write
from firmware.image.first_run import ARGUMENTS

MB = 1 << 20
START = 8192
"""First sector of the boot partition in Raspberry Pi's images."""

needs_tools = pytest.mark.skipif(
    not (shutil.which("mkfs.vfat") and shutil.which("mcopy")), reason="no dosfstools, no mtools"
)


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True).stdout


def fill(folder, **changed):
    """Make a card's folder with a kit in it."""
    files = {
        "user-data": b"#cloud-config\n{}\n",
        "network-config": b"{}\n",
        "meta-data": b"{}\n",
        "mafia.txt": b"dtparam=i2c_arm=on\n",
        "mafia/card/kit.toml": b"seat = 1\n",
        "mafia/kit/VERSION": b"1\n",
        "mafia/kit/wheels/a_name_that_is_too_long_for_dos-1.0.0-py3-none-any.whl": bytes(range(256))
        * 9000,
        **changed,
    }
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return files


def folders(place):
    return {one.relative_to(place).as_posix() for one in place.rglob("*") if one.is_dir()}


class Mounted:
    """A boot partition in a folder."""

    def __init__(self, folder):
        self.target = folder / "bootfs"
        self.target.mkdir()
        (self.target / "config.txt").write_bytes(b"# theirs\n")
        (self.target / "cmdline.txt").write_bytes(b"console=tty1\n")
        (self.target / "overlays").mkdir()

    def put(self, path, content):
        (self.target / path).parent.mkdir(parents=True, exist_ok=True)
        (self.target / path).write_bytes(content)

    def files(self):
        return {
            file.relative_to(self.target).as_posix(): file.read_bytes()
            for file in self.target.rglob("*")
            if file.is_file()
        }

    def folders(self):
        return folders(self.target)

    def check(self):
        pass


class Image:
    """A boot partition in a file, looked at by mtools and fsck."""

    bits, at, size = 32, 0, 36 * MB

    def __init__(self, folder):
        self.target, self.out, size = folder / "card.img", folder / "out", self.size
        with self.target.open("wb") as file:
            file.truncate(self.at + size)
        self.make(size)
        (folder / "config.txt").write_bytes(b"# theirs\n")
        (folder / "cmdline.txt").write_bytes(b"console=tty1\n")
        self.tool("mcopy", folder / "config.txt", folder / "cmdline.txt", "::")
        self.tool("mmd", "::overlays")

    def make(self, size):
        run("mkfs.vfat", "-F", self.bits, "-s", 1, self.target)

    def tool(self, name, *words):
        return run(name, "-i", f"{self.target}@@{self.at}", *words)

    def put(self, path, content):
        file = self.target.with_name("one")
        file.write_bytes(content)
        for n in range(1, path.count("/") + 1):
            subprocess.run(
                ["mmd", "-i", f"{self.target}@@{self.at}", "::" + "/".join(path.split("/")[:n])],
                capture_output=True, input=b"s\n",
            )  # fmt: skip
        self.tool("mcopy", "-o", file, f"::{path}")

    def files(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir()
        self.tool("mcopy", "-s", "-n", "::*", self.out)
        return {
            file.relative_to(self.out).as_posix(): file.read_bytes()
            for file in self.out.rglob("*")
            if file.is_file()
        }

    def folders(self):
        self.files()
        return folders(self.out)

    def check(self):
        """The file system is sound, down to the number of free clusters."""
        part = self.target
        if self.at:
            part = self.target.with_name("part.img")
            part.write_bytes(self.target.read_bytes()[self.at :])
        run("fsck.vfat", "-n", part)


class Fat16(Image):
    """An old card."""

    bits, size = 16, 8 * MB


class Disk(Fat16):
    """A whole card, with its partitions."""

    at = START * 512

    def make(self, size):
        part = self.target.with_name("part.img")
        with part.open("wb") as file:
            file.truncate(size)
        run("mkfs.vfat", "-F", self.bits, "-s", 1, part)
        entry = struct.pack("<8xII", START, size // 512)
        boot = b"\0" * 4 + b"\x0c" + b"\0" * 3 + entry[8:]
        root = b"\0" * 4 + b"\x83" + b"\0" * 3 + struct.pack("<II", START + size // 512, 8)
        with self.target.open("r+b") as file:
            file.seek(446)
            file.write(boot + root + b"\0" * 32 + b"\x55\xaa")
            file.seek(self.at)
            file.write(part.read_bytes())


KINDS = [
    Mounted,
    pytest.param(Image, marks=needs_tools),
    pytest.param(Fat16, marks=needs_tools),
    pytest.param(Disk, marks=needs_tools),
]


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def card(request, tmp_path):
    return request.param(tmp_path)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "node-01"
    made.mkdir()
    return made


THEIRS = {
    "config.txt": b"# theirs\n\n[all]\ninclude mafia.txt\n",
    "cmdline.txt": b"console=tty1\n",
}


def test_all_of_a_card_is_on_it_and_nothing_of_the_systems_is_lost(card, folder):
    files, heard = fill(folder), []
    written = write(folder, card.target, lambda done, whole: heard.append((done, whole)))
    assert card.files() == THEIRS | files
    assert written == boot_partition.Written(len(files), sum(map(len, files.values())), 0)
    assert heard[-1][0] == heard[-1][1] == 2 * written.bytes
    assert heard == sorted(heard)
    card.check()


def test_what_is_there_already_is_not_written_again(card, folder):
    fill(folder)
    write(folder, card.target)
    before, heard = card.target.stat().st_mtime_ns, []
    again = write(folder, card.target, lambda done, whole: heard.append((done, whole)))
    assert again == boot_partition.Written(0, 0, 0)
    assert card.target.stat().st_mtime_ns == before
    assert heard[-1][0] == heard[-1][1]
    fill(folder, **{"mafia/kit/VERSION": b"2\n"})
    assert write(folder, card.target).files == 2, "what has changed, and user-data as the last"
    assert card.files()["mafia/kit/VERSION"] == b"2\n"
    card.check()


def test_a_card_that_was_another_ones_keeps_nothing_of_it(card, folder):
    fill(folder)
    write(folder, card.target)
    card.put("mafia/card/broker.key", b"another's secret")
    card.put("mafia/old/wheels/x.whl", b"old")
    (folder / "mafia.txt").unlink()
    assert write(folder, card.target).removed == 3
    kept = card.files()
    assert "mafia.txt" not in kept
    assert b"include" not in kept["config.txt"]
    assert {path for path in kept if "old" in path or "key" in path} == set()
    assert card.folders() == {"overlays", "mafia", "mafia/card", "mafia/kit", "mafia/kit/wheels"}
    card.check()


def test_a_card_is_renewed_without_its_kit_which_stays(card, folder):
    files = fill(folder)
    write(folder, card.target)
    shutil.rmtree(folder / "mafia/kit")
    (folder / "mafia/card/kit.toml").write_bytes(b"seat = 2\n")
    write(folder, card.target)
    assert card.files() == THEIRS | files | {"mafia/card/kit.toml": b"seat = 2\n"}
    card.check()


def test_the_first_run_of_debian_12_is_named_on_the_kernels_command_line_and_no_other(card, folder):
    fill(folder, **{"firstrun.sh": b"#!/bin/sh\n"})
    write(folder, card.target)
    assert card.files()["cmdline.txt"] == f"console=tty1 {' '.join(ARGUMENTS)}\n".encode()
    assert write(folder, card.target).files == 0
    (folder / "firstrun.sh").unlink()
    write(folder, card.target)
    assert card.files()["cmdline.txt"] == b"console=tty1\n"
    assert "firstrun.sh" not in card.files()
    card.check()


def test_one_that_was_interrupted_is_not_whole_and_the_next_run_mends_it(card, folder):
    files = fill(folder)

    def stop(done, whole):
        # Before user-data is written; the second time what has changed is still half there.
        if done > whole - 3000:
            raise KeyboardInterrupt

    for changed in ({}, {"mafia/kit/large": bytes(2000)}):
        files |= fill(folder, **changed)
        with pytest.raises(BootError, match="interrupted, the card is not whole; do it again"):
            write(folder, card.target, stop)
        assert "user-data" not in card.files()
        write(folder, card.target)
        assert card.files() == THEIRS | files
    card.check()


@needs_tools
def test_what_has_no_room_is_told_in_numbers_before_anything_is_changed(tmp_path, folder):
    card = Fat16(tmp_path)
    before = card.files()
    fill(folder, **{"mafia/kit/large": bytes(6 * MB)})
    with pytest.raises(BootError, match=r"9\.6 MB are needed, 8\.3 MB are free"):
        write(folder, card.target)
    assert card.files() == before
    for content in (b"\1", b"\2"):
        # The second time there is room only where the first one was.
        fill(folder, **{"mafia/kit/large": content * (4 * MB)})
        write(folder, card.target)
    card.check()


def test_a_card_that_forgets_what_it_is_told_is_found_out(tmp_path, folder, monkeypatch):
    card = Mounted(tmp_path)
    fill(folder)
    flush = boot_partition._Mounted.flush

    def forgetful(volume):
        flush(volume)
        (card.target / "mafia/kit/VERSION").write_bytes(b"?\n")

    monkeypatch.setattr(boot_partition._Mounted, "flush", forgetful)
    with pytest.raises(BootError, match=r"mafia/kit/VERSION was written and reads back as"):
        write(folder, card.target)
    assert "user-data" not in card.files()


def test_a_folder_that_is_no_boot_partition_is_refused_by_what_is_in_it(tmp_path, folder):
    fill(folder)
    photos = tmp_path / "photos"
    photos.mkdir()
    with pytest.raises(BootError, match=r"config\.txt and cmdline\.txt; found nothing"):
        write(folder, photos)
    for n in range(8):
        (photos / f"{n}.jpg").touch()
    with pytest.raises(BootError, match=r"found 0\.jpg, .*5\.jpg and 2 more"):
        write(folder, photos)
    assert len(list(photos.iterdir())) == 8


def test_what_is_no_disk_is_refused(tmp_path, folder):
    fill(folder)
    with pytest.raises(BootError, match="is the card in"):
        write(folder, tmp_path / "nowhere")
    (tmp_path / "text").write_text("no disk")
    with pytest.raises(BootError, match="neither a FAT file system nor a disk"):
        write(folder, tmp_path / "text")
    disk = bytearray(512)
    disk[450] = 0xEE
    disk[510:] = b"\x55\xaa"
    (tmp_path / "gpt").write_bytes(disk)
    with pytest.raises(BootError, match="found kinds 0xee 0x00 0x00 0x00, a GPT disk"):
        write(folder, tmp_path / "gpt")


def test_a_folder_without_a_cards_files_is_not_taken_for_one(tmp_path):
    card = Mounted(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(BootError, match="no user-data in it"):
        write(tmp_path / "empty", card.target)


def test_a_drive_of_windows_is_its_top_and_not_where_somebody_stood_in_it(folder):
    fill(folder)
    with pytest.raises(BootError, match=r"E:\\: nothing there"):
        write(folder, boot_partition.Path("E:"))
