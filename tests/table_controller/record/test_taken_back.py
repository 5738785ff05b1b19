"""What a host has undone counts for nothing and stays in the record. Source: RULES 1.16."""

import pytest

from firmware.wire import NODES
from table_controller.game import NORMAL, actions
from table_controller.game import events as ev
from table_controller.record.entries import Acted, Row, Started, Undone
from table_controller.record.finished import decode, encode, finished_game

START = Started(
    format=2, version="0", game="g", ruleset=NORMAL, names=tuple("ABCDEFGHIJ"),
    seed="0" * 64, nodes=NODES[:10],
)  # fmt: skip


@pytest.fixture
def game():
    """A game from entries: a seat shouts (number), the host goes back (``back(keep)``)."""

    def made(*entries):
        rows = [Row(1, "2026-03-12T19:00:00+00:00", START, (), None)]
        for number, entry in enumerate([*entries, actions.Void()], start=2):
            utc = f"2026-03-12T19:00:{number:02d}+00:00"
            if isinstance(entry, Undone):
                rows.append(Row(number, utc, entry, (), None))
                continue
            told = (ev.GameVoided(),) if isinstance(entry, actions.Void) else ()
            rows.append(Row(number, utc, Acted(entry), told, None))
        return finished_game(rows, "t1")

    return made


def seats(deeds):
    return [deed.action.seat for deed in deeds if isinstance(deed.action, actions.Shout)]


def test_what_was_undone_is_kept_beside_what_stands(game):
    found = game(actions.Shout(1), actions.Shout(2), actions.Shout(3), Undone(1), actions.Shout(4))
    assert seats(found.deeds) == [1, 4]
    (back,) = found.undone
    assert (back.after, seats(back.deeds)) == (1, [2, 3])
    assert back.utc == "2026-03-12T19:00:05+00:00"
    assert decode(encode(found)) == found


def test_going_back_over_an_earlier_undoing_keeps_both_in_order(game):
    found = game(
        actions.Shout(1), actions.Shout(2), Undone(1), actions.Shout(3), Undone(0), actions.Shout(4)
    )
    assert seats(found.deeds) == [4]
    assert [(back.after, seats(back.deeds)) for back in found.undone] == [(0, [2]), (0, [1, 3])]
