"""The network of one card: the club's router, a cable, or the table as access point.

A cable with DHCP works on every card, and nothing at the start waits for any network.
The kit's own network has fixed addresses: the table is 10.42.0.1, which NetworkManager
gives out addresses and names from ("shared").

Source: netplan 1.1, YAML configuration; IEEE 802.11-2016 J.4.1 (key of a password).
"""

import hashlib
import re
from typing import Any, Final

import msgspec

from firmware.errors import CardError

HOTSPOT: Final = "mafia-hotspot"
"""NetworkManager's name of the kit's own network; systemd/mafia-hotspot.service brings it up."""

TABLE_ADDRESS: Final = "10.42.0.1"
"""The table's in its own network."""

COUNTRY: Final = re.compile(r"[A-Z]{2}")
KEY: Final = re.compile(r"[0-9a-fA-F]{64}")
NO_LINE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
"""What no name or password is written with, and YAML would not keep."""


class Wifi(msgspec.Struct, frozen=True):
    """The club's own router. Its ``repr`` leaves the password out."""

    ssid: str
    password: str
    """8 to 63 characters, or the 64 hexadecimal digits of the key; "": an open network."""
    hidden: bool = False
    wpa3_only: bool = False
    """The router takes no WPA2: then the card has to hold the password as it is."""

    def __repr__(self) -> str:
        return f"Wifi({self.ssid!r})"


class Cable(msgspec.Struct, frozen=True):
    """A switch with DHCP."""


class Hotspot(msgspec.Struct, frozen=True):
    """The kit's own network: the table's Pi is its access point, the nodes join it."""

    ssid: str
    password: str
    """8 to 63 characters."""
    channel: int = 6
    """1 to 11, of 2.4 GHz: allowed in every country."""

    def __repr__(self) -> str:
        return f"Hotspot({self.ssid!r})"


def netplan(network: Wifi | Cable | Hotspot, country: str, table: bool) -> dict[str, Any]:
    """Return what cloud-init's ``network-config`` of a card holds.

    :raises CardError: if a name, password, channel or country cannot be one.
    """
    if not COUNTRY.fullmatch(country):
        raise CardError(f"country: found {country!r}, expected two capital letters as in DE")
    told: dict[str, Any] = {
        "version": 2,
        "renderer": "NetworkManager",
        "ethernets": {"eth0": {"dhcp4": True, "optional": True}},
    }
    radio: dict[str, Any] = {"optional": True, "regulatory-domain": country}
    match network:
        case Wifi():
            radio |= {"dhcp4": True, "access-points": {_ssid(network.ssid): _joined(network)}}
        case Hotspot() if table:
            radio |= {
                "addresses": [f"{TABLE_ADDRESS}/24"],
                "access-points": {_ssid(network.ssid): _opened(network)},
            }
        case Hotspot():
            inside = Wifi(network.ssid, _passphrase(network.password))
            radio |= {"dhcp4": True, "access-points": {_ssid(network.ssid): _joined(inside)}}
        case Cable():
            return {"network": told}
    return {"network": told | {"wifis": {"wlan0": radio}}}


def pre_shared_key(ssid: str, password: str) -> str:
    """Return the 64 digits that stand for *password* in the network *ssid*, and in no other."""
    return hashlib.pbkdf2_hmac("sha1", password.encode(), ssid.encode(), 4096, 32).hex()


def joined_key(network: Wifi | Hotspot) -> str:
    """Return the key by which a card joins *network*; "" for an open one.

    :raises CardError: if its password cannot be one.
    """
    if KEY.fullmatch(network.password):
        return network.password.lower()
    if isinstance(network, Wifi) and not network.password:
        return ""
    return pre_shared_key(network.ssid, _passphrase(network.password))


def _joined(network: Wifi) -> dict[str, Any]:
    # From the first start on; network/powersave.conf is for what is joined by hand.
    awake = {"passthrough": {"wifi.powersave": "2"}}
    point: dict[str, Any] = {"networkmanager": awake} | ({"hidden": True} if network.hidden else {})
    if network.wpa3_only:
        # Its handshake needs the password itself.
        password = _passphrase(network.password)
        return point | {"auth": {"key-management": "sae", "password": password}}
    if network.password:
        # Given so, without auth, netplan takes WPA2 and a router that has WPA3 beside it.
        point["password"] = joined_key(network)
    return point


def _opened(network: Hotspot) -> dict[str, Any]:
    if not 1 <= network.channel <= 11:
        raise CardError(f"channel of the hotspot: found {network.channel}, expected 1 to 11")
    key = pre_shared_key(network.ssid, _passphrase(network.password))
    return {
        "mode": "ap",
        "band": "2.4GHz",
        "channel": network.channel,
        "auth": {"key-management": "psk", "password": key},
        "networkmanager": {
            "name": HOTSPOT,
            "passthrough": {
                # Its unit brings it up, and again when it was lost.
                "connection.autoconnect": "false",
                "wifi-security.proto": "rsn",
                "wifi-security.pairwise": "ccmp",
                "ipv6.method": "disabled",
            },
        },
    }


def _ssid(ssid: str) -> str:
    if not 1 <= len(ssid.encode("utf-8", "replace")) <= 32 or NO_LINE.search(ssid):
        raise CardError(f"name of the Wi-Fi: found {ssid!r}, expected 1 to 32 bytes of one line")
    return ssid


def _passphrase(password: str) -> str:
    if not 8 <= len(password.encode("utf-8", "replace")) <= 63 or NO_LINE.search(password):
        raise CardError("password of the Wi-Fi: expected 8 to 63 characters of one line")
    return password
