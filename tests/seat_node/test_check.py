"""The real command ``mafia-seat check``: its lines, its screen, its exit code."""

import os
import pty
import queue
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from firmware.board import Level
from firmware.card import PartsCard, SeatCard, link_card, save
from firmware.finding import (
    COLOURS,
    MARKS,
    Outcome,
    fault,
    fine,
    in_lines,
    note,
)
from firmware.header import drawing
from firmware.rehearsal import Photograph, Picture, Push, Release, SeatReply, Shown, Watch
from firmware.rehearsal_socket import RehearsalClient
from firmware.wire import Button, Lamp
from firmware.words import LANGUAGES, catalogue
from seat_node import check
from seat_node.checks.hood import Hood
from seat_node.checks.pages import LINES_A_PAGE, in_pages
from seat_node.lettering import font
from seat_node.screens import BODY, render

USER = "node-03"
CHECK = (sys.executable, "-m", "seat_node", "check")
DEADLINE_S = 60.0
NO_PI = pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="a Raspberry Pi")
ESCAPE = "\x1b["


@pytest.fixture
def card(mosquitto, tmp_path):
    """The card of a whole seat; ``card(parts...)`` changes it."""
    link = link_card(mosquitto.settings(USER))
    path = tmp_path / "kit.toml"

    def write(**changes):
        save(path, msgspec.structs.replace(SeatCard(table="test", user=USER, link=link), **changes))
        return path

    return write


def run(*words, **environment):
    return subprocess.run(
        (*CHECK, *map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=DEADLINE_S, check=False, env=os.environ | environment,
    )  # fmt: skip


def marks(output):
    """Return the part of each line, with its mark."""
    lines = [line for line in output.splitlines() if not line.lstrip().startswith("->")]
    return {line[7:].split("  ")[0].strip(): line.split()[0] for line in lines}


# ---- the whole command ----


@NO_PI
def test_each_part_has_a_line_and_what_fails_a_second_one(card):
    done = run("--card", card())
    found = marks(done.stdout)
    assert list(found) == [
        "SD card", "CPU", "power", "disk", "time of day", "fonts", "pins", "screen", "link",
    ]  # fmt: skip
    assert {found[part] for part in ("SD card", "disk", "fonts", "link")} == {"ok"}
    assert (found["pins"], found["screen"]) == ("FAULT", "FAULT"), "this machine is no Pi"
    lines = done.stdout.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(("FAULT", "note")):
            assert lines[number + 1].startswith("       -> ")
    assert done.returncode == 1
    assert done.stderr == "E firmware.service: not in order: pins, screen\n"


def test_a_seat_in_order_ends_with_0_though_optional_parts_are_missing(card, tmp_path):
    path = card(parts=PartsCard(shout=False, lamp=False, screen="none"))
    done = run("--card", path, "--rehearsal", tmp_path / "r")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "FAULT" not in done.stdout
    assert re.search(r"ok +pins +VOTE\n", done.stdout)
    assert "none is fitted, says the card" in done.stdout


def test_a_broker_that_is_gone_fails_the_check_of_a_seat_that_is_whole(card, mosquitto, tmp_path):
    path = card(parts=PartsCard(screen="none"))
    mosquitto.stop()
    done = run("--card", path, "--rehearsal", tmp_path / "r")
    assert done.returncode == 1
    assert marks(done.stdout)["link"] == "FAULT"


@NO_PI
def test_a_wrong_card_is_told_and_the_machine_checked_all_the_same(tmp_path):
    (tmp_path / "kit.toml").write_text('kind = "seat"\n')
    done = run("--card", tmp_path / "kit.toml")
    assert done.returncode == 78
    found = marks(done.stdout)
    assert (found["SD card"], found["fonts"], found["pins"]) == ("FAULT", "ok", "FAULT")
    assert "link" not in found
    assert "table: missing" in done.stderr.splitlines()[-1]


def test_wrong_options_end_with_2(tmp_path):
    done = run("--rehearsal", "/" + "x" * 120)
    assert (done.returncode, "more than 107 bytes" in done.stderr) == (2, True)
    assert run("--nonsense").returncode == 2


def test_a_seat_with_eyes_has_their_lines_too(card, tmp_path):
    path = card(parts=PartsCard(screen="none", eyes=True))
    words = ("--card", path, "--rehearsal", tmp_path / "r", "--eyes", "webcam:77")
    done = run(*words, MAFIA_MODELS=str(tmp_path))
    found = marks(done.stdout)
    assert (found["models"], found["camera"]) == ("FAULT", "FAULT")
    assert "vision" not in found, "without models there is nothing to try"
    assert f"mafia-seat models --to {tmp_path}" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lines_are_in_the_language_of_the_card(card, tmp_path, language):
    path = card(language=language, parts=PartsCard(screen="none"))
    done = run("--card", path, "--rehearsal", tmp_path / "r")
    t = catalogue(language).gettext
    for part in ("SD card", "CPU", "power", "disk", "time of day", "fonts", "pins", "link"):
        assert re.search(rf"^\S+ +{t(part)} ", done.stdout, re.MULTILINE), done.stdout


def test_a_running_seat_is_left_alone(card, tmp_path):
    code = (
        "import sys; from pathlib import Path; from seat_node import check;"
        "check.OWN_UNIT = Path(sys.argv[1]); check.check_seat(check.Options(Path(sys.argv[2])))"
    )
    done = subprocess.run(
        (sys.executable, "-c", code, str(tmp_path / "eyes.sock"), str(card())),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    found = marks(done.stdout)
    assert found["seat program"] == "FAULT"
    assert "sudo systemctl stop mafia-seat mafia-eyes" in done.stdout
    assert not {"pins", "screen", "link", "VOTE"} & found.keys()
    assert "not in order: seat program" in done.stderr


# ---- the press test and the screen ----


@pytest.fixture
def player(card, tmp_path):
    """Starts the check of a seat without hardware; returns it and who presses its pins."""
    running = []

    def start(*words, **parts):
        process = subprocess.Popen(
            (*CHECK, "--card", str(card(parts=PartsCard(**parts))),
             "--rehearsal", str(tmp_path / "r"), *words),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        running.append(process)
        client = RehearsalClient(tmp_path / "r", SeatReply)
        client.__enter__()
        running.append(client)
        client.send(Watch())
        return process, client

    yield start
    for one in running:
        if isinstance(one, subprocess.Popen):
            one.kill()
            one.communicate()
        else:
            one.__exit__(None, None, None)


def press(client, button):
    client.send(Push(button))
    client.send(Release(button))


def shows(client, *words):
    return client.wait_until(
        Shown, lambda shown: all(word in (shown.title, *shown.lines) for word in words)
    )


def turn_pages(client, button):
    """Press *button* at each page of four, and return the lines of all."""
    lines = []
    for page in range(1, 5):
        lines += shows(client, f"Self-test {page}/4").lines
        press(client, button)
    return lines


def test_the_player_presses_what_the_screen_asks_for_and_sees_the_results(player):
    process, client = player("--press")
    assert shows(client, "Press VOTE", "The lamp blinks meanwhile.").lamp is Lamp.BLINK
    client.send(Push(Button.VOTE))
    shows(client, "Press VOTE", "and let go")
    client.send(Release(Button.VOTE))
    shows(client, "Press SHOUT")
    press(client, Button.SHOUT)
    shows(client, "Self-test 1/4")
    assert client.ask(Photograph(), Picture).png
    seen = turn_pages(client, Button.VOTE)
    assert {"VOTE: ok", "SHOUT: ok", "link: ok", "pins: ok", "screen: ok"} <= set(seen)
    out, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, err) == (0, "")
    assert "Press VOTE ... The lamp blinks meanwhile." in out.splitlines()
    assert (marks(out)["VOTE"], marks(out)["SHOUT"]) == ("ok", "ok")


def test_a_button_that_stays_down_is_told_and_the_next_one_asked_for(player):
    process, client = player("--press")
    shows(client, "Press VOTE")
    client.send(Push(Button.VOTE))
    shows(client, "Press SHOUT")
    press(client, Button.SHOUT)
    lines = turn_pages(client, Button.SHOUT)
    # The worst is shown first.
    assert lines[0] == "VOTE: FAULT"
    out, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 1
    assert (marks(out)["VOTE"], marks(out)["SHOUT"]) == ("FAULT", "ok")
    assert "VOTE belongs between pin 11 (GPIO17) and ground" in out
    assert "not in order: VOTE" in err


def test_a_seat_with_one_button_is_asked_for_one(player):
    process, client = player("--press", shout=False, lamp=False)
    shows(client, "Press VOTE")
    press(client, Button.VOTE)
    turn_pages(client, Button.VOTE)
    out, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 0
    assert "SHOUT" not in marks(out)
    assert "lamp" not in out


def test_presses_are_asked_for_at_a_terminal_unless_it_is_said(tmp_path, monkeypatch):
    leader, follower = pty.openpty()
    with os.fdopen(leader), os.fdopen(follower) as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert check._asks_for_presses(check.Options(tmp_path))
        assert not check._asks_for_presses(check.Options(tmp_path, press=False))
        assert not check._asks_for_presses(check.Options(tmp_path, rehearsal=tmp_path))
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr(sys, "stdin", nobody)
        assert not check._asks_for_presses(check.Options(tmp_path))
        assert check._asks_for_presses(check.Options(tmp_path, press=True))


# ---- how it is told ----

FINDINGS = [
    fine("disk", "good"),
    note("clock", "nobody set it", "Set it."),
    fault("pins", "a", "b"),
]


def test_a_line_has_its_mark_in_words_with_colour_and_without():
    for finding in FINDINGS:
        plain, coloured = (in_lines(finding, str, colour=colour) for colour in (False, True))
        assert plain.startswith(MARKS[finding.outcome])
        assert ESCAPE not in plain
        assert coloured != plain
        assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
    assert len(set(COLOURS.values())) == len(Outcome)


def test_what_a_library_says_on_many_lines_is_told_on_one():
    assert in_lines(fault("camera", "a\n  b", "c\nd"), str, colour=False) == (
        "FAULT  camera        a b\n       -> c d"
    )


def on_a_terminal(path, **environment):
    """Return what the command prints on a terminal."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        (*CHECK, "--card", str(path)), stdin=subprocess.DEVNULL, stdout=follower,
        stderr=subprocess.DEVNULL, env=os.environ | {"NO_COLOR": "", "TERM": "xterm"} | environment,
    )  # fmt: skip
    os.close(follower)
    told = b""
    try:
        while part := os.read(leader, 65536):
            told += part
    except OSError:
        # Linux: the other end of a terminal is closed.
        pass
    os.close(leader)
    process.wait(DEADLINE_S)
    return told.decode()


@NO_PI
def test_colour_is_for_terminals_and_no_color_is_honoured(card):
    path = card()
    assert ESCAPE in on_a_terminal(path)
    assert ESCAPE not in on_a_terminal(path, NO_COLOR="1")
    assert ESCAPE not in run("--card", path).stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_name_each_part_once_on_lines_that_fit(language):
    t = catalogue(language).gettext
    names = ["SD card", "CPU", "power", "disk", "time of day", "fonts", "pins", "screen", "link"]
    names += ["models", "vision", "camera", "seat program"]
    findings = [fault(t(name), "", "") for name in names]
    pages = in_pages(findings, t, language)
    assert len(pages) == -(-len(names) // LINES_A_PAGE)
    lines = [line for page in pages for line in page.lines]
    assert lines == [f"{t(name)}: {t('FAULT')}" for name in names]
    for line in lines:
        assert font(9).getlength(line) <= BODY.width, line
    for page in pages:
        assert render(page).getbbox() is not None
    assert max(len(t(name)) for name in names) <= 12


def test_the_pages_begin_with_the_worst():
    assert in_pages(FINDINGS, str, "en")[0].lines == ("pins: FAULT", "clock: note", "disk: ok")


class Recorder:
    """In the place of a screen: keeps what it shows, and how much of *inbox* is left then."""

    def __init__(self, inbox):
        self.shown = []
        self._inbox = inbox

    def show(self, face):
        self.shown.append((face.title, self._inbox.qsize()))


def test_pressing_turns_a_page_and_letting_go_does_not(clock):
    report = check.Report(catalogue("en"))
    report.findings += FINDINGS + FINDINGS
    inbox = queue.SimpleQueue()
    screen = Recorder(inbox)
    for closed in (False, True, False, True):
        inbox.put(Level(Button.VOTE, clock.now_s(), closed))
    check._pages(report, Hood(screen, inbox, clock), clock)
    assert screen.shown == [("Self-test 1/2", 4), ("Self-test 2/2", 2)]
    assert inbox.empty()


# ---- the wiring ----


def test_pins_are_drawn_without_a_card_and_without_hardware():
    done = run("--pins", "--card", "/nowhere/kit.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == drawing("seat", str) + "\n"


def test_pins_are_drawn_in_the_language_of_the_card(card):
    done = run("--pins", "--card", card(language="ru"))
    assert done.stdout == drawing("seat", catalogue("ru").gettext) + "\n"
