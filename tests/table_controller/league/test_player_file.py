import pytest

from firmware.words import catalogue
from table_controller.league.player_file import FAULTS_MAX, FILE_MAX, read_players
from table_controller.league.players import Entry, Taken

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
        "line 6: fields: 1; expected 3",
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
            "line 3 is not utf-8: save the file as CSV in UTF-8, or say what it is",
        ),
        (b'name\n"Anna\n', "line 2: not CSV: unexpected end of data"),
        (
            "name\nАнна\n".encode("utf-16"),
            "line 1 is not utf-8: save the file as CSV in UTF-8, or say what it is",
        ),
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


def test_an_older_spreadsheets_file_is_read_when_it_is_said_what_it_is():
    table = "name;nick\nЁжик;Лиса\n"
    entries, faults = read_players(table.encode("cp1251"), "windows-1251")
    assert (entries, faults) == ([Entry("Ёжик", "Лиса")], [])
    entries, faults = read_players("name;nick\nJörg;Straße\n".encode("cp1252"), "windows-1252")
    assert (entries, faults) == ([Entry("Jörg", "Straße")], [])
    entries, faults = read_players(b"name\nA\x81\n", "windows-1252")
    assert entries == []
    assert [each.said(EN) for each in faults] == [
        "line 2 is not windows-1252: save the file as CSV in UTF-8, or say what it is"
    ]


def test_a_mark_that_nobody_closes_swallows_no_other_line():
    lines = ["name,nick", 'Anna,"Fox', "Boris,", 'Cl"ara,', '"Dora" x,y', "Elena,", '"Fe', 'dor",z']
    entries, faults = said("\n".join(lines).encode())
    assert entries == [
        Entry("Boris"), Entry('Cl"ara'), Entry("Elena"), Entry("Fe dor", "z"),
    ]  # fmt: skip
    assert faults == [
        "line 2: not CSV: ',' expected after '\"'",
        "line 5: not CSV: ',' expected after '\"'",
    ]


def test_a_mark_that_is_closed_much_later_swallows_no_line_between():
    entries, faults = said(b'name,nick\n"Anna,\nBoris,\nClara,\nDora,\nElena"\nFedor,x\n')
    assert entries == [Entry("Boris"), Entry("Clara"), Entry("Dora"), Entry("Fedor", "x")]
    assert faults == [
        "line 2: not CSV: unexpected end of data",
        "line 6: fields: 1; expected 2",
    ]


def test_of_five_hundred_players_the_good_are_read_and_the_others_named(league):
    lines = ["name;nick;club"] + [f"Игрок {n};N{n};Nord" for n in range(500)]
    lines[10], lines[250] = f"{'x' * 25};;", '"Игрок'
    lines[499] = lines[20]
    entries, faults = said("\r\n".join(lines).encode("utf-8-sig"))
    assert len(entries) == 497
    assert [fault.split(":")[0] for fault in faults] == [
        "line 11, name",
        "line 251",
        "line 500, name",
    ]
    planned = league.players.take(entries, try_only=True)
    assert league.find() == ()
    assert league.players.take(entries) == planned == Taken(added=497)
    assert league.players.take(entries, try_only=True) == Taken(known=497)
    assert len(league.find()) == 497


def test_a_file_of_open_marks_alone_is_told_quickly():
    _, faults = said(b"name\n" + b'"x\n' * 20_000)
    assert len(faults) == FAULTS_MAX + 1
