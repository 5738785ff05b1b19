"""The self-test's lines on the machine under the seat: disk, clock, power, fonts."""

import datetime
import os
import subprocess
import sys

import pytest

import firmware
from firmware.finding import Outcome
from firmware.machine import built_at, clock, disk
from seat_node.checks import machine
from seat_node.vitals import TEMPERATURE, THROTTLED

NOW = datetime.datetime(2026, 11, 30, 19, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
UNSHARE = ("unshare", "--map-root-user", "--mount")


def on_own_disk(options, before):
    """Return what is found of a real tmpfs that is mounted with *options* for us alone."""
    if subprocess.run((*UNSHARE, "true"), check=False, capture_output=True).returncode:
        pytest.skip("unshare may not mount here")
    look = (
        "from pathlib import Path; from firmware.machine import disk;"
        "found = disk(str, Path('/mnt')); print(found.outcome.name, found.found, found.remedy)"
    )
    script = f'mount -t tmpfs -o {options} tmpfs /mnt && {before} && exec {sys.executable} -c "$0"'
    done = subprocess.run(
        (*UNSHARE, "sh", "-ec", script, look),
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    return done.stdout


# ---- the disk ----


def test_a_disk_that_takes_writes_says_how_much_room_there_is(tmp_path):
    found = disk(str, tmp_path, enough_mb=0)
    assert found.outcome is Outcome.FINE
    assert "MB free, can be written" in found.found
    assert list(tmp_path.iterdir()) == []


def test_a_disk_with_little_room_is_noted(tmp_path):
    found = disk(str, tmp_path, enough_mb=10**9)
    assert (found.outcome, "1000000000 MB" in found.remedy) == (Outcome.NOTE, True)


def test_a_full_disk_is_a_fault():
    told = on_own_disk("size=64k", "(head -c 1m /dev/zero >/mnt/filler || true) 2>/dev/null")
    assert told.startswith("FAULT /mnt cannot be written: No space left on device The card is full")


def test_a_disk_that_turned_read_only_is_a_fault():
    told = on_own_disk("size=1m", "mount -o remount,ro /mnt")
    assert told.startswith("FAULT /mnt cannot be written: Read-only file system Start the Pi again")


def test_a_disk_that_is_not_there_is_a_fault(tmp_path):
    found = disk(str, tmp_path / "gone")
    assert (found.outcome, found.remedy) == (Outcome.FAULT, "Check with sudo.")
    assert "No such file or directory" in found.found


# ---- the clock ----


def look(tmp_path, *, synchronised=True, **options):
    mark = tmp_path / "synchronized"
    if synchronised:
        mark.touch()
    options = {"built": NOW - DAY, "tls": True} | options
    return clock(str, NOW, synchronised=mark, **options)


def test_a_clock_that_the_network_set_is_fine(tmp_path):
    found = look(tmp_path)
    assert (found.outcome, found.remedy) == (Outcome.FINE, "")
    assert found.found == "2026-11-30 19:00 UTC, set by the network"


def test_a_clock_that_nobody_set_is_noted(tmp_path):
    found = look(tmp_path, synchronised=False)
    assert (found.outcome, "sudo date -s" in found.remedy) == (Outcome.NOTE, True)


@pytest.mark.parametrize(("tls", "outcome"), [(True, Outcome.FAULT), (False, Outcome.NOTE)])
def test_a_clock_before_the_kit_was_made_fails_where_certificates_need_it(tmp_path, tls, outcome):
    found = look(tmp_path, built=NOW + 2 * DAY, tls=tls)
    assert found.outcome is outcome
    assert "before this kit was made (2026-12-02)" in found.found


def test_a_kit_packed_in_another_time_zone_is_no_fault(tmp_path):
    assert look(tmp_path, built=NOW + DAY / 2).outcome is Outcome.FINE


def test_the_kit_was_made_when_it_was_put_here(tmp_path):
    (tmp_path / "__init__.py").touch()
    os.utime(tmp_path / "__init__.py", (NOW.timestamp(), NOW.timestamp()))
    assert built_at(tmp_path) == NOW
    assert built_at(type(tmp_path)(firmware.__file__).parent).year >= 2026


# ---- power ----


def kernel(tmp_path, temperature, throttled):
    for name, value in ((TEMPERATURE, temperature), (THROTTLED, throttled)):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(value)
    return tmp_path


@pytest.mark.parametrize(
    ("temperature", "throttled", "outcome", "word"),
    [
        ("51000\n", "0\n", Outcome.FINE, ""),
        # The upper bits tell of the past.
        ("51000\n", "50000\n", Outcome.FINE, ""),
        ("51000\n", "50005\n", Outcome.NOTE, "supply"),
        ("81000\n", "8\n", Outcome.NOTE, "cooler"),
        ("81000\n", "0\n", Outcome.NOTE, "cooler"),
    ],
)
def test_heat_and_a_weak_supply_are_noted(tmp_path, temperature, throttled, outcome, word):
    found = machine.power(str, kernel(tmp_path, temperature, throttled))
    assert found.outcome is outcome
    assert word in found.remedy
    assert found.found.startswith(f"{temperature[:2]} °C")


def test_a_machine_that_does_not_tell_its_heat_is_fine(tmp_path):
    assert machine.power(str, tmp_path).outcome is Outcome.FINE


# ---- fonts ----


def test_the_fonts_of_this_machine_are_found():
    assert machine.fonts(str).outcome is Outcome.FINE


def test_missing_fonts_name_their_package(tmp_path):
    found = machine.fonts(str, tmp_path)
    assert (found.outcome, "fonts-dejavu-core" in found.remedy) == (Outcome.FAULT, True)
