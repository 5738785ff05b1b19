import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYSUSERS = ROOT / "systemd" / "sysusers.d" / "mafia.conf"
UNITS = [ROOT / "systemd" / f"mafia-{name}.service" for name in ("eyes", "seat", "table")]
"""Of the programs; all others are in HELPERS."""
HELPERS = sorted({*(ROOT / "systemd").glob("*.service")} - {*UNITS})
REPEATED = re.compile(r"^(?:SystemCallFilter|DeviceAllow)=.*\n", re.MULTILINE)
"""Lines that are there to stand more than once; test_hardening.py is about them."""


def parsed_repeating(path):
    """Return the values of each key of each section, in their order."""
    sections = {}
    for line in path.read_text().splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return sections


PROGRAMS = {"mafia-table": ("run",), "mafia-seat": ("run", "eyes")}


def parsed(path):
    unit = configparser.ConfigParser(strict=True, interpolation=None, comment_prefixes=("#",))
    unit.optionxform = str
    unit.read_string(REPEATED.sub("", path.read_text()))
    return unit


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_is_restarted_for_ever_but_not_with_a_wrong_card(path):
    unit = parsed(path)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    service = unit["Service"]
    assert service["Restart"] == "always"
    assert service["RestartPreventExitStatus"].split() == ["78", "2"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_program_says_itself_when_it_is_up(path):
    service = parsed(path)["Service"]
    assert service["Type"] == "notify"
    # By a unix socket, which also a process without any network has.
    assert "AF_UNIX" in service["RestrictAddressFamilies"].split()


@pytest.mark.parametrize("name", ["mafia-table", "mafia-seat"])
def test_a_program_with_a_loop_is_watched(name):
    # The eyes are watched by their seat, which hears from them every 5 s.
    service = parsed(ROOT / "systemd" / f"{name}.service")["Service"]
    assert 0 < int(service["WatchdogSec"]) <= 60


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_keeps_its_secrets(path):
    service = parsed(path)["Service"]
    assert service["User"] == path.stem
    assert service["LimitCORE"] == "0"
    # Seat and eyes meet at a unix socket, by their common group.
    assert service["UMask"] == ("0077" if path.stem == "mafia-table" else "0007")
    assert service["Group"] == "mafia"
    assert service["WorkingDirectory"] == f"/run/{service['RuntimeDirectory']}"


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_starts_a_command_of_the_kit(path):
    program, command = re.fullmatch(
        r"/opt/mafia/bin/(\S+) (\S+).*", parsed(path)["Service"]["ExecStart"]
    ).groups()
    assert command in PROGRAMS[program]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_a_unit_that_does_not_stop_is_ended_before_the_machine_waits_for_it(path):
    # The programs give their last words 4 s; systemd's own patience would be 90 s.
    assert 5 <= int(parsed(path)["Service"]["TimeoutStopSec"]) <= 20


def test_the_table_starts_after_its_broker_and_so_stops_before_it():
    unit = parsed(ROOT / "systemd" / "mafia-table.service")["Unit"]
    assert "mosquitto.service" in unit["After"].split()
    # Not Requires: a broker that starts again must not take the game with it.
    assert unit["Wants"] == "mosquitto.service"
    assert "Requires" not in unit


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="no systemd-sysusers here")
def test_each_program_gets_a_user_who_cannot_log_in(tmp_path):
    (tmp_path / "etc").mkdir()
    made = subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", str(SYSUSERS)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    users = [line.split(":") for line in (tmp_path / "etc/passwd").read_text().splitlines()]
    assert {(user[0], user[6]) for user in users} == {
        (name, "/usr/sbin/nologin") for name in [*(path.stem for path in UNITS), "mafia-hotspot"]
    }
    assert all(0 < int(user[2]) < 1000 for user in users)
    groups = {line.split(":")[0] for line in (tmp_path / "etc/group").read_text().splitlines()}
    assert {parsed(path)["Service"]["Group"] for path in UNITS} <= groups
    shadow = (tmp_path / "etc/shadow").read_text().splitlines()
    assert all(line.split(":")[1].startswith("!") for line in shadow)


@pytest.mark.parametrize("name", ["mafia-table", "mafia-seat"])
def test_pins_are_real_or_the_program_says_so(name):
    environment = parsed(ROOT / "systemd" / f"{name}.service")["Service"]["Environment"].split()
    assert environment == [f"LG_WD=/run/{name}", "GPIOZERO_PIN_FACTORY=lgpio"]


def test_the_process_that_sees_the_players_has_no_network():
    service = parsed(ROOT / "systemd" / "mafia-eyes.service")["Service"]
    assert service["PrivateNetwork"] == "yes"
    assert service["IPAddressDeny"] == "any"
    assert "AF_INET" not in service["RestrictAddressFamilies"].replace("AF_INET6", "AF_INET")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd here")
@pytest.mark.parametrize("path", [*UNITS, *HELPERS], ids=lambda path: path.stem)
def test_systemd_finds_nothing_wrong(path, tmp_path):
    # The programs are not installed where the tests run; everything else is as shipped.
    copy = tmp_path / path.name
    copy.write_text(
        re.sub(
            r"/(opt/mafia/bin/|boot/firmware/mafia/|usr/bin/nmcli)\S*",
            "/bin/true",
            path.read_text(),
        )
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", str(copy)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


FOR_EVER = {"Restart": "always", "RestartSec": "2", "LimitCORE": "0"}


def test_the_broker_whom_all_cards_pass_through_leaves_no_core_and_has_its_rule_before_it_starts():
    dropin = parsed(ROOT / "systemd" / "mosquitto.service.d" / "mafia.conf")
    assert dropin["Unit"] == {"StartLimitIntervalSec": "0"}
    assert dropin["Service"] == {
        **FOR_EVER,
        "ExecStartPre": "-+/usr/sbin/nft -f /etc/mosquitto/mafia.nft",
    }


def test_the_pages_are_served_for_ever_with_the_certificate_that_the_table_has_renewed():
    dropin = parsed(ROOT / "systemd" / "nginx.service.d" / "mafia.conf")
    assert dropin["Unit"] == {"After": "mafia-table.service", "StartLimitIntervalSec": "0"}
    assert dropin["Service"] == FOR_EVER


@pytest.mark.parametrize("path", [*UNITS, *HELPERS], ids=lambda path: path.stem)
def test_nothing_waits_for_a_network_or_for_the_time(path):
    # No cable, no router yet, or the table itself is the access point; and no internet to ask.
    assert not re.search(r"network-online\.target|time-sync\.target|wait-sync", path.read_text())


def test_the_kit_is_installed_until_it_worked_and_again_when_a_new_card_is_there():
    unit = parsed_repeating(ROOT / "systemd" / "mafia-firstboot.service")
    assert unit["Unit"]["ConditionPathExists"] == [
        "|!/opt/mafia/installed",
        "|/boot/firmware/mafia/card",
    ]
    assert unit["Unit"]["StartLimitIntervalSec"] == ["0"]
    service = unit["Service"]
    assert service["ExecStart"] == ["/bin/bash /boot/firmware/mafia/kit/install.sh"]
    assert (service["Restart"], service["RestartSec"]) == (["on-failure"], ["30"])
    assert service["RestartPreventExitStatus"] == ["78"]
    assert service["LimitCORE"] == ["0"]


def test_old_logs_are_kept_to_a_size_and_a_number():
    limits = parsed(ROOT / "systemd" / "journald.conf.d" / "mafia.conf")["Journal"]
    assert limits == {"SystemMaxUse": "64M", "SystemMaxFiles": "8", "RuntimeMaxUse": "32M"}


def test_only_root_reads_what_a_cards_boot_partition_holds():
    # A hash of a password, the key of the Wi-Fi, the card's own SSH key.
    dropin = parsed(ROOT / "systemd" / "boot-firmware.mount.d" / "mafia.conf")
    assert dropin["Mount"] == {"Options": "umask=0077"}
