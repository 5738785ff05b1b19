import pytest

from firmware.fakes import FakeClock
from firmware.words import catalogue
from table_controller.voice.phrasebook import Rank, phrase
from table_controller.voice.speech_queue import STALE_S, SpeechQueue

EN = catalogue("en")


def a(name, number=0):
    return phrase(EN, name, number)


CALL, TONE, RESULT, TALK = a("number", 7), a("ten_seconds"), a("votes", 3), a("thanks")


class Waiting:
    def __init__(self):
        self.clock, self.queue = FakeClock(), SpeechQueue()
        self.missing = set()

    def add(self, *phrases):
        return [self.queue.add(each, self.clock.now_s()) for each in phrases]

    def next(self):
        return self.queue.next(self.clock.now_s(), lambda each: each not in self.missing)

    def rest(self):
        return list(iter(self.next, None))


@pytest.fixture
def waiting():
    return Waiting()


def test_the_ranks_are_those_of_the_book():
    assert [each.rank for each in (CALL, TONE, RESULT, TALK)] == list(Rank)


def test_results_come_before_small_talk_and_each_in_its_order(waiting):
    waiting.add(TALK, a("seat", 4), a("votes", 2), a("day", 2), TONE)
    names = [each.name for each in waiting.rest()]
    assert names == ["ten_seconds", "seat", "votes", "thanks", "day"]


def test_a_call_cuts_off_and_drops_what_waits_and_nothing_else_does(waiting):
    assert waiting.add(TALK, RESULT, TONE, CALL) == [False, False, False, True]
    waiting.add(TALK)
    assert waiting.rest() == [CALL, TALK]


@pytest.mark.parametrize("each", [CALL, TONE, RESULT, TALK], ids=lambda each: each.rank.name)
def test_what_has_waited_too_long_is_not_said(waiting, each):
    waiting.add(each)
    waiting.clock.advance(STALE_S[each.rank])
    assert waiting.next() is each
    waiting.add(each)
    waiting.clock.advance(STALE_S[each.rank] + 0.01)
    assert waiting.next() is None
    assert not len(waiting.queue)


def test_what_is_not_ready_holds_up_those_behind_it_but_no_call(waiting):
    waiting.missing = {RESULT}
    waiting.add(RESULT, TALK)
    assert waiting.next() is None
    waiting.add(CALL)
    assert waiting.next() is CALL
    waiting.missing = set()
    assert waiting.rest() == []
