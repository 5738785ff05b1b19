"""The broker's configuration: listeners, rights and hashed passwords.

Filled from ``mosquitto.conf`` and ``mosquitto.acl`` beside this file. A card's
broker and the private one of a rehearsal or a test differ in ports, addresses,
paths and the user it runs as, and in nothing else.

Source: mosquitto.conf(5), mosquitto 2.0.
"""

import base64
import hashlib
import os
import secrets
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware.certificates import Tls
from firmware.private import write_private
from firmware.wire import PAYLOAD_MAX, Topics

PORT: Final = 1883
"""Port for the table's own programs on a card, on loopback. Source: IANA, mqtt."""

TLS_PORT: Final = 8883
"""Port for the nodes on a card. Source: IANA, secure-mqtt."""

LOOPBACK: Final = "127.0.0.1"

EVERYWHERE: Final = ""
"""All addresses of the machine, of both kinds."""

PACKET_MAX: Final = PAYLOAD_MAX + 1024
"""Bytes of the longest packet: a payload with its topic and what MQTT adds."""

CONNECTIONS_MAX: Final = 40
"""Connections of nodes at once; the next is closed as it comes."""

ROUNDS: Final = 1000
"""Rounds of the password hash; the passwords are random, so few are enough on a Pi."""

HERE: Final = Path(__file__).parent


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
    tls: Tls,
    *,
    port: int = PORT,
    tls_port: int = TLS_PORT,
    address: str = LOOPBACK,
    daemon: bool = False,
) -> Path:
    """Write a broker's three files into *folder*, 0600, and return the configuration's path.

    *passwords* is user -> password. The table's own programs come in at *port* on
    loopback; the nodes by TLS at *tls_port* of *address*, where the client id is forced
    to the user's name, so that nobody can put another's session out. *daemon*:
    Debian's service reads this from ``conf.d``, and its own file already says where
    log and pid file are; else the broker runs as the current user and logs to *folder*.

    :raises WireError: if *table* is no name of a table.
    """
    acl, hashes, conf = folder / "mosquitto.acl", folder / "passwords", folder / "mosquitto.conf"
    write_private(acl, rights(table))
    write_private(hashes, "".join(f"{user}:{hashed(word)}\n" for user, word in passwords.items()))
    process = "" if daemon else _own_process(folder)
    text = configuration(
        acl, hashes, tls, port=port, tls_port=tls_port, address=address, process=process
    )
    write_private(conf, text)
    return conf


def rights(table: str) -> str:
    """Return the list of rights of table *table*.

    :raises WireError: if *table* is no name of a table.
    """
    root = Topics(table).root
    return _filled("mosquitto.acl", table=root.rpartition("/")[2])


def configuration(
    acl: Path,
    hashes: Path,
    tls: Tls,
    *,
    port: int = PORT,
    tls_port: int = TLS_PORT,
    address: str = EVERYWHERE,
    process: str = "",
) -> str:
    """Return the configuration; by default a card's, as Debian's service reads it."""
    return _filled(
        "mosquitto.conf",
        **tls._asdict(),
        passwords=hashes,
        acl=acl,
        process=process,
        port=port,
        tls_port=tls_port,
        address=address,
        packet_max=PACKET_MAX,
        connections=CONNECTIONS_MAX,
    )


def _own_process(folder: Path) -> str:
    import pwd  # not on Windows, where cards are made

    user = pwd.getpwuid(os.geteuid()).pw_name
    return f"user {user}\nlog_dest file {folder / 'mosquitto.log'}\n"


def _filled(name: str, **holes: object) -> str:
    template = string.Template((HERE / name).read_text(encoding="utf-8"))
    return template.substitute({key: str(value) for key, value in holes.items()})
