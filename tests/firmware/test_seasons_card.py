"""The club's seasons on the table's card."""

import datetime

import pytest

from firmware.card import SeasonCard, read_table_card, save
from firmware.errors import CardError

CARD = """\
kind = "table"
table = "club"
data_dir = "data"
[link]
host = "mafia.local"
port = 8883
password = "hush hush"
"""
SEASON = '[[seasons]]\nkey = "cup"\nname = "Кубок"\nfirst = 2026-09-01\nlast = 2026-12-31\n'


@pytest.fixture
def read(tmp_path):
    def read(seasons):
        path = tmp_path / "kit.toml"
        path.write_text(CARD + seasons, encoding="utf-8")
        return read_table_card(path)

    return read


def test_a_club_that_says_nothing_has_no_season_of_its_own(read):
    assert read("").seasons == ()


def test_a_season_is_a_span_of_days_with_its_last_one(read):
    (season,) = read(SEASON).seasons
    first, last = datetime.date(2026, 9, 1), datetime.date(2026, 12, 31)
    assert season == SeasonCard("cup", "Кубок", first, last, ci=False)
    assert read(SEASON + "ci = true\n").seasons[0].ci


def test_the_seasons_survive_being_written(read, tmp_path):
    card = read(SEASON + SEASON.replace("cup", "cup-2") + "ci = true\n")
    assert len(card.seasons) == 2
    save(tmp_path / "kit.toml", card)
    assert read_table_card(tmp_path / "kit.toml").seasons == card.seasons


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SEASON.replace("2026-12-31", "2026-08-31"), "last is a day before first"),
        (SEASON + SEASON, "seasons: key = 'cup' is there twice: expected different keys"),
        (SEASON.replace('"cup"', '"Our Cup"'), "seasons.0.key = 'Our Cup': expected 1 to 32"),
        (SEASON.replace('"Кубок"', '""'), "seasons.0.name = '': expected a name of 1 to"),
        (SEASON.replace("2026-09-01", '"1 Sept"'), "seasons.0.first = '1 Sept': Invalid"),
        (SEASON.replace("first = 2026-09-01\n", ""), "seasons.0.first: missing"),
        (SEASON + "until = 3\n", "seasons.0.until: unknown: expected key, name, first, last, ci"),
    ],
)
def test_a_wrong_season_is_refused_by_file_key_and_what_is_allowed(read, tmp_path, text, says):
    with pytest.raises(CardError) as refused:
        read(text)
    assert str(refused.value).startswith(f"{tmp_path / 'kit.toml'}: ")
    assert says in str(refused.value)
    assert "hush" not in str(refused.value)
