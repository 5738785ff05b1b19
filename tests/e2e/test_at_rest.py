"""A whole game of real programs at DEBUG, and what somebody else on the machine can read of it.

Nobody must learn a role, the seed, a password or the host's PIN before the end: not from
files, logs, command lines, environments or memory, and by no command.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from firmware.mosquitto import find_mosquitto
from firmware.pin import FILE, spaced
from table_controller.deal import roles
from table_controller.game import SEATS, Role
from table_controller.record.entries import Started
from table_controller.record.journal import Journal
from table_controller.rehearsal.house import House, Settings
from tests.e2e.watchers.host import log_in, new_pin

PLAYERS = tuple(f"Person{chr(65 + n)}{chr(90 - n)}" for n in range(10))

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto"),
]

ROLE_WORDS = re.compile(
    rb"\b(?:citizen|sheriff|don|roles?|commissioner)\b|\bmafia\b(?![-_/.])", re.IGNORECASE
)
"""In the names of programs, folders and topics "mafia" tells nothing."""

AS_NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")
LOOKS_AT_ALL = "-sys_ptrace,-perfmon,-sys_admin"
PLAIN = ("setpriv", f"--bounding-set={LOOKS_AT_ALL}", f"--inh-caps={LOOKS_AT_ALL}")
"""Root without the rights to look into everybody, which no user of the kit's has."""

LOOK = r"""
import json, os, socket, stat, sys

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("latin-1")
    except OSError:
        return None

found = {"files": {}, "sockets": [], "proc": {}}
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            with socket.socket(socket.AF_UNIX) as caller:
                if not caller.connect_ex(path):
                    found["sockets"].append(path)
        elif (text := read(path)) is not None:
            found["files"][path] = text
for pid in sys.argv[2:]:
    for name in ("cmdline", "environ", "maps", "smaps", "auxv", "status", "comm"):
        if (text := read(f"/proc/{pid}/{name}")) is not None:
            found["proc"][f"{pid} {name}"] = text
json.dump(found, sys.stdout)
"""


class LoudHouse(House):
    """A house whose programs say all that they have to say, with no more rights than a card's."""

    def table_program(self, name, *arguments):
        return as_on_a_card(super().table_program(name, *arguments))

    def seat_program(self, name, seat):
        return as_on_a_card(super().seat_program(name, seat))


def as_on_a_card(child):
    child._command = [*(() if os.geteuid() else PLAIN), *child._command, "--log-level", "debug"]
    return child


class Mafia:
    """Plays the nights by the roles, as who has read them; the days pass by themselves."""

    def __init__(self, director, role_of):
        self.director, self.role_of = director, role_of
        self.round, self.number, self.over = "", 0, ""

    def play(self, each_morning):
        director = self.director
        while not self.over:
            news = director.news()
            for said in news:
                if said.phrase.startswith("round_"):
                    self.round = said.phrase.removeprefix("round_")
                elif said.phrase == "number":
                    self.number = said.number
                elif said.phrase == "morning":
                    each_morning(said.number)
                elif said.phrase in ("town_wins", "mafia_wins", "draw"):
                    self.over = said.phrase
            if not news and director.stage.step() == "call":
                self.press()

    def press(self):
        living = sorted(self.director.living)
        victim = next(seat for seat in living if self.role_of[seat].team == "town")
        if self.round == "shots":
            pressing = [seat for seat in living if self.role_of[seat].team != "town"]
        else:
            pressing = [seat for seat in living if self.role_of[seat] == self.round]
        if self.number == victim and pressing:
            self.director.vote(*pressing)


def look(who, folder, pids):
    """Return what *who* can read of *folder* and of the processes."""
    asked = subprocess.run(
        [*who, sys.executable if who != AS_NOBODY else shutil.which("python3", path="/usr/bin"),
         "-I", "-c", LOOK, str(folder), *map(str, pids)],
        capture_output=True, text=True, timeout=60, cwd="/",
    )  # fmt: skip
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout)


def command(house, *arguments):
    data = str(house.folder / "data")
    done = subprocess.run(
        [sys.executable, "-m", "table_controller", *arguments, "--data", data],
        capture_output=True, text=True, timeout=60, cwd=house.folder,
    )  # fmt: skip
    return arguments, done.returncode, done.stdout + done.stderr


def started(house):
    (path,) = (house.folder / "data" / "journal").glob("*.db")
    journal = Journal(path)
    first = next(iter(journal.rows())).entry
    journal.close()
    assert isinstance(first, Started)
    return first


@pytest.fixture(scope="module")
def game(director_class):
    """Play a whole game with a fresh seed; return what could be read at each of its mornings."""
    folder = Path(tempfile.mkdtemp(prefix="mafia-rest-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        with LoudHouse(Settings(step=True, players=PLAYERS)) as house:
            # What keeps a file must be its own mode, not that nobody gets as far as to it.
            for each in (folder, house.folder):
                each.chmod(0o755)
            director = director_class(house)
            director.begin()
            first = started(house)
            seed = bytes.fromhex(first.seed)
            secrets = [*secrets_of(house, seed), *secrets_of_the_host(house)]
            seen = SimpleNamespace(
                start=first, secrets=secrets, nobody=[], same=[], commands=[],
                modes={}, limits={}, logs=[], root=os.geteuid() == 0,
            )  # fmt: skip
            pids = [house.table.pid, *(seat.pid for seat in house.seats.values())]

            def observe(day):
                if seen.root:
                    seen.nobody.append(look(AS_NOBODY, folder, [*pids, house.broker.pid]))
                same = PLAIN if seen.root else ()
                seen.same.append(look(same, house.folder / "nothing", pids))
                seen.logs.append(logs_of(house))
                if day == 2:
                    seen.commands = commands(house, first.game, folder / "copy")
                    seen.modes = modes_of(house.folder)
                    seen.limits = {pid: Path(f"/proc/{pid}/limits").read_text() for pid in pids}

            by_seat = dict(zip(SEATS, roles(seed), strict=True))
            players = Mafia(director, by_seat)
            players.play(observe)
            seen.over = players.over
            yield seen
    shutil.rmtree(folder)


def secrets_of(house, seed):
    return [seed, seed.hex().encode(), *(word.encode() for word in house.passwords.values())]


def secrets_of_the_host(house):
    """Make a PIN and log in with it; return it in all its forms, its hash and the session."""
    pin = new_pin(house)
    session = log_in(house.address, pin)
    kept = (house.folder / "data" / FILE).read_text("ascii").strip()
    # The salt and the digest, as they are and together.
    words = [pin, spaced(pin), kept, *kept.split("$")[-2:], *session.values()]
    return [word.encode() for word in words]


def logs_of(house):
    return {
        path.name: path.read_bytes()
        for path in house.folder.iterdir()
        if path.suffix in (".log", ".out")
    }


def modes_of(folder):
    paths = [path for path in (folder / "data").rglob("*") if not path.is_socket()]
    cards = [path for path in folder.iterdir() if path.suffix in (".toml", ".conf", ".key")]
    return {str(path): path.stat().st_mode & 0o777 for path in (*paths, *cards)}


def commands(house, name, copy):
    return [
        command(house, "journal", "list"),
        command(house, "journal", "show", name),
        command(house, "journal", "verify", name),
        command(house, "journal", "export", name),
        command(house, "journal", "export", name, "--to", str(copy)),
        command(house, "backup"),
        command(house, "backup", "--to", str(copy)),
    ]


def told(text, secrets):
    """Return what *text* (bytes) tells that it must not."""
    return [secret for secret in secrets if secret in text] + ROLE_WORDS.findall(text)


def test_the_game_was_a_whole_one_with_nights(game):
    assert game.over == "mafia_wins"
    assert len(game.logs) >= 4


def test_nobody_else_can_read_a_secret_in_any_file(game):
    if not game.root:
        pytest.skip("only root can look as somebody else")
    for found in game.nobody:
        # The logs are there to be read, so there is something to look through.
        assert any(path.endswith("table.log") for path in found["files"])
        for path, text in found["files"].items():
            if not path.endswith(".crt"):
                assert told(text.encode("latin-1"), game.secrets) == [], path
        own = (".db", ".left", ".toml", ".key", ".pin", "passwords")
        assert not [path for path in found["files"] if path.endswith(own)]
        assert found["sockets"] == []


def test_nobody_else_can_read_a_secret_of_a_process(game):
    if not game.root:
        pytest.skip("only root can look as somebody else")
    for found in game.nobody:
        assert any(key.endswith("cmdline") for key in found["proc"])
        for key, text in found["proc"].items():
            assert told(text.encode("latin-1"), game.secrets) == [], key
        assert {key.split()[1] for key in found["proc"]} <= {"cmdline", "status", "comm"}


def test_the_same_user_cannot_look_into_the_programs_either(game):
    for found in game.same:
        assert {key.split()[1] for key in found["proc"]} <= {"cmdline", "status", "comm"}


def test_no_program_leaves_a_core(game):
    assert len(game.limits) == 1 + len(SEATS)
    for limits in game.limits.values():
        assert re.search(r"^Max core file size +0 +0 ", limits, re.MULTILINE)


def test_what_the_table_keeps_is_its_own(game):
    assert any(path.endswith(".db") for path in game.modes)
    assert any(path.endswith(FILE) for path in game.modes)
    assert {path: oct(mode) for path, mode in game.modes.items() if mode & 0o077} == {}


def test_a_whole_games_logs_at_debug_tell_no_secret(game):
    for logs in game.logs:
        assert {"table.log", "seat-1.log", "seat-10.log"} <= logs.keys()
        for name, text in logs.items():
            assert told(text, game.secrets) == [], name
            # Nor who has played, as the page for players says.
            assert [player for player in PLAYERS if player.encode() in text] == [], name
    assert set(game.start.names) == set(PLAYERS)
    assert b"game" in game.logs[-1]["table.log"]


def test_no_command_tells_anything_of_the_running_game(game):
    assert len(game.commands) == 7
    for arguments, code, text in game.commands:
        assert told(text.encode(), game.secrets) == [], arguments
        assert "seat" not in text, arguments
        allowed = arguments[:2] == ("journal", "list") or (
            arguments[0] == "backup" and "another table program uses it" in text
        )
        assert code == (0 if arguments[:2] == ("journal", "list") else 1), (arguments, text)
        assert allowed or "is not over" in text


def test_the_measure_finds_what_it_looks_for():
    assert told(b"W table: seat 3 is the don", []) == [b"don"]
    assert told(b"I mafia-table: mafia/v1/club/down/node-01 /tmp/mafia-x mafia.local", []) == []
    assert told(b"the mafia wakes", []) == [b"mafia"]
    assert told(b"x" + bytes(32), [bytes(32)]) == [bytes(32)]
    assert Role.SHERIFF.encode() in told(b"role=sheriff", [])
