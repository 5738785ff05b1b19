"""A kit filled for real: all that a card installs from, and no more; mended, or left alone."""

import os
import shutil
from pathlib import Path

import pytest

from firmware.errors import BoardError
from firmware.image.kit import faults, load, pack, release, version
from firmware.image.pins import BOARDS, plain, read_pins
from firmware.image.wheelhouse import SIDE_FILES, fill

pytestmark = pytest.mark.proof


class Told:
    """Progress as it was told."""

    def __init__(self):
        self.steps = []

    def __call__(self, doing, done, whole):
        self.steps.append((doing, done, whole))


@pytest.fixture(scope="module")
def told():
    return Told()


@pytest.fixture(scope="module")
def filled(told, tmp_path_factory):
    """A kit for a Pi 5, filled once."""
    kit = tmp_path_factory.mktemp("card") / "mafia" / "kit"
    try:
        fill(kit, "pi5", told)
    except BoardError as error:
        if "the package index cannot be reached" in str(error):
            pytest.skip(str(error))
        raise
    return kit


@pytest.fixture
def kit(filled, tmp_path):
    """A copy of it, to be spoilt."""
    return shutil.copytree(filled, tmp_path / "kit")


@pytest.fixture
def offline(monkeypatch):
    """Nothing answers where pip looks."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")


def stamps(kit):
    return {path: path.stat().st_mtime_ns for path in kit.rglob("*") if path.is_file()}


def test_a_filled_kit_has_a_wheel_for_each_pin_and_is_whole(filled, told):
    assert faults(filled) == []
    names = [path.name.split("-") for path in (filled / "wheels").iterdir()]
    wheels = {plain(name): pin for name, pin, *_ in names}
    said, board = version(filled)
    assert wheels == {**read_pins(BOARDS["pi5"]), "mafia-table-kit": said}
    assert board == "pi5"
    own = {"SHA256SUMS", "VERSION", "constraints.txt", "models", "wheels"}
    assert {path.name for path in filled.iterdir()} == {
        *own,
        *(Path(name).name for name in SIDE_FILES),
    }
    assert [done for _, done, _ in told.steps] == sorted(done for _, done, _ in told.steps)
    last, done, whole = told.steps[-1]
    assert (last, done) == ("SHA256SUMS", whole)


@pytest.mark.usefixtures("offline")
def test_a_filled_kit_is_left_alone_and_asks_nobody(filled, told):
    was = stamps(filled)
    fill(filled, "pi5", Told())
    assert stamps(filled) == was


def test_a_spoilt_kit_is_mended_and_nothing_else_is_fetched(filled, kit, monkeypatch):
    spoilt = next(kit.glob("wheels/segno-*"))
    spoilt.write_bytes(spoilt.read_bytes()[:5000])
    next(kit.glob("wheels/waitress-*")).unlink()
    (kit / "wheels" / "segno-1.0-py3-none-any.whl").write_bytes(b"an older one")
    (kit / "VERSION").write_text("0.0.9\npi5\n", "utf-8")
    was = stamps(kit)
    told = Told()
    fill(kit, "pi5", told)
    assert (faults(kit), release(kit)) == ([], release(filled))
    assert told.steps[-1][2] == 1 + 2 + 1
    changed = {path.name.split("-")[0] for path, at in stamps(kit).items() if was.get(path) != at}
    assert changed == {"segno", "waitress", "VERSION"}


@pytest.mark.usefixtures("offline")
def test_without_the_index_it_is_said_what_to_do_and_the_kit_is_not_whole(kit):
    next(kit.glob("wheels/segno-*")).unlink()
    with pytest.raises(BoardError, match="index cannot be reached: connect this computer to the"):
        fill(kit, "pi5", Told())
    assert faults(kit) != []


def test_a_filled_kit_travels_as_an_archive(filled, tmp_path):
    pack(filled, tmp_path / "kit.tar", 0)
    load(tmp_path / "kit.tar", tmp_path / "loaded")
    assert release(tmp_path / "loaded") == release(filled)


def test_a_board_that_there_is_not():
    with pytest.raises(BoardError, match="board 'pi3': expected one of pi5, pi4"):
        fill(None, "pi3", Told())
