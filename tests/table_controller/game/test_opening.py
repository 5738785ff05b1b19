"""RULES 1.1 and 1.2: seating, deal, the acquaintance night."""

import pytest

from table_controller.game import NORMAL, TURBO
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import SEATS, CountdownKind, Phase, Refusal, Role
from table_controller.game.opening import DECK


def test_1_1_the_deal_waits_for_all_ten(a_new_game):
    play = a_new_game()
    assert play.refusal(do.Deal(DECK)) is Refusal.WRONG_PHASE
    for seat in SEATS[:-1]:
        assert play.act(do.Ready(seat)) == (ev.SeatReady(seat),)
    assert play.state.phase is Phase.SEATING
    assert play.act(do.Ready(10)) == (ev.SeatReady(10), ev.AllReady())
    assert play.state.phase is Phase.DEALING


def test_1_1_a_player_is_ready_once_and_before_the_deal(a_new_game):
    play = a_new_game()
    play.act(do.Ready(3))
    assert play.refusal(do.Ready(3)) is Refusal.ALREADY_READY
    play.act(*(do.Ready(seat) for seat in SEATS if seat != 3))
    assert play.refusal(do.Ready(3)) is Refusal.WRONG_PHASE


@pytest.mark.parametrize("seat", [0, 11, -1])
def test_1_there_are_ten_seats(a_new_game, seat):
    assert a_new_game().refusal(do.Ready(seat)) is Refusal.NO_SUCH_SEAT


@pytest.mark.parametrize(
    "roles",
    [DECK[:9], (*DECK, Role.CITIZEN), (Role.CITIZEN,) * 10, (*DECK[:9], Role.SHERIFF)],
    ids=["nine", "eleven", "no mafia", "two sheriffs"],
)
def test_1_1_a_deal_has_the_ten_cards_of_the_game(a_new_game, roles):
    play = a_new_game()
    play.act(*map(do.Ready, SEATS))
    assert play.refusal(do.Deal(roles)) is Refusal.BAD_DEAL


@pytest.mark.parametrize(
    ("ruleset", "look", "nightfall", "rest"),
    [(NORMAL, 15, 10, 20), (TURBO, 10, 6, 10)],
    ids=["normal", "turbo"],
)
def test_1_2_the_first_night_is_nightfall_meeting_rest_morning(
    a_dealt_game, ruleset, look, nightfall, rest
):
    play = a_dealt_game(ruleset)
    lengths = []
    for kind in (CountdownKind.LOOK, CountdownKind.NIGHTFALL, CountdownKind.MEETING):
        lengths.append(play.clock().length_s)
        play.expire(kind)
    lengths.append(play.clock().length_s)
    assert play.expire(CountdownKind.REST) == (ev.MorningCame(1),)
    assert lengths == [look, nightfall, 60, rest]
    assert [type(event) for event in play.events[-4:-1]] == [
        ev.NightFell,
        ev.MafiaWoke,
        ev.MafiaSlept,
    ]
    assert play.clock().length_s == 5
    assert play.expire(CountdownKind.MORNING)[0] == ev.DayBegan(1, SEATS)


def test_1_2_no_press_does_anything_in_the_first_night(a_dealt_game):
    play = a_dealt_game()
    for phase in (Phase.NIGHTFALL, Phase.MEETING, Phase.REST):
        play.until(phase)
        assert play.refusal(do.PressAtNight(8, 1)) is Refusal.WRONG_PHASE
        assert play.refusal(do.Shout(1)) is Refusal.WRONG_PHASE
        assert play.refusal(do.EndFloor(1)) is Refusal.WRONG_PHASE
