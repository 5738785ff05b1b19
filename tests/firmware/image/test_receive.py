"""What the key of updates may start on a node: a kit is received and installed, nothing else."""

import fcntl
import io
import os
import subprocess
import sys
import tarfile
import threading

import pytest

from firmware.image import kit as kits
from firmware.image import receive
from firmware.image.receive import Places, board_here, main


def make_kit(folder, *, board=None, script="echo installing wheels\n", version="0.2.0"):
    """Return a whole kit in *folder* whose installer is *script*."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "VERSION").write_text(f"{version}\n{board_here() if board is None else board}\n")
    (folder / "install.sh").write_text(script)
    (folder / "wheels").mkdir(exist_ok=True)
    (folder / "wheels/some-1.0-py3-none-any.whl").write_bytes(b"wheel" * 1000)
    kits.seal(folder)
    return folder


def packed(kit):
    archive = kit.parent / f"{kit.name}.tar"
    kits.pack(kit, archive, 0)
    return archive


@pytest.fixture
def places(tmp_path, monkeypatch):
    # Where these tests run has another Python than any board, perhaps.
    monkeypatch.setattr(receive, "board_here", lambda: "pi5")
    return Places(tmp_path / "node/work", tmp_path / "node/opt", tmp_path / "node/install.sh")


def ask(words, places, payload=b""):
    """Return the exit code of what *words* ask for; *payload* is what the line brings."""
    reads, writes = os.pipe()

    def bring():
        with os.fdopen(writes, "wb") as line:
            line.write(payload)

    bringer = threading.Thread(target=bring)
    bringer.start()
    try:
        return main(words, reads, places)
    finally:
        os.close(reads)
        bringer.join()


def test_a_kit_is_received_checked_installed_and_put_away(places, tmp_path, capsys):
    seen = tmp_path / "seen"
    script = f'cat "$(dirname "$0")/VERSION" > {seen}\necho making 0.2.0\necho done: it is there\n'
    payload = packed(make_kit(tmp_path / "kit", board="pi5", script=script)).read_bytes()
    assert ask(["install", str(len(payload))], places, payload) == 0
    assert capsys.readouterr().out.splitlines() == [
        "received", "says making 0.2.0", "says done: it is there", "done"
    ]  # fmt: skip
    assert seen.read_text() == "0.2.0\npi5\n"
    assert [each.name for each in places.work.iterdir()] == ["lock"]


def test_an_installer_that_fails_is_told_by_its_last_line(places, tmp_path, capsys):
    script = "echo one\necho 'install: no room: df -h /' >&2\nexit 1\n"
    payload = packed(make_kit(tmp_path / "kit", board="pi5", script=script)).read_bytes()
    assert ask(["install", str(len(payload))], places, payload) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "failed install: no room: df -h /"


@pytest.mark.parametrize(
    "words",
    [
        [], ["state", "now"], ["install"], ["install", "-1"], ["install", "1e9"], ["install", "٣"],
        ["install", "5", "5"], ["bash"], ["scp", "-t", "/etc"], ["back", "--card", "/tmp"],
        ["--card", "/etc"], ["state;", "id"], ["internal-sftp"],
    ],
)  # fmt: skip
def test_whatever_else_is_asked_for_is_refused(words, places, capsys):
    assert ask(words, places) == 1
    assert capsys.readouterr().out == "failed this key is for updates of the kit alone\n"
    assert not places.work.exists()


@pytest.mark.parametrize("size", [0, kits.BYTES_MAX + 1, 999_999_999_999_999])
def test_an_archive_larger_than_any_kit_is_refused_before_a_byte_is_read(size, places, capsys):
    assert ask(["install", str(size)], places) == 1
    assert f"failed an archive of {size} bytes" in capsys.readouterr().out
    assert not (places.work / "archive.tar").exists()


def test_what_is_said_beyond_the_size_is_not_read(places, tmp_path, capsys):
    payload = packed(make_kit(tmp_path / "kit", board="pi5")).read_bytes()
    assert ask(["install", "1000"], places, payload[:1000]) == 1
    assert "get the archive again" in capsys.readouterr().out


def test_a_card_without_room_is_told_before_a_byte_is_read(places, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(receive, "ROOM", 1 << 40)
    assert ask(["install", "1000"], places) == 1
    assert "no room on the card" in capsys.readouterr().out


def test_a_line_that_breaks_leaves_nothing(places, capsys):
    assert ask(["install", "1000"], places, b"x" * 400) == 1
    assert "the line broke 600 bytes before the archive's end" in capsys.readouterr().out
    assert [each.name for each in places.work.iterdir()] == ["lock"]


def test_a_line_that_brings_nothing_is_given_up(places, capsys, monkeypatch):
    monkeypatch.setattr(receive, "STALL_S", 0.05)
    reads, writes = os.pipe()
    assert main(["install", "1000"], reads, places) == 1
    os.close(reads), os.close(writes)
    assert "the line broke" in capsys.readouterr().out


def test_an_installer_that_hangs_is_ended_with_all_that_it_started(
    places, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(receive, "INSTALL_S", 0.3)
    kit = make_kit(tmp_path / "kit", board="pi5", script="echo waits\nsleep 300 & wait\n")
    payload = packed(kit).read_bytes()
    assert ask(["install", str(len(payload))], places, payload) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "failed waits"


def test_a_kit_for_the_other_board_is_not_installed(places, tmp_path, capsys):
    seen = tmp_path / "seen"
    kit = make_kit(tmp_path / "kit", board="pi4", script=f"touch {seen}\n")
    payload = packed(kit).read_bytes()
    assert ask(["install", str(len(payload))], places, payload) == 1
    assert "failed kit 0.2.0 is for a pi4, this is a pi5" in capsys.readouterr().out
    assert not seen.exists()


def hostile(name, kind=tarfile.REGTYPE, link=""):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        member = tarfile.TarInfo(name)
        member.type, member.linkname, member.size = kind, link, 0
        tar.addfile(member)
    return made.getvalue()


@pytest.mark.parametrize(
    "payload",
    [
        hostile("../../escaped"), hostile("/tmp/escaped"), hostile("kit/../../escaped"),
        hostile("kit/link", tarfile.SYMTYPE, "/etc/passwd"),
        hostile("kit/link", tarfile.LNKTYPE, "/etc/shadow"), hostile("kit/pipe", tarfile.FIFOTYPE),
        b"no tar at all" * 100,
    ],
)  # fmt: skip
def test_a_hostile_archive_is_refused_and_writes_nothing(payload, places, tmp_path, capsys):
    assert ask(["install", str(len(payload))], places, payload) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("failed ")
    assert [each.name for each in places.work.iterdir()] == ["lock"]
    assert not list(tmp_path.rglob("escaped"))


def test_an_archive_with_a_file_changed_on_the_way_is_not_installed(places, tmp_path, capsys):
    seen = tmp_path / "seen"
    payload = packed(make_kit(tmp_path / "kit", board="pi5", script=f"touch {seen}\n"))
    changed = payload.read_bytes().replace(b"wheelwheel", b"wheelWHEEL", 1)
    assert ask(["install", str(len(changed))], places, changed) == 1
    assert "is damaged" in capsys.readouterr().out
    assert not seen.exists()


def test_two_updates_of_one_node_do_not_meet(places, capsys):
    places.work.mkdir(parents=True)
    with (places.work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert ask(["back"], places) == 1
    assert "another update runs here" in capsys.readouterr().out


def test_going_back_is_the_installers(places, tmp_path, capsys):
    places.opt.mkdir(parents=True)
    places.installer.write_text('echo "asked $*"\n')
    (places.opt / "releases").mkdir()
    (places.opt / "current").symlink_to("releases/0.2.0-aaaa1111")
    assert ask(["back"], places) == 0
    assert "says asked --back" in capsys.readouterr().out
    assert ask(["state"], places) == 0
    assert capsys.readouterr().out.splitlines() == [
        "board pi5", "release 0.2.0-aaaa1111", "before", "done"
    ]  # fmt: skip


def test_nothing_that_an_installer_says_steers_the_tables_terminal(places, tmp_path, capsys):
    script = "printf '\\033[2J\\007 wiped\\n'\nprintf 'x%.0s' $(seq 5000)\n"
    payload = packed(make_kit(tmp_path / "kit", board="pi5", script=script)).read_bytes()
    assert ask(["install", str(len(payload))], places, payload) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert max(map(len, out.splitlines())) < 400


def test_the_board_is_the_one_whose_system_has_this_python():
    assert [board_here((3, 13)), board_here((3, 11)), board_here((3, 12))] == ["pi5", "pi4", ""]


def test_the_shell_of_a_forced_command_reads_nothing_into_what_was_asked_for(tmp_path):
    """The line of a node is run by its user's shell, with the words in the environment."""
    show = f"{sys.executable} -c 'import sys; print(sys.argv[1:])' $SSH_ORIGINAL_COMMAND"
    said = f"install 5; touch {tmp_path}/escaped & $(touch {tmp_path}/escaped) `id` > /x"
    told = subprocess.run(
        show, shell=True, env={"SSH_ORIGINAL_COMMAND": said}, capture_output=True, text=True
    )
    assert told.stdout.strip() == repr(said.split())
    assert not (tmp_path / "escaped").exists()


def test_the_release_that_runs_has_the_installer_that_goes_back():
    assert "--back)" in Places().installer.read_text("utf-8")
