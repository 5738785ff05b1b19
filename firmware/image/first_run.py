"""The first start of a card with Debian 12, whose Raspberry Pi OS has no cloud-init yet.

A Pi 4 with a camera needs it (Python 3.11). The same things are told there by a script
that the kernel's command line names, with the system's own tools, as Raspberry Pi Imager
did it: ``firstrun.sh`` on the boot partition. It runs once, takes itself away, and the
Pi starts again.

Source: raspberrypi-sys-mods, imager_custom; userconf-pi; rpi-imager 1.8, firstrun.sh.
"""

import shlex
from typing import Final

from firmware.errors import CardError
from firmware.image.netplan import Cable, Hotspot, Wifi, joined_key

SCRIPT: Final = "firstrun.sh"

ARGUMENTS: Final = (
    f"systemd.run=/boot/firmware/{SCRIPT}",
    "systemd.run_success_action=reboot",
    "systemd.unit=kernel-command-line.target",
)
"""For cmdline.txt. Source: systemd-run-generator(8)."""

TOOL: Final = "/usr/lib/raspberrypi-sys-mods/imager_custom"
USERCONF: Final = "/usr/lib/userconf-pi/userconf"


def script(
    *,
    hostname: str,
    user: str,
    password_hash: str | None,
    ssh_keys: tuple[str, ...],
    network: Wifi | Cable | Hotspot,
    country: str,
    keyboard: str,
    time_zone: str,
    table: bool,
    files: list[tuple[str, str, str]],
    commands: list[list[str]],
) -> str:
    """Return the script; *files* are path, mode and content, *commands* come last.

    :raises CardError: if that system cannot be told so.
    """
    pass_or_key = "--pass-auth" if password_hash is not None else "--key-only"
    lines = [
        [TOOL, "set_hostname", hostname],
        [USERCONF, user, password_hash or "!"],
        [TOOL, "enable_ssh", pass_or_key, *ssh_keys],
        *_radio(network, country, table),
        [TOOL, "set_keymap", keyboard],
        [TOOL, "set_timezone", time_zone],
    ]
    written = [
        f"(umask 077; printf %s {shlex.quote(content)} >{shlex.quote(path)}; "
        f"chmod {mode} {shlex.quote(path)})"
        for path, mode, content in files
    ]
    away = (
        f"rm -f /boot/firmware/{SCRIPT}",
        "sed -i 's| systemd[.]run.*||' /boot/firmware/cmdline.txt",
        "exit 0",
    )
    # Each for itself: one that fails must not keep the Pi from the others.
    asked = [shlex.join(line) for line in [*lines, *commands]]
    return "\n".join(["#!/bin/sh", *asked[: len(lines)], *written, *asked[len(lines) :], *away, ""])


def _radio(network: Wifi | Cable | Hotspot, country: str, table: bool) -> list[list[str]]:
    if isinstance(network, Cable):
        return []
    if isinstance(network, Hotspot) and table:
        raise CardError(
            "the table's own Wi-Fi needs Raspberry Pi OS of Debian 13, which runs on a Pi 4 too: "
            'table_board = "pi5"'
        )
    if isinstance(network, Wifi) and network.wpa3_only:
        raise CardError("a router with WPA3 alone needs Raspberry Pi OS of Debian 13")
    hidden = ["--hidden"] if isinstance(network, Wifi) and network.hidden else []
    # It goes into a file where a backslash begins an escape.
    ssid = network.ssid.replace("\\", "\\\\")
    return [[TOOL, "set_wlan", *hidden, ssid, joined_key(network), country]]
