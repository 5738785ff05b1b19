"""The kit's folder and its archive: whole or refused, and never a file outside."""

import io
import tarfile

import pytest

from firmware.errors import BoardError
from firmware.image.kit import ArchiveError, faults, load, pack, release, seal, version

MADE_S = 1_764_000_000
FILES = {
    "VERSION": b"0.1.0\npi5\n",
    "install.sh": b"#!/bin/sh\n",
    "wheels/kit-1-py3-none-any.whl": bytes(range(256)) * 40,
    "models/hand.task": b"model",
}


@pytest.fixture
def kit(tmp_path):
    folder = tmp_path / "whole"
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    seal(folder)
    return folder


@pytest.fixture
def archive(kit, tmp_path):
    path = tmp_path / "kit.tar"
    pack(kit, path, MADE_S)
    return path


@pytest.fixture
def before(tmp_path):
    """A kit that was there before."""
    folder = tmp_path / "card" / "kit"
    folder.mkdir(parents=True)
    (folder / "VERSION").write_text("0.0.9\npi5\n", "utf-8")
    return folder


def content(folder):
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_a_kit_comes_out_of_its_archive_as_it_went_in(kit, archive, before):
    load(archive, before)
    assert content(before) == content(kit)
    assert (faults(before), release(before)) == ([], release(kit))
    assert version(before) == ("0.1.0", "pi5")
    assert [path.name for path in before.parent.iterdir()] == ["kit"]


def test_an_archive_tells_nothing_of_where_it_was_made(kit, archive, tmp_path):
    again = tmp_path / "again.tar"
    for path in sorted(kit.rglob("*"), reverse=True):
        if path.is_file():
            was = path.read_bytes()
            path.unlink()
            path.write_bytes(was)
    pack(kit, again, MADE_S)
    assert again.read_bytes() == archive.read_bytes()
    with tarfile.open(archive) as tar:
        members = tar.getmembers()
    assert {(member.mtime, member.uid, member.gname) for member in members} == {(MADE_S, 0, "")}
    assert [member.name for member in members if member.mode != 0o644] == ["kit/install.sh"]


def test_a_release_is_called_by_all_that_is_in_it(kit):
    first = release(kit)
    (kit / "models" / "hand.task").write_bytes(b"other")
    seal(kit)
    assert first.startswith("0.1.0-")
    assert (len(release(kit)), release(kit) == first) == (len("0.1.0-") + 8, False)


def test_what_keeps_a_kit_from_being_whole_is_told(kit, tmp_path):
    (kit / "VERSION").unlink()
    (kit / "models" / "hand.task").write_bytes(b"modem")
    (kit / "wheels" / "more.whl").write_bytes(b"")
    (kit / ".DS_Store").write_bytes(b"a file manager's own")
    assert faults(kit) == [
        "VERSION is missing",
        "wheels/more.whl is too much",
        "models/hand.task is damaged",
    ]
    with pytest.raises(BoardError, match="VERSION is missing: the kit is not whole"):
        pack(kit, tmp_path / "kit.tar", MADE_S)
    with pytest.raises(BoardError, match="no VERSION of two lines"):
        version(kit)


def test_a_folder_without_sums_is_not_whole(kit):
    (kit / "SHA256SUMS").unlink()
    assert faults(kit) == ["no SHA256SUMS"]
    with pytest.raises(BoardError, match="not whole"):
        release(kit)


def made(path, *members):
    """Write an archive of a kit's files and *members*, each a name, a type and where it leads."""
    with tarfile.open(path, "w") as tar:
        for name, kind, leads in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, leads
            member.size = 1 if kind == tarfile.REGTYPE else 0
            tar.addfile(member, io.BytesIO(b"x"))
    return path


@pytest.mark.parametrize(
    "member",
    [
        ("../x", tarfile.REGTYPE, ""),
        ("/kit/x", tarfile.REGTYPE, ""),
        ("kit/../../x", tarfile.REGTYPE, ""),
        ("kit", tarfile.REGTYPE, ""),
        ("kit/a/../x", tarfile.REGTYPE, ""),
        ("kit/.x", tarfile.REGTYPE, ""),
        ("kit/-x", tarfile.REGTYPE, ""),
        ("kit/x.", tarfile.REGTYPE, ""),
        ("kit/c:x", tarfile.REGTYPE, ""),
        ("kit/..\\x", tarfile.REGTYPE, ""),
        ("card/kit.toml", tarfile.REGTYPE, ""),
        ("../x", tarfile.DIRTYPE, ""),
        ("kit/x", tarfile.SYMTYPE, "/etc/passwd"),
        ("kit/x", tarfile.LNKTYPE, "kit/VERSION"),
        ("kit/x", tarfile.CHRTYPE, ""),
        ("kit/x", tarfile.FIFOTYPE, ""),
    ],
    ids=lambda member: f"{member[1].decode()} {member[0]}",
)
def test_what_does_not_belong_in_a_kit_is_refused(member, tmp_path, before):
    archive = made(tmp_path / "kit.tar", member)
    was = sorted(tmp_path.rglob("*"))
    with pytest.raises(ArchiveError, match="does not belong in a kit"):
        load(archive, before)
    assert sorted(tmp_path.rglob("*")) == was


def test_two_files_that_some_systems_take_for_one_are_refused(tmp_path, before):
    twice = [("kit/x", tarfile.REGTYPE, ""), ("kit/X", tarfile.REGTYPE, "")]
    with pytest.raises(ArchiveError, match="'kit/X' does not belong"):
        load(made(tmp_path / "kit.tar", *twice), before)


def test_an_archive_of_more_than_a_kit_is_refused_unread(tmp_path, before):
    member = tarfile.TarInfo("kit/x")
    member.size = 3 << 30
    archive = tmp_path / "kit.tar"
    archive.write_bytes(member.tobuf())
    with pytest.raises(ArchiveError, match="more in it than a kit has"):
        load(archive, before)


@pytest.mark.parametrize("length", [0, 700, 5000, -30])
def test_a_torn_archive_leaves_the_kit_that_is_there(length, archive, before):
    archive.write_bytes(archive.read_bytes().rstrip(b"\0")[:length])
    with pytest.raises(ArchiveError, match="get the archive again"):
        load(archive, before)
    assert version(before) == ("0.0.9", "pi5")


def test_a_damaged_archive_leaves_the_kit_that_is_there(archive, before):
    archive.write_bytes(archive.read_bytes().replace(b"model\0", b"modem\0"))
    with pytest.raises(ArchiveError, match=r"hand\.task is damaged"):
        load(archive, before)
    assert version(before) == ("0.0.9", "pi5")


def test_an_archive_that_is_not_there(tmp_path, before):
    with pytest.raises(BoardError, match=r"none\.tar: No such file"):
        load(tmp_path / "none.tar", before)
