"""What pip installs on a card, against the package index: wheels, pinned, all of it, no more."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from firmware.image.pins import APT, BOARDS, EYES, PLACE, read_pins

ROOT = Path(__file__).parents[3]
EYES_NEED = [
    line for line in (PLACE / EYES).read_text("utf-8").splitlines() if not line.startswith("#")
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ON_A_CARD = ("table", "club", "seat")
"""Extras of the project; what the eyes need stands in eyes.txt."""
BY_APT = {"numpy", "lgpio", "picamera2", "libcamera"}
"""With lgpio pip would take an empty package of that name: the index has no wheel of it."""
NO_INDEX = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "Temporary failure")
INDEX_S = 300.0

on_both = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def environment(board):
    """Return what the markers of requirements see on *board*."""
    return {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": "aarch64",
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{board.python}.0",
        "python_version": board.python,
        "sys_platform": "linux",
        "extra": "",
    }


def asked_of(requirements, board, extras=()):
    """Return those of *requirements* that hold on *board* with *extras*."""
    found = []
    for text in requirements:
        asked = Requirement(text)
        seen = [{**environment(board), "extra": extra} for extra in ("", *extras)]
        if asked.marker is None or any(asked.marker.evaluate(each) for each in seen):
            found.append(asked)
    return found


def closure(board, offered):
    """Return what a card of *board* needs, by name; *offered* are requirements by name.

    pip's own resolver would look at this machine's Python where a marker asks for it.
    """
    optional = PROJECT["optional-dependencies"]
    texts = [*PROJECT["dependencies"], *(text for extra in ON_A_CARD for text in optional[extra])]
    todo = asked_of(texts, board)
    # The eyes' packages are installed without what they ask for.
    needed = {canonicalize_name(asked.name): [asked] for asked in asked_of(EYES_NEED, board)}
    whole = set()
    while todo:
        asked = todo.pop()
        name = canonicalize_name(asked.name)
        needed.setdefault(name, []).append(asked)
        if (name, frozenset(asked.extras)) not in whole:
            whole.add((name, frozenset(asked.extras)))
            todo += asked_of(offered.get(name, ()), board, asked.extras)
    return needed


@on_both
def test_what_apt_brings_is_kept_to_and_never_left_to_pip(board):
    assert not BY_APT & read_pins(board).keys()
    lines = board.constraints.read_text("utf-8").splitlines()
    pinned = [line for line in lines if not line.startswith("#")]
    assert [line.partition("==")[0] for line in pinned if APT in line] == ["numpy"]
    assert all(line.count("==") == 1 for line in pinned)


@pytest.mark.parametrize("kind", ["table", "seat"])
def test_apts_list_is_a_package_a_line_and_has_what_pip_must_not_bring(kind):
    lines = (PLACE / f"apt-{kind}.txt").read_text("utf-8").splitlines()
    packages = [line for line in lines if not line.startswith("#")]
    # Source: Debian Policy 5.6.1.
    assert all(re.fullmatch("[a-z0-9][a-z0-9+.-]+", name) for name in packages)
    assert len(packages) == len(set(packages))
    wanted = {"python3-venv", "python3-lgpio"}
    if kind == "seat":
        wanted |= {"python3-numpy", "python3-picamera2", "libgles2", "libegl1"}
    assert wanted <= set(packages)


@pytest.mark.proof
@on_both
def test_a_card_gets_pinned_wheels_and_no_pin_is_left_over(board, tmp_path):
    pins = read_pins(board)
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--retries=3"]
    command += ["--ignore-installed", "--no-deps", "--no-input", "--report", str(report)]
    command += ["--target", str(tmp_path / "nothing"), *board.pip_options()]
    done = subprocess.run(
        [*command, *(f"{name}=={pin}" for name, pin in pins.items())],
        capture_output=True, text=True, timeout=INDEX_S, check=False,
    )  # fmt: skip
    if done.returncode and any(sign in done.stderr for sign in NO_INDEX):
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    found = json.loads(report.read_text("utf-8"))["install"]
    files = [each["download_info"]["url"].rpartition("/")[2] for each in found]
    assert {name: str(version) for name, version, _, _ in map(parse_wheel_filename, files)} == pins

    offered = {
        canonicalize_name(each["metadata"]["name"]): each["metadata"].get("requires_dist", ())
        for each in found
    }
    needed = closure(board, offered)
    assert needed.keys() == pins.keys()
    wrong = [
        f"{asked} but {pins[name]}"
        for name, all_asked in needed.items()
        for asked in all_asked
        if not asked.specifier.contains(pins[name], prereleases=True)
    ]
    assert wrong == []
