import queue

import pytest

from firmware.board import SeatBoard, mock_pins
from firmware.rehearsal import Look, Photograph, Push, Release, SeatReply, Shown, Watch
from firmware.rehearsal_socket import AskRefused, RehearsalClient
from firmware.wire import Button
from seat_node.face import Face, describe
from seat_node.rehearse import FINGER_S, rehearsal

DEADLINE_S = 10.0


@pytest.fixture
def inbox():
    return queue.SimpleQueue()


@pytest.fixture
def client(tmp_path, inbox):
    """Talks to a seat that has no SHOUT."""
    path = tmp_path / "s"
    pins = mock_pins()
    board = SeatBoard(pins, inbox.put, has=("vote",))
    with rehearsal(path, board, inbox.put), RehearsalClient(path, SeatReply) as client:
        yield client
    pins.reset()


def test_push_and_release_drive_the_pin(client, inbox):
    client.send(Push(Button.VOTE))
    level = inbox.get(timeout=DEADLINE_S)
    assert (level.button, level.closed) == ("vote", True)
    client.send(Release(Button.VOTE))
    assert not inbox.get(timeout=DEADLINE_S).closed


@pytest.mark.parametrize("request_", [Look(), Watch(), Photograph()])
def test_a_question_reaches_the_inbox_and_its_answer_the_asker(client, inbox, request_):
    client.send(request_)
    asked = inbox.get(timeout=DEADLINE_S)
    assert asked.request == request_
    shown = describe(Face(title="7"))
    asked.tell(shown)
    assert client.wait_until(Shown, lambda seen: seen == shown) == shown


@pytest.mark.parametrize("request_", [Push(Button.SHOUT), Release(Button.SHOUT)])
def test_a_button_that_is_not_there_is_refused_and_the_next_request_works(client, inbox, request_):
    with pytest.raises(AskRefused, match="this seat has no shout"):
        client.ask(request_, Shown)
    client.send(Push(Button.VOTE))
    assert inbox.get(timeout=DEADLINE_S).closed


def test_a_push_and_a_release_that_come_at_once_are_a_press_all_the_same(client, inbox):
    client.send(Push(Button.VOTE))
    client.send(Release(Button.VOTE))
    client.send(Push(Button.VOTE))
    closed, opened, closed_again = (inbox.get(timeout=DEADLINE_S) for _ in range(3))
    assert opened.at_s - closed.at_s >= FINGER_S
    assert closed_again.at_s - opened.at_s >= FINGER_S
