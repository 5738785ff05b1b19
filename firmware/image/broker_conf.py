"""The broker's configuration: listeners, rights and hashed passwords.

Filled from ``mosquitto.conf`` and ``mosquitto.acl`` beside this file, for a
card (TLS on the LAN, loopback for the table) and for a private broker on
loopback (rehearsal, tests).

Source: mosquitto.conf(5), mosquitto 2.0.
"""

import base64
import hashlib
import os
import pwd
import secrets
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from firmware.wire import Topics

TLS_PORT: Final = 8883
"""Port of the LAN's listener on a card. Source: IANA, secure-mqtt."""

ROUNDS: Final = 1000
"""Rounds of the password hash; the passwords are random, so few are enough on a Pi."""

HERE: Final = Path(__file__).parent


class Tls(NamedTuple):
    """The LAN's listener: the authority, the broker's certificate and its key."""

    ca: Path
    cert: Path
    key: Path
    port: int = TLS_PORT


def new_password() -> str:
    """Return a random password of 144 bits."""
    return secrets.token_urlsafe(18)


def hashed(password: str, salt: bytes | None = None, rounds: int = ROUNDS) -> str:
    """Return *password* as mosquitto 2.0 keeps it.

    Source: mosquitto 2.0 ``mosquitto_passwd``: ``$7$rounds$salt$PBKDF2-HMAC-SHA512``.
    """
    salt = secrets.token_bytes(12) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds, 64)
    salted = base64.b64encode(salt).decode()
    return f"$7${rounds}${salted}${base64.b64encode(digest).decode()}"


def write_broker(
    folder: Path,
    table: str,
    passwords: Mapping[str, str],
    port: int,
    *,
    tls: Tls | None = None,
    second_port: int | None = None,
    daemon: bool = False,
) -> Path:
    """Write a broker's three files into *folder*, 0600, and return the configuration's path.

    *passwords* is user -> password. *port* listens on loopback. With *tls* the
    LAN is served too; there, and on loopback without it, the client id is forced
    to the user's name, so that nobody can put another's session out.
    *second_port* is one more loopback listener without that, on which a test
    can listen beside a node with the node's own rights. *daemon*: Debian's service
    reads this from ``conf.d``, and its own file already says where log and pid
    file are; else the broker runs as the current user and logs to *folder*.

    :raises WireError: if *table* is no name of a table.
    """
    root = Topics(table).root
    acl, hashes, conf = folder / "mosquitto.acl", folder / "passwords", folder / "mosquitto.conf"
    _write(acl, _filled("mosquitto.acl", table=root.rpartition("/")[2]))
    _write(hashes, "".join(f"{user}:{hashed(word)}\n" for user, word in passwords.items()))
    listeners = [_loopback(port, forced=tls is None)]
    if second_port is not None:
        listeners.append(_loopback(second_port, forced=False))
    if tls is not None:
        listeners.append(_lan(tls))
    process = "" if daemon else _own_process(folder)
    text = _filled(
        "mosquitto.conf", passwords=hashes, acl=acl, process=process, listeners="\n".join(listeners)
    )
    _write(conf, text)
    return conf


def _loopback(port: int, *, forced: bool) -> str:
    return f"\nlistener {port} 127.0.0.1\nuse_username_as_clientid {str(forced).lower()}"


def _lan(tls: Tls) -> str:
    return f"""
listener {tls.port}
cafile {tls.ca}
certfile {tls.cert}
keyfile {tls.key}
tls_version tlsv1.2
use_username_as_clientid true
max_connections 40"""


def _own_process(folder: Path) -> str:
    user = pwd.getpwuid(os.geteuid()).pw_name
    return f"\nuser {user}\nlog_dest file {folder / 'mosquitto.log'}"


def _filled(name: str, **holes: object) -> str:
    template = string.Template((HERE / name).read_text(encoding="utf-8"))
    return template.substitute({key: str(value) for key, value in holes.items()})


def _write(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
