"""The command ``mafia-table cards``: from a terminal or a file, and to a card."""

import contextlib
import os
import pty
import shutil
import socket
import ssl
import subprocess
import sys
import textwrap

import pytest

from firmware.card import read_seat_card
from firmware.certificates import Tls
from firmware.image import broker_conf, make_cards
from firmware.image.boot_partition import MARKS
from firmware.mosquitto import find_mosquitto, free_port

ANSWERS = """
nodes = 2
network = "wifi"
ssid = "Club"
language = "{language}"
[secrets]
wifi_password = "correct horse"
pin = "20252026"
"""

POSIX = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "spwd", "crypt")
"""Modules that Windows has not; click takes ``termios`` where the platform is no Windows."""

ELSEWHERE = f"""
import sys


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name in {POSIX!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}: this is Windows")


for name in {POSIX!r}:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocker())
from table_controller.__main__ import main
main()
"""


def run(*words, program=("-m", "table_controller"), code=0):
    done = subprocess.run(
        [sys.executable, *program, *map(str, words)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    path = tmp_path_factory.mktemp("answers") / "answers.toml"
    path.write_text(ANSWERS.format(language="en"))
    return path


@pytest.fixture(scope="module")
def club(answers, tmp_path_factory):
    """A club's folder, and what the command said when it made it."""
    folder = tmp_path_factory.mktemp("club") / "cards"
    said = run("cards", folder, "--answers", answers, "--no-kit")
    return folder, said


def test_all_cards_are_made_of_a_file_of_answers_and_the_next_steps_are_told(club):
    folder, said = club
    assert {path.name for path in folder.iterdir()} == {
        *("answers.toml", "secrets", "sheet.html", "table", "node-01", "node-02")
    }
    assert "Flash and write these cards: table, node-01, node-02" in said
    assert f"cards DEVICE --card table --club {folder}" in said
    assert "correct horse" not in said
    assert "20252026" not in said


def test_a_second_run_asks_nothing_without_a_terminal_and_changes_nothing(club):
    folder, _ = club
    assert "Nothing has changed." in run("cards", folder, "--no-kit")


def test_where_nobody_can_be_asked_it_says_how_to_answer(tmp_path):
    assert "--answers FILE" in run("cards", tmp_path / "new", code=78)
    assert not (tmp_path / "new").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path, answers):
    (tmp_path / "letter.txt").write_text("dear")
    said = run("cards", tmp_path, code=78)
    assert "neither a club's folder" in said
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_node_that_is_none_is_refused_with_those_there_are(club):
    folder, _ = club
    said = run("cards", folder, "--no-kit", "--again", "node-07", code=78)
    assert "node-07: expected one of node-01, node-02" in said


def test_a_revoked_node_is_told_to_the_table_that_is_in_use(answers, tmp_path):
    folder = tmp_path / "cards"
    run("cards", folder, "--answers", answers, "--no-kit")
    said = run("cards", folder, "--no-kit", "--revoke", "node-02")
    assert f"scp -r {folder / 'table' / make_cards.CARD} club@mafia.local:card" in said
    assert "install.sh --card card" in said
    assert not (folder / "node-02").exists()


def test_it_works_where_nothing_of_posix_is_there(answers, tmp_path):
    program = ("-c", textwrap.dedent(ELSEWHERE))
    assert "cards" in run("--help", program=program)
    said = run("cards", tmp_path / "cards", "--answers", answers, "--no-kit", program=program)
    assert "Flash and write" in said


@pytest.mark.parametrize(("language", "said"), [("de", "Name des Klubs"), ("ru", "Название клуба")])
def test_at_a_terminal_it_asks_in_the_own_language_and_enter_takes_what_is_offered(
    tmp_path, language, said
):
    folder = tmp_path / "cards"
    shown = at_terminal(f"{language}\n" + "\n" * 16, "cards", folder, "--no-kit")
    assert said in shown
    assert f'language = "{language}"' in (folder / "answers.toml").read_text()
    assert (folder / "node-10").is_dir()


def at_terminal(typed, *words):
    """Run the command at a terminal where *typed* is typed; return what it shows."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "table_controller", *map(str, words)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the terminal is closed
                break
            if not piece:
                break
            shown += piece
        assert process.wait(30) == 0, shown.decode()
    os.close(ours)
    return shown.decode()


# ---- to a card ----


def test_a_card_goes_onto_a_boot_partition_and_says_what_to_write_on_it(club, tmp_path):
    folder, _ = club
    for mark in MARKS:
        (tmp_path / mark).write_text("theirs\n")
    said = run("cards", tmp_path, "--club", folder, "--card", "node-02")
    assert f"node-02 is on {tmp_path}" in said
    assert "There is no kit" in said
    for path in (folder / "node-02").rglob("*"):
        if path.is_file():
            assert (
                tmp_path / path.relative_to(folder / "node-02")
            ).read_bytes() == path.read_bytes()


def test_which_card_has_to_be_said_and_exist(club, tmp_path):
    folder, _ = club
    for mark in MARKS:
        (tmp_path / mark).write_text("theirs\n")
    assert "which card?" in run("cards", tmp_path, "--club", folder, code=78)
    said = run("cards", tmp_path, "--club", folder, "--card", "node-03", code=78)
    assert "expected one of node-01, node-02, table" in said
    assert "make them first" in run("cards", tmp_path, "--club", tmp_path / "no", code=78)


# ---- all of it together ----


def admitted(port, ca, user, password):
    """Return whether the broker lets *user* in, by TLS and by the name that is on the cards."""
    context = ssl.create_default_context(cafile=ca)
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname="mafia.local") as link,
    ):
        # MQTT 3.1.1, 3.1: CONNECT with a clean session, name and password.
        texts = (user, user, password)
        body = b"\0\x04MQTT\x04\xc2\0\x3c"
        body += b"".join(len(each).to_bytes(2, "big") + each.encode() for each in texts)
        link.sendall(b"\x10" + bytes([len(body)]) + body)
        answer = link.recv(4)
    return answer == b"\x20\x02\0\0"


def partition(path):
    """Make a boot partition as a flashed card has it, in a file."""
    with path.open("wb") as file:
        file.truncate(64 << 20)
    subprocess.run(["mkfs.vfat", str(path)], check=True, capture_output=True)
    for mark in MARKS:
        (path.parent / mark).write_text("theirs\n")
        subprocess.run(["mcopy", "-i", str(path), str(path.parent / mark), "::"], check=True)
    return path


@pytest.mark.proof
@pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto")
@pytest.mark.skipif(not shutil.which("mkfs.vfat"), reason="sudo apt install dosfstools mtools")
def test_the_cards_in_their_slots_meet_at_a_broker_and_a_revoked_one_stays_outside(
    answers, tmp_path
):
    folder = tmp_path / "cards"
    run("cards", folder, "--answers", answers, "--no-kit")
    slots = {}
    for user in ("table", "node-01", "node-02"):
        (tmp_path / user).mkdir()
        image = partition(tmp_path / user / "card.img")
        run("cards", image, "--club", folder, "--card", user)
        subprocess.run(
            ["mcopy", "-s", "-i", str(image), "::mafia/card", str(tmp_path / user)], check=True
        )
        slots[user] = tmp_path / user / "card"
    seat = read_seat_card(slots["node-01"] / "kit.toml")
    assert seat.link.host == "mafia.local"

    run("cards", folder, "--no-kit", "--revoke", "node-02")
    words = {user: (slot / f"{user}.password").read_text().strip() for user, slot in slots.items()}
    for users, expected in (
        (slots["table"] / "broker.users", {"node-01": True, "node-02": True}),
        (folder / "table/mafia/card/broker.users", {"node-01": True, "node-02": False}),
    ):
        with broker_of(slots["table"], users, tmp_path) as port:
            assert {
                user: admitted(port, slots[user] / "ca.crt", user, words[user]) for user in expected
            } == expected


@contextlib.contextmanager
def broker_of(card, users, folder):
    """Run a real broker with the files of the table's *card*; give its port for the nodes."""
    tls = Tls(*(card / name for name in ("ca.crt", "broker.crt", "broker.key")))
    port = free_port()
    (folder / "acl").write_text(broker_conf.rights("club"))
    (folder / "conf").write_text(
        broker_conf.configuration(
            folder / "acl", users, tls, port=free_port(), tls_port=port, process="user root"
        )
    )
    with subprocess.Popen([find_mosquitto(), "-c", str(folder / "conf")]) as process:
        try:
            for _ in range(100):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    pytest.fail(f"mosquitto ended with {process.wait(0.05)}")
            yield port
        finally:
            process.terminate()
