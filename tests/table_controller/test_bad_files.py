"""Wrong cards and wrong rules: one named error that says which file, and nothing else."""

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.card import read_seat_card, read_table_card
from firmware.errors import CardError
from table_controller.commands.rulesheet import read_ruleset

FEW, MANY = 150, 2500

SEAT = """kind = "seat"
table = "club"
user = "node-03"
[link]
host = "mafia.local"
port = 8883
password = "x"
[parts]
screen = "ssd1306"
i2c_address = 0x3C
"""
TABLE = """kind = "table"
table = "club"
data_dir = "/var/lib/mafia"
voice = "off"
recordings = "voice"
players = ["Anna", "Boris"]
[link]
host = "127.0.0.1"
port = 1883
password_file = "x.password"
ca = "ca.crt"
[scoreboard]
bind = "0.0.0.0"
port = 8080
"""
RULES = """mode = "turbo"
lift_two_of_four = false
silent_s = 20
call_s = 2.5
motion_share = [1, 2]
[points]
miss = [-10, -10]
"""
WORDS = st.sampled_from([
    "", "true", "-1", "0", "1e400", "nan", "inf", "99999999999999999999999", '"\\u0000"', '"."',
    '"node-03"', '""', "[]", "{}", "[[[]]]", "[1, 2]", "1979-05-27T07:32:00Z", "07:32:00",
    '"aplay"', '"x"', "'''\n'''", '"\\ud800"', "{a = {b = {}}}", "[1]", "[nan, nan]", '"/"',
    '"..\\u0000"', "0x3C", "[[1, 2], [3]]", '"' + "x" * 5000 + '"',
])  # fmt: skip


@st.composite
def texts(draw, good):
    """The bytes of *good* with values, keys, lines or letters changed."""
    lines = good.splitlines()
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        key, _, value = lines[place].partition(" = ")
        match draw(st.sampled_from(["value", "value", "value", "key", "gone", "twice", "section"])):
            case "value":
                lines[place] = f"{key} = {draw(WORDS)}"
            case "key":
                lines[place] = f"{draw(st.text(string.printable, max_size=8))} = {value}"
            case "gone":
                lines[place] = ""
            case "twice":
                lines.insert(place, lines[place])
            case "section":
                lines.insert(
                    place, draw(st.sampled_from(["[link]", "[[link]]", "[a.b]", "[", "]"]))
                )
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    cut = draw(st.integers(0, len(data)))
    match draw(st.sampled_from(["as it is"] * 4 + ["raw", "bytes", "nested"])):
        case "raw":
            return draw(st.binary(max_size=200))
        case "bytes":
            return data[:cut] + draw(st.binary(max_size=4)) + data[cut:]
        case "nested":
            return b"a = " + b"[" * 3000 + data
    return data


READERS = {
    "seat": (read_seat_card, SEAT),
    "table": (read_table_card, TABLE),
    "rules": (lambda path: read_ruleset(path, turbo=False), RULES),
}


def fuzz(folder, name, cases):
    read, good = READERS[name]
    path = folder / "kit.toml"
    (folder / "x.password").write_bytes(b"secret")
    (folder / "ca.crt").write_bytes(b"")
    path.write_text(good)
    read(path)
    wrong = 0

    @settings(
        max_examples=cases, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(texts(good))
    def check(data):
        nonlocal wrong
        path.write_bytes(data)
        said = ""
        try:
            read(path)
        except CardError as error:
            wrong += 1
            said = str(error)
        assert not said or str(path) in said
        assert len(said) < 1000

    check()
    assert wrong > cases / 4


@pytest.mark.parametrize("name", READERS)
def test_a_wrong_file_is_a_named_error(tmp_path, name):
    fuzz(tmp_path, name, FEW)


@pytest.mark.proof
@pytest.mark.parametrize("name", READERS)
def test_thousands_of_wrong_files(tmp_path, name):
    fuzz(tmp_path, name, MANY)


@pytest.mark.parametrize("key", ["0", "`", "a.b", '"x y"', "'$.link'", '""'])
def test_a_key_that_looks_like_something_else_is_a_named_error(tmp_path, key):
    path = tmp_path / "kit.toml"
    path.write_text(f"{key} = 1\n{SEAT}")
    with pytest.raises(CardError):
        read_seat_card(path)


def test_a_wrong_name_in_a_list_is_shown_with_its_place(tmp_path):
    path = tmp_path / "kit.toml"
    path.write_text(TABLE.replace('"Boris"', '""'))
    with pytest.raises(CardError, match=r"players\.1 = ''"):
        read_table_card(path)


@pytest.mark.parametrize(
    ("what", "content"),
    [("password", b"\xff\xfe"), ("password", b""), ("password", None), ("password", b" \n")],
)
def test_a_wrong_password_file_is_a_named_error(tmp_path, what, content):
    path = tmp_path / "kit.toml"
    path.write_text(SEAT.replace('password = "x"', 'password_file = "p"'))
    if content is None:
        (tmp_path / "p").mkdir()
    else:
        (tmp_path / "p").write_bytes(content)
    with pytest.raises(CardError, match="password_file"):
        read_seat_card(path)


def test_a_file_that_is_no_file_is_a_named_error(tmp_path):
    for read in (read_seat_card, read_table_card, lambda path: read_ruleset(path, turbo=False)):
        for path in (tmp_path, tmp_path / "none", tmp_path / ("x" * 300)):
            with pytest.raises(CardError):
                read(path)
