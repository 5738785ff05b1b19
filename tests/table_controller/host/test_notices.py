"""What the table tells its hosts, each in the own language."""

import datetime

import pytest

from firmware.words import LANGUAGES, N_, catalogue
from table_controller.host.notices import HostNotice, NoticeKind, Notices
from table_controller.host.refusal import Refused
from table_controller.record.journals import Loss, LossKind

UTC = datetime.datetime(2026, 11, 30, 20, 15, 30, tzinfo=datetime.UTC)
BARE = Refused(N_("There is no game."))


def tell_all(notices: Notices) -> None:
    """Tell one of each kind, the stuck button of a seat and of a spare."""
    notices.twins("node-03", 3, "aa", "bb")
    notices.seat_lost(3, "node-03")
    notices.seat_back(3, "node-03")
    notices.record(Loss(LossKind.ENTRIES, "G1", "20:15", 4, aside="/x"), "a fault")
    notices.disk_full("a fault")
    notices.disk_takes()
    notices.lights_fail("a fault")
    notices.buttons_fail("a fault")
    notices.club_fails("a fault")
    notices.games_unkept("a fault")
    notices.button_stuck(3, "node-03", "vote")
    notices.button_stuck(0, "node-11", "shout")
    notices.button_free(3, "node-03", "vote")
    notices.forbidden(3, "node-03", 0.93, UTC)
    notices.voice_fails("a fault")
    notices.voice_back()
    notices.unread(60.0)
    notices.no_start(BARE)


@pytest.fixture
def told(clock) -> tuple[HostNotice, ...]:
    notices = Notices(clock)
    tell_all(notices)
    return notices.all


def test_each_kind_is_told_here(told):
    assert {notice.kind for notice in told} == set(NoticeKind)


def test_every_notice_is_a_sentence_of_its_own_in_every_language(told):
    for notice in told:
        texts = {language: notice.spoken(catalogue(language)).text for language in LANGUAGES}
        assert len(set(texts.values())) == len(LANGUAGES), notice.kind
        assert not any("{" in text for text in texts.values())
        assert texts["en"] == notice.text


def test_what_stands_in_a_notice_is_in_the_same_language(told):
    german = {notice.kind: notice.spoken(catalogue("de")).text for notice in told}
    assert german[NoticeKind.BUTTON_FREE].startswith("Platz 3: VOTE")
    assert german[NoticeKind.NO_START].endswith(BARE.told(catalogue("de")))
    assert "/x" in german[NoticeKind.RECORD]


def test_what_is_told_again_in_another_language_stands_once(clock):
    notices = Notices(clock)
    for _ in range(2):
        notices.seat_lost(3, "node-03")
        notices.twins("node-03", 3, "aa", "bb")
        assert [notice.spoken(catalogue("ru")).seat for notice in notices.all] == [3, 3]
