"""What is shown to whom, and that nothing else can be seen."""

import pytest
from msgspec.structs import replace

from table_controller.game import actions as do
from table_controller.game import apply
from table_controller.game import events as ev
from table_controller.game.model import (
    SEATS,
    Cause,
    CountdownKind,
    IllegalAction,
    Phase,
    Role,
    Team,
)
from table_controller.game.night import BY_NIGHT
from table_controller.game.scoring import score, totals
from table_controller.game.views import (
    Card,
    CardFact,
    Deed,
    PublicPhase,
    public_view,
    seat_view,
)

ROLES = (Role.CITIZEN,) * 6 + (Role.SHERIFF, Role.MAFIA, Role.MAFIA, Role.DON)


@pytest.mark.parametrize("seed", range(40))
def test_the_public_view_stands_still_from_nightfall_to_morning(random_game, seed):
    seen = None
    for _, _, state, told in random_game(seed):
        if any(isinstance(event, ev.NightFell) for event in told):
            seen = public_view(state)
            assert (seen.phase, seen.countdowns) == (PublicPhase.NIGHT, ())
        elif state.phase in BY_NIGHT:
            assert replace(public_view(state), paused=False) == replace(seen, paused=False)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_shows_roles_or_result_before_the_end(random_game, seed):
    for _, _, state, told in random_game(seed):
        view = public_view(state)
        over = state.phase is Phase.OVER
        result = over and not view.voided
        assert (view.winner is not None) is result
        for seat in view.seats:
            assert (seat.role is not None) is result
            assert (seat.classic is not None) is result
            assert (seat.max is not None) is result
        assert view == public_view(replace(state, decided=state.decided if over else None))
        if not over:
            assert not [event for event in told if isinstance(event, ev.GameEnded | ev.GameVoided)]
            undecided = replace(state, decided=None)
            assert [seat_view(state, seat) for seat in SEATS] == [
                seat_view(undecided, seat) for seat in SEATS
            ]


def test_the_end_shows_roles_points_and_winner(random_game):
    state = list(random_game(3))[-1][2]
    view, earned = public_view(state), totals(score(state.ruleset, state.course))
    assert view.winner == state.decided
    assert [seat.role for seat in view.seats] == list(state.roles)
    assert {seat.seat: (seat.classic, seat.max) for seat in view.seats} == earned
    assert any(max_ not in (0, 85, 135) for _, max_ in earned.values())


def test_secret_events_are_not_public():
    secret = {
        ev.RolesDealt,
        ev.NightPressed,
        ev.ShotsFixed,
        ev.Checked,
        ev.NominationChosen,
        ev.VoteCast,
        ev.GameDecided,
        ev.MafiaWoke,
        ev.MafiaSlept,
        ev.RoundBegan,
        ev.NumberCalled,
        ev.RoundCalled,
        ev.WindowOpened,
        ev.WindowClosed,
        ev.RollCalled,
        ev.GroundsOpened,
        ev.GroundsLapsed,
        ev.TechnicalFoulGiven,
        ev.Disqualified,
        ev.VoteCorrected,
    }
    assert set(ev.Event.__args__) - set(ev.PUBLIC) == secret


@pytest.mark.parametrize("seed", range(20))
def test_no_public_event_falls_between_nightfall_and_morning(random_game, seed):
    for before, _, state, told in random_game(seed):
        if before.phase in BY_NIGHT and state.phase in BY_NIGHT:
            public = [event for event in told if isinstance(event, ev.PUBLIC)]
            assert public in ([], [ev.Paused()], [ev.Resumed()])


# ---- no leak ----


def _swapped(action, first, second):
    """Return *action* with the night presses of two seats exchanged."""
    other = {first: second, second: first}
    if isinstance(action, do.PressAtNight) and action.seat in other:
        return do.PressAtNight(other[action.seat], action.number)
    return action


def _knows(state, seat, first, second, roles):
    """Return whether the rules have told *seat* what one of the two is."""
    checked = {
        check.target for night in state.nights for check in night.checks if check.seat == seat
    }
    mates = roles[seat - 1].team is Team.MAFIA and Team.MAFIA in (
        roles[first - 1].team,
        roles[second - 1].team,
    )
    return mates or bool(checked & {first, second})


PAIRS = [(1, 2), (1, 7), (1, 8), (3, 10), (7, 8), (7, 10), (8, 9), (8, 10)]


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("seed", range(100, 106))
def test_swapped_roles_and_night_actions_show_nowhere(random_game, a_new_game, pair, seed):
    first, second = pair
    roles = list(ROLES)
    roles[first - 1], roles[second - 1] = roles[second - 1], roles[first - 1]
    steps = list(random_game(seed, roles=ROLES))
    twin = a_new_game(steps[0][0].ruleset).state
    compared = 0
    for _, action, state, told in steps:
        if any(isinstance(event, ev.NightFell) for event in told) and not (
            {first, second} <= set(state.living)
        ):
            break  # From here on one of the two is out and their nights differ.
        if isinstance(action, do.Deal):
            twin, twin_told = apply(twin, do.Deal(tuple(roles)))
        else:
            twin, twin_told = apply(twin, _swapped(action, first, second))
        if Phase.OVER in (state.phase, twin.phase):
            break
        compared += 1
        assert public_view(twin) == public_view(state)
        assert _public(twin_told) == _public(told)
        assert _clocks(twin) == _clocks(state)
        for seat in set(SEATS) - {first, second}:
            if state.roles and _knows(state, seat, first, second, ROLES):
                continue
            assert seat_view(twin, seat) == seat_view(state, seat)
    assert compared > 30


def _public(told):
    return [event for event in told if isinstance(event, ev.PUBLIC)]


def _clocks(state):
    return state.clock, state.shout_clock


# ---- field by field ----


def test_seats_see_their_deed_in_the_seating(a_new_game):
    play = a_new_game()
    play.act(do.Ready(4))
    assert [seat_view(play.state, seat).deed for seat in (4, 5)] == [Deed.NONE, Deed.READY]
    assert seat_view(play.state, 4).card is None
    assert [seat.seat for seat in public_view(play.state).seats if seat.ready] == [4]
    play.act(do.Pause())
    assert seat_view(play.state, 5).deed is Deed.NONE


def test_the_card_is_open_in_the_look(a_dealt_game):
    play = a_dealt_game()
    for seat in SEATS:
        view = seat_view(play.state, seat)
        assert (view.card, view.card_open) == (Card(ROLES[seat - 1]), True)


def test_1_2_only_the_mafia_see_their_mates_and_the_don_and_only_in_the_meeting(a_dealt_game):
    play = a_dealt_game()
    for phase in (Phase.LOOK, Phase.NIGHTFALL, Phase.MEETING, Phase.REST, Phase.MORNING):
        play.until(phase)
        for seat in SEATS:
            view = seat_view(play.state, seat)
            meets = phase is Phase.MEETING and seat in (8, 9, 10)
            assert (view.mates, view.don) == (((8, 9, 10), 10) if meets else ((), 0))


def test_1_1_a_card_is_blank_at_night_and_after_departure(a_vote):
    play = a_vote((4,))
    assert seat_view(play.state, 4).card is None
    assert seat_view(play.state, 7).card == Card(Role.SHERIFF)
    assert not seat_view(play.state, 7).card_open
    play.until(Phase.GATHERING)
    assert [seat_view(play.state, seat).card for seat in SEATS] == [None] * 10


def test_1_12_the_answer_of_the_night_is_on_the_card_from_the_morning_on(a_vote):
    play = a_vote(()).night(don={10: [7]}, sheriff={7: [10]})
    assert seat_view(play.state, 7).card == Card(Role.SHERIFF, (CardFact(2, 10, True),))
    assert seat_view(play.state, 10).card == Card(Role.DON, (CardFact(2, 7, True),))
    assert all(seat_view(play.state, seat).card_open for seat in SEATS)
    play.speeches().night(sheriff={7: [1]})
    facts = (CardFact(2, 10, True), CardFact(3, 1, False))
    assert seat_view(play.state, 7).card == Card(Role.SHERIFF, facts)


def test_1_4_a_nomination_is_listed_when_it_stood_at_the_end_of_the_speech(a_morning):
    play = a_morning().until(Phase.SPEECH)
    play.act(do.Nominate(1, 5))
    assert public_view(play.state).nominees == ()
    view = seat_view(play.state, 1)
    assert (view.deed, view.chosen, view.own_floor) == (Deed.NOMINATE, (5,), True)
    play.act(do.EndFloor(1))
    assert public_view(play.state).nominees == (5,)
    assert seat_view(play.state, 2).choices == (1, 2, 3, 4, 6, 7, 8, 9, 10)
    assert seat_view(play.state, 2).chosen == ()


def test_1_7_counts_and_votes_are_hidden_until_the_ballot_closes(a_vote):
    play = a_vote((5, 2)).until(Phase.BALLOT)
    before = public_view(play.state)
    assert (before.candidates, before.called, before.kind) == ((5, 2), 5, ev.BallotKind.VOTE)
    others = [seat_view(play.state, seat) for seat in SEATS if seat != 3]
    play.act(do.Vote(3, 5))
    assert public_view(play.state) == before
    assert [seat_view(play.state, seat) for seat in SEATS if seat != 3] == others
    assert (seat_view(play.state, 3).voted, seat_view(play.state, 3).deed) == (True, Deed.NONE)
    play.expire(CountdownKind.BALLOT)
    assert public_view(play.state).called == 0
    assert seat_view(play.state, 4).deed is Deed.NONE
    play.until(Phase.ROLL_CALL)
    assert (public_view(play.state).phase, public_view(play.state).ballots) == ("counting", ())
    play.act(do.CloseBallot())
    ballot = public_view(play.state).ballots[0]
    assert (ballot.votes[2], ballot.top, ballot.living) == ((3, 5), (2,), 10)
    assert ballot.automatic == (1, 2, 4, 5, 6, 7, 8, 9, 10)
    assert (ballot.day, ballot.kind, ballot.candidates) == (2, "vote", (5, 2))


def test_1_9_every_living_seat_can_press_in_a_lift_once(a_vote):
    play = a_vote((1, 2), without=(9, 10))
    for _ in range(2):
        play.ballot({1: (1, 2, 3, 4)})
    play.act(do.VoteLift(4))
    deeds = {seat: seat_view(play.state, seat).deed for seat in SEATS}
    assert {seat for seat, deed in deeds.items() if deed is Deed.LIFT} == {1, 2, 3, 5, 6, 7, 8}
    assert public_view(play.state).candidates == (1, 2)
    assert public_view(play.state).called == 0


def test_1_10_the_farewell_asks_for_the_best_move_and_then_the_crown(a_vote):
    play = a_vote((4,), without=(9,))
    public = public_view(play.state)
    assert (public.floor, public.leaving, public.silent) == (4, (4,), False)
    assert (public.seats[3].living, public.seats[3].cause) == (False, Cause.SINGLE)
    view = seat_view(play.state, 4)
    assert (view.deed, view.marks) == (Deed.BEST_MOVE, 3)
    assert view.choices == (1, 2, 3, 5, 6, 7, 8, 9, 10)
    play.act(do.EndFloor(4), do.GiveBestMove(4, (9, 8)))
    public = public_view(play.state)
    assert (public.phase, public.silent) == (PublicPhase.FAREWELL_PICKS, True)
    assert public.seats[3].best_move is None
    view = seat_view(play.state, 4)
    assert (view.deed, view.marks) == (Deed.CROWN, 1)
    assert view.choices == (1, 2, 3, 5, 6, 7, 8, 10)
    play.act(do.GiveCrown(4, 7))
    public = public_view(play.state)
    assert (public.seats[3].best_move, public.seats[6].crowns) == ((9, 8), (4,))
    assert public.leaving == ()


def test_1_10_picks_that_are_locked_in_the_speech_are_shown_and_done(a_vote):
    play = a_vote((4,))
    play.act(do.GiveCrown(4, 7), do.GiveBestMove(4, ()))
    assert seat_view(play.state, 4).deed is Deed.NONE
    assert public_view(play.state).seats[3].best_move == ()


def test_1_8_a_tie_speech_has_nothing_to_pick(a_vote):
    play = a_vote((3, 4))
    play.ballot({3: (1, 2, 3, 4, 5)})
    view = seat_view(play.state, 3)
    assert (view.own_floor, view.deed) == (True, Deed.NONE)
    assert public_view(play.state).phase is PublicPhase.TIE_SPEECH


def test_1_6_fouls_and_silences_are_public(a_morning):
    play = a_morning(fouls=(2, 3, 0, 0, 0, 0, 0, 0, 0, 0)).until(Phase.SPEECH)
    assert [seat.silenced for seat in public_view(play.state).seats[:3]] == [False, True, False]
    assert not public_view(play.state).silent
    play.act(do.EndFloor(1), do.Shout(1))
    public = public_view(play.state)
    assert (public.silent, public.floor, public.shout) == (True, 2, 1)
    assert [seat.silenced for seat in public.seats[:3]] == [True, True, False]
    assert [seat.fouls for seat in public.seats[:3]] == [3, 3, 0]
    assert seat_view(play.state, 2).silenced
    assert [clock.kind for clock in public.countdowns] == ["silent", "shout"]


def test_1_12_the_victim_is_public_from_the_announcement_to_the_next_night(a_vote):
    play = a_vote(()).night(shots={8: [1], 9: [1], 10: [1]})
    assert public_view(play.state).shot is None
    play.expire()
    assert public_view(play.state).shot == 1
    play.farewell()
    play.speeches()
    assert public_view(play.state).shot is None
    play.night()
    play.expire()
    assert public_view(play.state).shot == 0


def test_a_refusal_says_what_and_where(a_morning):
    with pytest.raises(IllegalAction, match=r"wrong_phase: .*morning"):
        apply(a_morning().state, do.EndFloor(1))
