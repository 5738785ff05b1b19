"""New games by HTTP: who may be seated, where, by which rules; and who plays after a restart."""

import datetime

import pytest

from table_controller.game import Phase
from table_controller.host.lineups import KeptLineup
from table_controller.host.rulesets import Rulesets
from table_controller.league import Entry
from tests.table_controller.conftest import NAMES
from tests.table_controller.conftest import rig as rig
from tests.table_controller.scoreboard.hosts import access as access
from tests.table_controller.scoreboard.hosts import app as app
from tests.table_controller.scoreboard.hosts import club as club
from tests.table_controller.scoreboard.hosts import host as host

OTHERS = ["Kira", "Lev", "Mila", "Nina", "Oleg", "Petr", "Rita", "Sima", "Timur", "Una"]


def test_a_new_game_with_fixed_seats_and_turbo(rig, host):
    lobby = host.look()["lobby"]
    assert [player["name"] for player in lobby["players"]] == list(NAMES)
    answer = host.order("new_game", players=OTHERS, fixed=True, ruleset="turbo")
    assert answer.json["done"]
    assert rig.phase is Phase.SEATING
    assert list(rig.show.names) == OTHERS
    assert rig.state.ruleset.speech_s == 25.0
    assert host.look()["lobby"] is None
    assert [seat["name"] for seat in host.sheet["seats"]] == OTHERS


def test_seats_are_drawn_unless_they_are_fixed_and_a_rematch_draws_them_anew(rig, host):
    host.look()
    assert host.order("new_game", players=OTHERS).json["done"]
    first = rig.show.names
    assert sorted(first) == OTHERS
    assert list(first) != OTHERS
    host.look()
    assert host.order("void").json["done"]
    host.look()
    assert [order["do"] for order in host.sheet["next"]] == ["rematch", "undo"]
    assert host.order("rematch").json["done"]
    assert sorted(rig.show.names) == OTHERS
    assert rig.show.names != first


def test_while_a_game_runs_no_other_begins(rig, host):
    rig.to_first_day()
    host.look()
    assert not {"new_game", "rematch"} & set(host.sheet["orders"])
    for do, more in (("rematch", {}), ("new_game", {"players": OTHERS})):
        answer = host.order(do, **more)
        assert answer.status_code == 409
        assert "being played" in answer.json["why"]
    assert rig.phase is Phase.SPEECH


@pytest.mark.parametrize(
    ("players", "told"),
    [
        (OTHERS[:9], "ten"),
        ([*OTHERS, "Vera"], "ten"),
        ([*OTHERS[:9], "Kira"], "9 different players"),
        ([*OTHERS[:9], ""], "expected something"),
        ([*OTHERS[:9], "x" * 25], "at most"),
        ([*OTHERS[:9], "a\x07b"], "can be shown"),
    ],
    ids=["nine", "eleven", "twice", "nobody", "too long", "not to be shown"],
)
def test_ten_different_people_are_needed(rig, host, players, told):
    host.look()
    answer = host.order("new_game", players=players)
    assert answer.status_code == 409
    assert told in answer.json["why"]
    assert rig.state is None


def test_a_barred_player_cannot_be_seated(rig, host, club):
    kira = club.players.add(Entry("Kira"))
    club.bars.put(kira.id, club.today(), last_day=None, reason="threats", decided_by="the host")
    host.look()
    answer = host.order("new_game", players=OTHERS)
    assert (answer.status_code, answer.json["why"]) == (409, "Kira is barred for good")
    answer = host.order("new_game", players=[kira.id, *OTHERS[1:]], language="de")
    assert "Kira" in answer.json["why"]
    assert rig.state is None


def test_until_when_is_said_as_the_host_writes_a_day(rig, host, club):
    kira = club.players.add(Entry("Kira"))
    until = datetime.date.max
    club.bars.put(kira.id, club.today(), last_day=until, reason="threats", decided_by="the host")
    host.look()
    answer = host.order("new_game", players=OTHERS)
    assert answer.json["why"] == "Kira is barred until December 31, 9999"


def test_who_is_barred_after_a_game_is_marked_and_begins_no_rematch_without_a_phone(
    rig, host, club
):
    kira = club.players.add(Entry("Kira"))
    host.look()
    assert host.order("new_game", players=[kira.id, *OTHERS[1:]]).json["done"]
    assert "Kira" in rig.show.names
    host.look()
    host.order("void")
    club.bars.put(kira.id, club.today(), last_day=None, reason="threats", decided_by="the host")
    assert host.look()["lobby"]["players"][0] == {
        "id": kira.id,
        "name": "Kira",
        "barred": "for good",
    }
    assert host.order("rematch").json["why"] == "Kira is barred for good"
    rig.all_hold()
    assert rig.table.playing.over
    assert host.look()["notices"][-1]["text"] == "No game begins: Kira is barred for good"


def test_who_was_seated_last_stands_on_the_clubs_page_and_who_is_chosen_there_in_the_lobby(
    rig, host, club
):
    lev = club.players.add(Entry("Lev"))
    host.look()
    assert host.order("new_game", players=OTHERS).json["done"]
    assert [each.name for each in club.players.last_ten()] == OTHERS
    assert club.players.last_ten()[1].id == lev.id
    host.look()
    host.order("void")
    club.players.keep_ten([*club.players.last_ten()[1:], club.players.person("Wanda")])
    names = [player["name"] for player in host.look()["lobby"]["players"]]
    assert names == [*OTHERS[1:], "Wanda"]


def test_the_clubs_files_of_rules_are_offered_and_what_is_wrong_with_one_is_told(
    rig, host, tmp_path
):
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "league.toml").write_text("silent_s = 20\n")
    (folder / "broken.toml").write_text("silent_s = 2000\n")
    (folder / "turbo.toml").write_text("")
    rig.table.lineups.rulesets = Rulesets(rig.terms.ruleset, folder)
    assert host.look()["lobby"]["rulesets"] == ["default", "turbo", "broken", "league"]
    answer = host.order("new_game", players=OTHERS, ruleset="broken")
    assert answer.status_code == 409
    assert "silent_s = 2000: expected a number from" in answer.json["why"]
    assert "expected one of" in host.order("new_game", players=OTHERS, ruleset="../x").json["why"]
    assert host.order("new_game", players=OTHERS, ruleset="league").json["done"]
    assert rig.state.ruleset.silent_s == 20.0


def test_the_last_ten_play_after_a_restart_too_also_without_a_phone(rig, host, tmp_path):
    kept = KeptLineup(tmp_path / "lineup.json")
    rig.table.lineups._kept = kept
    host.look()
    assert host.order("new_game", players=OTHERS, fixed=True, ruleset="turbo").json["done"]
    assert (tmp_path / "lineup.json").stat().st_mode & 0o777 == 0o600
    host.look()
    host.order("void")
    rig.kill_table()
    rig.start_table()
    rig.table.lineups.__init__(rig.terms, kept=kept)
    rig.advance(3.0)
    rig.all_hold()
    assert list(rig.show.names) == OTHERS
    assert rig.state.ruleset.speech_s == 25.0
