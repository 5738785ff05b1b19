"""What eyes tell of hands: recorded ones, and some bent to the forbidden gesture."""

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed: make vision")

from seat_node.reports import Hand, Watch  # noqa: E402 - not without numpy
from seat_node.shape import Points  # noqa: E402
from tests.seat_node.bending import BY_FILE, USUAL, bent, points_of  # noqa: E402
from tests.seat_node.test_eyes import Player  # noqa: E402

(OPEN,) = points_of(BY_FILE["hagrid_palm_00000.jpg"])
FIST = points_of(BY_FILE["hagrid_fist_00019.jpg"])[0]
FINGER = bent(OPEN, ("index", "ring", "pinky"), USUAL)
EVERYTHING = Watch(("number", "fist", "open_palm"), "forbidden")


@pytest.fixture
def player():
    return Player()


def told(player):
    return [(hand.name, hand.number) for hand in player.said_of(Hand)]


def test_the_forbidden_gesture_is_told_after_half_a_second_and_once(player):
    player.watch = EVERYTHING
    player.scene.hands = [FINGER]
    player.passes(5)
    (hand,) = player.said_of(Hand)
    assert (hand.name, hand.number) == ("forbidden", 0)
    assert 1000.5 <= hand.at_s <= 1000.7
    assert 0.5 < hand.confidence <= 1.0


def test_it_is_told_where_nothing_else_is_on_and_not_where_it_is_off(player):
    player.scene.hands = [FINGER]
    player.watch = Watch(forbidden="forbidden")
    player.passes(2)
    assert told(player) == [("forbidden", 0)]
    player.watch = Watch(("number", "fist"))
    player.passes(2)
    assert told(player) == [("forbidden", 0)]


def test_a_finger_that_flickers_accuses_nobody(player):
    player.watch = EVERYTHING
    for _ in range(20):
        player.scene.hands = [FINGER]
        player.passes(0.4)
        player.scene.hands = [OPEN]
        player.passes(0.1)
    assert told(player) == []


def test_a_hand_at_rest_is_not_forbidden(player):
    player.watch = EVERYTHING
    player.scene.hands = [Points(FINGER.world, [(x, y + 0.5) for x, y in FINGER.image])]
    player.passes(3)
    assert told(player) == []


def test_another_hand_can_be_the_forbidden_one_and_is_as_strict(player):
    player.watch = Watch(("number",), "fist")
    player.scene.hands = [FIST]
    player.passes(0.4)
    player.scene.hands = []
    player.passes(0.1)
    player.scene.hands = [FIST]
    player.passes(0.4)
    assert told(player) == []
    player.passes(1.0)
    assert told(player) == [("fist", 0)]


def test_five_fingers_are_stop_in_talk_and_five_in_an_open_list(player):
    player.scene.hands = [OPEN]
    player.watch = EVERYTHING
    player.passes(2)
    player.watch = Watch(("number", "open_palm"), "forbidden", two_hands=True)
    player.passes(2)
    assert told(player) == [("open_palm", 0), ("number", 5)]


def test_what_is_off_is_not_told(player):
    player.watch = Watch(("open_palm",), "forbidden")
    player.scene.hands = [FIST]
    player.passes(2)
    assert told(player) == []
