"""Each unit has the least rights that its program plays with: the sum, and the program itself."""

import ctypes.util
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.mosquitto import find_mosquitto
from firmware.wire import Button
from table_controller.rehearsal.house import House, Settings

ROOT = Path(__file__).parents[2]
UNITS = [ROOT / "systemd" / f"mafia-{name}.service" for name in ("eyes", "seat", "table")]
CAGE = Path(__file__).parent / "cage.py"
EXPOSURE_MAX = 2.5
INSTALLER_MAX = 7.3
"""Of what installs packages, as root. systemd's own word is MEDIUM; with no limits it is 9.6."""
NOT_HERE = 77
"""The cage's exit code where the kernel lacks something."""
START_S, PLAY_S = 30.0, 15.0

needs_analyze = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="no systemd-analyze here: apt install systemd"
)


# A program of the kit is never root; root's tests are nobody in particular to it, too.
NOT_ROOT = ("unshare", "--user", "--map-user=1234", "--map-group=1234") if not os.geteuid() else ()


def caged(unit, command):
    limits = ROOT / "systemd" / f"{unit}.service"
    return [*NOT_ROOT, sys.executable, str(CAGE), str(limits), *command]


@pytest.fixture(scope="module")
def cage():
    """Gives ``caged(unit, command)`` where this kernel has all that the units ask for."""
    if not ctypes.util.find_library("seccomp"):
        pytest.skip("no libseccomp here")
    for tried in ([*NOT_ROOT, "true"], caged("mafia-table", ["true"])):
        done = subprocess.run(tried, capture_output=True, text=True)
        if done.returncode == NOT_HERE or (done.returncode and str(CAGE) not in tried):
            pytest.skip(f"this kernel does not give it: {done.stderr.strip()}")
        assert done.returncode == 0, done.stderr
    return caged


@needs_analyze
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_is_exposed_little(path):
    assert exposure(path) <= EXPOSURE_MAX


@needs_analyze
def test_what_installs_is_exposed_no_more_than_it_must_be():
    assert exposure(ROOT / "systemd" / "mafia-firstboot.service") <= INSTALLER_MAX


def exposure(path):
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    found = re.search(r"exposure level for \S+: ([\d.]+)", told.stdout)
    assert found, told.stderr
    return float(found[1])


@needs_analyze
@pytest.mark.parametrize(
    ("unit", "what"),
    [
        ("mafia-table", "os.nice(1)"),
        ("mafia-seat", "os.chroot('/')"),
        ("mafia-seat", "__import__('mmap').mmap(-1, 4096, prot=7)"),
        ("mafia-seat", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
        ("mafia-eyes", "socket.socket(socket.AF_INET)"),
    ],
)
def test_what_a_program_has_no_need_of_is_refused(cage, unit, what):
    tried = subprocess.run(
        cage(unit, [sys.executable, "-c", f"import os, socket; {what}"]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "PermissionError" in tried.stderr


class CagedHouse(House):
    """A house whose programs have no more of the kernel than on a card."""

    def table_program(self, name, *arguments):
        return self._close(super().table_program(name, *arguments), "mafia-table")

    def seat_program(self, name, seat):
        return self._close(super().seat_program(name, seat), "mafia-seat")

    def _close(self, child, unit):
        child._command = caged(unit, child._command)
        return child


@needs_analyze
@pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto")
def test_a_table_and_its_seats_play_with_what_their_units_leave_them(cage):
    with CagedHouse(Settings(step=True, seed=1)) as house:
        house.wait_ready(START_S)
        for pid in (house.table.pid, house.seats[1].pid):
            assert "Seccomp:\t2" in Path(f"/proc/{pid}/status").read_text()
        panels = house.stage.panels.values()
        for panel in panels:
            panel.push(Button.VOTE)
        house.stage.until(
            lambda: all(panel.scene == "seating" for panel in panels), PLAY_S, "the seating"
        )
        # Their journal is written, so the disk's calls are among those that are left.
        assert list((house.folder / "data" / "journal").glob("*.db"))
        logs = [child.log.read_text() for child in (house.table, *house.seats.values())]
    assert [log for log in logs if "not permitted" in log or "Permission" in log] == []


@needs_analyze
@pytest.mark.vision
def test_the_eyes_see_with_what_their_unit_leaves_them(cage, tmp_path):
    pytest.importorskip("mediapipe")
    image = pytest.importorskip("PIL.Image")
    for number in range(3):
        image.new("RGB", (640, 480), (90 + number, 90, 90)).save(tmp_path / f"{number}.png")
    command = [sys.executable, "-m", "seat_node", "eyes", "--source", str(tmp_path), "--once"]
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(address)
        seen = subprocess.run(
            cage("mafia-eyes", command),
            capture_output=True,
            text=True,
            timeout=120,
            env=os.environ | {"NOTIFY_SOCKET": address},
        )
        assert systemd.recv(100, socket.MSG_DONTWAIT) == b"READY=1"
    assert seen.returncode == 0, seen.stderr
    assert "unknown" in seen.stdout
