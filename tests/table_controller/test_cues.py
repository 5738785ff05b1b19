import random

import msgspec
import pytest

from firmware.errors import WireError
from firmware.signals import LAMPS, LampState, Scene
from firmware.wire import (
    CUE_SIZE,
    Absence,
    Answer,
    Ask,
    AskKind,
    Lamp,
    Mark,
    PressMode,
    TopicKind,
    decode,
    encode,
)
from firmware.words import LANGUAGES, catalogue
from table_controller import cues, deal
from table_controller.cue_parts import new_cue
from table_controller.game import (
    SEATS,
    TURBO,
    Phase,
    Role,
    actions,
    apply,
    new_game,
)
from table_controller.game.legal import course_actions
from table_controller.game.views import (
    Card,
    CardFact,
    Deed,
    PublicPhase,
    public_view,
    seat_view,
)
from table_controller.program import NAME_MAX

NAMES = tuple("Щ" * 24 for _ in SEATS)


def states(number):
    """Yield every state of one random game."""
    chance = random.Random(number)
    state = new_game(TURBO)
    yield state
    while state.phase is not Phase.OVER:
        if state.phase is Phase.DEALING:
            action = actions.Deal(deal.roles(deal.rehearsal_seed(number)))
        else:
            choices = [
                action
                for action in course_actions(state)
                if not isinstance(action, actions.Pause | actions.TakeBackNomination)
            ]
            action = chance.choice(choices)
        state, _ = apply(state, action)
        yield state


def all_cues(state, words):
    public = public_view(state)
    setting = cues.Setting(words, NAMES, left_s=12345.678)
    return [cues.cue(seat_view(state, seat), public, setting) for seat in SEATS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cue_of_a_game_fits_its_one_size(language):
    words = catalogue(language)
    for state in states(1):
        for each in all_cues(state, words):
            assert len(encode(each, CUE_SIZE)) == CUE_SIZE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_largest_cue_fits_whatever_letters_the_names_have_and_whatever_a_node_says(language):
    state = next(state for state in states(1) if state.phase is Phase.SPEECH)
    card = Card(Role.SHERIFF, tuple(CardFact(night, 10, True) for night in range(1, 8)))
    view = msgspec.structs.replace(seat_view(state, state.floor), card=card)
    assert view.deed is Deed.NOMINATE
    names = ("\N{GRINNING FACE}" * NAME_MAX,) * len(SEATS)
    setting = cues.Setting(catalogue(language), names, left_s=12345.678)
    most = (1 << 53) - 1
    cue = msgspec.structs.replace(
        cues.cue(view, public_view(state), setting),
        boot="~" * 32,
        id=most,
        heard=most,
        by="00000000",
        answer=Answer(most, Mark.ACCEPTED),
        ask=Ask(AskKind.ROLL_CALL, most),
    )
    assert len(encode(cue, CUE_SIZE)) == CUE_SIZE


@pytest.mark.parametrize("boot", ["\n00000001", "\x01", '"', "\\", "Щ", "0" * 33])
def test_a_boot_that_would_swell_in_a_cue_or_in_the_log_is_no_boot(boot):
    with pytest.raises(WireError):
        decode(TopicKind.HEALTH, msgspec.json.encode({"boot": boot, "up_s": 1.0}))


def test_from_nightfall_to_morning_all_seats_show_the_same_but_the_mafia_in_its_meeting():
    nights = 0
    for number in range(3):
        for state in states(number):
            if public_view(state).phase is PublicPhase.NIGHT:
                shown = all_cues(state, catalogue("en"))
                if state.phase is Phase.MEETING:
                    shown = [msgspec.structs.replace(each, title="", lines=()) for each in shown]
                assert len(set(map(encode, shown))) == 1
                nights += 1
    assert nights > 100


def test_no_lamp_answers_a_vote():
    for number in range(3):
        before = None
        for state in states(number):
            now = (public_view(state), [each.lamp for each in all_cues(state, catalogue("en"))])
            if before and now[0] == before[0]:
                assert now[1] == before[1]
            before = now


def test_a_press_is_judged_by_its_edge_in_ballots_and_lifts_alone():
    for state in states(2):
        voting = state.phase in (Phase.READING, Phase.BALLOT, Phase.LIFT, Phase.ROLL_CALL)
        for seat, each in zip(SEATS, all_cues(state, catalogue("en")), strict=True):
            if seat in state.living:
                assert (each.press is PressMode.EDGE) == voting


def test_the_own_floor_lights_the_lamp():
    seen = set()
    for state in states(3):
        for seat, each in zip(SEATS, all_cues(state, catalogue("en")), strict=True):
            if each.scene in ("floor", "silent", "tie", "farewell", "farewell_picks"):
                assert each.lamp is Lamp.ON
                assert seat_view(state, seat).own_floor
                seen.add(each.scene)
    assert {"floor", "farewell"} <= seen


def test_a_departed_seat_keeps_no_card():
    for state in states(4):
        for seat, each in zip(SEATS, all_cues(state, catalogue("en")), strict=True):
            if seat not in state.living and state.phase is not Phase.OVER:
                assert each.on_hold == ()
                assert each.icon.value not in ("citizen", "sheriff", "mafia", "don")


def told(view, public):
    """Return what the lamp's table says of a seat by day, off the views, first come first."""
    if view.own_floor or public.shout == view.seat:
        return LampState.FLOOR
    if public.called == view.seat:
        return LampState.CALLED
    if view.seat in (*public.nominees, *public.candidates):
        return LampState.NOMINATED
    if public.seats[view.seat - 1].silenced:
        return LampState.MUTED
    return None if public.seats[view.seat - 1].living else LampState.OUT


UNLIT = (PublicPhase.SEATING, PublicPhase.LOOK, PublicPhase.NIGHT, PublicPhase.MORNING)


def test_the_lamp_speaks_its_language_by_day_and_is_silent_before_at_night_and_after():
    seen = set()
    scenes = set()
    for number in range(3):
        for state in states(number):
            public = public_view(state)
            for seat, each in zip(SEATS, all_cues(state, catalogue("en")), strict=True):
                scenes.add(each.scene)
                if public.phase in (*UNLIT, PublicPhase.OVER) or public.paused:
                    assert each.lamp is Lamp.OFF
                    continue
                wanted = told(seat_view(state, seat), public)
                assert each.lamp is (LAMPS[wanted].lamp if wanted else Lamp.OFF)
                seen.add(wanted)
    # The seat itself tells of its link and its chair.
    assert seen == {None, *LampState} - {LampState.UNLINKED, LampState.AWAY}
    assert scenes <= set(Scene)


def test_the_chair_is_watched_of_the_living_by_day_and_not_in_a_pause():
    for state in states(5):
        by_day = public_view(state).phase not in (*UNLIT, PublicPhase.OVER)
        for seat, each in zip(SEATS, all_cues(state, catalogue("en")), strict=True):
            watched = by_day and seat in state.living
            assert each.absence == (Absence(5.0, 15.0) if watched else None)
        if by_day:
            paused = msgspec.structs.replace(state, paused=True)
            assert {each.absence for each in all_cues(paused, catalogue("en"))} == {None}


def test_only_what_a_card_says_is_private():
    for state in states(4):
        for each in all_cues(state, catalogue("en")):
            assert each.private == (
                each.icon.value in ("citizen", "sheriff", "mafia", "don") and each.scene != "over"
            )


def test_no_cue_is_made_of_a_scene_that_is_not_in_the_table():
    with pytest.raises(ValueError, match="nowhere"):
        new_cue(catalogue("en"), "nowhere")
