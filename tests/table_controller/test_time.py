"""Speeches, ballots and absences keep their exact length, whatever time of day it is."""

import gc
import threading
from pathlib import Path

import pytest

from table_controller.game import SEATS, TURBO, Phase

HOUR_S = 3600.0


def to_ballot(rig, *speakers):
    """Let each of *speakers* nominate the third seat after it, up to the first call."""
    for speaker in speakers:
        rig.press(speaker)
        while rig.seats[speaker].face.rows[rig.seats[speaker].face.cursor].value != speaker + 3:
            rig.press(speaker)
        rig.press(speaker, for_s=1.0)
        rig.end_floor(speaker)
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    rig.until(lambda: called(rig))


def called(rig):
    """Return who can be voted against now."""
    return rig.show.board.game.called


def length_of(rig, done, *, meanwhile=lambda: None):
    """Return how long it takes until *done*; half-way through, *meanwhile* happens."""
    began_s = rig.now_s
    rig.advance(2.0)
    meanwhile()
    while not done():
        rig.advance(0.05)
    return rig.now_s - began_s


@pytest.mark.parametrize("by_s", [HOUR_S, -HOUR_S])
def test_a_speech_and_a_ballot_keep_their_length_when_the_wall_clock_steps(rig, by_s):
    """RotorHazard PR 439: the clock jumps by an hour, or NTP comes late."""
    rig.to_first_day()

    def step():
        rig.clock.step_wall(by_s)

    rig.until(lambda: rig.state.floor == 2)
    speech_s = length_of(rig, lambda: rig.state.floor == 3, meanwhile=step)
    assert speech_s == pytest.approx(60.0, abs=0.1)
    to_ballot(rig, 3, 4)
    ballot_s = length_of(rig, lambda: called(rig) != 6, meanwhile=step)
    assert ballot_s == pytest.approx(5.0, abs=0.1)
    # The journal has the time of day as it was shown, out of order too, and reads back.
    rig.kill_table()
    rig.start_table()
    assert rig.state.floor == 0
    assert len(rig.state.nominations) == 2


def test_a_table_that_stood_still_for_three_seconds_ends_a_speech_on_time(rig):
    rig.to_first_day()
    rig.until(lambda: rig.state.floor == 2)
    began_s = rig.now_s
    rig.advance(20.0)
    rig.clock.advance(3.0)
    while rig.state.floor == 2:
        rig.advance(0.05)
    assert rig.now_s - began_s == pytest.approx(60.0, abs=0.1)


def test_a_table_that_stood_still_in_a_ballot_gives_it_its_whole_length(rig):
    rig.to_first_day()
    to_ballot(rig, 1, 2)
    began_s = rig.now_s
    rig.advance(1.0)
    rig.clock.advance(3.0)
    rig.press(6)
    while called(rig) == 4:
        rig.advance(0.01)
    assert rig.now_s - began_s == pytest.approx(5.0, abs=0.1)
    rig.until(lambda: rig.state.ballots)
    assert (6, 4) in rig.state.ballots[0].votes


# ---- many games in one process ----


def play(rig):
    """Play a whole game in which only speeches are made, to the draw of three idle nights.

    Return what the speaker's clock showed in each speech that ran to its end, second by second.
    """
    rig.all_hold()
    rig.press(*SEATS)
    rig.until(lambda: rig.phase is Phase.SPEECH)
    shown = []
    while not rig.table.playing.over:
        floor = rig.state.floor
        if rig.phase is not Phase.SPEECH:
            rig.advance(5.0)
        elif floor != rig.state.order[0]:
            # The first speech of a day runs to its end, the others are cut short.
            rig.end_floor(floor)
        else:
            rig.until(lambda floor=floor: rig.state.floor != floor)
            faces = [face.left_s for face in rig.seats[floor].faces if face.scene == "floor"]
            shown.append(list(dict.fromkeys(faces)))
            rig.seats[floor].faces.clear()
    return shown


def grown():
    gc.collect()
    files = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return len(gc.get_objects()), threading.active_count(), files


def many_games(rig, games):
    """Play *games*; return what the clocks of each showed and what each one left behind."""
    shown, left = [], []
    for _ in range(games):
        shown.append(play(rig))
        rig.room.heard.clear()
        rig.bulbs.shown.clear()
        for each in rig.seats.values():
            each.faces.clear()
        left.append(grown())
    return shown, left


@pytest.mark.proof
def test_fifty_games_in_one_process_are_all_alike(rig, tmp_path, clock):
    """RotorHazard 184: after several heats the countdown goes wild. mediapipe 3244: memory."""
    rig = type(rig)(tmp_path / "turbo", clock, ruleset=TURBO)
    shown, left = many_games(rig, 50)
    assert len(shown[0]) == 3
    for game in shown:
        for seconds in game:
            assert seconds[:25] == list(range(25, 0, -1))
            assert seconds[25:] in ([], [0])
    objects, threads, files = zip(*left, strict=True)
    assert set(threads[1:]) == {threads[1]}
    assert set(files[1:]) == {files[1]}
    # What one game leaves behind, 45 times over, would show.
    assert objects[-1] - objects[4] < 45 * 20
