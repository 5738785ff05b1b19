"""The host's live sheet: what moves it by day, and that nothing does by night."""

import msgspec
import pytest

from firmware.words import catalogue
from table_controller import deal
from table_controller.game import SEATS, Phase, actions
from table_controller.game.model import Offence, Source
from table_controller.game.terms import Role
from table_controller.game.views import PublicPhase
from table_controller.host.lineups import Lineups
from table_controller.host.offers import AT_NIGHT, name_of
from table_controller.host.ordering import ConsoleRequest
from table_controller.host.orders import Request, Undo
from table_controller.host.sheet import Sheet
from table_controller.lost import NIGHT
from tests.table_controller.conftest import Rig

EN = catalogue("en")


def sheet_of(rig) -> Sheet:
    rig.advance(0.2)
    return rig.sheets.sheet


def to_the_call(rig):
    """Let the first day pass without a word, up to the first call of the night."""
    for seat in SEATS:
        rig.until(lambda: rig.phase is not Phase.SPEECH or rig.state.floor == seat)  # noqa: B023
        rig.end_floor(seat)
    rig.until_phase(Phase.CALLING)


class Watch:
    """Takes down each sheet that is sent, with the time; no clock in it is news."""

    def __init__(self, rig):
        self.rig, self.seen = rig, []
        self.stream = rig.sheets.join("127.0.0.1")

    def until(self, done, within_s=300.0):
        end_s = self.rig.now_s + within_s
        while not done():
            assert self.rig.now_s < end_s
            self.rig.advance(0.05)
            self.drain()

    def drain(self):
        while (news := self.stream.take(0)) is not None:
            if news.sheet is not None:
                self.seen.append((round(self.rig.now_s, 2), news.sheet))


@pytest.fixture
def watch(rig):
    return Watch(rig)


# ---- by day ----


def test_without_a_game_it_is_the_lobby_with_the_ten_of_the_card(rig):
    sheet = sheet_of(rig)
    assert (sheet.phase, sheet.game, sheet.board) == ("lobby", None, None)
    assert [player.name for player in sheet.lobby.players] == list(rig.terms.names)
    assert sheet.lobby.rulesets == ("default", "turbo")
    assert [seat.online for seat in sheet.seats] == [True] * 10
    assert {"new_game", "rematch", "place", "swap"} <= set(sheet.orders)
    assert [spare.online for spare in sheet.spares] == [False, False]


def test_a_lost_seat_is_marked_as_such_and_not_as_one_that_has_not_voted(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.OpenGrounds(5, Offence.THREATS, Source.HOST), rig.now_s)
    rig.end_floor(1)
    assert rig.phase is Phase.MOTION
    rig.broker.lose("node-03")
    rig.press(1, 2)
    sheet = sheet_of(rig)
    assert rig.state.motion.votes == (1, 2)
    assert [seat.seat for seat in sheet.seats if not seat.online] == [3]
    assert "go_on" in sheet.orders
    rig.until(lambda: rig.phase is Phase.ROLL_CALL)
    sheet = sheet_of(rig)
    assert sheet.next[0].__struct_config__.tag == "go_on"
    rig.until(lambda: rig.phase is not Phase.ROLL_CALL)
    assert [seat.online for seat in sheet_of(rig).seats].count(False) == 1


def test_a_device_says_what_it_lacks(rig):
    rig.to_first_day()
    lacks = {seat.lacks for seat in sheet_of(rig).seats}
    assert lacks == {("camera",)}
    assert {seat.camera for seat in rig.sheets.sheet.seats} == {"none"}


def test_the_step_rises_by_what_the_room_sees_and_by_no_vote(rig):
    rig.to_first_day()
    rig.table.playing.act(actions.OpenGrounds(5, Offence.THREATS, Source.HOST), rig.now_s)
    rig.end_floor(1)
    before = sheet_of(rig).step
    rig.press(1, 2, 3)
    assert sheet_of(rig).step == before
    assert rig.state.motion.votes == (1, 2, 3)
    rig.until(lambda: rig.phase is Phase.SPEECH)
    after = sheet_of(rig).step
    assert after > before
    rig.shout(7)
    assert sheet_of(rig).step == after + 1


def test_clocks_that_run_are_no_news(rig, watch):
    rig.to_first_day()
    watch.until(lambda: rig.sheets.sheet.phase == "speech")
    watch.drain()
    sent = len(watch.seen)
    rig.advance(20.0)
    watch.drain()
    assert len(watch.seen) == sent
    rig.shout(7)
    rig.advance(0.2)
    watch.drain()
    (clock, speech) = watch.seen[-1][1].board.clocks
    assert (clock.kind, speech.runs) == ("shout", False)
    assert speech.left_s == pytest.approx(60.0 - 20.0, abs=1.0)


def test_what_can_be_undone_is_listed_newest_first_as_sentences(rig):
    rig.to_first_day()
    rig.shout(7)
    rig.advance(6.0)
    rig.end_floor(1)
    sheet = sheet_of(rig)
    told = [step.text for step in sheet.spoken(EN).undo]
    assert told[0].startswith("The speech of seat 1 is over")
    assert told[1] == "The shout of seat 7 is over"
    assert told[2] == "Seat 7 shouted and got a foul (1)"
    assert "Seat 1 speaks" in told[3]
    (shout,) = [step for step in sheet.undo if step.keep == sheet.undo[2].keep]
    answers = []
    rig.table.take(ConsoleRequest(Request("a", sheet.step, Undo(shout.keep)), answers.append))
    assert answers[0].why is None
    assert (rig.state.floor, rig.state.fouls[6], rig.state.paused) == (1, 0, True)


def test_what_was_told_secretly_is_not_in_what_a_page_gets(rig):
    rig.to_first_day()
    rig.shout(7)
    body = rig.sheets.latest(EN)
    sheet = msgspec.json.decode(body)["sheet"]
    assert all(set(step) == {"keep", "utc", "text"} for step in sheet["undo"])


# ---- by night ----


def a_rig(folder, clock, seed):
    """A rig whose seats are not drawn, so that two differ in their roles alone."""
    rig = Rig(folder, clock, seed=seed)
    rig.table.lineups._now = Lineups(rig.terms, fixed=True).now
    return rig


def roles_of(seed):
    return dict(zip(SEATS, deal.roles(deal.rehearsal_seed(seed)), strict=True))


def night_of(rig, pressing):
    """Return the sheets from nightfall to the morning with their times; who presses is *pressing*.

    *pressing* maps the number that is called to the seats that press VOTE then.
    """
    rig.to_first_day()
    for seat in SEATS:
        if rig.phase is Phase.SPEECH and rig.state.floor == seat:
            rig.end_floor(seat)
    watch = Watch(rig)
    rig.until(lambda: rig.phase in NIGHT)
    began_s, called = rig.now_s, None
    while rig.phase is not Phase.MORNING:
        rig.advance(0.05)
        watch.drain()
        call = rig.state.call
        number = call.numbers[call.called - 1] if call and call.called else 0
        if (call and call.round, number) != called:
            called = (call and call.round, number)
            for seat in pressing.get(number, ()):
                rig.down(seat)
                rig.advance(0.02)
                rig.up(seat)
    watch.drain()
    night = [
        (round(at_s - began_s, 1), still(sheet))
        for at_s, sheet in watch.seen
        if sheet.phase == PublicPhase.NIGHT
    ]
    assert night
    return night, len(rig.table.playing.past.actions)


def still(sheet):
    """Return the sheet as JSON but for what differs between any two games."""
    board = msgspec.structs.replace(sheet.board, commitment="", clocks=())
    return msgspec.json.encode(msgspec.structs.replace(sheet, board=board, undo=()))


def test_from_nightfall_to_morning_neither_roles_nor_presses_move_it(tmp_path, clock):
    first, second = (
        7,
        next(
            seed
            for seed in range(8, 60)
            if roles_of(seed)[4] is Role.DON and roles_of(7)[4] is not Role.DON
        ),
    )
    quiet = a_rig(tmp_path / "quiet" / "journal", clock, first)
    sheets, few = night_of(quiet, {})
    quiet.table.playing.close()
    quiet.journals.close()
    lively = a_rig(tmp_path / "lively" / "journal", type(clock)(), second)
    others, many = night_of(lively, {3: (1, 4, 5, 8), 6: (2, 3, 6, 7), 9: (9, 10)})
    lively.table.playing.close()
    lively.journals.close()
    assert many > few
    assert others == sheets


def test_by_night_a_lost_link_or_a_stuck_button_is_not_told_until_the_morning(rig):
    rig.to_first_day()
    to_the_call(rig)
    before = sheet_of(rig)
    rig.broker.lose("node-05")
    rig.advance(3.0)
    assert not rig.show.nodes.at(5).online
    after = sheet_of(rig)
    assert (after.seats, after.spares, after.notices, after.step) == (
        before.seats,
        before.spares,
        before.notices,
        before.step,
    )
    assert not rig.table.playing.night or after.phase == "night"
    rig.until_phase(Phase.SPEECH, Phase.FAREWELL)
    assert [seat.seat for seat in sheet_of(rig).seats if not seat.online] == [5]


def test_a_seat_that_was_lost_by_day_stays_marked_by_night(rig):
    rig.to_first_day()
    rig.broker.lose("node-05")
    rig.table.lost.without.add(5)
    to_the_call(rig)
    assert [seat.seat for seat in sheet_of(rig).seats if not seat.online] == [5]


def test_by_night_the_host_is_offered_what_the_rules_allow_and_no_more(rig):
    rig.to_first_day()
    to_the_call(rig)
    sheet = sheet_of(rig)
    allowed = {"pause", "call_again", "open_grounds", "rule", "withdraw", "void"}
    assert set(sheet.orders) - set(map(name_of, AT_NIGHT)) == allowed
    assert [order.__struct_config__.tag for order in sheet.next] == ["pause", "call_again"]
    assert sheet.undo == ()
