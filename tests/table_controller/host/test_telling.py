"""Every public step and every order has a sentence, in each language, and no secret has one."""

import enum
import typing

import pytest

from firmware.words import LANGUAGES, catalogue
from table_controller.game import STEPS, Event, IllegalAction, Refusal, actions, events
from table_controller.game.terms import BallotKind
from table_controller.host import orders
from table_controller.host.refusal import Refused, why
from table_controller.host.telling import TOLD, tell, tell_all, tell_change

EN = catalogue("en")
SECRET = [kind for kind in typing.get_args(Event) if kind not in STEPS]


def sample(what, **fixed):
    """Return one of *what* with something in every field."""

    def value(hint):
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            return next(iter(hint))
        made = {int: 4, float: 15.0, bool: False, str: "node-11"}.get(hint)
        if made is None:
            made = (2, 3) if typing.get_origin(hint) is tuple else 4
        return made

    fields = {name: value(hint) for name, hint in typing.get_type_hints(what).items()}
    fields = {name: fields[name] for name in what.__struct_fields__}
    return what(**(fields | fixed))


def test_what_the_room_sees_has_a_sentence_and_nothing_else_does():
    assert set(TOLD) == set(STEPS)
    assert [kind for kind in SECRET if tell(sample(kind), EN)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
def test_a_step_is_told_in_the_readers_language(kind, language):
    words = catalogue(language)
    text = tell(sample(kind), words)
    assert text
    assert "{" not in text
    if language != "en":
        assert text != tell(sample(kind), EN), "not translated"


CONSOLE = (*typing.get_args(orders.HostAction), orders.Accuse, *typing.get_args(orders.TableOrder))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CONSOLE, ids=lambda kind: kind.__name__)
def test_an_order_is_told_to_another_host(kind, language):
    text = tell_change(sample(kind), catalogue(language))
    assert text
    assert "{" not in text
    if language != "en":
        assert text != tell_change(sample(kind), EN), "not translated"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("refusal", Refusal, ids=str)
def test_the_rules_refusals_are_sentences(refusal, language):
    text = why(IllegalAction(refusal, "seat 4"), catalogue(language))
    assert text.endswith((".", "."))
    assert language == "en" or text != why(IllegalAction(refusal), EN)


def test_another_hosts_correction_tells_no_vote_and_no_nomination_before_its_time():
    for what in (actions.CorrectVote(4, 7), actions.CorrectNomination(4, 7)):
        assert "4" in tell_change(what, EN)
        assert "7" not in tell_change(what, EN)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (events.FoulGiven(4, 3), "Seat 4 got a foul (3)"),
        (events.ShoutBegan(4, 1), "Seat 4 shouted and got a foul (1)"),
        (events.SpeechBegan(4, silent=False), "Seat 4 speaks"),
        (events.SpeechBegan(4, silent=True), "The silent slot of seat 4 begins"),
        (events.SpeechBegan(4, silent=False, tie=True), "The tie speech of seat 4 begins"),
        (events.VoteSettled(1, ()), "Nobody leaves by the vote"),
        (events.VoteSettled(1, (2, 5)), "The vote is settled: 2, 5"),
        (events.BestMoveGiven(4, ()), "Seat 4 suspects nobody"),
        (events.NominationCorrected(4, None), "The nomination by seat 4 was taken back"),
        (events.CountdownChanged(9, 15.0), "A clock got 15 s more"),
        (events.CountdownChanged(9, -10.0), "A clock got 10 s less"),
        (sample(events.BallotClosed, kind=BallotKind.LIFT, top=()), "The lift has not passed"),
        (
            sample(events.MotionClosed, passed=True, counted=True),
            "The motion on seat 4 has passed: Technical foul",
        ),
        (
            sample(events.MotionClosed, passed=False, counted=False),
            "The motion on seat 4 is settled by the host: Technical foul",
        ),
    ],
)
def test_a_sentence_reads_like_one(event, text):
    assert tell(event, EN) == text


def test_several_steps_of_one_moment_are_one_text():
    told = (
        events.SpeechEnded(3),
        events.NominationChosen(3, 7),
        events.SpeechBegan(4, silent=False),
    )
    assert tell_all(told, EN) == "The speech of seat 3 is over. Seat 4 speaks"


def test_a_refusal_of_the_table_is_told_in_the_readers_language():
    refused = Refused("{user} is not on the link.", user="node-11")
    assert str(refused) == "node-11 is not on the link."
    assert why(refused, EN) == str(refused)
    assert why(refused, catalogue("de")) != str(refused)
