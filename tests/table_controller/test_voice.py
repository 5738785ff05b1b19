import inspect
import typing
from string import ascii_letters

import pytest

from firmware.words import catalogue
from table_controller.game import events as e
from table_controller.game.events import PUBLIC, BallotKind, Event
from table_controller.game.model import Cause, NightRound, Role, Sanction, Winner
from table_controller.voice import Silent, phrases

EN = catalogue("en")
KINDS = typing.get_args(Event)
HEARD_AT_NIGHT = (e.MafiaWoke, e.MafiaSlept, e.NumberCalled, e.RoundCalled, e.RollCalled)
"""Not sent as public events, but everybody in the room hears them."""

VALUES = {
    "roles": (Role.DON, *[Role.CITIZEN] * 9),
    "round": NightRound.SHOTS,
    "shots": ((1, 4),),
    "order": (1, 2, 3),
    "candidates": (4, 7),
    "votes": ((1, 4), (2, 7), (3, 4)),
    "automatic": (3,),
    "top": (4,),
    "leave": (4,),
    "suspects": (2, 3),
    "kind": BallotKind.VOTE,
    "cause": Cause.VOTE,
    "winner": Winner.TOWN,
    "sanction": Sanction.DISQUALIFICATION,
    "yes": (1, 2),
}


def an(kind):
    fields = inspect.signature(kind).parameters
    return kind(**{name: VALUES.get(name, 4) for name in fields})


def said(event, words=EN):
    return [(p.name, p.number, p.text) for p in phrases(event, words)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_secret_event_is_never_said(kind):
    if kind not in PUBLIC and kind not in HEARD_AT_NIGHT:
        assert phrases(an(kind), EN) == ()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_everything_that_is_said_is_said_in_russian(kind):
    texts = [text for _, _, text in said(an(kind), catalogue("ru"))]
    assert [text for text in texts if set(text) & set(ascii_letters)] == []


def test_all_rounds_are_named_before_their_first_number():
    assert said(e.NightFell(night=0)) == [("night", 0, "Night falls. Masks on.")]
    assert [name for name, _, _ in said(e.NightFell(night=2))] == ["night", "round_shots"]
    assert [name for name, _, _ in said(e.RoundCalled(NightRound.SHOTS))] == ["round_don"]
    assert [name for name, _, _ in said(e.RoundCalled(NightRound.DON))] == ["round_sheriff"]
    assert said(e.RoundCalled(NightRound.SHERIFF)) == []
    assert said(e.RoundBegan(NightRound.DON, serial=2)) == []


@pytest.mark.parametrize("round_", NightRound)
def test_a_number_sounds_the_same_in_every_round(round_):
    (call,) = phrases(e.NumberCalled(round=round_, number=7), EN)
    assert (call.name, call.number, call.text, call.call) == ("number", 7, "7", True)


def test_a_ballot_is_called_and_counted():
    assert said(e.ListRead(BallotKind.VOTE, (4, 7))) == [
        ("list", 0, "Nominated are:"), ("seat", 4, "Seat 4"), ("seat", 7, "Seat 7"),
    ]  # fmt: skip
    assert said(e.ListRead(BallotKind.REVOTE, (4, 7)))[0] == ("tied", 0, "Tied are:")
    assert said(e.CandidateCalled(4)) == [("candidate", 4, "Against seat 4.")]
    assert said(an(e.BallotClosed)) == [
        ("seat", 4, "Seat 4"), ("votes", 2, "2 votes"),
        ("seat", 7, "Seat 7"), ("votes", 1, "1 vote"),
    ]  # fmt: skip
    assert said(e.VoteSettled(day=2, leave=(4,))) == [("leaves", 4, "Seat 4 leaves the table.")]
    assert said(e.VoteSettled(day=2, leave=())) == [("nobody_leaves", 0, "Nobody leaves.")]


def test_a_lift_is_counted_by_its_yes():
    lift = e.BallotClosed(BallotKind.LIFT, 2, (4, 7), ((1, 0), (2, 0), (3, 0)), (), (), living=6)
    assert said(lift) == [("votes", 3, "3 votes")]


def test_russian_votes_are_counted_in_three_forms():
    def votes(n):
        lift = e.BallotClosed(
            BallotKind.LIFT, 2, (4, 7), tuple((seat, 0) for seat in range(n)), (), (), living=10
        )
        return said(lift, catalogue("ru"))[0][2]

    assert [votes(n) for n in (1, 3, 5)] == ["1 голос", "3 голоса", "5 голосов"]


@pytest.mark.parametrize("sanction", Sanction)
def test_a_motion_is_called_and_counted(sanction):
    ((name, number, text),) = said(e.MotionPut(sanction, 4, grounds=1))
    assert (name, number) == (f"motion_{sanction}", 4)
    assert "seat 4" in text
    closed = e.MotionClosed(sanction, 4, grounds=1, yes=(1, 2), living=10, passed=False)
    assert said(closed) == [("votes", 2, "2 votes"), ("motion_lost", 0, "The motion is lost.")]


@pytest.mark.parametrize(("cause", "name"), [("disqualified", 4), ("withdrawn", 4), ("vote", 0)])
def test_a_seat_that_is_put_out_is_named(cause, name):
    assert [number for _, number, _ in said(e.SeatLeft(4, Cause(cause)))] == [name] * bool(name)


def test_the_floor_is_given_with_its_kind():
    assert said(e.SpeechBegan(4, silent=False))[0][0] == "speech"
    assert said(e.SpeechBegan(4, silent=False, tie=True))[0][0] == "speech"
    assert said(e.SpeechBegan(4, silent=True)) == [("silenced", 4, "Seat 4 is silent.")]
    assert said(e.ShoutBegan(4, fouls=2)) == [("seat", 4, "Seat 4"), ("foul", 2, "foul 2")]


def test_a_best_move_names_its_seats_and_an_empty_one_nothing():
    names = [(name, number) for name, number, _ in said(e.BestMoveGiven(4, (2, 3)))]
    assert names == [("best_move", 0), ("seat", 2), ("seat", 3)]
    assert said(e.BestMoveGiven(4, ())) == []


@pytest.mark.parametrize(
    ("winner", "name"),
    [(Winner.TOWN, "town_wins"), (Winner.MAFIA, "mafia_wins"), (Winner.DRAW, "draw")],
)
def test_the_end_is_told(winner, name):
    assert said(e.GameEnded(winner))[0][0] == name


def test_a_table_without_a_voice_takes_phrases_all_the_same():
    voice = Silent()
    voice.say(phrases(e.Paused(), EN)[0])
    voice.close()
