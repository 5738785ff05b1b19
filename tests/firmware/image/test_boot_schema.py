"""A card's boot files, as Debian 13's own cloud-init and netplan take them (make test-pi)."""

import shutil
import subprocess

import pytest
import yaml

from firmware.image.cloud_init import HostKey, Machine, write_boot_files
from firmware.image.login import hashed
from firmware.image.netplan import Cable, Hotspot, Wifi

ON_A_PI_ONLY = ("rpi", "enable_ssh")
"""Keys of user-data that Raspberry Pi OS adds. Source: pi-gen, stage2/04-cloud-init."""
ODD = 'Кл"уб \\ #1: {x}'
NETWORKS = {
    "wifi": Wifi("Club", "the club's own"),
    "hidden": Wifi(ODD, "пароль", hidden=True),
    "key": Wifi("Club", "ab" * 32),
    "open": Wifi("Club", ""),
    "wpa3": Wifi("Club", 'a "quoted" \\ word', wpa3_only=True),
    "cable": Cable(),
    "hotspot": Hotspot("Mafia", "ten at a table", 11),
}

pytestmark = pytest.mark.skipif(
    not (shutil.which("cloud-init") and shutil.which("netplan")),
    reason="cloud-init and netplan are on a card: make test-pi",
)


def a_machine(network, **told):
    return Machine(
        **{
            "hostname": "mafia",
            "kind": "table",
            "network": network,
            "country": "DE",
            "time_zone": "Europe/Berlin",
            "language": "ru",
            "password_hash": hashed("the club's own", b"salt"),
            "ssh_keys": ("ssh-ed25519 AAAA admin",),
            "host_key": HostKey("-----BEGIN OPENSSH PRIVATE KEY-----\nAA\n", "ssh-ed25519 AAAA"),
            **told,
        }
    )


def refused(kind, file):
    """Return what cloud-init has against *file*."""
    done = subprocess.run(
        ["cloud-init", "schema", "-t", kind, "-c", str(file)], capture_output=True, text=True
    )
    return "" if done.returncode == 0 and "Valid schema" in done.stdout else done.stderr


def without_the_pis_own(file):
    told = yaml.safe_load(file.read_text("utf-8"))
    for key in ON_A_PI_ONLY:
        del told[key]
    file.write_text("#cloud-config\n" + yaml.safe_dump(told, allow_unicode=True), "utf-8")


def test_cloud_init_takes_what_the_user_is_told(tmp_path):
    file = tmp_path / "user-data"
    write_boot_files(tmp_path, a_machine(NETWORKS["wifi"], kind="seat"))
    assert "Additional properties are not allowed" in refused("cloud-config", file)
    without_the_pis_own(file)
    assert refused("cloud-config", file) == ""


@pytest.mark.parametrize(
    ("name", "kind"), [*((name, "table") for name in NETWORKS), ("hotspot", "seat")]
)
def test_netplan_and_networkmanager_take_every_choice_of_a_network(tmp_path, name, kind):
    network = NETWORKS[name]
    write_boot_files(tmp_path, a_machine(network, kind=kind))
    (tmp_path / "etc/netplan").mkdir(parents=True)
    shutil.copy(tmp_path / "network-config", tmp_path / "etc/netplan/90.yaml")
    (tmp_path / "etc/netplan/90.yaml").chmod(0o600)
    # Its last step, to tell systemd, has nobody to tell here.
    subprocess.run(["netplan", "generate", "--root-dir", tmp_path], capture_output=True)
    made = [*tmp_path.glob("run/NetworkManager/system-connections/*")]
    assert len(made) == (1 if network == Cable() else 2)
    for profile in made:
        text = profile.read_text("utf-8")
        taken = subprocess.run(
            ["nmcli", "--offline", "connection", "modify", "connection.id", "x"],
            input=text, capture_output=True, text=True,
        )  # fmt: skip
        assert taken.returncode == 0, taken.stderr
        if "type=wifi" in text:
            ssid = network.ssid.replace("\\", "\\\\")
            assert f"\nssid={ssid}\n" in text
            assert ("mode=ap" in text) is not ("\npowersave=2\n" in text)
            assert ("mode=ap" in text) is ((name, kind) == ("hotspot", "table"))


@pytest.mark.parametrize("name", ["hidden", "hotspot"])
def test_cloud_init_takes_the_networks(tmp_path, name):
    file = tmp_path / "network-config"
    write_boot_files(tmp_path, a_machine(NETWORKS[name]))
    assert refused("network-config", file) == ""
    file.write_text(file.read_text("utf-8").replace('"access-points"', '"access-point"'), "utf-8")
    assert "access-point" in refused("network-config", file)
