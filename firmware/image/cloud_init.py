"""What cloud-init reads from a card's boot partition: user, names, network, first start.

Three files: ``user-data``, ``network-config`` and ``meta-data``. They are JSON, which is
YAML too, so that a name with any character stays what it is. Nothing here installs a
package or waits for the network: that is ``install.sh``'s, which is started beside the
boot. A fourth file, ``mafia.txt``, holds the firmware's settings of a seat's screen.

Source: cloud-init 25.1 (Debian 13), modules and datasource NoCloud; Raspberry Pi OS adds
the keys ``rpi`` and ``enable_ssh`` (pi-gen, stage2/04-cloud-init). The network: netplan.py.
"""

import hashlib
import json
import re
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from firmware.errors import CardError
from firmware.image import first_run
from firmware.image.netplan import TABLE_ADDRESS, Cable, Hotspot, Wifi, netplan

LOCALES: Final = {
    "en": ("en_GB.UTF-8", {"layout": "gb"}),
    "de": ("de_DE.UTF-8", {"layout": "de"}),
    # A password may need Latin letters.
    "ru": ("ru_RU.UTF-8", {"layout": "us,ru", "options": "grp:alt_shift_toggle"}),
}

GROUPS: Final = ("adm", "dialout", "audio", "netdev", "video", "plugdev", "users", "input",
                 "gpio", "spi", "i2c", "render", "sudo")  # fmt: skip
"""As Raspberry Pi Imager gives its user. Source: rpi-imager, customization_generator.cpp."""

BOOT: Final = "/boot/firmware"
"""Where Raspberry Pi OS mounts its boot partition."""

DEBIAN_12: Final = "pi4"
"""The board whose Raspberry Pi OS is that of Debian 12."""

FIRST_BOOT: Final = "mafia-firstboot.service"
"""In the kit's folder; installs the kit, again and again until it is done."""

SETTINGS: Final = "mafia.txt"
"""The firmware's settings that are the kit's, beside config.txt."""

INCLUDE: Final = f"include {SETTINGS}"
"""The line of config.txt that has them read."""

I2C: Final = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
"""A screen's picture takes 23 ms instead of 93. Source: Raspberry Pi firmware, overlays/README."""

KEY: Final = "/etc/ssh/ssh_host_ed25519_key"
NAMES: Final = "/etc/NetworkManager/dnsmasq-shared.d/mafia.conf"
"""Read by the dnsmasq that NetworkManager starts for a network that it shares."""

HOSTNAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
USER: Final = re.compile(r"[a-z][a-z0-9_-]{0,30}")
TIME_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}")
LINE: Final = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class HostKey(msgspec.Struct, frozen=True):
    """The card's SSH identity, ed25519, made with the card so that others can know it before."""

    private: str
    """OpenSSH's own format, ``-----BEGIN OPENSSH PRIVATE KEY-----`` ..."""
    public: str
    """``ssh-ed25519 AAAA...``."""

    def __repr__(self) -> str:
        return f"HostKey({self.public})"


class Machine(msgspec.Struct, frozen=True):
    """All that the operating system of one card is told."""

    hostname: str
    kind: Literal["table", "seat"]
    network: Wifi | Cable | Hotspot
    """The same value for the table and its nodes; the kind says who is the access point."""
    country: str
    """Two letters, ISO 3166: which channels the radio may use."""
    time_zone: str
    """As in the IANA list: ``Europe/Berlin``."""
    language: Literal["en", "ru", "de"]
    password_hash: str | None
    """Of the user, by :func:`firmware.image.login.hashed`; None: no password opens it.

    Keep the hash, not only the password: a new salt makes a new instance.
    """
    ssh_keys: tuple[str, ...]
    """Lines of ``authorized_keys`` of the user."""
    host_key: HostKey | None = None
    user: str = "club"
    screen: bool = True
    """A seat's hooded screen is at I2C, which then runs at 400 kHz."""
    board: str = "pi5"
    """"pi4": the card has Raspberry Pi OS of Debian 12, without cloud-init: first_run.py."""


def write_boot_files(folder: Path, machine: Machine) -> str:
    """Write cloud-init's files into *folder* and return the instance's id.

    The id is made of the content: as long as that is the same, a card that is written
    again is the same instance, and cloud-init does nothing anew.

    :raises CardError: if a value cannot be what the card is told.
    """
    _check(machine)
    user_data = _json(_user_data(machine))
    network = _json(netplan(machine.network, machine.country, machine.kind == "table"))
    started = _first_run(machine) if machine.board == DEBIAN_12 else ""
    told = hashlib.sha256(f"{user_data}\0{network}\0{started}".encode())
    instance = f"{machine.hostname}-{told.hexdigest()[:16]}"
    _write(folder / "user-data", f"#cloud-config\n{user_data}")
    _write(folder / "network-config", network)
    _write(folder / "meta-data", _json({"dsmode": "local", "instance-id": instance}))
    for name, there, content in (
        (SETTINGS, _screen(machine), f"{I2C}\n"),
        (first_run.SCRIPT, machine.board == DEBIAN_12, started),
    ):
        if there:
            _write(folder / name, content)
        else:
            (folder / name).unlink(missing_ok=True)
    return instance


def _user_data(machine: Machine) -> dict[str, Any]:
    locale, keyboard = LOCALES[machine.language]
    told: dict[str, Any] = {
        "hostname": machine.hostname,
        "manage_etc_hosts": True,
        "timezone": machine.time_zone,
        "locale": locale,
        "keyboard": {"model": "pc105", **keyboard},
        "enable_ssh": True,
        "ssh_pwauth": machine.password_hash is not None,
        "users": [_user(machine)],
        "write_files": _files(machine),
        "runcmd": _commands(machine),
    }
    if _screen(machine):
        told["rpi"] = {"interfaces": {"i2c": True}}
    return told


def _user(machine: Machine) -> dict[str, Any]:
    user: dict[str, Any] = {
        "name": machine.user,
        "groups": list(GROUPS),
        "shell": "/bin/bash",
        "lock_passwd": machine.password_hash is None,
        # As the system's own first user: the table updates its nodes without a password.
        "sudo": ["ALL=(ALL) NOPASSWD:ALL"],
    }
    if machine.password_hash is not None:
        user["passwd"] = machine.password_hash
    if machine.ssh_keys:
        user["ssh_authorized_keys"] = list(machine.ssh_keys)
    return user


def _files(machine: Machine) -> list[dict[str, Any]]:
    # A Pi has no clock of its own: what apt is told would be from the future.
    files: list[dict[str, Any]] = [
        {"path": "/etc/apt/apt.conf.d/90mafia", "content": 'Acquire::Check-Date "false";\n'}
    ]
    if isinstance(machine.network, Hotspot) and machine.kind == "table":
        # For phones that ask no avahi: the table's own network has its own names.
        name = machine.hostname
        names = f"address=/{name}/{name}.local/{TABLE_ADDRESS}\n"
        files.append({"path": NAMES, "content": names})
    if machine.host_key is not None:
        # Late: the system's own regenerate_ssh_host_keys.service makes others before.
        late = {"defer": True, "permissions": "0600"}
        files.append({"path": KEY, "content": machine.host_key.private, **late})
        public = {"path": f"{KEY}.pub", "content": f"{machine.host_key.public}\n"}
        files.append(public | late | {"permissions": "0644"})
    return files


def _commands(machine: Machine) -> list[list[str]]:
    commands = []
    if machine.host_key is not None:
        commands.append(["systemctl", "--no-block", "try-restart", "ssh.service"])
    if not isinstance(machine.network, Cable):
        # The system keeps the radio off until somebody has named the country.
        kept = "for state in /var/lib/systemd/rfkill/*:wlan"
        on = f'{kept}; do [ ! -e "$state" ] || echo 0 >"$state"; done'
        commands += [["rfkill", "unblock", "wifi"], ["sh", "-c", on]]
    if _screen(machine):
        # For a card that was filled by hand; from the next start on.
        config = f"{BOOT}/config.txt"
        line = f"grep -qx '{INCLUDE}' {config} || printf '\\n[all]\\n{INCLUDE}\\n' >>{config}"
        commands.append(["sh", "-c", line])
    unit = f"{BOOT}/mafia/kit/{FIRST_BOOT}"
    return [
        *commands,
        ["install", "-m", "0644", unit, f"/etc/systemd/system/{FIRST_BOOT}"],
        ["systemctl", "daemon-reload"],
        ["systemctl", "enable", FIRST_BOOT],
        ["systemctl", "--no-block", "start", FIRST_BOOT],
    ]


def _first_run(machine: Machine) -> str:
    _, keyboard = LOCALES[machine.language]
    interface = [["raspi-config", "nonint", "do_i2c", "0"]] if _screen(machine) else []
    return first_run.script(
        hostname=machine.hostname,
        user=machine.user,
        password_hash=machine.password_hash,
        ssh_keys=machine.ssh_keys,
        network=machine.network,
        country=machine.country,
        keyboard=keyboard["layout"].partition(",")[0],
        time_zone=machine.time_zone,
        table=machine.kind == "table",
        files=[
            (file["path"], file.get("permissions", "0644"), file["content"])
            for file in _files(machine)
        ],
        # Started by the start that follows.
        commands=interface + [line for line in _commands(machine) if "--no-block" not in line],
    )


def _screen(machine: Machine) -> bool:
    return machine.screen and machine.kind == "seat"


def _check(machine: Machine) -> None:
    for name, value, pattern in (
        ("hostname", machine.hostname, HOSTNAME),
        ("user", machine.user, USER),
        ("time zone", machine.time_zone, TIME_ZONE),
        *(("SSH key", key, LINE) for key in machine.ssh_keys),
    ):
        if not pattern.fullmatch(value):
            raise CardError(f"{name}: found {value!r}, expected {pattern.pattern}")
    if machine.password_hash is None and not machine.ssh_keys:
        raise CardError("neither a password nor an SSH key: nobody could log in")


def _json(told: dict[str, Any]) -> str:
    """Return YAML; a pair of surrogates, as JSON escapes, would be none."""
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _write(path: Path, content: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(content)
