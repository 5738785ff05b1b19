"""Which seasons there are to choose from."""

import datetime

from firmware.card import SeasonCard
from table_controller.league.seasons import Season, seasons, seasons_of


def day(text):
    return datetime.date.fromisoformat(text)


def a_card(key, first, last, **more):
    return SeasonCard(key, key.title(), day(first), day(last), **more)


CUP = a_card("cup", "2026-09-01", "2026-12-31", ci=True)


def test_without_a_season_of_its_own_a_club_has_calendar_years_the_newest_first():
    found = seasons((), {2024, 2026}, day("2026-05-01"))
    assert found == (
        Season("2026", "2026", day("2026-01-01"), day("2026-12-31")),
        Season("2024", "2024", day("2024-01-01"), day("2024-12-31")),
    )
    assert [each.key for each in seasons((), (), day("2031-01-01"))] == ["2031"]


def test_the_season_that_is_played_is_first_with_its_last_day_and_no_day_more():
    for today, first in [
        ("2026-08-31", "2026"), ("2026-09-01", "cup"), ("2026-12-31", "cup"), ("2027-01-01", "2027")
    ]:  # fmt: skip
        found = seasons((CUP,), {2026}, day(today))
        assert found[0].key == first
        assert {each.key for each in found} >= {"cup", "2026"}
    assert next(each for each in found if each.key == "cup").ci


def test_of_two_seasons_on_one_day_the_later_one_is_first():
    week = a_card("week", "2026-10-05", "2026-10-11")
    assert seasons((week, CUP), (), day("2026-10-06"))[0].key == "week"


def test_a_season_with_a_years_key_takes_that_years_place():
    own = a_card("2026", "2026-02-01", "2026-11-30", ci=True)
    (found,) = seasons((own,), {2026}, day("2026-12-24"))
    assert (found.first, found.ci) == (own.first, True)


def test_a_league_without_games_has_the_season_of_today(league):
    found = seasons_of(league, [CUP])()
    assert {each.key for each in found} == {"cup", str(league.today().year)}
    assert found[0].first <= league.today() <= found[0].last
