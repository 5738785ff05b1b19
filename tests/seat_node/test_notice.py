import subprocess
import sys

import pytest

from firmware import card as cards
from firmware.card import LinkCard, PartsCard, SeatCard
from firmware.words import LANGUAGES
from seat_node import notice
from seat_node.display import open_device
from seat_node.screens import render

WORDS = (notice.INSTALLING, notice.PACKAGES, notice.FAILED)


def seat(**parts):
    return SeatCard(
        table="club",
        user="node-03",
        language="ru",
        link=LinkCard("mafia.local", 8883, password="x"),
        parts=PartsCard(**parts),
    )


def test_each_word_has_a_page_of_its_own_in_every_language():
    pages = {
        render(notice.face(word, language)).tobytes() for word in WORDS for language in LANGUAGES
    }
    assert len(pages) == len(WORDS) * len(LANGUAGES)


def test_a_page_is_drawn_in_the_cards_language_and_a_seat_without_a_screen_shows_none():
    device = open_device("dummy")
    notice.show(notice.PACKAGES, seat(), device)
    assert device.image.tobytes() == render(notice.face(notice.PACKAGES, "ru")).tobytes()
    notice.show(notice.PACKAGES, seat(), None)


@pytest.mark.parametrize("there", [True, False])
def test_that_there_is_no_screen_or_card_is_no_fault_of_an_installation(tmp_path, there):
    path = tmp_path / "kit.toml"
    if there:
        cards.save(path, seat(i2c_bus=19))
    done = subprocess.run(
        [sys.executable, "-m", "seat_node.notice", "installing", "--card", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
