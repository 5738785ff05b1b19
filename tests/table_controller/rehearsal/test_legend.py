from random import Random

import msgspec
import pytest

from firmware.rehearsal import Row, Shown
from firmware.signals import Scene
from firmware.wire import Icon, Lamp, Layout, Mark, PressMode
from firmware.words import LANGUAGES, catalogue
from table_controller.rehearsal.legend import Uses, legend, spoken
from table_controller.rehearsal.mind import Mind

EN = catalogue("en")


def a_screen(scene="day", title="", *lines, **fields):
    shown = Shown(scene, Layout.NOTE, title, lines, Icon.NONE, Lamp.OFF)
    return msgspec.structs.replace(shown, **fields)


def told(*screen, **fields):
    return legend(a_screen(*screen, **fields), EN)


def test_at_night_everybody_is_told_to_press_once_at_any_number():
    night = told("night", "Night", "", "", press=PressMode.NIGHT)
    assert "Press VOTE once a round, at any number" in night.hint
    assert night.vote.tap
    assert night.shout == Uses()
    # The seat's own screen is all that it depends on, and at night that is the same for all.
    assert night == told("some new night", "Night", press=PressMode.NIGHT)


def test_a_seat_that_the_table_waits_for_is_told_so_until_it_has_pressed():
    asked = told("seating", "Clara", "Seat 3", "Press VOTE", press=PressMode.RELEASE)
    assert asked.waits
    assert asked.vote.tap
    done = told("seating", "Clara", "Seat 3", "Waiting for the others", press=PressMode.RELEASE)
    assert not done.waits
    assert done.vote == Uses()


def test_whatever_scene_asks_for_a_button_the_legend_names_it():
    both = told("a new check", "Clara", "Press VOTE", "Press SHOUT", press=PressMode.RELEASE)
    assert both.waits
    assert both.vote.tap
    assert both.shout.tap
    one = told("a new check", "Clara", "✓ VOTE", "Press SHOUT", press=PressMode.RELEASE)
    assert one.vote == Uses()
    assert one.shout.tap


@pytest.mark.parametrize("press", PressMode)
def test_a_scene_that_nobody_thought_of_has_a_hint(press):
    assert told("a new scene", "Something", press=press).hint


def test_an_open_list_is_told_before_the_scene():
    rows = (Row(2, "2 Ben", marked=False), Row(3, "3 Clara", marked=True))
    shown = a_screen("floor", "Nominate", rows=rows, cursor=1, press=PressMode.RELEASE)
    assert legend(shown, EN).vote == Uses("next line", "choose")
    assert legend(shown, EN).shout.tap == "back"
    assert spoken(shown, EN) == "Nominate. 3 Clara, marked"


def test_who_has_voted_is_not_told_to_vote():
    call = ("candidate", "4")
    before = told(*call, "VOTE: against this seat", "David", press=PressMode.EDGE)
    after = told(*call, "You have voted", "David", press=PressMode.EDGE)
    assert before.vote.tap == "against this player"
    assert after.vote == Uses()
    assert after.shout == before.shout


def test_the_accused_is_not_told_to_vote():
    assert told("motion", "Motion on 3", "It is about you", press=PressMode.OFF).vote == Uses()
    assert told("motion", "Motion on 4", "VOTE: for it", press=PressMode.EDGE).vote.tap == "for it"


def test_who_can_confirm_an_accusation_is_told_how_and_nobody_else():
    title = ("accusation", "3 accuses 7", "Insults")
    assert told(*title, "VOTE: confirm", press=PressMode.RELEASE).vote.tap == "confirm it"
    assert told(*title, "It is about you", press=PressMode.RELEASE).vote.tap == ""


def test_in_the_list_of_an_accusation_a_held_shout_leaves_it():
    rows = (Row(7, "7 Greta", marked=False),)
    shown = a_screen("accuse", "Accuse whom?", rows=rows, cursor=0, press=PressMode.RELEASE)
    assert legend(shown, EN).shout == Uses("back", "leave the list")


def test_a_farewell_without_picks_offers_none():
    assert told("farewell", "Your farewell", press=PressMode.RELEASE).vote.tap == ""
    assert told("farewell", "Your farewell", "VOTE: crown", press=PressMode.RELEASE).vote.tap


def test_a_person_of_the_mafia_is_told_whom_the_bots_will_shoot():
    mates = (2, 5, 9)
    hint = told("meeting", "Mafia: 2 5 9", "Don: 5", "").hint
    order = [int(word) for word in hint.partition(": ")[2].split()]
    assert sorted(order) == [1, 3, 4, 6, 7, 8, 10]
    bot = Mind(5, Random(1))
    bot._card = Icon.DON
    bot.read_meeting(mates)
    for victim in order:
        bot.hear("round_shots", 0)
        bot.hear("number", 10)
        assert [n for n in range(1, 11) if bot.presses_at(n)] == [victim]
        bot.hear("shot", victim)


def test_a_townsman_is_told_nothing_at_the_meeting():
    assert not any(each.isdigit() for each in told("meeting", "Night", "The mafia meets", "").hint)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"waiting": True}, "pressed"),
        ({"mark": Mark.ACCEPTED}, "accepted"),
        ({"mark": Mark.LATE}, "too late"),
    ],
)
def test_the_answer_to_a_press_is_said(fields, word):
    assert spoken(a_screen("day", "2 speaks", "", **fields), EN) == f"2 speaks. {word}"


@pytest.mark.parametrize("scene", Scene)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scene_has_a_hint_of_its_own_in_every_language(scene, language):
    shown = a_screen(scene, press=PressMode.RELEASE)
    here, english = legend(shown, catalogue(language)), legend(shown, EN)
    assert "{" not in here.hint
    assert english != told("a new scene", press=PressMode.RELEASE)
    assert (here == english) == (language == "en")
