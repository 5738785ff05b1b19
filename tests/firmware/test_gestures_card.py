"""The club's table of gestures on the table's card."""

import pytest

from firmware.card import GESTURES, read_table_card, save
from firmware.errors import CardError
from firmware.wire import GestureName

CARD = """\
kind = "table"
table = "club"
data_dir = "data"
[link]
host = "mafia.local"
port = 8883
password = "hush hush"
"""


@pytest.fixture
def read(tmp_path):
    def read(gestures):
        path = tmp_path / "kit.toml"
        path.write_text(CARD + gestures, encoding="utf-8")
        return read_table_card(path)

    return read


def test_a_club_that_says_nothing_has_every_gesture_that_can_be_told(read):
    table = read("").gestures
    assert table == GESTURES
    assert {*GestureName} - {*table.names} == {GestureName.FORBIDDEN, GestureName.RING_TAP}
    assert table.grounds is GestureName.FORBIDDEN
    assert table.meaning(GestureName.FIST) == ""


def test_a_club_chooses_what_is_on_what_it_means_and_what_is_forbidden(read):
    table = read(
        '[gestures]\non = ["number", "fist", "fist"]\nforbidden = "pistol"\n'
        '[gestures.means]\nfist = "Я голосую"\n'
    ).gestures
    assert table.names == (GestureName.NUMBER, GestureName.FIST)
    assert table.grounds is GestureName.PISTOL
    assert table.meaning(GestureName.FIST) == "Я голосую"


def test_a_club_can_have_no_forbidden_gesture_and_none_at_all(read):
    table = read('[gestures]\non = []\nforbidden = "none"\n').gestures
    assert (table.names, table.grounds) == ((), None)


def test_the_table_survives_being_written(read, tmp_path):
    card = read('[gestures]\nforbidden = "none"\n[gestures.means]\nok = "sheriff"\n')
    save(tmp_path / "kit.toml", card)
    assert read_table_card(tmp_path / "kit.toml").gestures == card.gestures


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('on = ["wave"]', 'gestures.on.0 = \'wave\': expected "number", "thumb_up"'),
        ('on = ["ring_tap"]', "gestures.on.0 = 'ring_tap': expected \"number\""),
        ('on = ["forbidden"]', "gestures.on.0 = 'forbidden': expected \"number\""),
        ('forbidden = "wave"', "gestures.forbidden = 'wave': expected"),
        ('forbidden = "fist"', "gestures.forbidden = 'fist': take it out of gestures.on"),
        ("off = []", "gestures.off: unknown: expected on, forbidden, means"),
        ('means = {wave = "hello"}', "gestures.means = {'wave': 'hello'}: expected \"number\""),
        ('means = {fist = ""}', "{'fist': ''}: expected \"number\""),
    ],
)
def test_a_wrong_table_is_refused_with_what_is_allowed(read, text, says):
    with pytest.raises(CardError) as refused:
        read(f"[gestures]\n{text}\n")
    assert says in str(refused.value)


def test_a_wrong_table_gives_no_password_away(read):
    with pytest.raises(CardError) as refused:
        read('[gestures.means]\nwave = "hello"\n')
    assert "hush" not in str(refused.value)
    assert "each with a name of 1 to 24 characters" in str(refused.value)
