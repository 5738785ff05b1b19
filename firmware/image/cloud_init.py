"""What cloud-init reads from a card's boot partition: user, names, network, first start.

Three files: ``user-data``, ``network-config`` and ``meta-data``. They are JSON, which is
YAML too, so that a name with any character stays what it is. Nothing here installs a
package or waits for the network: that is ``install.sh``'s, started in the background.

Source: cloud-init 25.1 (Debian 13), modules and datasource NoCloud; netplan 1.1.
"""

from pathlib import Path
from typing import Final, Literal

import msgspec

KIND: Final = ("table", "seat")


class Wifi(msgspec.Struct, frozen=True):
    """The club's own router. Its ``repr`` leaves the password out."""

    ssid: str
    password: str
    """8 to 63 characters, or the 64 hexadecimal digits of the key; "": an open network."""
    hidden: bool = False
    wpa3_only: bool = False
    """The router takes no WPA2: then the card has to hold the password as it is."""


class Cable(msgspec.Struct, frozen=True):
    """A switch with DHCP."""


class Hotspot(msgspec.Struct, frozen=True):
    """The kit's own network: the table's Pi is its access point, the nodes join it."""

    ssid: str
    password: str
    """8 to 63 characters."""
    channel: int = 6
    """1 to 11, of 2.4 GHz."""


class HostKey(msgspec.Struct, frozen=True):
    """The card's SSH identity, ed25519, made with the card so that others can know it before."""

    private: str
    """OpenSSH's own format, ``-----BEGIN OPENSSH PRIVATE KEY-----`` ..."""
    public: str
    """``ssh-ed25519 AAAA...``."""


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


def write_boot_files(folder: Path, machine: Machine) -> str:
    """Write cloud-init's three files into *folder* and return the instance's id.

    The id is made of the content: as long as that is the same, a card that is written
    again is the same instance, and cloud-init does nothing anew.

    :raises CardError: if a value cannot be what the card is told.
    """
    raise NotImplementedError
