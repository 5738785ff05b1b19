"""The kit as a newcomer meets it: a copy of the tree, make, and nothing installed yet."""

import os
import shutil
import signal
import subprocess
import urllib.request
from pathlib import Path

import pytest

from firmware.clock import SystemClock

ROOT = Path(__file__).parents[1]
CLOCK = SystemClock()
FIRST_S = 120
LATER_S = 5
BY_HAND = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
"""Nobody's make has started this one, which would say where it goes in and out."""

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Return a fresh copy of the source tree, without what is not the project's."""
    tree = tmp_path_factory.mktemp("kit")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    return tree


@pytest.fixture(scope="module")
def set_up(tree):
    """Return how many seconds the first start took before the demo began."""
    start_s = CLOCK.now_s()
    subprocess.run(["firmware/image/setup.sh", "demo"], cwd=tree, check=True, timeout=600)
    return CLOCK.now_s() - start_s


def test_the_first_start_is_ready_soon(set_up):
    assert set_up < FIRST_S


@pytest.mark.usefixtures("set_up")
def test_a_later_start_installs_nothing_and_is_soon_at_a_running_scoreboard(tree):
    start_s = CLOCK.now_s()
    make = subprocess.Popen(
        ["make", "demo", "ARGS=--seed 7"],
        cwd=tree, env=BY_HAND, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        line = make.stdout.readline()
        assert line.startswith("Scoreboard: http://")
        with urllib.request.urlopen(line.split()[1], timeout=LATER_S) as page:
            assert page.status == 200
        took_s = CLOCK.now_s() - start_s
    finally:
        os.killpg(make.pid, signal.SIGINT)
        make.communicate(timeout=30)
    assert took_s < LATER_S
    with pytest.raises(ProcessLookupError):
        os.killpg(make.pid, 0)


@pytest.mark.usefixtures("set_up")
def test_a_newcomer_sees_a_whole_game(tree):
    done = subprocess.run(
        ["make", "demo", "ARGS=--speed 60 --seed 7 --quit"],
        cwd=tree, env=BY_HAND, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Scoreboard: http://")
    assert lines[1].startswith("Host: http://")
    assert lines[2] in ("The town wins", "The mafia wins", "A draw")
    assert sum(line.split()[2] == "don" for line in lines[3:]) == 1
