"""``mafia-table update``: over real SSH to real sshd; the key gives nothing else."""

import socket
import subprocess

import pytest
from click.testing import CliRunner

from firmware.errors import LinkError
from firmware.image import kit as kits
from firmware.image.receive import board_here
from firmware.image.update_keys import IDENTITY, KNOWN_HOSTS
from firmware.words import catalogue
from table_controller import updating
from table_controller.__main__ import table
from table_controller.commands import update as command
from table_controller.commands.progress_lines import ProgressLines
from table_controller.game import Phase, actions
from table_controller.updating import Progress, Stage

from .ssh_nodes import club, make_kit

__all__ = ["club"]

OTHER_BOARD = "pi4" if board_here() == "pi5" else "pi5"


@pytest.mark.proof
def test_table_and_nodes_are_updated_one_that_fails_stops_no_other_and_a_rerun_goes_on(
    club, tmp_path
):
    kit, other = make_kit(tmp_path / "kit"), make_kit(tmp_path / "kit4", board=OTHER_BOARD)
    kits.pack(kit, tmp_path / "kit.tar", 0)
    good, full, away, alien = (
        club.add("node-01"), club.add("node-02"), club.add("node-03"),
        club.add("node-04", OTHER_BOARD),
    )  # fmt: skip
    for node in (good, full, alien):
        node.start()
    (full.system / "full").touch()

    lacking = club.update(tmp_path / "kit.tar")
    assert lacking.returncode == 1
    assert f"Nothing is sent: a kit is missing for node-04 ({OTHER_BOARD})" in lacking.stderr
    assert [node.release() for node in (good, full, alien)] == ["", "", ""]
    assert not (club.system / "opt").exists()

    # An archive and a folder: both will do.
    run = club.update(tmp_path / "kit.tar", other)
    release, alien_release = kits.release(kit), kits.release(other)
    assert run.returncode == 3, run.stderr
    assert good.release() == release
    assert alien.release() == alien_release
    assert (club.system / "opt/mafia/current").readlink().name == release
    assert (full.release(), away.release()) == ("", "")
    lines = [line.split(None, 1) for line in run.stdout.splitlines()]
    assert ["table", "done"] in lines
    for stage in ("sending 0 %", "installing", "done"):
        assert ["node-01", stage] in lines
    assert ["node-02", "failed: install: no room on the card: df -h /"] in lines
    (why,) = [said for who, said in lines if who == "node-03"]
    assert why.startswith("failed: ")
    assert "refused" in why
    assert "Again for these alone: --only node-02 --only node-03" in run.stdout

    (full.system / "full").unlink()
    away.start()
    run = club.update(tmp_path / "kit.tar", other)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = [line.split(None, 1) for line in run.stdout.splitlines()]
    assert ["node-01", "has it already"] in lines
    assert ["node-04", "has it already"] in lines
    assert [node.release() for node in (full, away)] == [release, release]

    newer = make_kit(tmp_path / "newer", version="0.3.0")
    run = club.update(newer, "--only", "node-01")
    assert run.returncode == 0, run.stdout + run.stderr
    assert (good.release(), good.release("before")) == (kits.release(newer), release)
    assert full.release() == release
    run = club.update("--back", "--only", "node-01", "--only", "node-02")
    assert run.returncode == 3
    assert (good.release(), good.release("before")) == (release, kits.release(newer))
    assert "node-02  failed: there is no release before" in run.stdout
    for secret in club.private.splitlines()[1:-1]:
        assert secret not in run.stdout + run.stderr


@pytest.mark.proof
def test_the_key_gives_no_shell_no_file_no_way_into_the_network(club, tmp_path):
    node = club.add("node-01")
    node.start()
    asked = club.ssh(node, "127.0.0.1", "state")
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.splitlines()[0] == f"board {board_here()}"
    for words in (
        ["id"], ["bash", "-c", "id"], ["state", ";", "id"], [f"state; touch {tmp_path}/out"],
        [f"$(touch {tmp_path}/out)"], ["install", "5", "--card", "/etc"], [],
    ):  # fmt: skip
        told = club.ssh(node, "127.0.0.1", *words, stdin=subprocess.DEVNULL)
        assert told.returncode == 1
        assert told.stdout == "failed this key is for updates of the kit alone\n"
    assert not (tmp_path / "out").exists()
    told = club.ssh(node, "127.0.0.1", "install", str(kits.BYTES_MAX + 1), stdin=subprocess.DEVNULL)
    assert "no kit is so large" in told.stdout
    told = club.ssh(node, "-tt", "127.0.0.1", "state", stdin=subprocess.DEVNULL)
    assert "PTY allocation request failed" in told.stderr
    told = club.ssh(node, "-W", f"127.0.0.1:{node.port}", "127.0.0.1", stdin=subprocess.DEVNULL)
    assert told.returncode != 0
    assert "prohibited" in told.stderr
    told = club.ssh(
        node, "-oExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22", "127.0.0.1", "state"
    )
    assert told.returncode == 255
    assert "forwarding failed" in told.stderr
    told = club.ssh(node, "-s", "127.0.0.1", "sftp", stdin=subprocess.DEVNULL)
    assert "this key is for updates of the kit alone" in told.stdout


@pytest.mark.proof
def test_a_node_with_another_host_key_gets_nothing(club, tmp_path):
    node, other = club.add("node-01"), club.add("node-02")
    node.start()
    known = (club.keys / KNOWN_HOSTS).read_text()
    (club.keys / KNOWN_HOSTS).write_text(
        known.replace("node-01", "x").replace("node-02", "node-01").replace("x ", "node-02 ")
    )
    run = club.update(make_kit(tmp_path / "kit"), "--only", "node-01")
    assert run.returncode == 3
    assert "failed: " in run.stdout
    assert "erification failed" in run.stdout
    assert (node.release(), other.release()) == ("", "")


def run(data, *words):
    return CliRunner().invoke(table, ["update", *map(str, words), "--data", str(data)])


def test_it_refuses_while_a_game_is_played_and_not_when_it_is_over(rig, tmp_path, caplog):
    kit = make_kit(tmp_path / "kit")
    words = (kit, "--only", "node-01", "--keys", tmp_path / "none")
    rig.start_game()
    data = rig.folder.parent
    told = run(data, *words)
    assert told.exit_code == 1
    assert "A game is being played" in told.stderr + caplog.text
    rig.table.playing.act(actions.Void(), rig.now_s)
    assert rig.phase is Phase.OVER
    caplog.clear()
    told = run(data, *words)
    # The next thing that it looks at: the keys.
    assert told.exit_code == 78
    assert "run it with sudo" in told.stderr + caplog.text


def test_a_game_that_begins_meanwhile_keeps_its_nodes(rig):
    """Some are updated by then; the rest are told of, and the same command goes on with them."""
    found = {"node-01": updating.Found("pi5", "0.1.0-aaaa1111", "0.0.9-bbbb2222")}

    def check():
        command._check_no_game(rig.folder, catalogue("en"))

    do = command._job(None, {}, found, back=True, check=check, words=catalogue("en"))
    rig.start_game()
    ended = updating.update_all([updating.Node("node-01", "nowhere")], do, lambda *told: None)
    assert ended["node-01"].stage is Stage.FAILED
    assert ended["node-01"].told.startswith("A game is being played.")


def keys_of(tmp_path, *users):
    keys = tmp_path / "update"
    keys.mkdir()
    (keys / IDENTITY).write_text("key")
    (keys / KNOWN_HOSTS).write_text("".join(f"{user} ssh-ed25519 AAAA\n" for user in users))
    return keys


def test_a_damaged_kit_two_of_a_board_and_two_that_do_not_fit_are_refused(tmp_path, caplog):
    keys = keys_of(tmp_path)
    kit, twin = make_kit(tmp_path / "a"), make_kit(tmp_path / "b")
    alien = make_kit(tmp_path / "c", board=OTHER_BOARD, version="0.3.0")
    for given, why in (
        ((kit, twin), f"two kits for a {board_here()}"),
        ((kit, alien), "The kits 0.2.0 and 0.3.0 do not play together."),
    ):
        told = run(tmp_path, *given, "--keys", keys)
        assert told.exit_code == 1
        assert why in told.stderr + caplog.text
    (kit / "wheels/some-1.0-py3-none-any.whl").write_bytes(b"changed")
    told = run(tmp_path, kit, "--keys", keys)
    assert told.exit_code == 1
    assert "is damaged" in told.stderr + caplog.text
    archive = tmp_path / "no.tar"
    archive.write_bytes(b"no tar" * 1000)
    told = run(tmp_path, archive, "--keys", keys)
    assert told.exit_code == 1
    assert "get the archive again" in told.stderr + caplog.text


def test_a_node_that_the_card_does_not_know_is_refused(tmp_path, caplog):
    told = run(tmp_path, "--back", "--only", "node-99", "--keys", keys_of(tmp_path, "node-01"))
    assert told.exit_code == 78
    assert "'node-99': no node of this table's card" in told.stderr + caplog.text


@pytest.mark.parametrize("words", [(), ("{kit}", "--back")])
def test_either_a_kit_or_the_way_back(words, tmp_path):
    kit = make_kit(tmp_path / "kit")
    told = run(tmp_path, *(word.format(kit=kit) for word in words))
    assert told.exit_code == 2
    assert "either KIT or --back" in told.stderr


def test_on_a_terminal_lines_change_in_place_and_elsewhere_stand_one_a_change(capsys):
    lines = ProgressLines(["table", "node-01"], catalogue("en"), in_place=False)
    for progress in (Progress(Stage.SENDS, 1), Progress(Stage.SENDS, 2), Progress(Stage.DONE)):
        lines.tell("node-01", progress)
    assert capsys.readouterr().out == "node-01  sending 1 %\nnode-01  done\n"
    lines = ProgressLines(["table", "node-01"], catalogue("de"), in_place=True)
    lines.tell("node-01", Progress(Stage.SENDS, 40))
    lines.tell("node-01", Progress(Stage.FAILED, told="x" * 500))
    out = capsys.readouterr().out
    assert out.count("\x1b[2A") == 2
    assert "Tisch    wartet\x1b[K\nnode-01  wird gesendet, 40 %\x1b[K\n" in out
    assert max(map(len, out.splitlines())) < 100
    lines.end()
    assert "misslungen: " + "x" * 500 in capsys.readouterr().out


def test_a_node_that_takes_the_call_and_says_nothing_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(updating, "ASK_S", 0.4)
    with socket.create_server(("127.0.0.1", 0)) as dumb:
        node = updating.Node("node-01", "127.0.0.1", dumb.getsockname()[1])
        told = updating.ask_all(updating.Line(keys_of(tmp_path), "club"), [node])
    assert isinstance(told["node-01"], LinkError)
    assert str(told["node-01"]) == "no answer"
