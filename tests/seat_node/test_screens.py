"""The hooded screen: golden pictures, and text that never leaves its box."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from firmware.errors import BoardError
from firmware.rehearsal import Row
from firmware.wire import Icon, Layout
from seat_node import screens
from seat_node.face import Face, Reply, describe
from seat_node.screens import EVEN_LIGHT_PX, FONTS, HEIGHT_PX, STRIP_PX, WIDTH_PX, font, render

GOLDEN = Path(__file__).parents[1] / "golden" / "screens"

NAMES = ("Анна", "Борис", "Виктория", "Глеб", "Дарья", "Евгений", "Жанна", "Захар", "Инна", "Юля")
ROWS = tuple(Row(seat, f"{seat} {NAMES[seat - 1]}", seat in (2, 3)) for seat in range(1, 11))

SCENES = {
    "seating": Face(layout=Layout.TITLE, title="Виктория", lines=("Место 3", "Нажми VOTE")),
    "candidate": Face(
        layout=Layout.BIG, title="7", lines=("VOTE: против", "Жанна"), left_s=4, language="ru"
    ),
    "voted": Face(
        layout=Layout.BIG,
        title="7",
        lines=("Ты уже голосовал", "Жанна"),
        left_s=3,
        reply=Reply.ACCEPTED,
        language="ru",
    ),
    "floor": Face(
        layout=Layout.CLOCK, title="Your speech", lines=("You nominate 5",), left_s=47
    ),
    "minute": Face(layout=Layout.CLOCK, title="10 speaks", left_s=60),
    "nominate": Face(layout=Layout.LIST, title="Nominate", rows=ROWS, cursor=1, left_s=31),
    "last_entry": Face(layout=Layout.LIST, title="Nominate", rows=ROWS, cursor=9),
    "card": Face(
        card=True,
        lines=("шериф", "N1: 3 мафия", "N2: 10 не мафия", "N3: 7 мафия", "N4: 2 мафия", "N5: 1 -"),
    ),
    "card_alone": Face(card=True, lines=("citizen", "", "", "", "", "")),
    "look": Face(layout=Layout.ICON, icon=Icon.SHERIFF, title="sheriff", left_s=12),
    "morning": Face(
        layout=Layout.ICON, icon=Icon.DON, title="don", lines=("N1: 3 not sheriff", "N2: 4 sheriff")
    ),
    "night": Face(layout=Layout.ICON, icon=Icon.MOON, title="Night", lines=("", "")),
    "reading": Face(layout=Layout.NOTE, title="The vote", lines=("3 5 7 10",), left_s=2),
    "waiting": Face(
        layout=Layout.NOTE, title="The vote", lines=("Wait",), reply=Reply.WAITING, language="ru"
    ),
    "late": Face(layout=Layout.NOTE, title="The vote", lines=("Wait",), reply=Reply.LATE),
    "unlinked": Face(
        layout=Layout.ICON,
        icon=Icon.LINK,
        title="node-03",
        lines=("Link lost. Presses are kept.",),
        linked=False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_looks_as_its_golden_picture(name, request, tmp_path):
    path = GOLDEN / f"{name}.png"
    picture = render(SCENES[name])
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        picture.save(path)
    with Image.open(path) as golden:
        difference = ImageChops.logical_xor(picture, golden.convert("1"))
    if difference.getbbox() is not None:
        picture.save(tmp_path / f"{name}.png")
        difference.save(tmp_path / f"{name}.difference.png")
    assert difference.getbbox() is None, f"looks otherwise, see {tmp_path}"


def test_no_golden_picture_is_left_over():
    assert {path.stem for path in GOLDEN.glob("*.png")} == SCENES.keys()


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
    whole = screens.ImageDraw.ImageDraw.text

    def watched(pen, place, text, *, fill, font):
        left, _, right, _ = pen.textbbox(place, text, font=font)
        # Upright by ordinary letters: an accent on a capital may touch the line above.
        _, top, _, bottom = pen.textbbox(place, "Щр", font=font)
        if left < 0 or top < 0 or right > WIDTH_PX or bottom > HEIGHT_PX:
            overflows.append((text, (left, top, right, bottom)))
        whole(pen, place, text, fill=fill, font=font)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screens.ImageDraw.ImageDraw, "text", watched)
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


@pytest.mark.parametrize("bold", [False, True])
def test_every_letter_that_the_kit_needs_is_really_drawn(bold):
    nothing = font(20, bold=bold).getmask("\U0010fffe", mode="1")
    nobody = (bytes(nothing), nothing.size)
    letters = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
    for letter in letters + letters.upper() + "äöüßÄÖÜ«»—…№" + "0123456789+-:":
        mask = font(20, bold=bold).getmask(letter, mode="1")
        assert (bytes(mask), mask.size) != nobody, letter


def test_a_missing_font_names_the_package(tmp_path):
    with pytest.raises(BoardError, match=r"DejaVuSans\.ttf.*install the package fonts-dejavu-core"):
        font(11, folder=tmp_path)
    assert font(11, folder=FONTS).getname() == ("DejaVu Sans", "Book")


@pytest.mark.parametrize("name", ["Константин Константинопольский-Задунайский", "W" * 40])
def test_a_name_too_long_for_its_line_shrinks_wraps_or_ends_in_an_ellipsis(name, monkeypatch):
    written = []
    whole = screens.ImageDraw.ImageDraw.text

    def watched(pen, place, text, *, fill, font):
        written.append(text)
        whole(pen, place, text, fill=fill, font=font)

    monkeypatch.setattr(screens.ImageDraw.ImageDraw, "text", watched)
    render(Face(layout=Layout.TITLE, title=name, lines=("Seat 3",)))
    assert name.startswith(written[0].rstrip("…").split(" ")[0])
    assert written[-1] == "Seat 3"


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


@pytest.mark.parametrize("reply", [Reply.PRESSED, Reply.WAITING, Reply.ACCEPTED, Reply.LATE])
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


def test_an_unknown_language_is_english():
    english = render(Face(reply=Reply.LATE))
    assert render(Face(reply=Reply.LATE, language="eo")).tobytes() == english.tobytes()
    assert render(Face(reply=Reply.LATE, language="ru")).tobytes() != english.tobytes()


def test_a_face_is_described_as_the_player_sees_it():
    shown = describe(SCENES["nominate"])
    assert (shown.layout, shown.title, shown.cursor, shown.left_s) == ("list", "Nominate", 1, 31.0)
    assert shown.rows == ROWS
    assert (shown.mark, shown.waiting) == (None, False)
    assert describe(SCENES["waiting"]).waiting
    assert describe(SCENES["late"]).mark == "late"
    assert describe(SCENES["card"]).card
    assert not describe(SCENES["unlinked"]).linked
