"""What a card's operating system is told, parsed back as its own readers would."""

import ctypes
import ctypes.util
import hashlib
import json
import re
import subprocess
import sys

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware.errors import CardError
from firmware.image.cloud_init import INCLUDE, SETTINGS, HostKey, Machine, write_boot_files
from firmware.image.first_run import ARGUMENTS
from firmware.image.login import hashed
from firmware.image.netplan import Cable, Hotspot, Wifi, netplan, pre_shared_key

HOTSPOT = Hotspot("Mafia", "ten at a table")
KEY = HostKey("-----BEGIN OPENSSH PRIVATE KEY-----\nAA\n", "ssh-ed25519 AAAA mafia")


def a_machine(**told):
    return Machine(
        **{
            "hostname": "mafia",
            "kind": "table",
            "network": Wifi("Club", "the club's own"),
            "country": "DE",
            "time_zone": "Europe/Berlin",
            "language": "en",
            "password_hash": "$7$DU..../....salt$hash",
            "ssh_keys": ("ssh-ed25519 AAAA admin",),
            "host_key": KEY,
            **told,
        }
    )


def read(folder, name):
    return yaml.safe_load((folder / name).read_text("utf-8"))


def told(folder, **machine):
    write_boot_files(folder, a_machine(**machine))
    return read(folder, "user-data")


# ---- user-data ----


def test_the_user_may_log_in_by_what_the_club_gave_and_is_no_other(tmp_path):
    (user,) = told(tmp_path)["users"]
    assert (user["name"], user["passwd"], user["lock_passwd"]) == (
        "club", "$7$DU..../....salt$hash", False,
    )  # fmt: skip
    assert user["ssh_authorized_keys"] == ["ssh-ed25519 AAAA admin"]
    assert {"sudo", "gpio", "i2c", "video"} <= set(user["groups"])
    text = (tmp_path / "user-data").read_text()
    assert text.startswith("#cloud-config\n")


def test_without_a_password_only_a_key_opens_the_pi(tmp_path):
    data = told(tmp_path, password_hash=None)
    (user,) = data["users"]
    assert user["lock_passwd"] is True
    assert "passwd" not in user
    assert data["ssh_pwauth"] is False
    assert told(tmp_path)["ssh_pwauth"] is True


def test_the_system_says_its_name_time_and_language(tmp_path):
    data = told(tmp_path, hostname="mafia-node-01", language="ru", time_zone="Asia/Yekaterinburg")
    assert data["hostname"] == "mafia-node-01"
    assert data["timezone"] == "Asia/Yekaterinburg"
    assert data["locale"] == "ru_RU.UTF-8"
    assert data["keyboard"]["layout"] == "us,ru"


def test_a_seat_with_a_screen_has_a_fast_bus_and_a_table_has_none(tmp_path):
    data = told(tmp_path, kind="seat")
    assert data["rpi"] == {"interfaces": {"i2c": True}}
    assert (tmp_path / SETTINGS).read_text() == "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"
    assert any(INCLUDE in command[-1] for command in data["runcmd"])
    for other in ({"kind": "table"}, {"kind": "seat", "screen": False}):
        data = told(tmp_path, **other)
        assert "rpi" not in data
        assert not any(INCLUDE in command[-1] for command in data["runcmd"])
        assert not (tmp_path / SETTINGS).exists()


def test_the_first_start_waits_for_nothing_and_installs_no_package_itself(tmp_path):
    data = told(tmp_path)
    assert not {"packages", "package_update", "package_upgrade", "apt"} & data.keys()
    starts = [command for command in data["runcmd"] if command[0] == "systemctl"]
    assert starts[-1] == ["systemctl", "--no-block", "start", "mafia-firstboot.service"]
    assert ["systemctl", "enable", "mafia-firstboot.service"] in starts


def test_the_cards_own_ssh_key_is_put_over_the_one_that_the_system_makes(tmp_path):
    files = {file["path"]: file for file in told(tmp_path)["write_files"]}
    key = files["/etc/ssh/ssh_host_ed25519_key"]
    assert (key["content"], key["permissions"], key["defer"]) == (KEY.private, "0600", True)
    assert files["/etc/ssh/ssh_host_ed25519_key.pub"]["content"] == f"{KEY.public}\n"
    assert "PRIVATE" not in repr(a_machine())


def test_a_phone_in_the_tables_own_network_finds_it_without_avahi(tmp_path):
    def names(**machine):
        files = {file["path"]: file["content"] for file in told(tmp_path, **machine)["write_files"]}
        return files.get("/etc/NetworkManager/dnsmasq-shared.d/mafia.conf")

    assert (
        names(network=HOTSPOT, hostname="mafia-2") == "address=/mafia-2/mafia-2.local/10.42.0.1\n"
    )
    assert names(network=HOTSPOT, kind="seat") is None
    assert names() is None


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"hostname": "Mafia Table"}, "hostname"),
        ({"hostname": "-x"}, "hostname"),
        ({"user": "root:x"}, "user"),
        ({"time_zone": "Berlin time"}, "time zone"),
        ({"ssh_keys": ("ssh-ed25519 A\nssh-rsa B",)}, "SSH key"),
        ({"password_hash": None, "ssh_keys": ()}, "nobody could log in"),
        ({"country": "Germany"}, "country"),
        ({"network": Wifi("", "12345678")}, "name of the Wi-Fi"),
        ({"network": Wifi("я" * 17, "12345678")}, "32 bytes"),
        ({"network": Wifi("Club", "short")}, "password of the Wi-Fi"),
        ({"network": Wifi("Club", "", wpa3_only=True)}, "password of the Wi-Fi"),
        ({"network": Hotspot("Mafia", "")}, "password of the Wi-Fi"),
        ({"network": Hotspot("Mafia", "ten at a table", 14)}, "channel"),
    ],
)
def test_what_no_system_would_take_is_refused_before_a_card_is_written(tmp_path, wrong, says):
    with pytest.raises(CardError, match=says) as refused:
        write_boot_files(tmp_path, a_machine(**wrong))
    assert "short" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


# ---- the instance ----

OTHER = {
    "hostname": "mafia-2",
    "kind": "seat",
    "network": Cable(),
    "country": "AT",
    "time_zone": "Europe/Vienna",
    "language": "de",
    "password_hash": "$7$other",
    "ssh_keys": (),
    "host_key": None,
    "user": "host",
    "board": "pi4",
}


def test_a_card_is_a_new_instance_when_anything_it_is_told_changes_and_only_then(tmp_path):
    first = write_boot_files(tmp_path, a_machine())
    assert write_boot_files(tmp_path, a_machine()) == first
    ids = {write_boot_files(tmp_path, a_machine(**{key: OTHER[key]})) for key in OTHER}
    assert len(ids | {first}) == len(OTHER) + 1
    assert OTHER.keys() | {"screen"} == {field.name for field in msgspec.structs.fields(Machine)}
    seat = write_boot_files(tmp_path, a_machine(kind="seat"))
    assert write_boot_files(tmp_path, a_machine(kind="seat", screen=False)) != seat


def test_cloud_init_finds_the_instance_where_it_looks(tmp_path):
    instance = write_boot_files(tmp_path, a_machine())
    assert read(tmp_path, "meta-data") == {"dsmode": "local", "instance-id": instance}


# ---- network-config ----


AWAKE = {"networkmanager": {"passthrough": {"wifi.powersave": "2"}}}


def radio(network, table):
    return netplan(network, "DE", table)["network"]["wifis"]["wlan0"]


def test_a_cable_works_on_every_card_and_no_start_waits_for_a_network():
    for network in (Wifi("Club", "12345678"), Cable(), HOTSPOT):
        for table in (True, False):
            interfaces = netplan(network, "DE", table)["network"]
            assert interfaces["ethernets"]["eth0"] == {"dhcp4": True, "optional": True}
            assert all(one["optional"] for one in interfaces.get("wifis", {}).values())


def test_the_clubs_password_is_on_no_card_as_it_is_typed(tmp_path):
    write_boot_files(tmp_path, a_machine(network=Wifi("Club", "the club's own", hidden=True)))
    (point,) = read(tmp_path, "network-config")["network"]["wifis"]["wlan0"][
        "access-points"
    ].values()
    assert point == AWAKE | {"hidden": True, "password": pre_shared_key("Club", "the club's own")}
    assert all("club's own" not in file.read_text() for file in tmp_path.iterdir())


def test_the_key_of_a_password_is_the_one_of_the_standard():
    # IEEE 802.11-2016 J.4.2, test case 1.
    assert pre_shared_key("IEEE", "password") == (
        "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    )


def test_who_has_the_key_alone_may_give_it():
    key = "AB" * 32
    assert radio(Wifi("Club", key), True)["access-points"] == {
        "Club": AWAKE | {"password": key.lower()}
    }


def test_an_open_network_and_one_of_wpa3_alone():
    assert radio(Wifi("Club", ""), True)["access-points"] == {"Club": AWAKE}
    assert radio(Wifi("Club", "12345678", wpa3_only=True), True)["access-points"] == {
        "Club": AWAKE | {"auth": {"key-management": "sae", "password": "12345678"}}
    }


def test_in_the_hotspot_the_table_is_where_the_nodes_look_and_both_have_one_key():
    table, node = radio(HOTSPOT, True), radio(HOTSPOT, False)
    assert table["addresses"] == ["10.42.0.1/24"]
    assert node["dhcp4"] is True
    opened, joined = table["access-points"]["Mafia"], node["access-points"]["Mafia"]
    assert (opened["mode"], opened["channel"]) == ("ap", 6)
    assert opened["auth"]["password"] == joined["password"]
    assert "mode" not in joined
    assert table["regulatory-domain"] == node["regulatory-domain"] == "DE"


# ---- a card of Debian 12 ----

ODD = """Кл'уб $(id) "\\" `x`; #"""


def started(tmp_path, **machine):
    """Run the script with a tool that says what it is told, and return that."""
    tool = tmp_path / "tool"
    says = "import json, sys; print(json.dumps(sys.argv[1:]), file=open(sys.argv[0] + '.txt', 'a'))"
    tool.write_text(f"#!{sys.executable}\n{says}\n")
    tool.chmod(0o755)
    write_boot_files(tmp_path, a_machine(board="pi4", kind="seat", **machine))
    script = (tmp_path / "firstrun.sh").read_text("utf-8")
    places = r"/usr/lib/[a-z-]+/[a-z_]+|^(raspi-config|rfkill|install|systemctl|sh) "
    script = re.sub(places, lambda found: f"{tool} ", script, flags=re.MULTILINE)
    script = script.replace("/etc/", f"{tmp_path}/").replace("/boot/firmware", str(tmp_path))
    for folder in ("apt/apt.conf.d", "ssh"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "cmdline.txt").write_text(
        f"console=tty1 {' '.join(ARGUMENTS)}\n".replace("/boot/firmware", str(tmp_path))
    )
    subprocess.run(["sh", "-c", script], check=True)
    return [json.loads(line) for line in (tmp_path / "tool.txt").read_text().splitlines()]


def test_a_system_without_cloud_init_is_told_the_same_once_by_its_own_tools(tmp_path):
    network = Wifi(ODD, "the club's own", hidden=True)
    heard = started(tmp_path, network=network, user="host", language="de")
    assert heard[:6] == [
        ["set_hostname", "mafia"],
        ["host", "$7$DU..../....salt$hash"],
        ["enable_ssh", "--pass-auth", "ssh-ed25519 AAAA admin"],
        [
            "set_wlan",
            "--hidden",
            ODD.replace("\\", "\\\\"),
            pre_shared_key(ODD, "the club's own"),
            "DE",
        ],
        ["set_keymap", "de"],
        ["set_timezone", "Europe/Berlin"],
    ]
    assert heard[-1] == ["enable", "mafia-firstboot.service"]
    assert ["nonint", "do_i2c", "0"] in heard
    key = tmp_path / "ssh/ssh_host_ed25519_key"
    assert key.read_text() == KEY.private
    assert key.stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "firstrun.sh").exists()
    assert (tmp_path / "cmdline.txt").read_text() == "console=tty1\n"


@pytest.mark.parametrize(
    ("network", "kind"),
    [(HOTSPOT, "table"), (Wifi("Club", "12345678", wpa3_only=True), "seat")],
)
def test_what_debian_12_cannot_be_told_is_refused(tmp_path, network, kind):
    with pytest.raises(CardError, match="Debian 13"):
        write_boot_files(tmp_path, a_machine(board="pi4", network=network, kind=kind))
    assert list(tmp_path.iterdir()) == []


NAMES = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), min_size=1, max_size=32
).filter(lambda name: len(name.encode()) <= 32)
PASSWORDS = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Cn", "Zl", "Zp")), min_size=8, max_size=63
).filter(lambda word: len(word.encode()) <= 63)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(ssid=NAMES, password=PASSWORDS, hidden=st.booleans(), wpa3=st.booleans())
def test_a_network_of_any_name_and_password_is_read_as_it_was_asked_for(
    tmp_path, ssid, password, hidden, wpa3
):
    write_boot_files(tmp_path, a_machine(network=Wifi(ssid, password, hidden, wpa3)))
    points = read(tmp_path, "network-config")["network"]["wifis"]["wlan0"]["access-points"]
    ((name, point),) = points.items()
    assert name == ssid
    assert point.get("hidden", False) is hidden
    if wpa3:
        assert point["auth"]["password"] == password
    else:
        key = hashlib.pbkdf2_hmac("sha1", password.encode(), ssid.encode(), 4096, 32)
        assert point["password"] == key.hex()


# ---- the password of the user ----


def crypt(password, setting):
    """Ask the library by which Debian lets a user in."""
    name = ctypes.util.find_library("crypt")
    if name is None:
        pytest.skip("no libcrypt here")
    library = ctypes.CDLL(name)
    library.crypt.restype = ctypes.c_char_p
    return library.crypt(password.encode(), setting.encode()).decode()


def test_a_password_opens_the_pi_and_another_does_not():
    kept = hashed("пароль клуба")
    assert crypt("пароль клуба", kept) == kept
    assert crypt("пароль клубу", kept) != kept


def test_two_hashes_of_a_password_differ_but_for_their_salt():
    assert hashed("x", b"1") == hashed("x", b"1")
    assert hashed("x") != hashed("x")
