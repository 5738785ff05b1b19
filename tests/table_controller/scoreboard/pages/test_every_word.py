"""Every word of the public pages, and of what is said aloud, is looked up in the catalogues.

A translation that puts brackets around each text stands in for the real ones: a word outside
them was never looked up. That finds what a search of the source cannot: texts that are put
together, and texts looked up when the program started, in another language.
"""

import contextlib
import datetime
import re

import pytest

from firmware.words import Words, catalogue
from table_controller.league import Entry, open_league
from table_controller.league.seasons import seasons
from table_controller.record.finished import finished_game
from table_controller.scoreboard import create_app
from table_controller.scoreboard.pages import rules
from table_controller.scoreboard.pages.frame import NAVIGATION
from table_controller.scoreboard.pages.games.routes import Past
from table_controller.voice.phrasebook import every_phrase
from tests.firmware.words.test_unmarked import Texts
from tests.table_controller.golden_record import golden_rows

GAME = "20261130-180000-1"
PATHS = ["/", "/privacy", "/help/host", f"/games/{GAME}", *(path for path, _ in NAVIGATION)]

NAMES = re.compile(
    r"""English|Русский|Deutsch              # a language is called as it calls itself
    |Mafia|red\ room|Anna|Boris|Clara|David|Elena|Fedor|Greta|Hugo|Ivan|Julia
    |Max|Classic|VOTE|SHOUT|HDMI|Wi-Fi
    |[a-z-]+\ [a-z.-]+=\S+|\b(?:mafia|sudo|systemctl|nsenter|ip|lsns)[\w-]*\b.*  # a command
    |PrivateNetwork=yes
    |\d+\.\ Nov(?:ember|\.)|UTC             # a day, as a German writes it
    |[0-9a-f]{16,}|\d{8}-\d{6}-\w+          # a seed, a game""",
    re.VERBOSE,
)
"""Said alike in every language."""


@pytest.fixture
def marked(monkeypatch):
    """Brackets around every text; of pages that are kept none from before, and none for later."""
    monkeypatch.setattr(Words, "gettext", lambda _, text: f"⟦{text}⟧")
    monkeypatch.setattr(Words, "ngettext", lambda _, one, many, n: f"⟦{one if n == 1 else many}⟧")
    rules.content.cache_clear()
    yield
    rules.content.cache_clear()


@pytest.fixture
def site(hub, clock, tmp_path):
    """A browser at a table with one finished game."""
    with contextlib.closing(open_league(tmp_path / "league.db", clock)) as league:
        anna = league.players.add(Entry("Anna"))
        ids = (anna.id, *[""] * 9)
        assert league.games.keep(finished_game(golden_rows(game=GAME, ids=ids), "club"))
        told = seasons((), league.games.years(), datetime.date(2026, 12, 1))
        past = Past(league, tmp_path, lambda: True, lambda: told)
        site = create_app(hub, "de", table="red room", past=past).test_client()
        site.player = f"/players/{anna.id}"
        yield site


def outside(text):
    """Return the words of *text* outside of all brackets."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", "", text)
    return [line.strip() for line in text.splitlines() if re.search(r"[^\W\d_]{2}", line)]


@pytest.mark.parametrize("path", sorted({*PATHS, "player"}))
def test_every_word_of_a_page_is_looked_up(site, marked, path):
    page = site.get(site.player if path == "player" else path)
    assert page.status_code == 200
    parser = Texts()
    parser.feed(page.text)
    assert any("⟦" in text for text in parser.found)
    words = [NAMES.sub("", line) for line in outside("\n".join(parser.found))]
    assert [line for line in words if re.search(r"[^\W\d_]{2}", line)] == []


def test_every_phrase_is_looked_up(marked):
    texts = [phrase.text for phrase in every_phrase(catalogue("ru"))]
    assert len(texts) > 50
    assert [text for text in texts if outside(text)] == []


def test_a_word_outside_is_found():
    assert outside("⟦a ⟦b⟧ c⟧ 12 s") == []
    assert outside("⟦a⟧ of\n⟦b⟧ 7") == ["of"]
