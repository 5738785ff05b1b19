import pytest

from firmware.words import catalogue
from table_controller.league.player_file import FAULTS_MAX, FILE_MAX, read_players
from table_controller.league.players import Entry

EN = catalogue("en")


def said(raw):
    entries, faults = read_players(raw)
    return entries, [fault.said(EN) for fault in faults]


@pytest.mark.parametrize(
    "raw",
    [
        "name,nick,club\nАнна,Лиса,Nord\nBoris,,\n".encode(),
        "name,nick,club\r\nАнна,Лиса,Nord\r\nBoris,,\r\n".encode("utf-8-sig"),
        "Club;NAME;Nick\nNord;Анна;Лиса\n;Boris;\n\n;;\n".encode(),
        "name\tnick\tclub\nАнна\tЛиса\tNord\nBoris\t\t".encode(),
        'name,nick,club\n"Анна","Лиса","Nord"\n" Boris ",,'.encode(),
        "sep=;\r\nname;nick;club\r\nАнна;Лиса;Nord\r\nBoris;;\r\n".encode("utf-8-sig"),
    ],
    ids=["plain", "BOM and CRLF", "semicolons, other order", "tabs", "quotes", "sep="],
)
def test_what_spreadsheets_write_is_read(raw):
    assert said(raw) == ([Entry("Анна", "Лиса", "Nord"), Entry("Boris")], [])


def test_a_file_of_names_alone_is_enough():
    assert said(b"name\nAnna\n") == ([Entry("Anna")], [])


def test_all_faults_are_told_with_line_and_field_and_the_good_are_known():
    raw = (
        f"name,nick,club\n,Fox,{'c' * 41}\nAnna,,\n{'b' * 25},,\nBoris,a\x07b,\nClara\nANNA,,\n"
    ).encode()
    entries, faults = said(raw)
    assert entries == [Entry("Anna")]
    assert faults == [
        "line 2, name: expected something here",
        f"line 2, club: '{'c' * 40}…': 41 letters; expected 40 at most",
        f"line 4, name: '{'b' * 24}…': 25 letters; expected 24 at most",
        "line 5, nick: 'a\\x07b': expected letters that can be shown",
        "line 6: 1 fields; expected 3",
        "line 7, name: 'ANNA': stands in line 3 already",
    ]


def test_lines_are_counted_as_an_editor_does_over_a_field_of_two_lines():
    entries, faults = said(b'name,nick\n"Anna\nMaria",x\n,y\n')
    assert entries == [Entry("Anna Maria", "x")]
    assert faults == ["line 4, name: expected something here"]


def test_a_line_of_excel_before_the_header_counts_as_a_line():
    entries, faults = said("sep=;\nname;nick\nАnna;x\nBo\u034fris;y\nClara;z\n".encode())
    assert entries == [Entry("Clara", "z")]
    assert faults == [
        "line 3, name: 'Аnna': letters of two alphabets in one word",
        "line 4, name: 'Bo\\u034fris': letters in it cannot be seen",
    ]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "line 1: found ''; expected the header name,nick,club"),
        (b"\n\n", "line 1: found ''; expected the header name,nick,club"),
        (b"Anna\nBoris\n", "line 1: found 'Anna'; expected the header name,nick,club"),
        (b"nick,club\nx,y\n", "line 1: found 'nick,club'; expected the header name,nick,club"),
        (b"name,name\nx,y\n", "line 1: found 'name,name'; expected the header name,nick,club"),
        (b"name,age\nx,9\n", "line 1: found 'name,age'; expected the header name,nick,club"),
        (
            "name\nAnna\nБорис\n".encode("cp1251"),
            "line 3 is not UTF-8; save the file as CSV in UTF-8",
        ),
        (b'name\n"Anna\n', "line 2 is not CSV: unexpected end of data"),
        (b"name,nick\n", "no player in the file"),
        (b"sep=;\nname;nick\n;\n\n", "no player in the file"),
        (b"sep=;\nAnna\n", "line 2: found 'Anna'; expected the header name,nick,club"),
        (b"sep=;\n", "line 1: found ''; expected the header name,nick,club"),
        (b"name\n" + b"x" * FILE_MAX, "expected 256 KiB at most"),
    ],
)
def test_what_is_no_list_of_players_is_said_so(raw, why):
    assert said(raw) == ([], [why])


def test_a_wholly_wrong_file_does_not_flood_the_page():
    _, faults = said(b"name\n" + b'" "\n' * 0 + (b"x" * 25 + b"\n") * (FAULTS_MAX + 7))
    assert len(faults) == FAULTS_MAX + 1
    assert faults[-1] == "and 7 more"
