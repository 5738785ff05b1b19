import msgspec

from seat_node.face import Reply
from table_controller.game import NORMAL, SEATS, actions, apply, new_game
from table_controller.game.views import public_view, seat_view
from table_controller.viewing import Views


def test_a_press_is_answered_on_what_its_seat_shows_and_the_rest_follows(rig):
    rig.to_first_day()
    rig.advance(5.0)
    speaker, seat = rig.state.floor, rig.seats[8]
    before, already = seat.face, len(seat.faces)
    rig.shout(8)
    answered = [face for face in seat.faces[already:] if face.reply is Reply.ACCEPTED]
    assert [face.scene for face in answered[:2]] == ["day", "shout"]
    assert before.left_s - answered[0].left_s in (0, 1), "five seconds are gone since that cue"
    same = msgspec.structs.replace(before, reply=Reply.ACCEPTED, left_s=answered[0].left_s)
    assert answered[0] == same
    assert all(face.reply is Reply.NONE for face in rig.seats[speaker].faces[already:])


def test_views_are_those_of_the_state_that_is_asked_about():
    views, state = Views(), new_game(NORMAL)
    for seat in SEATS:
        assert views.public(state) == public_view(state)
        assert views.seat(state, seat) == seat_view(state, seat)
        assert views.public(state) is views.public(state)
        state, _ = apply(state, actions.Ready(seat))
        assert views.seat(state, seat) == seat_view(state, seat)
        assert views.public(state) == public_view(state)
