"""The hooded screen: text that never leaves its box, letters, marks, even light."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from firmware.errors import BoardError
from firmware.rehearsal import Row
from firmware.signals import MARKS, Reply
from firmware.wire import Icon, Layout
from seat_node import lettering, screens
from seat_node.face import Face, describe
from seat_node.icons import light_of
from seat_node.lettering import FONTS, drawable, font
from seat_node.screens import CARD_ICON_PX, EVEN_LIGHT_PX, HEIGHT_PX, STRIP_PX, WIDTH_PX, render

NAMES = ("Анна", "Борис", "Виктория", "Глеб", "Дарья", "Евгений", "Жанна", "Захар", "Инна", "Юля")
ROWS = tuple(Row(seat, f"{seat} {NAMES[seat - 1]}", seat in (2, 3)) for seat in range(1, 11))


def lit(picture, box=None):
    return sum((picture.crop(box) if box else picture).histogram()[1:])


texts = st.text(st.characters(categories=("L", "N", "P", "Zs"), max_codepoint=0x4FF), max_size=40)


@given(
    layout=st.sampled_from(list(Layout)),
    title=texts,
    lines=st.lists(texts, max_size=4),
    icon=st.sampled_from(list(Icon)),
    left_s=st.none() | st.integers(0, 3600),
    reply=st.sampled_from(list(Reply)),
    card=st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_no_text_leaves_its_box(layout, title, lines, icon, left_s, reply, card):
    overflows = []
    whole = lettering.put

    def watched(pen, place, text, size, *, bold, fill=1):
        face = font(size, bold=bold)
        left, _, right, _ = pen.textbbox(place, text, font=face)
        # Upright by ordinary letters: an accent on a capital may touch the line above.
        _, top, _, bottom = pen.textbbox(place, "Щр", font=face)
        if left < 0 or top < 0 or right > WIDTH_PX or bottom > HEIGHT_PX:
            overflows.append((text, (left, top, right, bottom)))
        whole(pen, place, text, size, bold=bold, fill=fill)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lettering, "put", watched)
        render(
            Face(
                layout=layout, title=title, lines=tuple(lines), icon=icon, left_s=left_s,
                reply=reply, card=card,
            )
        )  # fmt: skip
    assert overflows == []


@given(names=st.lists(texts, min_size=1, max_size=11), data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_list_of_any_names_keeps_its_marks_and_its_strip_free(names, data):
    cursor = data.draw(st.integers(0, len(names) - 1))
    rows = tuple(Row(number, name, False) for number, name in enumerate(names, start=1))
    picture = render(Face(layout=Layout.LIST, title="Nominate", rows=rows, cursor=cursor))
    assert lit(picture, (0, HEIGHT_PX - STRIP_PX, WIDTH_PX, HEIGHT_PX)) == 0
    chosen = [y for y in range(15, 52) if picture.getpixel((1, y))]
    assert len(chosen) == 12
    for y in range(15, 52):
        if y not in chosen:
            assert all(not picture.getpixel((x, y)) for x in range(12))


RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
GERMAN = "abcdefghijklmnopqrstuvwxyzäöüß"
ENGLISH = "abcdefghijklmnopqrstuvwxyz"
LETTERS = "".join(sorted({*RUSSIAN, *RUSSIAN.upper(), *GERMAN, *GERMAN.upper(), "ẞ", *ENGLISH}))


@pytest.mark.parametrize(
    ("size", "bold"), [(8, False), *((size, bold) for size in (9, 11, 22, 32) for bold in (0, 1))]
)
def test_every_letter_that_the_kit_needs_is_really_drawn(bold, size):
    nothing = font(size, bold=bold).getmask("\U0010fffe", mode="1")
    nobody = (bytes(nothing), nothing.size)
    seen = {}
    for letter in LETTERS + "«»—…№" + "0123456789+-:" + "".join(m.glyph for m in MARKS.values()):
        mask = font(size, bold=bold).getmask(letter, mode="1")
        assert any(bytes(mask)), letter
        assert (bytes(mask), mask.size) != nobody, letter
        seen.setdefault((bytes(mask), mask.size), []).append(letter)
    # Latin and Cyrillic share shapes; within an alphabet no two letters look the same.
    for same in seen.values():
        for alphabet in (RUSSIAN, RUSSIAN.upper(), "0123456789"):
            assert len(set(same) & set(alphabet)) <= 1, same


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Анна \N{PARTY POPPER}\N{VARIATION SELECTOR-16}", "Анна \u25a1"),
        ("\N{FAMILY}\N{ZERO WIDTH JOINER}\N{FAMILY}", "\u25a1\u25a1"),
        ("и\N{COMBINING BREVE}од", "йод"),
        ("a\N{COMBINING DIAERESIS}x", "äx"),
        ("A\N{COMBINING GRAVE ACCENT BELOW}b", "Ab"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}abc\N{SOFT HYPHEN}d", "abcd"),
        ("one\ntwo\tthree\x00", "one two three"),
        ("漢字", "\u25a1\u25a1"),
        ("\ud83d", "\u25a1"),
        ("\N{ZERO WIDTH SPACE}", ""),
    ],
)
def test_what_the_font_has_not_got_is_replaced(text, shown):
    assert drawable(text) == shown
    render(Face(layout=Layout.TITLE, title=text, lines=(text,)))


def test_a_missing_font_names_the_package(tmp_path):
    with pytest.raises(BoardError, match=r"DejaVuSans\.ttf.*install the package fonts-dejavu-core"):
        font(11, folder=tmp_path)
    assert font(11, folder=FONTS).getname() == ("DejaVu Sans", "Book")


@pytest.mark.parametrize("name", ["Константин Константинопольский-Задунайский", "W" * 40])
def test_a_name_too_long_for_its_line_shrinks_wraps_or_ends_in_an_ellipsis(name, monkeypatch):
    written = []
    whole = lettering.put

    def watched(pen, place, text, size, *, bold, fill=1):
        written.append(text)
        whole(pen, place, text, size, bold=bold, fill=fill)

    monkeypatch.setattr(lettering, "put", watched)
    render(Face(layout=Layout.TITLE, title=name, lines=("Seat 3",)))
    assert name.startswith(written[0].rstrip("…").split(" ")[0])
    assert written[-1] == "Seat 3"
    # What was cut says so.
    assert (" ".join(written[:-1]) == name) != written[-2].endswith("…")


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0"), (9, "9"), (59, "59"), (60, "1:00"), (125, "2:05")]
)
def test_a_clock_is_read_in_seconds_up_to_a_minute(seconds, text):
    assert screens.clock_text(seconds) == text


@pytest.mark.parametrize(
    "lines", [("Don: 4", ""), ("The mafia meets", ""), ("", ""), ("Знакомство мафии", "")]
)
@pytest.mark.parametrize("title", ["Mafia: 3 7 9", "Night", "Мафия: 10 9 8"])
def test_the_screens_of_the_meeting_glow_alike(title, lines):
    face = Face(layout=Layout.ICON, icon=Icon.MOON, title=title, lines=lines, even=True)
    assert lit(render(face)) == EVEN_LIGHT_PX


@pytest.mark.parametrize("icon", [icon for icon in Icon if icon is not Icon.NONE])
def test_every_icon_is_drawn_inside_its_square_and_differs_from_all_others(icon):
    def drawn(which):
        return render(Face(layout=Layout.ICON, icon=which))

    left, top, right, bottom = drawn(icon).getbbox()
    assert (left >= 0, top >= 15, right <= 36, bottom <= 51) == (True,) * 4
    for other in Icon:
        if other is not icon:
            assert drawn(other).tobytes() != drawn(icon).tobytes(), other


@pytest.mark.parametrize("reply", MARKS)
def test_each_answer_looks_different_and_stays_in_the_strip(reply):
    plain = render(Face(layout=Layout.BIG, title="7"))
    answered = render(Face(layout=Layout.BIG, title="7", reply=reply))
    box = ImageChops.logical_xor(plain, answered).getbbox()
    assert box[1] >= HEIGHT_PX - STRIP_PX
    others = [r for r in Reply if r is not reply]
    assert all(
        render(Face(layout=Layout.BIG, title="7", reply=other)).tobytes() != answered.tobytes()
        for other in others
    )


@pytest.mark.parametrize("reply", [reply for reply in Reply if reply not in MARKS])
def test_a_reply_without_a_mark_is_drawn_as_nothing(reply):
    plain = render(Face(layout=Layout.BIG, title="7"))
    assert render(Face(layout=Layout.BIG, title="7", reply=reply)).tobytes() == plain.tobytes()


@pytest.mark.parametrize("icon", [Icon.CITIZEN, Icon.SHERIFF, Icon.MAFIA, Icon.DON])
def test_the_icons_of_held_cards_glow_alike(icon):
    lines = ("?", "", "", "", "", "")
    bare = lit(render(Face(card=True, lines=lines)))
    assert lit(render(Face(card=True, lines=lines, icon=icon))) - bare == CARD_ICON_PX
    assert light_of(icon) < CARD_ICON_PX


def test_an_unknown_language_is_english():
    english = render(Face(reply=Reply.LATE))
    assert render(Face(reply=Reply.LATE, language="eo")).tobytes() == english.tobytes()
    assert render(Face(reply=Reply.LATE, language="ru")).tobytes() != english.tobytes()


def test_a_face_is_described_as_the_player_sees_it():
    shown = describe(Face(layout=Layout.LIST, title="Nominate", rows=ROWS, cursor=1, left_s=31))
    assert (shown.layout, shown.title, shown.cursor, shown.left_s) == ("list", "Nominate", 1, 31.0)
    assert shown.rows == ROWS
    assert (shown.mark, shown.waiting) == (None, False)
    assert describe(Face(reply=Reply.WAITING)).waiting
    assert describe(Face(reply=Reply.LATE)).mark == "late"
    assert describe(Face(card=True)).card
    assert not describe(Face(linked=False)).linked
