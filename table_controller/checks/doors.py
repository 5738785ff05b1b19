"""What is open to whom: scoreboard, broker, and whatever else listens on this machine.

Source: mosquitto.conf(5), mosquitto 2.0; proc(5), /proc/net/tcp.
"""

import ipaddress
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from firmware.card import TableCard
from firmware.finding import Finding, Translate, fault, fine, note
from firmware.image.broker_conf import TLS_PORT
from table_controller.checks.secrets import is_loopback

CONF: Final = "etc/mosquitto/mosquitto.conf"
NFT: Final = "usr/sbin/nft"
RULE: Final = "etc/mosquitto/mafia.nft"
NGINX: Final = "etc/nginx/conf.d/mafia.conf"
"""Stands before the table program on a card. Source: firmware/image/places.py."""
SSH, HTTP, HTTPS = 22, 80, 443
LISTEN: Final = "0A"
"""State of a socket that listens. Source: include/net/tcp_states.h."""


class Listener(msgspec.Struct):
    """One listener of the broker."""

    port: int
    address: str = ""
    """Empty: everywhere."""
    tls: bool = False


class Broker(msgspec.Struct):
    """What the broker's files say."""

    listeners: list[Listener]
    anonymous: bool = False
    passwords: bool = False
    rights: bool = False
    per_listener: bool = False


def read_broker(root: Path) -> Broker | None:
    """Return what the broker of the machine at *root* is told; None: it has no files.

    :raises OSError: if one cannot be read.
    """
    if not (root / CONF).exists():
        return None
    found = Broker([])
    for key, value in _settings(root, root / CONF):
        match key:
            case "listener":
                port, *address = value.split()
                found.listeners.append(Listener(int(port), address[0] if address else ""))
            case "certfile" if found.listeners:
                found.listeners[-1].tls = True
            case "allow_anonymous":
                found.anonymous |= value == "true"
            case "per_listener_settings":
                found.per_listener |= value == "true"
            case "password_file":
                found.passwords = True
            case "acl_file":
                found.rights = True
    return found


def _settings(root: Path, path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text("utf-8").splitlines():
        key, _, value = line.strip().partition(" ")
        if key == "include_dir":
            for file in sorted((root / value.strip().lstrip("/")).glob("*.conf")):
                yield from _settings(root, file)
        elif key and not key.startswith("#"):
            yield key, value.strip()


def broker(t: Translate, root: Path) -> Finding:
    """See that the broker lets in only who has a password, and over the network by TLS only."""
    part = t("broker")
    try:
        told = read_broker(root)
    except (OSError, ValueError) as error:
        found = t("its files cannot be read: {error}").format(error=error)
        return fault(part, found, t("Check with sudo."))
    if told is None:
        return fault(part, t("is not installed"), "sudo apt install mosquitto")
    open_ = [one for one in told.listeners if not is_loopback(one.address)]
    anew = t("Install the kit's broker configuration again.")
    if told.anonymous:
        return fault(part, t("lets in whoever comes, without a password"), anew)
    if not (told.passwords and told.rights):
        return fault(part, t("has no passwords, or no list of rights"), anew)
    if plain := [str(one.port) for one in open_ if not one.tls]:
        found = t("port {ports} is open to the network without TLS").format(ports=", ".join(plain))
        return fault(part, found, anew)
    if told.per_listener:
        return fault(part, t("per_listener_settings drops what it should keep"), anew)
    ports = ", ".join(str(one.port) for one in open_)
    if not ports:
        return note(part, t("no seat reaches it: it listens on this machine only"), anew)
    found = t("port {ports}: by TLS and password, each node its own topics; else this machine only")
    return fine(part, found.format(ports=ports))


def places(t: Translate, root: Path) -> Finding:
    """See that one device cannot take all of the broker's places."""
    part = t("broker's places")
    if not (root / NFT).exists():
        found = t("one device can take them all: nftables is not installed")
        return note(part, found, "sudo apt install nftables")
    if not (root / RULE).exists():
        found = t("one device can take them all, and then no seat comes in")
        remedy = t("Install the kit's {file}.").format(file="firmware/image/mafia.nft")
        return note(part, found, remedy)
    return fine(part, t("no device takes more than a few"))


def scoreboard(t: Translate, root: Path, card: TableCard) -> Finding:
    """Tell who can read the scoreboard."""
    part, at = t("scoreboard"), f"{card.scoreboard.bind}:{card.scoreboard.port}"
    if (root / NGINX).exists():
        at = f"{HTTP}, {HTTPS}"
    elif is_loopback(card.scoreboard.bind):
        found = t("{at}: this machine only; no phone and no TV reads it").format(at=at)
        return note(part, found, t('Set bind = "0.0.0.0" in [scoreboard] of the card.'))
    return fine(
        part,
        t("{at}: everybody in the network may read it; the host's pages want TLS and PIN").format(
            at=at
        ),
    )


class Open(NamedTuple):
    """A port that somebody listens on."""

    address: str
    port: int


def listening(root: Path) -> set[Open]:
    """Return every TCP port that is listened on, by the kernel's tables."""
    found = set()
    for name in ("tcp", "tcp6"):
        try:
            lines = (root / "proc/net" / name).read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            _, local, _, state, *_ = line.split()
            if state == LISTEN:
                address, _, port = local.partition(":")
                found.add(Open(_address(address), int(port, 16)))
    return found


def _address(text: str) -> str:
    """Return the kernel's hex *text*, 32 bit words in the machine's order, as an address."""
    words = [int(word, 16) for word in re.findall("........", text)]
    address = ipaddress.ip_address(struct.pack(f"={len(words)}I", *words))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def ports(t: Translate, root: Path, card: TableCard | None) -> Finding:
    """Name what is open to the network besides the kit's own."""
    part = t("open ports")
    open_ = {one.port for one in listening(root) if not is_loopback(one.address)}
    own = {TLS_PORT, HTTP, HTTPS} | ({card.scoreboard.port} if card else set())
    others = open_ - own - {SSH}
    if others:
        names = ", ".join(map(str, sorted(others)))
        found = t("{ports}: open to the network, and not the kit's").format(ports=names)
        return note(part, found, t("See whose they are: sudo ss -ltnp; stop what is not needed."))
    kit = ", ".join(map(str, sorted(open_ & own))) or t("none")
    ssh = t("; ssh too") if SSH in open_ else ""
    return fine(part, t("the kit's only: {ports}").format(ports=kit) + ssh)
