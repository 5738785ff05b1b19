"""The page of gestures: drawn from the states of fingers, with the club's own meanings."""

import re
from html import unescape

import pytest

from firmware.card import GesturesCard
from firmware.wire import GestureName
from firmware.words import LANGUAGES, catalogue
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages.gestures import HANDS
from table_controller.scoreboard.pages.hand_drawing import PICTURES, drawing
from table_controller.scoreboard.pages.posted import Posted


@pytest.fixture
def read(hub):
    def page(card=None, language="en"):
        app = create_app(hub, "en", posted=Posted(gestures=card or GesturesCard()))
        return app.test_client().get(f"/gestures?lang={language}").text

    return page


def cards(page):
    """Return each gesture: (kind, accessible name, the text that is read)."""
    found = re.findall(r'<li class="([^"]*)">(.*?)</li>', page, re.DOTALL)
    return [
        (kind, re.search(r'role="img" aria-label="([^"]*)"', card)[1], text_of(card))
        for kind, card in found
    ]


def text_of(card):
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", card)).split())


def test_every_gesture_has_a_picture_and_no_two_look_alike():
    names = {name.value for name in GestureName} - {"number"}
    assert set(PICTURES) == names | {f"number-{seat}" for seat in range(1, 11)}
    drawn = [drawing(picture) for picture in PICTURES.values()]
    assert len(set(drawn)) == len(drawn)
    assert set(HANDS) == set(GestureName) - {GestureName.NUMBER}


@pytest.mark.parametrize("seat", range(1, 11))
def test_a_number_stretches_as_many_fingers(seat):
    fingers = sum(
        len(placed.hand.up) + (placed.hand.thumb == "out")
        for placed in PICTURES[f"number-{seat}"].hands
    )
    assert fingers == seat
    assert len(PICTURES[f"number-{seat}"].hands) == (1 if seat <= 5 else 2)


def test_three_is_shown_without_the_thumb_and_the_forbidden_one_alone():
    assert PICTURES["number-3"].hands[0].hand.up == ("index", "middle", "ring")
    assert PICTURES["forbidden"].hands[0].hand.up == ("middle",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_hand_has_its_meaning_and_a_name_for_who_does_not_see_it(read, language):
    t = catalogue(language).gettext
    shown = cards(read(language=language))
    assert len(shown) == 8 + 10 + 1
    assert all(name for _, name, _ in shown)
    told = {name: text for _, name, text in shown}
    assert t("town") in told[t("thumb up")]
    assert t("don") in told[t(HANDS[GestureName.RING_TAP])]
    assert t("no camera reads it") in told[t(HANDS[GestureName.RING_TAP])]
    assert [text for kind, _, text in shown if "number" in kind] == [
        str(seat) for seat in range(1, 11)
    ]


def test_the_clubs_own_table_is_what_the_page_shows(read):
    card = GesturesCard(on=("thumb_up", "fist"), forbidden="pistol", means={"fist": "I am <b>red"})
    page = read(card)
    told = {name: (kind, text) for kind, name, text in cards(page)}
    assert "I am <b>red" in told["fist"][1]
    assert "<b>red" not in page
    assert "the cameras read it" in told["fist"][1]
    assert "no camera reads it" in told["open palm"][1]
    assert "No camera reads numbers here." in page
    kind, text = told["index finger forward, thumb up"]
    assert "forbidden" in kind
    assert "⊘ forbidden" in text
    # Here the middle finger is a hand like any other, which means nothing.
    assert "the middle finger alone" not in page


def test_a_club_may_forbid_none(read):
    page = read(GesturesCard(forbidden="none"))
    assert "At this table no gesture is forbidden." in page
    assert [kind for kind, *_ in cards(page) if "forbidden" in kind] == []


def test_the_forbidden_one_is_marked_by_shape_and_word(read):
    page = read()
    ((_, name, text),) = [each for each in cards(page) if "forbidden" in each[0]]
    assert name == "the middle finger alone"
    assert "⊘ forbidden" in text
    assert page.count('class="bar"') == 1
    assert "<script" not in page
    assert " style=" not in page
