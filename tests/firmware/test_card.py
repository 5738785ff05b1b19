import json
import stat
import textwrap
import tomllib

import pytest

from firmware import card as card_module
from firmware.card import (
    LinkCard,
    PartsCard,
    SeatCard,
    TableCard,
    link_card,
    link_settings,
    read_seat_card,
    read_table_card,
    render,
    save,
)
from firmware.errors import CardError
from firmware.link import LinkSettings

SEAT = 'kind = "seat"\ntable = "club"\nuser = "node-03"\n'
TABLE = 'kind = "table"\ntable = "club"\ndata_dir = "data"\n'
LINK = '[link]\nhost = "mafia.local"\nport = 8883\npassword = "hush hush"\n'


@pytest.fixture
def write(tmp_path):
    def write(text):
        path = tmp_path / "kit.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def documented(number):
    """Return the example cards of the module's docstring."""
    blocks = card_module.__doc__.split("::\n\n")[1:]
    return textwrap.dedent(blocks[number].split("\n\nThe table's")[0].split("\n\nPaths")[0])


def test_the_documented_seat_card_reads_as_it_says(write, tmp_path):
    (tmp_path / "node-03.password").write_text("hush hush\n")
    (tmp_path / "ca.crt").write_text("a certificate")
    card = read_seat_card(write(documented(0)))
    assert card.parts == PartsCard(shout=True, lamp=True, screen="ssd1306", i2c_address=0x3C)
    ca = tmp_path / "ca.crt"
    assert link_settings(card) == LinkSettings("mafia.local", 8883, "node-03", "hush hush", ca)


def test_the_documented_table_card_reads_as_it_says(write, tmp_path):
    (tmp_path / "voice").mkdir()
    (tmp_path / "music").mkdir()
    (tmp_path / "league.password").write_text("hush hush\n")
    card = read_table_card(write(documented(1).replace('"espeak"', '"aplay"')))
    assert card.players == ("Anna", "Boris")
    assert (card.data_dir, card.recordings) == ("/var/lib/mafia", str(tmp_path / "voice"))
    assert card.music == str(tmp_path / "music")
    assert card.league.url.startswith("postgresql+psycopg://mafia@club.example/league")
    assert card.league.password == "hush hush"
    assert "hush" not in repr(card)
    assert (card.scoreboard.bind, card.scoreboard.port) == ("0.0.0.0", 8080)
    assert link_settings(card) == LinkSettings("127.0.0.1", 1883, "table", "...", None)


def test_the_documented_keys_are_all_keys_there_are(write):
    names = [set(type_.__struct_fields__) for type_ in (SeatCard, TableCard)]
    for number, fields in enumerate(names):
        written = tomllib.loads(documented(number))
        assert fields - set(written) <= {"user"}
    seat = tomllib.loads(documented(0))
    assert set(seat["parts"]) == set(PartsCard.__struct_fields__)


def test_what_is_left_out_has_its_default(write):
    card = read_seat_card(write(SEAT + LINK))
    assert (card.language, card.parts, link_settings(card).ca) == ("en", PartsCard(), None)
    assert read_table_card(write(TABLE + LINK)).players == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (SEAT + "lamps = 1\n" + LINK, "lamps: unknown: expected kind, table, user, link"),
        (SEAT + LINK + "hosts = 1\n", "link.hosts: unknown: expected host, port"),
        (SEAT, "link: missing"),
        (SEAT + LINK.replace("port = 8883\n", ""), "link.port: missing"),
        (SEAT.replace("club", "Our Club") + LINK, "table = 'Our Club': expected 1 to 32 of a-z"),
        (SEAT.replace("03", "13") + LINK, "user = 'node-13': expected node-01 to node-12"),
        (SEAT.replace("node-03", "table") + LINK, "user = 'table': expected node-01"),
        (SEAT + 'language = "fr"\n' + LINK, 'language = \'fr\': expected "en", "ru", "de"'),
        (SEAT + LINK.replace("8883", "0"), "link.port = 0: expected 1 to 65535"),
        (SEAT + LINK.replace("8883", "65536"), "link.port = 65536: expected 1 to 65535"),
        (SEAT + LINK.replace("8883", '"8883"'), "link.port = '8883': expected 1 to 65535"),
        (SEAT + LINK.replace('"mafia.local"', '""'), "link.host = '': expected a text"),
        (SEAT + LINK.replace("password =", "#"), "expected one of password and password_file"),
        (SEAT + LINK + 'password_file = "x"\n', "expected one of password and password_file"),
        (SEAT + LINK.replace("password", "password_file"), "hush hush': No such file"),
        (SEAT + LINK + 'ca = "no.crt"\n', "no.crt': no such file"),
        (SEAT + LINK + "[parts]\nshout = 1\n", "parts.shout = 1: Expected `bool`"),
        (SEAT + LINK + '[parts]\nscreen = "lcd"\n', "parts.screen = 'lcd': expected \"ssd1306\""),
        (SEAT + LINK + "[parts]\ni2c_address = 0x3E\n", "parts.i2c_address = 62: expected 60, 61"),
        (SEAT + LINK + "[parts]\ni2c_bus = 21\n", "parts.i2c_bus = 21: expected 0 to 20"),
        ("link = 3\n" + SEAT, "link = 3: Expected `object`"),
        (TABLE + LINK, "kind = 'table': expected \"seat\""),
        (LINK, 'kind = None: expected "seat"'),
        ("kind = ", "not TOML"),
        ("kind = ", "expected the seat's card"),
    ],
)
def test_a_wrong_seat_card_is_refused_by_file_key_value_and_what_is_allowed(write, text, says):
    path = write(text)
    with pytest.raises(CardError) as refused:
        read_seat_card(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (TABLE + f"players = {json.dumps(['x'] * 11)}\n" + LINK, "a list of up to ten names"),
        (TABLE + 'players = ["Anna", " "]\n' + LINK, "players.1 = ' ': expected a name"),
        (TABLE + 'players = ["Anna\\n"]\n' + LINK, "players.0 = 'Anna\\n': expected a name"),
        (TABLE + f'players = ["{"x" * 25}"]\n' + LINK, "a name of 1 to 24 characters"),
        (TABLE + 'voice = "loud"\n' + LINK, 'expected "off", "host", "espeak", "aplay"'),
        (TABLE + 'voice = "aplay"\n' + LINK, "recordings = '': expected a folder of WAV files"),
        (TABLE + 'music = "none"\n' + LINK, "music = 'none': expected a folder of WAV files"),
        (TABLE + 'user = "node-01"\n' + LINK, "user = 'node-01': expected \"table\""),
        (TABLE + LINK + "[scoreboard]\nport = -1\n", "scoreboard.port = -1: expected 1 to"),
        (TABLE.replace('data_dir = "data"\n', "") + LINK, "data_dir: missing"),
        (SEAT + LINK, "kind = 'seat': expected \"table\""),
    ],
)
def test_a_wrong_table_card_is_refused_by_file_key_value_and_what_is_allowed(write, text, says):
    path = write(text)
    with pytest.raises(CardError) as refused:
        read_table_card(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert says in str(refused.value)


def test_a_missing_card_is_named_and_how_to_name_another(tmp_path):
    with pytest.raises(CardError, match=r"gone\.toml: No such file.*the seat's card.*--card"):
        read_seat_card(tmp_path / "gone.toml")


def test_no_message_and_no_repr_shows_the_password(write):
    with pytest.raises(CardError) as refused:
        read_seat_card(write(SEAT + LINK.replace('"hush hush"', "271828")))
    card = read_seat_card(write(SEAT + LINK))
    shown = f"{refused.value} {card!r} {card} {link_settings(card)!r} {link_settings(card)}"
    assert "271828" not in shown
    assert "hush" not in shown


LINK_CARD = LinkCard(host="127.0.0.1", port=1883, password='q"uote \\ \n \x7f ключ')


@pytest.mark.parametrize(
    ("card", "read"),
    [
        (SeatCard(table="t", user="node-12", link=LINK_CARD, language="ru"), read_seat_card),
        (
            SeatCard(
                table="t",
                user="node-01",
                link=LINK_CARD,
                parts=PartsCard(shout=False, screen="none", eyes=True, switch="nc"),
            ),
            read_seat_card,
        ),
        (
            TableCard(
                table="t", link=LINK_CARD, data_dir="/data", lights=False, players=("Ян", 'B "x"')
            ),
            read_table_card,
        ),
    ],
)
def test_a_saved_card_reads_back_the_same(card, read, tmp_path):
    path = tmp_path / "kit.toml"
    save(path, card)
    assert read(path) == card
    assert render(read(path)) == path.read_text()


def test_a_saved_card_is_its_owners_alone_also_over_one_that_was_not(tmp_path):
    path = tmp_path / "kit.toml"
    path.write_text("")
    path.chmod(0o644)
    save(path, SeatCard(table="t", user="node-01", link=LINK_CARD))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["kit.toml"]


@pytest.mark.parametrize("ca", [None, "ca.crt"])
def test_a_card_made_of_settings_says_the_same(tmp_path, ca):
    (tmp_path / "ca.crt").touch()
    settings = LinkSettings("mafia.local", 8883, "node-03", "x", tmp_path / ca if ca else None)
    save(tmp_path / "kit.toml", SeatCard(table="a", user="node-03", link=link_card(settings)))
    assert link_settings(read_seat_card(tmp_path / "kit.toml")) == settings


URL = "postgresql+psycopg://mafia{}@club.example/league"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (f'url = "{URL.format(":Tr0ub")}"\npassword = "Tr0ub"', "expected one of password and"),
        ('password = "Tr0ub"', r"league\.url: missing"),
        ('url = "mysql://mafia:Tr0ub@h/l"', r"\(kept secret\): expected postgresql\+psycopg://"),
        ('url = "postgresql+psycopg://m:Tr0ub@[h/l"', r"\(kept secret\): expected postgresql"),
        ('url = "postgresql+psycopg://m:Tr0ub@h /l"', r"\(kept secret\): expected postgresql"),
        ("password = 7", r"league\.password = \(kept secret\)"),
        (f'url = "{URL.format("")}"\npassword_file = "no"', "no': No such file"),
    ],
)
def test_a_wrong_league_is_told_without_its_password(write, lines, why):
    with pytest.raises(CardError, match=why) as error:
        read_table_card(write(TABLE + LINK + "[league]\n" + lines + "\n"))
    assert "Tr0ub" not in f"{error.value} {error.value.__cause__}"


@pytest.mark.parametrize("password", ["", ":Tr0ub"])
def test_a_league_on_a_server_may_need_no_password_or_have_it_in_its_address(write, password):
    card = read_table_card(write(TABLE + LINK + f'[league]\nurl = "{URL.format(password)}"\n'))
    assert card.league.url == URL.format(password)
    assert read_table_card(write(render(card))) == card
    assert "Tr0ub" not in repr(card)
