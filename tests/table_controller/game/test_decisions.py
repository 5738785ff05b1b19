"""RULES 2.3 and 2.4: what the room reads of sanctions, and who decided."""

import pytest

from table_controller.game import actions as do
from table_controller.game.decisions import Decider, PublicDecision
from table_controller.game.legal import legal_actions
from table_controller.game.model import SEATS, CountdownKind, Offence, Phase, Sanction, Source
from table_controller.game.views import charges, public_view

TECHNICAL = Sanction.TECHNICAL_FOUL
DISQUALIFICATION = Sanction.DISQUALIFICATION
INSULT = do.OpenGrounds(4, Offence.INSULTS, Source.HOST)


@pytest.fixture
def day(a_morning):
    """The day after a night that was played: the course tells which it is."""
    return a_morning().until(Phase.NIGHTFALL).until(Phase.SPEECH)


def decided(play):
    return public_view(play.state).decisions


def test_2_3_a_motion_is_told_with_its_votes_and_what_it_needed_once_it_is_closed(day):
    day.act(INSULT, do.EndFloor(2), *map(do.VoteMotion, (1, 2, 3)))
    assert decided(day) == ()
    day.motion((5, 6))
    room = PublicDecision(
        3, 4, TECHNICAL, Offence.INSULTS, Decider.ROOM, True, (1, 2, 3, 5, 6), voters=9, needed=5
    )
    assert decided(day) == (room,)


def test_2_3_a_motion_that_is_lost_is_told_too(day):
    day.act(INSULT, do.EndFloor(2))
    day.motion((1, 2, 3, 5))
    lost = PublicDecision(
        3, 4, TECHNICAL, Offence.INSULTS, Decider.ROOM, False, (1, 2, 3, 5), voters=9, needed=5
    )
    assert decided(day) == (lost,)


def test_2_3_a_motion_that_the_host_forestalls_is_told_as_the_hosts(day):
    day.act(INSULT, do.EndFloor(2), do.VoteMotion(2), do.Rule(TECHNICAL, 4, Offence.INSULTS))
    assert decided(day) == (PublicDecision(3, 4, TECHNICAL, Offence.INSULTS, Decider.HOST),)


def test_2_4_a_second_technical_foul_disqualifies_by_the_rules(day):
    day.act(do.Rule(TECHNICAL, 4, Offence.BETS), INSULT, do.EndFloor(2))
    day.motion((1, 2, 3, 5, 6))
    assert [(each.by, each.sanction) for each in decided(day)] == [
        (Decider.HOST, TECHNICAL),
        (Decider.ROOM, TECHNICAL),
        (Decider.SECOND_FOUL, DISQUALIFICATION),
    ]
    # Whoever has left is no voter: of the next accused, eight others are.
    day.act(do.Rule(DISQUALIFICATION, 5, Offence.THREATS))
    assert decided(day)[-1] == PublicDecision(3, 5, DISQUALIFICATION, Offence.THREATS, Decider.HOST)
    day.act(do.OpenGrounds(6, Offence.THREATS, Source.HOST), do.EndFloor(day.state.floor))
    day.motion()
    assert (decided(day)[-1].voters, decided(day)[-1].needed) == (7, 4)


def test_2_3_opponent_victory_needs_two_thirds_and_has_no_offence(day):
    day.act(do.PutOpponentVictory(4), do.EndFloor(2))
    day.motion((1, 2, 3, 5, 6))
    assert decided(day) == (
        PublicDecision(
            3, 4, Sanction.OPPONENT_VICTORY, None, Decider.ROOM, False, (1, 2, 3, 5, 6), 9, 6
        ),
    )


def test_2_4_what_the_host_rules_at_night_is_told_in_the_morning(day):
    day.until(Phase.CALLING)
    day.act(do.Rule(TECHNICAL, 4, Offence.INSULTS), do.Rule(DISQUALIFICATION, 5, Offence.THREATS))
    assert decided(day) == ()
    day.until(Phase.SPEECH, Phase.FAREWELL)
    assert decided(day) == (
        PublicDecision(4, 4, TECHNICAL, Offence.INSULTS, Decider.HOST),
        PublicDecision(4, 5, DISQUALIFICATION, Offence.THREATS, Decider.HOST),
    )


def test_2_2_a_seat_can_accuse_of_all_but_what_waits_already(day):
    day.act(INSULT, do.Rule(DISQUALIFICATION, 5, Offence.THREATS))
    of = charges(day.state, 3)
    assert set(of) == set(SEATS) - {3, 5}
    assert of[4] == tuple(each for each in Offence if each is not Offence.INSULTS)
    assert {do.Accuse(3, seat, offence) for seat in of for offence in of[seat]} == {
        action for action in legal_actions(day.state) if isinstance(action, do.Accuse)
        and action.by == 3
    }  # fmt: skip
    assert day.clock().kind is CountdownKind.SPEECH
