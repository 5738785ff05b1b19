"""What the record of a game says of fair play: who has decided."""

import pytest

from firmware.words import catalogue
from table_controller.commands.journal import _said
from table_controller.game import actions
from table_controller.game import events as e
from table_controller.game.model import Offence, Sanction, Team
from table_controller.record.entries import Acted, Row
from table_controller.record.verdicts import verdicts

TECHNICAL = Sanction.TECHNICAL_FOUL
FOUL = e.TechnicalFoulGiven(7, 1, Offence.BETS, by_host=False, after_decision=False)
OUT = e.Disqualified(7, Offence.THREATS, by_host=True, by_second_foul=False, after_decision=False)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            e.MotionClosed(TECHNICAL, 7, 1, (1, 2, 3), 10, passed=False),
            "motion, Technical foul for seat 7: for it 1 2 3; not carried",
        ),
        (
            e.MotionClosed(TECHNICAL, 7, 1, (), 10, passed=False),
            "motion, Technical foul for seat 7: for it nobody; not carried",
        ),
        (FOUL, "technical foul 1 for seat 7, Offering bets: decided by the table"),
        (OUT, "seat 7 disqualified, Threats: decided by the host"),
        (
            e.Disqualified(7, Offence.BETS, True, by_second_foul=True, after_decision=False),
            "seat 7 disqualified, Offering bets: decided by the rules, the second technical foul",
        ),
        (e.Withdrawn(7), "seat 7 withdrawn without fault by the host"),
        (
            e.OpponentVictoryGiven(7, Team.TOWN),
            "the game stopped because of seat 7: decided by the table",
        ),
    ],
)
def test_a_decision_names_who_made_it(event, said):
    assert tuple(verdicts((event,), catalogue("en"))) == (said,)


def test_a_motion_that_was_not_counted_and_other_events_say_nothing():
    uncounted = e.MotionClosed(TECHNICAL, 7, 1, (1,), 10, passed=False, counted=False)
    assert tuple(verdicts((uncounted, e.SpeechEnded(3)), catalogue("en"))) == ()


def test_the_record_prints_it_behind_what_was_done():
    closed = e.MotionClosed(TECHNICAL, 7, 1, (1, 2), 3, passed=True)
    row = Row(9, "2026-01-02T18:00:00+00:00", Acted(actions.CloseBallot()), (closed, FOUL), None)
    assert _said(row, catalogue("en")) == (
        "close_ballot; motion, Technical foul for seat 7: for it 1 2; carried; "
        "technical foul 1 for seat 7, Offering bets: decided by the table"
    )
