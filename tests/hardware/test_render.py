"""The drawings as they are rendered: wiring, solids that a printer takes, pictures."""

import itertools
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from hardware.render import PICTURES, PRINTED, SEEN, missing_tools, picture, solid, wiring

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(bool(missing_tools()), reason=f"missing: {', '.join(missing_tools())}"),
]
ALIKE = {f"ring_segment_{seat}" for seat in range(1, 10)}
"""The tenth has the widest number; the others take time and nothing new."""
SOLIDS = [name for name in PRINTED if name not in ALIKE]
VERTEX = re.compile(r"vertex (\S+) (\S+) (\S+)")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rendered")


@pytest.fixture(scope="session")
def meshes(folder):
    """The triangles of each solid, each of three corners (x, y, z)."""
    with ThreadPoolExecutor(2) as pool:
        paths = list(pool.map(lambda name: solid(folder, name), SOLIDS))
    found = {}
    for path in paths:
        corners = [tuple(map(float, at)) for at in VERTEX.findall(path.read_text())]
        found[path.stem] = [corners[n : n + 3] for n in range(0, len(corners), 3)]
    return found


def bodies(triangles):
    """Count the pieces that touch nowhere."""
    above = {}

    def root(corner):
        while above.setdefault(corner, corner) != corner:
            above[corner] = above[above[corner]]
            corner = above[corner]
        return corner

    for a, b, c in triangles:
        above[root(a)] = root(b)
        above[root(b)] = root(c)
    return len({root(corner) for triangle in triangles for corner in triangle})


def volume(triangles):
    """Return the volume in cubic millimetres; below 0 the faces look inward."""
    return sum(
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
        for a, b, c in triangles
    ) / 6  # fmt: skip


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed_of_one_piece_and_fits_on_the_bed(meshes, sizes, name):
    triangles = meshes[name]
    edges = Counter(
        (t[n], t[(n + 1) % 3]) for t in triangles for n in range(3) if t[n] != t[(n + 1) % 3]
    )
    assert all(edges[b, a] == count for (a, b), count in edges.items()), "a hole in the mesh"
    assert bodies(triangles) == 1
    assert volume(triangles) > 500
    spans = [
        (min(axis), max(axis))
        for axis in zip(*itertools.chain.from_iterable(triangles), strict=True)
    ]
    assert spans[2][0] == pytest.approx(0, abs=0.01), "it lies on the bed"
    across = sorted(most - least for least, most in spans[:2])
    assert across[1] <= sizes.bed[0] - 10
    assert spans[2][1] <= 200
    lying = [t for t in triangles if all(abs(corner[2]) < 0.01 for corner in t)]
    flat = sum(abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2
               for a, b, c in lying)  # fmt: skip
    assert flat >= 60, "enough of it touches the bed"


def crosses(start, end, triangle):
    """Whether the straight way between two points goes through a triangle."""

    def minus(p, q):
        return [a - b for a, b in zip(p, q, strict=True)]

    def cross(p, q):
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

    def dot(p, q):
        return sum(a * b for a, b in zip(p, q, strict=True))

    a, b, c = triangle
    way, ab, ac = minus(end, start), minus(b, a), minus(c, a)
    normal = cross(way, ac)
    scale = dot(ab, normal)
    if abs(scale) < 1e-9:
        return False
    rest = minus(start, a)
    u = dot(rest, normal) / scale
    other = cross(rest, ab)
    v, share = dot(way, other) / scale, dot(ac, other) / scale
    return u >= 0 and v >= 0 and u + v <= 1 and 0 < share < 1


def test_the_printed_hood_hides_the_screen_from_both_neighbours_and_not_from_its_player(
    meshes, sizes
):
    slope_eyes = {"player": (0, -203, 462), "right": (380, 27, 378), "left": (-380, 27, 378)}
    lit = sizes.sh1106[:2]
    for who, eye in slope_eyes.items():
        for x in (-lit[0] / 2, 0, lit[0] / 2):
            for y in (-lit[1] / 2, lit[1] / 2):
                pixel = (x, y, -sizes.wall)
                hidden = any(crosses(pixel, eye, t) for t in meshes["seat_hood"])
                assert hidden == (who != "player"), (who, pixel)


@pytest.mark.parametrize("unit", ["seat", "table"])
def test_the_wiring_is_drawn_with_every_name_of_the_pinout(folder, table, unit):
    drawn = {path.stem: path for path in wiring(folder)}
    text = drawn[unit].read_text("utf-8")
    for row in table("pinout.csv"):
        if row["unit"] == unit:
            assert re.search(rf"\b{row['part']}\b", text), row
    committed = (PICTURES / f"wiring_{unit}.svg").read_text("utf-8")
    words = re.compile(r"<text[^>]*>([^<]*)</text>")
    assert sorted(words.findall(committed)) == sorted(words.findall(text)), (
        "make hardware ARGS=--pictures"
    )
    assert folder.joinpath(f"{unit}.png").stat().st_size > 10_000


def test_every_picture_of_the_guide_is_there_and_shows_what_is_drawn(folder):
    assert {path.name for path in PICTURES.iterdir()} == (
        {f"{name}.png" for name in SEEN} | {"wiring_seat.svg", "wiring_table.svg"}
    )
    for path in PICTURES.iterdir():
        assert path.stat().st_size < 150_000, path.name
    name = "controller_case"
    now, then = (
        Image.open(path).convert("L").resize((100, 75))
        for path in (picture(folder, name), PICTURES / f"{name}.png")
    )
    apart = [abs(a - b) for a, b in zip(now.tobytes(), then.tobytes(), strict=True)]
    assert sum(apart) / len(apart) < 3, "make hardware ARGS=--pictures"
    assert len(set(now.tobytes())) > 10, "an empty picture"
