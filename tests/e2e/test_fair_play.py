"""Fair play in a house of real programs: a held SHOUT, a second seat, a motion, a foul."""

from firmware.wire import Button
from table_controller.game import SEATS
from table_controller.game import events as ev
from table_controller.game.terms import Offence, Sanction
from table_controller.record.examine import examine

BY, ACCUSED, SECOND = 3, 7, 5
FOR_IT = (1, 2, 3, 4, 5, 6)
BETS = 1 + list(Offence).index(Offence.BETS)


def pick(director, seat, title, value):
    """Wait for the list with *title* at *seat*, and choose *value* in it."""
    panel = director.panels[seat]
    director.until(lambda: panel.shown.rows and panel.shown.title == title, f"the list {title!r}")
    director.choose(seat, value)


def others(director):
    return {seat: director.panels[seat].shown for seat in SEATS if seat != BY}


def test_a_seat_accuses_another_seconds_the_table_decides_and_the_record_says_so(director):
    director.begin()
    director.speech_of(1)
    director.scenes("day", seats=set(SEATS) - {1})
    shown, board = others(director), director.state()

    director.panels[BY].hold(Button.SHOUT)
    pick(director, BY, "Accuse whom?", ACCUSED)
    titled = f"Accuse {ACCUSED} of what?"
    director.until(lambda: director.panels[BY].shown.title == titled, titled)
    # Half of it is nobody's business: no other screen has moved, nor the board.
    assert [(each.scene, each.title, each.lines, each.lamp) for each in shown.values()] == [
        (each.scene, each.title, each.lines, each.lamp) for each in others(director).values()
    ]
    now = director.state()
    assert (now["game"], now["seats"]) == (board["game"], board["seats"])
    assert now["game"]["seats"][BY - 1]["fouls"] == 0

    pick(director, BY, titled, BETS)
    director.scenes("accusation", seats=set(SEATS) - {1})
    assert {director.panels[seat].shown.title for seat in SEATS if seat != 1} == {
        f"{BY} accuses {ACCUSED}"
    }
    director.vote(SECOND)
    game = director.until_state(lambda game: game["grounds"], "grounds")
    assert [(each["seat"], each["by"], each["confirmed_by"]) for each in game["grounds"]] == [
        (ACCUSED, BY, SECOND)
    ]

    director.step_to("motion_technical_foul", ACCUSED)
    director.scenes("motion")
    director.vote(*FOR_IT)
    director.until(
        lambda: all("You have voted" in director.lines(seat) for seat in FOR_IT), "the votes"
    )
    motion = director.state()["game"]["motion"]
    assert (motion["needed"], motion["voters"], "yes" in motion) == (5, 9, False)
    director.step_to("motion_carried")
    game = director.until_state(lambda game: game["decisions"], "the decision")
    (decision,) = game["decisions"]
    assert (decision["by"], decision["passed"]) == ("room", True)
    assert (decision["yes"], decision["needed"]) == ([*FOR_IT], 5)
    assert game["seats"][ACCUSED - 1]["technical_fouls"] == 1

    (path,) = (director.house.folder / "data" / "journal").glob("*.db")
    told = [event for row in examine(path).rows for event in row.events]
    assert ev.AccusationMade(BY, ACCUSED, Offence.BETS) in told
    closed = ev.MotionClosed(Sanction.TECHNICAL_FOUL, ACCUSED, 1, FOR_IT, 10, passed=True)
    assert closed in told
    assert ev.TechnicalFoulGiven(ACCUSED, 1, Offence.BETS, False, after_decision=False) in told
