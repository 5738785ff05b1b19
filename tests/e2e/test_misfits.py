"""Real programs of two versions of the kit at one table."""

import contextlib
import importlib.metadata
import urllib.request

import pytest

KIT = importlib.metadata.version("mafia-table-kit")
OTHER = "99.0.0"


@contextlib.contextmanager
def other_kit(folder):
    """Programs that are started meanwhile find themselves installed as another version."""
    installed = folder / f"mafia_table_kit-{OTHER}.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: mafia-table-kit\nVersion: {OTHER}\n"
    )
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("PYTHONPATH", str(folder))
        # What lies beside the checkout would be found first.
        changed.chdir(folder)
        yield


def devices_page(director):
    with urllib.request.urlopen(f"{director.house.address}devices", timeout=10) as answer:
        return answer.read().decode()


def offline(director):
    return [seat["seat"] for seat in director.state()["seats"] if not seat["online"]]


@pytest.mark.proof
def test_a_device_with_another_kit_says_so_and_does_not_play_until_it_has_the_tables(
    new_house, director_class, tmp_path
):
    director = director_class(new_house(step=True, seed=1))
    director.begin()
    director.speech_of(1)
    program, panel = director.house.seats[3], director.panels[3]
    program.kill()
    director.until(lambda: not panel.linked, "the end of the program")
    with other_kit(tmp_path):
        program.start()
    director.until(lambda: panel.scene == "misfit", "its own screen")
    assert panel.shown.title == "Update"
    assert panel.shown.lines == (f"kit {OTHER}", f"table {KIT}")
    assert offline(director) == [3]
    wanted = f"kit {OTHER}, the table has {KIT}; update it: mafia-table update"
    director.until(lambda: wanted in devices_page(director), "the page of devices")
    assert director.house.table.log.read_text().count("node-03 has kit 99.0.0") == 1

    program.kill()
    director.until(lambda: not panel.linked, "the end of the program")
    program.start()
    director.until(lambda: panel.scene in ("day", "muted"), "its part in the game")
    assert offline(director) == []
    assert "mafia-table update" not in devices_page(director)
