"""A seat with eyes in a whole kit: a photograph of a hand becomes a word on the scoreboard."""

import csv
import importlib.util
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.card import read_table_card, save
from firmware.card_parts import GESTURES, GesturesCard
from firmware.wire import Button
from table_controller.game import SEATS
from table_controller.rehearsal.house import House, Settings
from tests.e2e.test_console_orders import PIN, Console

pytestmark = pytest.mark.vision

LOOK_S = 60.0
"""Patience with the eyes' first words; the libraries take seconds to load on a Pi."""


@pytest.fixture
def photograph_of(tmp_path):
    """Return a function that makes a folder with one photograph, of a hand with this label."""
    if importlib.util.find_spec("mediapipe") is None:
        pytest.skip("mediapipe is not installed: make vision")
    if "MAFIA_PHOTOS" not in os.environ:
        pytest.skip("MAFIA_PHOTOS names no folder of labelled photographs")
    photos = Path(os.environ["MAFIA_PHOTOS"])
    with (photos / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def make(label):
        name = min(row["file"] for row in rows if row["label"] == label)
        (tmp_path / name).symlink_to(photos / name)
        return str(tmp_path)

    return make


def test_a_hand_of_a_listener_is_shown_by_day_and_gone_by_night(
    new_house, director_class, photograph_of
):
    eyes = {3: photograph_of("thumb_up")}
    director = director_class(new_house(step=True, seed=1, eyes=eyes))
    director.begin()
    director.speech_of(1)

    def gestures():
        return {seat["seat"]: seat["gesture"] for seat in director.state()["seats"]}

    director.until(lambda: gestures()[3] == "thumb_up", "the thumb of 3", LOOK_S)
    director.step_to("night", 1)
    assert not any(gestures().values())


@pytest.mark.proof
def test_a_number_on_two_hands_fills_in_the_speakers_choice_and_vote_held_confirms_it(
    new_house, director_class, photograph_of
):
    eyes = {1: photograph_of("two:2+5")}
    director = director_class(new_house(step=True, seed=1, eyes=eyes))
    director.begin()
    director.speech_of(1)
    panel = director.panels[1]
    director.vote(1)

    def pointed():
        return panel.shown.rows[panel.shown.cursor].value if panel.shown.rows else 0

    director.until(lambda: pointed() == 7, "the seven of 1", LOOK_S)
    assert director.state()["game"]["nominees"] == []
    panel.hold(Button.VOTE)
    director.until(lambda: "You nominate 7" in panel.shown.lines, "the nomination")


@pytest.mark.proof
def test_an_empty_chair_is_put_to_the_room_by_itself_at_the_next_gap(
    new_house, director_class, photograph_of
):
    director = director_class(new_house(step=True, seed=1, eyes={3: photograph_of("noface")}))
    director.begin()
    director.speech_of(1)

    def grounds():
        return [(each["seat"], each["offence"]) for each in director.state()["game"]["grounds"]]

    director.until(lambda: grounds() == [(3, "away")], "the grounds", LOOK_S)
    director.step_to("motion_disqualification", 3)
    director.scenes("motion", seats=director.living - {3})


@pytest.mark.proof
def test_a_camera_that_the_host_switches_off_sees_nothing_until_it_is_on_again(
    new_house, director_class, photograph_of
):
    eyes = {3: photograph_of("thumb_up")}
    director = director_class(new_house(step=True, seed=1, eyes=eyes, pin=PIN))
    director.begin()
    director.speech_of(1)
    host = Console(director.house.address)

    def sees(gesture, camera):
        seat, sheet = director.state()["seats"][2], host.state()["seats"][2]
        return (seat["gesture"], sheet["camera"]) == (gesture, camera)

    def word():
        return director.panels[3].shown.lines

    director.until(lambda: sees("thumb_up", "on") or sees("thumb_up", "unknown"), "a thumb", LOOK_S)
    host.order("camera", seat=3, on=False)
    director.until(lambda: sees("", "off"), "a camera that is off", LOOK_S)
    director.until(lambda: word() == ("Camera off",), "the seat that says so")
    host.order("camera", seat=3, on=True)
    # A hand is told once: it is only told again by eyes that look anew.
    director.until(lambda: sees("thumb_up", "on") or sees("thumb_up", "unknown"), "it", LOOK_S)
    assert word() == ()


def grounds(director):
    return [(each["seat"], each["offence"]) for each in director.state()["game"]["grounds"]]


class StrictHouse(House):
    """A house of a club whose forbidden hand is the thumb down.

    The album's photographs of the usual one show no hand that MediaPipe finds.
    """

    def _save_table_card(self, port):
        super()._save_table_card(port)
        path = self.folder / "table.toml"
        hands = tuple(hand for hand in GESTURES.on if hand != "thumb_down")
        strict = GesturesCard(on=hands, forbidden="thumb_down")
        save(path, replace(read_table_card(path), gestures=strict))


@pytest.mark.proof
def test_a_forbidden_hand_is_put_to_the_room_which_decides_and_the_result_says_so(
    new_house, director_class, photograph_of
):
    accused, for_it = 3, (1, 2, 4, 5, 6)
    eyes = {accused: photograph_of("thumb_down")}
    with StrictHouse(Settings(step=True, seed=1, eyes=eyes, pin=PIN)) as house:
        director = director_class(house)
        director.begin()
        director.speech_of(1)
        wanted = (accused, "forbidden_gesture")
        director.until(lambda: wanted in grounds(director), "the grounds", LOOK_S)
        game = director.state()["game"]
        assert game["seats"][accused - 1]["technical_fouls"] == 0, "nobody has decided yet"
        assert "gesture" in {each["source"] for each in game["grounds"]}
        assert not any(seat["gesture"] for seat in director.state()["seats"])
        told = Console(house.address).state()["notices"]
        assert (accused, "forbidden") in [(each["seat"], each["kind"]) for each in told]

        director.step_to("motion_technical_foul", accused)
        director.scenes("motion", seats=set(SEATS) - {accused})
        director.vote(*for_it)
        director.until(
            lambda: all("You have voted" in director.lines(seat) for seat in for_it), "the votes"
        )
        director.step_to("motion_carried")
        game = director.until_state(
            lambda game: [d for d in game["decisions"] if d["offence"] == wanted[1]], "the decision"
        )
        (decision,) = [each for each in game["decisions"] if each["offence"] == wanted[1]]
        assert (decision["seat"], decision["by"], decision["passed"]) == (accused, "room", True)
        assert (decision["yes"], decision["needed"]) == ([*for_it], 5)
        assert game["seats"][accused - 1]["technical_fouls"] == 1


@pytest.mark.proof
@pytest.mark.parametrize("label", ["1", "rock", "pinkie", "thumb_down"])
def test_no_other_hand_opens_grounds(new_house, director_class, photograph_of, label):
    """Another finger alone, one more, and the hand that another club forbids."""
    director = director_class(new_house(step=True, seed=1, eyes={3: photograph_of(label)}, pin=PIN))
    director.begin()
    director.speech_of(1)
    host = Console(director.house.address)
    # What a seat says of its eyes, every 10 s, comes after what they have seen until then.
    director.until(lambda: host.state()["seats"][2]["camera"] == "on", "eyes that see", LOOK_S)
    assert grounds(director) == []
    assert not [each for each in host.state()["notices"] if each["kind"] == "forbidden"]
