"""A node finds its table with nothing but its card: no internet, no clock, no name yet."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.mosquitto import find_mosquitto

ROOT = Path(__file__).parents[2]
EVENING = Path(__file__).with_name("first_evening.py")
NAMED = "127.0.0.1 localhost mafia.local\n"
UNNAMED = "127.0.0.1 localhost\n"

# Its own /etc/hosts stands for what avahi knows; there is nobody else to ask.
STAGE = """
mount --bind "$0/hosts" /etc/hosts
mount --bind "$0/resolv.conf" /etc/resolv.conf
exec "$@"
"""

pytestmark = [
    pytest.mark.skipif(find_mosquitto() is None, reason="no mosquitto here"),
    pytest.mark.skipif(not shutil.which("faketime"), reason="no faketime here"),
]


@pytest.fixture
def begin(tmp_path):
    """Starts an evening at a time, with what /etc/hosts says."""
    space = ["unshare", "--mount"]
    if os.geteuid():
        space += ["--user", "--map-root-user"]
    if subprocess.run([*space, "true"], capture_output=True).returncode:
        pytest.skip("mounts of its own are not allowed here")
    begun = []

    def start(at, hosts):
        # Durations stay real; of a later time faketime's own sleep would then be an error.
        real = str(int(at < "2000"))
        (tmp_path / "hosts").write_text(hosts)
        (tmp_path / "resolv.conf").write_text(
            "nameserver 127.0.0.1\noptions attempts:1 timeout:1\n"
        )
        command = ["faketime", at, sys.executable, str(EVENING), str(tmp_path)]
        begun.append(
            subprocess.Popen(
                [*space, "sh", "-euc", STAGE, str(tmp_path), *command],
                stdout=subprocess.PIPE, text=True, cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT), "FAKETIME_DONT_FAKE_MONOTONIC": real},
            )
        )  # fmt: skip
        return begun[-1]

    yield start
    for evening in begun:
        evening.kill()
        evening.communicate()


@pytest.mark.parametrize("at", ["1970-01-02 00:00:00", "2090-06-01 00:00:00"])
def test_a_node_trusts_its_table_whatever_the_clock_says(begin, at):
    said, _ = begin(at, NAMED).communicate(timeout=60)
    assert said.splitlines() == [f"clock {at[:4]}", "linked True"]


@pytest.mark.proof
def test_a_node_waits_for_a_name_that_nobody_answers_to_yet(begin, tmp_path):
    evening = begin("1970-01-02 00:00:00", UNNAMED)
    assert evening.stdout.readline() == "clock 1970\n"
    refused = evening.stdout.readline()
    assert refused.startswith("unlinked mafia.local:")
    # The table's Pi is up now.
    (tmp_path / "hosts").write_text(NAMED)
    assert evening.stdout.readline() == "linked True\n"
    assert evening.wait(10) == 0
