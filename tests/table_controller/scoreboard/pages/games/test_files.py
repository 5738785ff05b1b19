"""A finished game as files; and that of a game which is not over there is nothing at all."""

import contextlib
import csv
import io
import json

import pytest
from msgspec.structs import replace

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES, catalogue
from table_controller import deal
from table_controller.commands.verify_deal import read_record, verify
from table_controller.game import NORMAL, Phase, actions
from table_controller.league import Entry, open_league
from table_controller.league.games import Seen
from table_controller.record.finished import decode, finished_game, points_of
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from table_controller.scoreboard.pages.games import downloads
from tests.table_controller.game.conftest import dealt
from tests.table_controller.golden_record import write_journal
from tests.table_controller.scoreboard.pages.games.conftest import SEED

RUNNING = "20261201-200000-0badcafe"
ENDS = ("", ".json", ".csv", "/journal")


def rows_of(answer):
    return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_the_json_is_the_record_with_the_points_that_count(site, first):
    site.keep(first)
    answer = site.get(f"/games/{first.game}.json")
    assert answer.mimetype == "application/json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{first.game}.json"'
    assert decode(answer.text) == first
    told = json.loads(answer.text)
    points = {one["seat"]: (one["classic"], one["max"]) for one in told["points"]}
    assert points == dict(points_of(first))
    for one in told["points"]:
        assert sum(item["max"] for item in one["items"]) == one["max"]
        for item in one["items"]:
            assert item["value"] == ("fixed" if item["row"] == "win" else "default")


def test_the_csv_has_every_item_and_adds_up(site, first):
    site.keep(first)
    seen = Seen(first.game, 1, "Vera", "a mistake")
    site.past.league.games.set_points(seen, 2, (-30, 45))
    rows = rows_of(site.get(f"/games/{first.game}.csv"))
    assert tuple(rows[0]) == downloads.COLUMNS
    sums = dict.fromkeys(range(1, 11), (0, 0))
    for row in rows:
        classic, most = sums[int(row["seat"])]
        sums[int(row["seat"])] = (
            classic + int(row["classic_hundredths"]),
            most + int(row["max_hundredths"]),
        )
    assert sums == dict(points_of(first)) | {2: (-30, 45)}
    assert [row["row"] for row in rows if row["seat"] == "2"][-1] == "correction"


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx"])
def test_no_spreadsheet_takes_a_name_for_a_formula(site, first, renamed, name):
    site.keep(renamed(first, {1: ("", name)}))
    names = {row["name"] for row in rows_of(site.get(f"/games/{first.game}.csv"))}
    assert f"'{name}" in names
    assert name not in names


@pytest.fixture
def drawn(journal_of, past):
    """A whole game whose roles its seed has made, with its journal in the table's folder."""
    play = dealt(NORMAL, deal.roles(bytes.fromhex(SEED)))
    while play.state.phase is not Phase.OVER:
        play.expire()
    named_by = deal.commitment(bytes.fromhex(SEED))[:8]
    rows = journal_of(play.actions, game=f"20260312-183000-{named_by}")
    write_journal(past.journals, rows)
    return rows


def test_the_journal_s_deal_can_be_checked_by_anybody(site, drawn):
    site.keep(finished_game(drawn, "t1"))
    name = drawn[0].entry.game
    page = site.get(f"/games/{name}").text
    assert f'href="/games/{name}/journal"' in page
    assert SEED in page
    assert deal.commitment(bytes.fromhex(SEED)) in page
    answer = site.get(f"/games/{name}/journal")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.jsonl"'
    record = read_record(answer.data)
    announced = deal.commitment(bytes.fromhex(SEED))
    assert verify(record, catalogue("en"), announced)[1] == []
    assert len(answer.data.splitlines()) == len(drawn)
    other = replace(record, seed=b"\1" * 32)
    assert verify(other, catalogue("en"), announced)[1] != []


def test_a_journal_holds_no_name_that_its_player_took_back(site, drawn):
    gone = site.past.league.players.add(Entry("Clara"))
    start = replace(drawn[0].entry, ids=("", "", gone.id, *[""] * 7))
    site.keep(finished_game([replace(drawn[0], entry=start), *drawn[1:]], "t1"))
    path = f"/games/{start.game}/journal"
    files = [f"/games/{start.game}{end}" for end in ("/journal", ".json", ".csv")]
    assert all(gone.id in site.get(file).text for file in files)
    assert b"Clara" in site.get(path).data
    site.past.league.anonymise(gone.id)
    # By the id a file of earlier tells whose it was.
    assert not [file for file in files if gone.id in site.get(file).text]
    told = site.get(path).data
    assert b"Clara" not in told
    assert b"Anna" in told
    assert read_record(told).names[2] == "Seat 3"


def test_a_journal_that_is_kept_no_longer_is_not_offered(site, first):
    site.keep(first)
    assert "/journal" not in site.get(f"/games/{first.game}").text
    assert site.get(f"/games/{first.game}/journal").status_code == 404


# ---- a game that is not over ----


def test_of_a_game_that_is_not_over_there_is_no_more_to_see_than_of_none(site, journal_of, first):
    site.keep(first)
    play = dealt(NORMAL)
    play.until(Phase.SPEECH)
    write_journal(site.past.journals, journal_of(play.actions, game=RUNNING))
    for end in ENDS:
        asked, unknown = site.get(f"/games/{RUNNING}{end}"), site.get(f"/games/20200101-1-2{end}")
        assert (asked.status_code, asked.data) == (404, b"404 Not Found\n")
        assert (asked.data, list(asked.headers)) == (unknown.data, list(unknown.headers)), end
    assert RUNNING not in site.get("/games").text


def test_a_running_game_s_journal_is_not_even_opened(site):
    """How long reading takes would tell how much there is."""
    site.past.journals.mkdir()
    (site.past.journals / f"{RUNNING}.db").mkdir()  # To open it would be an error.
    for end in ENDS:
        assert site.get(f"/games/{RUNNING}{end}").status_code == 404


def test_a_void_game_is_not_shown_while_the_host_can_take_it_up(site, journal_of):
    """The league has it when the next game is dealt; before, its journal alone changes nothing."""
    play = dealt(NORMAL)
    play.until(Phase.SPEECH)
    play.act(actions.Void())
    write_journal(site.past.journals, journal_of(play.actions, game=RUNNING))
    for end in ENDS:
        assert site.get(f"/games/{RUNNING}{end}").status_code == 404


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fleague", "a" * 65, "x'y", "кот"])
def test_a_name_that_is_no_game_s_is_not_found(site, name):
    for end in ENDS:
        assert site.get(f"/games/{name}{end}").status_code == 404


def test_a_league_that_is_away_is_told_in_a_word_and_no_more(
    hub, clock, tmp_path, past, monkeypatch
):
    """Its address and its fault are for the host alone."""
    pytest.importorskip("psycopg")
    url = "postgresql+psycopg://nobody@127.0.0.1:1/none"
    with contextlib.closing(open_league(url, clock, later=True)) as away:
        monkeypatch.setattr("firmware.pin.N", 2)
        file = PinFile(tmp_path / FILE)
        file.write("40718263")
        app = create_app(
            hub,
            "en",
            access=Access(file, clock),
            club=Club(away, tuple),
            past=past._replace(league=away),
        )
        for end in ENDS:
            answer = app.test_client().get(f"/games/20260312-183000-1{end}")
            assert (answer.status_code, answer.data) == (503, b"503 Service Unavailable\n")


# ---- how the deal is checked ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_deal_has_the_programs_of_the_text(site, language):
    page = site.get(f"/deal?lang={language}").text
    assert page.count("<pre") == 2
    assert "hashlib.sha256(seed).hexdigest()" in page
    assert page.count("<h2>") == 4
    assert "```" not in page
    assert "*" not in page.split("<pre")[0]


def test_the_deal_s_words_are_those_of_its_text_and_all_translated():
    from table_controller.scoreboard.pages.games.deal_texts import HEADINGS, PARAGRAPHS, _blocks

    words = [block for block in _blocks() if not block.startswith("```")]
    headings = [block.lstrip("# ") for block in words if block.startswith("#")]
    assert headings == list(HEADINGS)
    paragraphs = [" ".join(block.split()) for block in words if not block.startswith("#")]
    assert paragraphs == list(PARAGRAPHS)
    for language in ("ru", "de"):
        t = catalogue(language).gettext
        assert [text for text in (*HEADINGS, *PARAGRAPHS) if t(text) == text] == []
