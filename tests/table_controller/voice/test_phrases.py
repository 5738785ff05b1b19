import inspect
import typing
from string import ascii_letters

import pytest
from msgspec.structs import replace

from firmware.words import LANGUAGES, catalogue
from table_controller.game import events as e
from table_controller.game.events import PUBLIC, BallotKind, Event
from table_controller.game.model import Cause, NightRound, Offence, Role, Sanction, Winner
from table_controller.voice.phrasebook import PHRASES, every_phrase
from table_controller.voice.phrases import QUIET, Silent, phrases

EN = catalogue("en")
KINDS = typing.get_args(Event)
HEARD_AT_NIGHT = (e.MafiaWoke, e.MafiaSlept, e.NumberCalled, e.RoundCalled, e.RollCalled)
"""Not sent as public events, but everybody in the room hears them."""
HEARD_BY_DAY = (e.TechnicalFoulGiven, e.GroundsOpened)
"""Not sent as public events, for the host can bring them at night; the room sees and hears
them by day."""

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
    "offence": Offence.AWAY,
    "yes": (1, 2),
}


def an(kind):
    fields = inspect.signature(kind).parameters
    return kind(**{name: VALUES.get(name, 4) for name in fields})


def said(event, words=EN):
    return [(p.name, p.number, p.text) for p in phrases(event, words)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_secret_event_is_never_said(kind):
    if kind not in (*PUBLIC, *HEARD_AT_NIGHT, *HEARD_BY_DAY):
        assert phrases(an(kind), EN) == ()


@pytest.mark.parametrize("kind", PUBLIC, ids=lambda kind: kind.__name__)
def test_of_every_public_event_something_is_said_or_it_is_known_why_not(kind):
    # How a seat has left matters: by a vote or a shot that was announced already.
    event = e.SeatLeft(4, Cause.WITHDRAWN) if kind is e.SeatLeft else an(kind)
    assert bool(said(event)) is (kind not in QUIET)


def test_every_phrase_of_the_book_is_said_of_something():
    events = [an(kind) for kind in KINDS]
    events += [e.NightFell(0), e.NominationCorrected(4, None), e.VoteSettled(2, ())]
    events += [e.SpeechBegan(4, silent=silent) for silent in (False, True)]
    events += [e.RoundCalled(round_) for round_ in NightRound]
    events += [e.ListRead(kind, (4, 7)) for kind in BallotKind]
    events += [e.SeatLeft(4, cause) for cause in Cause]
    events += [e.AccusationMade(3, 7, offence) for offence in Offence]
    events += [e.MotionPut(sanction, 4, 1) for sanction in Sanction]
    events += [e.MotionClosed(Sanction.DISQUALIFICATION, 4, 1, (), 9, each) for each in (1, 0)]
    events += [e.GameEnded(winner) for winner in Winner]
    names = {phrase.name for event in events for phrase in phrases(event, EN, 25)}
    names |= {phrase.name for event in events for phrase in phrases(event, EN, 60)}
    elsewhere = {"practice", "ten_seconds", "time_over"}
    assert names | elsewhere == set(PHRASES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_is_missing_in_a_language(language):
    ours = {(p.name, p.number): p.text for p in every_phrase(catalogue(language))}
    english = {(p.name, p.number): p.text for p in every_phrase(EN)}
    assert ours.keys() == english.keys()
    for key, text in ours.items():
        assert "{" not in text
        if language == "ru":
            assert not set(text) & set(ascii_letters), text
        if language != "en":
            # A number is a number; whatever has words has other words.
            assert text != english[key] or not set(text) & set(ascii_letters), text


def test_all_rounds_are_named_before_their_first_number():
    assert [p.file for p in phrases(e.NightFell(night=2), EN)] == ["night.wav", "round_shots.wav"]
    assert [p.file for p in phrases(e.MorningCame(day=2), EN)] == ["morning.wav"]
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
    assert said(replace(closed, counted=False)) == []


@pytest.mark.parametrize(("cause", "name"), [("disqualified", 4), ("withdrawn", 4), ("vote", 0)])
def test_a_seat_that_is_put_out_is_named(cause, name):
    assert [number for _, number, _ in said(e.SeatLeft(4, Cause(cause)))] == [name] * bool(name)


def test_a_floor_is_given_with_its_length():
    def heard(event, clock_s):
        return [phrase.text for phrase in phrases(event, EN, clock_s)]

    speech = e.SpeechBegan(4, silent=False)
    assert heard(speech, 60) == ["Seat 4 has the floor.", "One minute."]
    assert heard(speech, 25) == ["Seat 4 has the floor.", "25 seconds"]
    assert heard(e.SpeechBegan(4, silent=True), 15) == ["Seat 4 is silent.", "15 seconds"]
    assert heard(e.FarewellBegan(4), 60) == ["Seat 4, your farewell.", "One minute."]
    assert heard(e.SpeechEnded(4), 60) == ["Thank you."]


def test_an_accusation_names_both_and_what_of():
    assert said(e.AccusationMade(3, 7, Offence.INSULTS)) == [
        ("accuser", 3, "Seat 3 accuses"),
        ("accused", 7, "seat 7:"),
        ("offence_insults", 0, "insults."),
    ]


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
