import os
import pty
import re
import subprocess
import sys

import pytest

from firmware import card as cards
from firmware import pin as pins
from firmware.card import LinkCard, ScoreboardCard, TableCard
from firmware.errors import CardError
from firmware.pin import PinFile
from firmware.words import catalogue
from table_controller.commands import pin as pin_command

PIN = "40718263"
WITH_A_PIN = re.compile(r"\d{4} \d{4}")


def command(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "table_controller", "pin", *map(str, arguments)],
        capture_output=True, text=True, timeout=60, input=stdin,
    )  # fmt: skip


@pytest.fixture
def card(tmp_path):
    path = tmp_path / "kit.toml"
    link = LinkCard(host="127.0.0.1", port=1, password="x")
    cards.save(path, TableCard(table="t1", link=link, data_dir=str(tmp_path / "data")))
    return path


def kept(card):
    return PinFile(card.parent / "data" / pins.FILE).read()


@pytest.mark.parametrize("typed", [PIN, " 4071 8263\n", "4071-8263"])
def test_the_pin_is_known_however_its_digits_are_grouped(typed):
    assert pins.matches(typed, pins.hashed(PIN))


@pytest.mark.parametrize("typed", ["", "40718264", "0" * 8, PIN + "0", "пин", "\0"])
def test_another_pin_is_not(typed):
    assert not pins.matches(typed, pins.hashed(PIN))


def test_a_hash_does_not_hold_the_pin_and_no_two_are_alike():
    one, two = pins.hashed(PIN), pins.hashed(PIN)
    assert one != two
    assert one.startswith("scrypt$16384$8$1$")
    assert PIN not in one


@pytest.mark.parametrize("bad", ["", "12345", "1234567890123", "12345a", "secret words", "١٢٣٤٥٦"])
def test_a_pin_that_is_none_is_refused_without_repeating_it(bad):
    with pytest.raises(ValueError, match="6 to 12 digits") as refused:
        pins.hashed(bad)
    assert not bad or bad not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "scrypt$1$1$1$$",
        "scrypt$9$8$1$a$b",
        "scrypt$16384$8$1$AAAA$AAAA",
        f"md5$16384$8$1${'A' * 24}${'A' * 43}=",
        f"scrypt$1073741824$8$1${'A' * 24}${'A' * 43}=",
        "\xff",
    ],
)
def test_a_damaged_file_lets_nobody_in_and_is_not_repeated(tmp_path, text):
    path = tmp_path / pins.FILE
    path.write_text(text, encoding="latin-1")
    with pytest.raises(CardError, match="mafia-table pin makes a new one") as refused:
        PinFile(path, pins.hashed(PIN)).read()
    assert text not in str(refused.value).replace(str(path), "")


def test_the_file_is_its_owners_alone_and_wins_over_the_card(tmp_path):
    path = tmp_path / "data" / pins.FILE
    given = pins.hashed("111111")
    file = PinFile(path, given)
    assert file.read() == given
    file.write(PIN)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert pins.matches(PIN, file.read())
    assert PIN not in path.read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_what_root_makes_the_tables_user_can_read(tmp_path):
    os.chown(tmp_path, 1234, 1234)
    PinFile(tmp_path / pins.FILE).write(PIN)
    assert ((tmp_path / pins.FILE).stat().st_uid, (tmp_path / pins.FILE).stat().st_gid) == (
        1234,
        1234,
    )


def test_made_pins_differ_and_are_long():
    made = {pins.new_pin() for _ in range(50)}
    assert len(made) == 50
    assert {len(pin) for pin in made} == {pins.DIGITS}


def test_the_command_makes_a_pin_shows_it_once_and_keeps_its_hash(card):
    first = command("--card", card)
    assert (first.returncode, first.stderr) == (0, "")
    shown = WITH_A_PIN.findall(first.stdout)
    assert len(shown) == 1
    assert pins.matches(shown[0], kept(card))
    second = command("--card", card)
    assert not pins.matches(shown[0], kept(card))
    assert pins.matches(WITH_A_PIN.findall(second.stdout)[0], kept(card))


def test_a_pin_of_ones_own_is_never_printed(card):
    done = command("--card", card, "--choose", stdin="2468 1357\n2468 1357\n")
    assert done.returncode == 0, done.stderr
    assert pins.matches("24681357", kept(card))
    assert "2468" not in done.stdout + done.stderr
    bad = command("--card", card, "--choose", stdin="24680\n24680\n")
    assert bad.returncode == 2
    assert "6 to 12 digits" in bad.stderr
    assert "24680" not in bad.stdout + bad.stderr


def test_a_hash_for_a_card_is_a_line_that_the_card_takes(tmp_path):
    done = command("--hash")
    assert done.returncode == 0
    assert not WITH_A_PIN.search(done.stdout)
    path = tmp_path / "kit.toml"
    path.write_text(
        'kind = "table"\ntable = "t1"\ndata_dir = "data"\n'
        f'[link]\nhost = "h"\nport = 1\npassword = "x"\n[scoreboard]\n{done.stdout}'
    )
    card = cards.read_table_card(path)
    assert pins.matches(WITH_A_PIN.findall(done.stderr)[0], card.scoreboard.pin_hash)


def test_a_wrong_hash_on_the_card_is_said_without_the_hash(tmp_path, card):
    for wrong in ("plain 123456", "scrypt$16384$8$1$AAAA$AAAA"):
        card.write_text(
            'kind = "table"\ntable = "t1"\ndata_dir = "data"\n[link]\nhost = "h"\nport = 1\n'
            f'password = "x"\n[scoreboard]\npin_hash = "{wrong}"\n'
        )
        with pytest.raises(CardError, match=r"scoreboard\.pin_hash") as refused:
            pin_command.host_pin(cards.read_table_card(card), catalogue("en"))
        assert wrong not in str(refused.value)


def test_nobody_else_can_write_it_is_one_line(tmp_path):
    (tmp_path / "data").write_text("a file, no folder")
    with pytest.raises(CardError, match="run this as root or as the table's user"):
        PinFile(tmp_path / "data" / pins.FILE).write(PIN)


FIRST_START = """
import sys
from pathlib import Path
from firmware import card as cards
from firmware import service
from firmware.words import catalogue
from table_controller.commands.pin import host_pin
service.start_logging("debug")
host_pin(cards.read_table_card(Path(sys.argv[1])), catalogue("en"))
"""


def test_the_first_start_at_a_terminal_makes_one_and_shows_it_there_only(card):
    terminal, program = pty.openpty()
    for times in (1, 0):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_START, str(card)],
            stdout=program, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert not WITH_A_PIN.search(done.stderr)
        os.write(program, b"end\n")
        shown = b""
        while b"end" not in shown:
            shown += os.read(terminal, 1000)
        found = WITH_A_PIN.findall(shown.decode())
        assert len(found) == times
        assert all(pins.matches(pin, kept(card)) for pin in found)
    os.close(terminal)
    os.close(program)


def test_a_service_makes_none_as_its_output_is_kept(card):
    done = subprocess.run(
        [sys.executable, "-c", FIRST_START, str(card)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == ""
    assert "mafia-table pin makes one" in done.stderr
    assert kept(card) == ""


def test_a_sections_own_text_does_not_tell_the_hash():
    hash_ = pins.hashed(PIN)
    assert hash_ not in repr(ScoreboardCard(pin_hash=hash_))
