"""Who plays the next game: kept over a restart, and never a half of it."""

import logging

import pytest

from table_controller import deal
from table_controller.game import NORMAL, TURBO
from table_controller.host.lineups import KeptLineup, Lineup, Lineups
from table_controller.host.refusal import Refused
from table_controller.host.rulesets import Rulesets
from table_controller.terms import Terms

CARD = tuple(f"Player {seat}" for seat in range(1, 11))
TEN = ("Kira", "Lev", "Mila", "Nina", "Oleg", "Petr", "Rita", "Sima", "Timur", "Una")
IDS = ("k1", *("",) * 9)
TERMS = Terms(NORMAL, CARD, "0", rehearsal_seed=7)


@pytest.fixture
def kept(tmp_path):
    return KeptLineup(tmp_path / "lineup.json")


def begin(lineups, clock):
    started = lineups.begin(0, clock.wall(), ())
    lineups.began()
    return started


def test_without_a_choice_the_ten_of_the_card_are_seated_by_the_seed(clock, kept, tmp_path):
    started = begin(Lineups(TERMS, kept=kept), clock)
    assert started.names == deal.seating(deal.rehearsal_seed(7), CARD)
    assert (started.fixed, started.ids, started.ruleset) == (False, ("",) * 10, NORMAL)
    assert not (tmp_path / "lineup.json").exists()


def test_a_club_that_fixes_seats_seats_them_as_they_are_listed(clock):
    started = begin(Lineups(TERMS, fixed=True), clock)
    assert (started.names, started.fixed) == (CARD, True)


def test_ids_go_with_their_names_to_the_seats(clock):
    lineups = Lineups(TERMS)
    lineups.choose(Lineup(TEN, IDS))
    started = begin(lineups, clock)
    assert started.names == deal.seating(deal.rehearsal_seed(7), TEN)
    assert started.ids[started.names.index("Kira")] == "k1"
    assert sorted(started.ids) == sorted(IDS)


def test_the_last_choice_plays_again_after_a_restart(clock, kept):
    lineups = Lineups(TERMS, kept=kept)
    lineups.choose(Lineup(TEN, IDS, fixed=True, ruleset="turbo"))
    begin(lineups, clock)
    started = begin(Lineups(TERMS, kept=kept), clock)
    assert (started.names, started.ids, started.ruleset) == (TEN, IDS, TURBO)


def test_a_list_on_the_command_line_comes_before_what_was_kept(clock, kept):
    kept.save(Lineup(TEN, fixed=True))
    lineups = Lineups(TERMS, kept=kept, recall=False)
    assert lineups.now.names == CARD


def test_what_was_refused_changes_nothing(clock, kept):
    lineups = Lineups(TERMS, kept=kept)
    with pytest.raises(Refused, match="There are no rules 'chess'"):
        lineups.choose(Lineup(TEN, IDS, ruleset="chess"))
    with pytest.raises(Refused, match="Players: 9"):
        lineups.choose(Lineup(TEN[:9]))
    with pytest.raises(Refused, match="Kira is there twice"):
        lineups.choose(Lineup((*TEN[:9], "Kira")))
    with pytest.raises(Refused, match="1 to 24 letters"):
        lineups.choose(Lineup((*TEN[:9], "\n")))
    assert lineups.now.names == CARD


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b'{"names":["a"]}', b'{"names":1}', b"[" * 5000],
    ids=["empty", "cut off", "no text", "one name", "no list", "deep"],
)
def test_a_damaged_file_is_told_in_the_log_and_the_card_plays(kept, tmp_path, caplog, content):
    (tmp_path / "lineup.json").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert Lineups(TERMS, kept=kept).now.names == CARD
    assert "the players of the card play" in caplog.text


def test_rules_that_are_gone_after_a_restart_give_way_to_the_tables_own(
    clock, kept, tmp_path, caplog
):
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "league.toml").write_text("silent_s = 20\n")
    lineups = Lineups(TERMS, Rulesets(NORMAL, folder), kept)
    lineups.choose(Lineup(TEN, IDS, ruleset="league"))
    assert begin(lineups, clock).ruleset.silent_s == 20.0
    (folder / "league.toml").unlink()
    assert begin(lineups, clock).ruleset.silent_s == 20.0, "a rematch has the rules of its game"
    with caplog.at_level(logging.WARNING):
        again = Lineups(TERMS, Rulesets(NORMAL, folder), kept)
    assert (again.now.names, again.now.ruleset) == (TEN, "default")
    assert begin(again, clock).ruleset == NORMAL
    assert "no rules 'league'" in caplog.text


def test_a_disk_that_keeps_nothing_stops_no_game(clock, tmp_path, caplog):
    lineups = Lineups(TERMS, kept=KeptLineup(tmp_path / "gone" / "lineup.json"))
    lineups.choose(Lineup(TEN))
    with caplog.at_level(logging.WARNING):
        assert begin(lineups, clock).names
    assert "until the stop only" in caplog.text


def test_who_plays_a_game_that_the_order_did_not_live_to_keep_plays_the_next_one_too(clock, kept):
    cut_short = Lineups(TERMS, kept=kept)
    cut_short.choose(Lineup(TEN, IDS, fixed=True, ruleset="turbo"))
    started = cut_short.begin(0, clock.wall(), ())
    after = Lineups(TERMS, kept=kept)
    assert after.now.names == CARD
    after.took_up(started)
    assert after.now == kept.read() == Lineup(TEN, IDS, fixed=True, ruleset="turbo")
    assert begin(after, clock).ruleset == TURBO


def test_a_lineup_that_was_kept_stays_as_it_was_listed(clock, kept):
    lineups = Lineups(TERMS, kept=kept)
    lineups.choose(Lineup(TEN, IDS))
    started = begin(lineups, clock)
    assert started.names != TEN
    after = Lineups(TERMS, kept=kept)
    after.took_up(started)
    assert after.now == Lineup(TEN, IDS)
