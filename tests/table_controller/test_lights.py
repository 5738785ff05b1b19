import msgspec
import pytest

from firmware.board import TableBoard, mock_pins
from table_controller.game.model import Cause, Winner
from table_controller.game.views import PublicPhase, PublicSeat, PublicView
from table_controller.lights import DARK, FAINT, FULL, LIT, MARKED, NIGHT, Lights, frame

NOBODY = frozenset()


def a_view(phase=PublicPhase.SPEECH, *, gone=(), ready=(), **fields):
    seats = tuple(
        PublicSeat(
            seat=seat,
            living=seat not in gone,
            ready=seat in ready,
            fouls=0,
            silenced=False,
            cause=Cause.VOTE if seat in gone else None,
        )
        for seat in range(1, 11)
    )
    return PublicView(phase=phase, day=2, night=1, paused=False, seats=seats, **fields)


class Wall:
    """Lights that remember every frame they were given."""

    def __init__(self):
        self.frames = []

    def set(self, values):
        self.frames.append(tuple(values))


def test_at_night_all_seats_are_equal_and_dim():
    night = a_view(PublicPhase.NIGHT, gone=(3, 4), floor=5, nominees=(6,))
    assert frame(night, frozenset({7, 8})).seats == (NIGHT,) * 10


def test_by_day_a_seat_shows_what_it_is():
    view = a_view(gone=(3,), floor=5, nominees=(6, 7))
    seats = frame(view, frozenset({1, 3})).seats
    assert seats == (FAINT, LIT, DARK, LIT, FULL, MARKED, MARKED, LIT, LIT, LIT)


@pytest.mark.parametrize("field", ["floor", "shout", "called"])
def test_who_has_the_table_is_fully_lit(field):
    view = a_view(candidates=(2, 4), **{field: 4})
    assert frame(view, NOBODY).seats[3] == FULL
    assert frame(view, NOBODY).seats[1] == MARKED


def test_who_says_farewell_is_lit_though_out():
    view = a_view(PublicPhase.FAREWELL, gone=(4,), floor=4)
    assert frame(view, NOBODY).seats[3] == FULL


def test_before_the_deal_the_ready_are_lit():
    seats = frame(a_view(PublicPhase.SEATING, ready=(2, 9)), NOBODY).seats
    assert [seat for seat, value in enumerate(seats, 1) if value == FULL] == [2, 9]


def test_every_phase_has_a_lamp_and_every_value_is_one_that_a_board_takes():
    for phase in PublicPhase:
        values = frame(a_view(phase), NOBODY).values
        assert len(values) == 13
        assert all(0 <= value <= 1 for value in values)
        assert any(values[10:])


def test_the_lamp_tells_the_winner_and_nothing_before():
    over = [frame(a_view(PublicPhase.OVER, winner=w), NOBODY).phase for w in Winner]
    assert len(set(over)) == 3
    farewell = a_view(PublicPhase.FAREWELL, floor=4)
    assert frame(farewell, NOBODY).phase not in over


def test_a_pause_shows_by_day_and_not_at_night():
    day, night = a_view(), a_view(PublicPhase.NIGHT)
    stopped = msgspec.structs.replace(day, paused=True)
    assert frame(stopped, NOBODY).phase != frame(day, NOBODY).phase
    assert frame(msgspec.structs.replace(night, paused=True), NOBODY) == frame(night, NOBODY)


def test_lights_are_written_only_when_they_change():
    wall = Wall()
    lights = Lights(wall)
    lights.show(a_view(floor=1), NOBODY)
    lights.show(a_view(floor=1, ballots=()), NOBODY)
    assert len(wall.frames) == 1
    lights.show(a_view(floor=2), NOBODY)
    assert wall.frames[1] == frame(a_view(floor=2), NOBODY).values


def test_the_tables_board_shows_a_frame():
    board = TableBoard(mock_pins(), lambda level: None)
    view = a_view(floor=1, gone=(2,))
    Lights(board).show(view, NOBODY)
    assert board.values == pytest.approx(frame(view, NOBODY).values, abs=0.01)
    board.close()
