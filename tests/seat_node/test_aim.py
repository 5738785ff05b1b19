"""What `mafia-seat aim` asks for, on recorded reports; the command itself on real photographs."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.errors import BoardError
from firmware.rehearsal import SeatReply, Watch
from firmware.rehearsal_socket import RehearsalClient
from firmware.words import LANGUAGES, catalogue
from seat_node import aim, aim_command, framing, light
from seat_node.aim import Aim, face_of, line_of
from seat_node.aim_command import CLEAR, Options, Terminal, aim_seat
from seat_node.inbox import EyesGone
from seat_node.reports import Hand, Sight
from seat_node.screens import render

COMMAND = (sys.executable, "-m", "seat_node", "aim")
DEADLINE_S = 120.0


def sight(word, aim=""):
    return Sight(word, 3.0, 170.0, aim)


GOOD = sight(light.OK, framing.GOOD)
OPEN = Hand("open_palm", 0, 0.9, 0.0)
FOUR = Hand("number", 4, 0.9, 0.0)


class Told:
    """An aim, and the reports that come to it."""

    def __init__(self):
        self.aim = Aim(100.0)

    def at(self, now_s, *reports):
        for report in reports:
            self.aim.take(report, now_s)
        return self.aim.word(now_s)


@pytest.fixture
def told():
    return Told()


# ---- what is asked for ----


def test_face_then_hand_then_two_seconds_are_all_it_takes(told):
    assert told.at(100.0) == aim.WAIT
    assert told.at(101.0, sight(light.OK)) == aim.WAIT
    assert told.at(102.0, sight(light.OK, framing.CLOSER)) == framing.CLOSER
    assert told.at(103.0, GOOD) == aim.SHOW
    assert told.at(105.0, OPEN) == aim.HOLD
    assert told.at(106.9) == aim.HOLD
    assert told.at(107.0) == aim.DONE


def test_a_hand_that_was_up_before_the_face_was_good_counts_if_it_is_fresh(told):
    told.at(101.0, sight(light.OK, framing.UP), OPEN)
    assert told.at(104.0, GOOD) == aim.HOLD
    assert told.at(106.0) == aim.DONE
    late = Told()
    late.at(101.0, OPEN)
    assert late.at(112.0, GOOD) == aim.SHOW


def test_a_face_that_is_lost_meanwhile_begins_the_two_seconds_anew(told):
    told.at(101.0, GOOD, OPEN)
    assert told.at(102.5, sight(light.OK, framing.NOBODY)) == framing.NOBODY
    assert told.at(103.0, GOOD) == aim.HOLD
    assert told.at(104.9) == aim.HOLD
    assert told.at(105.0) == aim.DONE


def test_a_hand_that_does_not_come_or_shows_less_is_told_so(told):
    assert told.at(101.0, GOOD) == aim.SHOW
    assert told.at(106.9, GOOD) == aim.SHOW
    assert told.at(107.0) == aim.NO_HAND
    assert told.at(108.0, FOUR) == aim.FINGERS
    assert told.at(115.0) == aim.NO_HAND


@pytest.mark.parametrize("word", [light.DARK, light.COVERED, light.FROZEN])
def test_a_picture_that_cannot_be_judged_comes_first(told, word):
    assert told.at(101.0, OPEN, sight(word, word)) == word


@pytest.mark.parametrize(
    ("report", "word"),
    [
        (sight("no camera"), "no camera"),
        (sight("dead"), "dead"),
        (EyesGone("no camera", 101.0), "no camera"),
        (EyesGone("illegal instruction", 101.0), "illegal instruction"),
        (EyesGone("memory", 101.0), "dead"),
    ],
)
def test_eyes_that_see_nothing_say_why(told, report, word):
    told.at(101.0, GOOD, OPEN)
    assert told.at(101.5, report) == word
    assert told.at(110.0) == word


# ---- how it is told ----


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("word", aim.SAID)
def test_every_word_has_a_screen_and_a_line_in_every_language(word, language):
    t = catalogue(language).gettext
    face = face_of(word, t, language)
    assert line_of(word, t) == f"{face.title}: {face.lines[0]}"
    if language != "en":
        assert face.title != aim.SAID[word][0] or face.lines[0] != aim.SAID[word][1]
    assert render(face).getbbox() is not None


class Tty(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_has_one_line_that_changes():
    out = Tty()
    terminal = Terminal(out)
    for now_s in (1.0, 1.1, 9.0):
        terminal.tell("Too dark", now_s)
    terminal.tell("Good", 9.1)
    terminal.end()
    assert out.getvalue() == f"{CLEAR}Too dark{CLEAR}Good\n"


def test_where_none_can_be_written_over_a_line_comes_each_second_and_at_a_change():
    out = io.StringIO()
    terminal = Terminal(out)
    for tenth in range(25):
        terminal.tell("Too dark", tenth / 10)
    terminal.tell("Good", 2.5)
    terminal.end()
    assert out.getvalue() == "Too dark\n" * 3 + "Good\n"


# ---- the whole command ----


def test_a_seat_that_runs_has_the_camera_and_is_to_be_stopped_first(tmp_path, monkeypatch):
    monkeypatch.setattr(aim_command, "OWN_UNIT", tmp_path / "eyes.sock")
    with pytest.raises(BoardError, match="sudo systemctl stop mafia-seat mafia-eyes"):
        aim_seat(Options(tmp_path / "none"))


@pytest.mark.vision
def test_eyes_without_models_end_it_at_once_and_say_why(photos, tmp_path, monkeypatch):
    monkeypatch.setenv("MAFIA_MODELS", str(tmp_path / "models"))
    done = run(tmp_path, folder_of(tmp_path, photos / "noface_coffee.jpg"))
    assert done.returncode == 1
    assert "No vision here: Run: mafia-seat check" in done.stderr
    assert "hand_landmarker.task is missing: run mafia-seat models" in done.stderr


@pytest.fixture
def photos():
    named = os.environ.get("MAFIA_PHOTOS")
    if not named:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    return Path(named)


def folder_of(tmp_path, *pictures):
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number, picture in enumerate(pictures):
        (folder / f"{number}{picture.suffix}").symlink_to(picture)
    return folder


def a_player_with_a_hand(photos, tmp_path):
    """Compose a picture of a face at 1 m, and beside it an open hand."""
    cv2 = pytest.importorskip("cv2", reason="OpenCV is not installed: make vision")
    face = cv2.imread(str(photos / "face_astronaut.jpg"))[:360, 50:410]
    hand = cv2.imread(str(photos / "hagrid_palm_00000.jpg"))
    picture = cv2.copyMakeBorder(cv2.resize(face, (480, 480)), 0, 0, 0, 160, cv2.BORDER_REPLICATE)
    picture[120:280, 480:640] = cv2.resize(hand, (160, 160))
    cv2.imwrite(str(tmp_path / "player.png"), picture)
    return tmp_path / "player.png"


def command(tmp_path, source, *more):
    return (*COMMAND, "--card", str(tmp_path / "none"), "--source", str(source), *map(str, more))


def run(tmp_path, source, *more):
    return subprocess.run(
        command(tmp_path, source, *more), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip


def line_of_face(shown):
    return f"{shown.title}: {shown.lines[0]}"


@pytest.mark.vision
def test_a_player_who_is_seen_well_and_shows_a_hand_is_set_up(photos, tmp_path):
    folder, path = folder_of(tmp_path, a_player_with_a_hand(photos, tmp_path)), tmp_path / "r"
    with (
        subprocess.Popen(
            command(tmp_path, folder, "--language", "de", "--rehearsal", path, "--within", 100),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        ) as running,
        RehearsalClient(path, SeatReply, patience_s=DEADLINE_S) as screen,
    ):  # fmt: skip
        screen.send(Watch())
        out, errors = running.communicate(timeout=DEADLINE_S)
        shown = [line_of_face(face) for face in screen.seen]
    t = catalogue("de").gettext
    assert (running.returncode, errors) == (0, "")
    assert out.splitlines()[0] == line_of(aim.WAIT, t)
    assert out.splitlines()[-1] == shown[-1] == line_of(aim.DONE, t)
    assert line_of(aim.HOLD, t) in shown


@pytest.mark.proof
@pytest.mark.vision
def test_an_empty_room_is_not_set_up_and_says_what_is_missing(photos, tmp_path):
    done = run(tmp_path, folder_of(tmp_path, photos / "noface_coffee.jpg"), "--within", 20)
    said = line_of(framing.NOBODY, str)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, said)
    assert done.stderr == f"E firmware.service: not set up: {said}\n"


def test_somebody_who_ends_it_reads_what_is_missing(photos, tmp_path):
    with subprocess.Popen(
        command(tmp_path, folder_of(tmp_path, photos / "noface_coffee.jpg")),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout.readline() == line_of(aim.WAIT, str) + "\n"
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=DEADLINE_S)
    assert running.returncode == 1
    assert errors.startswith("E firmware.service: not set up: ")


def test_a_source_that_is_none_is_told_at_once(tmp_path):
    done = run(tmp_path, tmp_path / "nowhere")
    assert done.returncode == 2
    assert "nowhere does not exist" in done.stderr
