"""Who asks, and by which name: told from the connection, not from what is claimed.

Headers of a proxy count only when the connection comes from this machine, where
nginx is the only one that speaks for others.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

NAMES: Final = frozenset({"localhost", "mafia.local"})
"""Names of every controller. Source: facts of the network, avahi."""

IPV6_ONE_DEVICE: Final = 64
"""Bits of an IPv6 address that one device cannot choose for itself. Source: RFC 4291."""

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+?)\.?(:\d{1,5})?", re.ASCII)


class BadCaller(ValueError):
    """The proxy's headers, or the connection's address, are none."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever sends a request."""

    address: str
    """One a device: of IPv6 it is the network, as a device has as many as it likes."""
    own: bool
    """It is the controller itself."""
    tls: bool
    """It spoke TLS with our proxy."""


def caller_of(environ: Mapping[str, Any]) -> Caller:
    """Return who sent the WSGI request *environ*.

    :raises BadCaller: if the proxy names an address that is none.
    """
    peer = device(environ.get("REMOTE_ADDR", ""))
    told = environ.get("HTTP_X_FORWARDED_FOR")
    if told is None or not is_own(peer):
        return Caller(peer, is_own(peer), tls=False)
    # The last one was written by the proxy nearest to us.
    address = device(told.rpartition(",")[2].strip())
    return Caller(address, is_own(address), environ.get("HTTP_X_FORWARDED_PROTO") == "https")


def device(address: str) -> str:
    """Return *address* as one text a device.

    :raises BadCaller: if it is no IP address.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        raise BadCaller(f"{address[:50]!r}: expected an IP address") from None
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped:
        return str(ip.ipv4_mapped)
    if ip.is_loopback:
        return str(ip)
    return str(ipaddress.ip_network((ip, IPV6_ONE_DEVICE), strict=False))


def is_own(address: str) -> bool:
    """Tell whether *address* is one that only the controller itself has."""
    return address in ("127.0.0.1", "::1")


def names_of(bind: str, more: Iterable[str]) -> frozenset[str]:
    """Return the names that this machine goes by: its own, *bind*, and *more*."""
    own = socket.gethostname().lower()
    return (
        NAMES
        | {own, f"{own.partition('.')[0]}.local", bind.lower()}
        | {name.lower() for name in more}
    )


def is_called(host: str, names: frozenset[str]) -> bool:
    """Tell whether *host*, as a browser sends it, is one of *names* or an IP address.

    A name that is not ours may be a stranger's page that had its name pointed at
    this machine to read it with the viewer's browser (DNS rebinding). An address
    needs no such list: nobody can point it elsewhere.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found[1].strip("[]").lower()
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
