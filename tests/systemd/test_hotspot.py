"""The table's own network, brought up by its unit's own words in a real NetworkManager.

It runs where a card's system does (make test-pi): NetworkManager, polkit and dnsmasq on a
bus of their own, in a network of their own. There is no radio: a bridge stands for it, and
all else of the profile is what netplan makes of the card.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml

from firmware.image.cloud_init import Machine, write_boot_files
from firmware.image.netplan import HOTSPOT, Hotspot

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "mafia-hotspot.service"
POLKITD = Path("/usr/lib/polkit-1/polkitd")
NEEDED = ("NetworkManager", "nmcli", "netplan", "dnsmasq", "dbus-daemon", "pkcheck", "ip")
USERS = ("mafia-hotspot", "mafia-table", "mafia-seat", "mafia-eyes", "nobody")
ACTIONS = (
    "network-control", "wifi.share.protected", "wifi.share.open", "enable-disable-network",
    "enable-disable-wifi", "settings.modify.system", "settings.modify.own",
    "settings.modify.hostname", "reload", "sleep-wake", "checkpoint-rollback",
)  # fmt: skip
MACHINE = Machine(
    hostname="mafia",
    kind="table",
    network=Hotspot("Клуб", "ten at a table"),
    country="DE",
    time_zone="Europe/Berlin",
    language="en",
    password_hash=None,
    ssh_keys=("ssh-ed25519 AAAA",),
)

STAGE = """
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/NetworkManager/system-connections
mount -t tmpfs tmpfs /var/lib/NetworkManager
mount --bind {folder}/passwd /etc/passwd
mount --bind {folder}/rules /etc/polkit-1/rules.d
mount --bind {folder}/etc/NetworkManager /etc/NetworkManager
install -m 600 {folder}/profile /run/NetworkManager/system-connections/hotspot.nmconnection
ip link set lo up
dbus-daemon --system --fork --nopidfile
{polkitd} --no-debug >/dev/null 2>&1 &
NetworkManager --no-daemon >/dev/null 2>&1 &
until nmcli general status >/dev/null 2>&1; do :; done
{python} {stage} {folder}/unit.json
"""


def words(key):
    (line,) = re.findall(rf"^{key}=(.*)$", UNIT.read_text(), re.MULTILINE)
    return shlex.split(line.replace("$$", "$"))


def furnish(folder):
    """Put the card's network, the kit's rules and the users into *folder*."""
    (folder / "rules").mkdir()
    for rules in (ROOT / "systemd").glob("*.rules"):
        shutil.copy(rules, folder / "rules")
    ours = [user for user in USERS if user.startswith("mafia-")]
    lines = [f"{user}:x:{61000 + n}:{61000 + n}::/:/bin/false" for n, user in enumerate(ours)]
    (folder / "passwd").write_text("\n".join([Path("/etc/passwd").read_text(), *lines, ""]))
    (folder / "unit.json").write_text(
        json.dumps(
            {
                "users": USERS,
                "actions": [f"org.freedesktop.NetworkManager.{action}" for action in ACTIONS],
                "condition": words("ExecCondition"),
                "up": words("ExecStartPre"),
                "look": words("ExecStart"),
            }
        )
    )
    write_boot_files(folder, MACHINE)
    for file in yaml.safe_load((folder / "user-data").read_text("utf-8"))["write_files"]:
        path = folder / file["path"].lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file["content"])
    conf = folder / "etc/NetworkManager/conf.d/90-mafia.conf"
    conf.parent.mkdir()
    shutil.copy(ROOT / "firmware/image/network/powersave.conf", conf)
    profile = of_netplan(folder)
    (folder / "netplan profile").write_text(profile)
    bridge = re.sub(r"\[wifi(-security)?\]\n(.+\n)*", "", profile)
    bridge = bridge.replace("type=wifi", "type=bridge").replace(
        "\n\n", "\n[bridge]\nstp=false\n", 1
    )
    (folder / "profile").write_text(bridge)


def of_netplan(folder):
    """Return the profile that netplan makes for NetworkManager."""
    made = folder / "made"
    (made / "etc/netplan").mkdir(parents=True)
    shutil.copy(folder / "network-config", made / "etc/netplan/90.yaml")
    (made / "etc/netplan/90.yaml").chmod(0o600)
    # Its last step, to tell systemd, has nobody to tell here.
    subprocess.run(["netplan", "generate", "--root-dir", made], capture_output=True)
    (profile,) = made.glob("run/NetworkManager/system-connections/netplan-wlan0-*")
    return profile.read_text("utf-8")


@pytest.fixture(scope="module")
def asked():
    """All answers, and the profile as netplan made it."""
    if not (POLKITD.exists() and all(map(shutil.which, NEEDED))):
        pytest.skip("NetworkManager, netplan, dnsmasq and polkit are on a card: make test-pi")
    space = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() or subprocess.run([*space, "true"], capture_output=True).returncode:
        pytest.skip("only root may have a network of its own")
    # Not in pytest's folder, which polkitd's user may not enter.
    with tempfile.TemporaryDirectory(prefix="mafia-hotspot-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        furnish(folder)
        stage = STAGE.format(
            folder=folder,
            polkitd=POLKITD,
            python=sys.executable,
            stage=Path(__file__).with_name("hotspot_stage.py"),
        )
        done = subprocess.run(
            [*space, "sh", "-euc", stage], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) | {"profile": (folder / "netplan profile").read_text()}


def test_the_units_user_brings_exactly_the_tables_network_up(asked):
    assert asked["there"] == [0, HOTSPOT]
    assert asked["brought up"] == 0
    assert asked["address"] == "10.42.0.1"


def test_no_other_program_of_the_kit_may_bring_it_up_or_down(asked):
    code, said = asked["another brings it up"]
    assert code != 0
    assert "Not authorized to control networking" in said
    # nmcli's code is 0 here.
    assert "Not authorized to deactivate connections" in asked["another takes it down"][1]


def test_its_user_may_not_make_or_change_a_network(asked):
    for tried in ("changes it", "makes one"):
        code, said = asked[tried]
        assert code != 0
        assert "Insufficient privileges" in said


def test_one_user_has_two_rights_and_no_other_has_any(asked):
    rights = {
        user: [action.removeprefix("org.freedesktop.NetworkManager.") for action in may]
        for user, may in asked["rights"].items()
    }
    assert rights.pop("mafia-hotspot") == ["network-control", "wifi.share.protected"]
    assert rights == {user: [] for user in USERS if user != "mafia-hotspot"}


def test_the_unit_looks_after_it_and_ends_when_it_is_lost_to_be_started_again(asked):
    assert asked["looked at before"][0] == 0
    assert asked["looked at"] == "goes on"
    assert asked["lost"] == 0
    assert asked["looked at when lost"][0] == 0
    assert re.search(r"^Restart=always$", UNIT.read_text(), re.MULTILINE)


def test_a_phone_without_avahi_finds_the_table_by_both_its_names(asked):
    assert asked["names"] == {
        "mafia": "10.42.0.1",
        "mafia.local": "10.42.0.1",
        "club.example": None,
    }


def test_radios_do_not_sleep(asked):
    assert "wifi.powersave=2" in asked["settings"]


def test_netplan_makes_an_access_point_of_the_card(asked):
    profile = asked["profile"]
    for line in ("mode=ap", "ssid=Клуб", "band=bg", "channel=6", "method=shared",
                 "key-mgmt=wpa-psk", "proto=rsn", "autoconnect=false"):  # fmt: skip
        assert f"\n{line}\n" in profile
    assert "ten at a table" not in profile
