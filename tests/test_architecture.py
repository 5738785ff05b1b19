"""Who imports whom, who owns which library, and that importing does nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("firmware", "table_controller", "seat_node")
SOURCES = sorted(p.relative_to(ROOT) for name in PACKAGES for p in (ROOT / name).rglob("*.py"))
TESTS = sorted(p.relative_to(ROOT) for p in (ROOT / "tests").rglob("*.py"))

OWNERS = {
    "paho": ("firmware/broker.py",),
    "gpiozero": ("firmware/board.py",),
    "lgpio": ("firmware/board.py",),
    "time": ("firmware/clock.py",),
    "cryptography": ("firmware/certificates.py", "firmware/image/update_keys.py"),
    "picamera2": ("seat_node/picamera.py",),
    "mediapipe": ("seat_node/hands.py", "seat_node/faces.py", "seat_node/bodies.py"),
    "luma": ("seat_node/display.py",),
    "sqlalchemy": ("table_controller/league/",),
    "psycopg": ("table_controller/league/postgres.py",),
    "fatfs": ("firmware/image/fat.py",),
    "pygal": ("table_controller/scoreboard/pages/ratings/plot.py",),
    "random": ("table_controller/random_players.py", "table_controller/rehearsal/"),
}
LINES_MAX = 400
ONE_FILE = {"firmware/wire.py", "table_controller/game/events.py"}
"""May be longer: every message and topic, every event is in one file."""


def imports(path: Path) -> set[str]:
    """Return the full names that the file imports, nested imports included."""
    names = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def allowed(path: Path, name: str) -> bool:
    """Return whether the layer of the file may import *name*."""
    top = name.split(".")[0]
    if path.parts[:2] == ("table_controller", "game"):
        own = name.startswith("table_controller.game.")
        return own or top == "msgspec" or top in sys.stdlib_module_names
    if path.parts[0] == "firmware":
        return top not in ("table_controller", "seat_node")
    return top not in {"table_controller", "seat_node"} - {path.parts[0]}


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_a_layer_imports_only_what_lies_below_it(path):
    assert {name for name in imports(path) if not allowed(path, name)} == set()


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_a_library_is_imported_by_its_owner_only(path):
    libraries = {name.split(".")[0] for name in imports(path)} & OWNERS.keys()
    assert {lib for lib in libraries if not str(path).startswith(OWNERS[lib])} == set()


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_a_file_fits_in_the_head(path):
    if str(path) not in ONE_FILE:
        assert len((ROOT / path).read_text("utf-8").splitlines()) <= LINES_MAX


@pytest.mark.parametrize("path", TESTS, ids=str)
def test_no_test_sleeps(path):
    calls = [
        n for n in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))) if isinstance(n, ast.Call)
    ]
    sleeps = [n.lineno for n in calls if ast.unparse(n.func).split(".")[-1] == "sleep"]
    assert sleeps == []


IMPORT_ALL = """
import importlib, os, sys, threading
for name in sys.argv[1:]:
    importlib.import_module(name)
    assert threading.active_count() == 1, f"{name} starts a thread"
    assert not os.listdir(), f"{name} makes a file"
assert not {"mediapipe", "picamera2", "cv2"} & sys.modules.keys(), "a heavy library at import"
"""


def test_importing_every_module_does_nothing(tmp_path):
    modules = [".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in SOURCES]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", IMPORT_ALL, *modules],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert done.stderr == ""
