"""The password of a Pi's user, as it may lie on a card."""

import hashlib
import secrets
from typing import Final

DIGITS: Final = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Six bits each, the lowest first. Source: crypt(5)."""

COST: Final = 14
"""Two to this power is scrypt's N: 32 MiB and a twentieth of a second a guess."""
BLOCKS: Final = 16
"""scrypt's r."""


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return *password* as Debian takes it in ``/etc/shadow``: scrypt, ``$7$``.

    Of all that Debian's crypt knows this alone comes with Python on every system, and
    it is made for a hash that others can read, as on a card. *salt* is for tests.

    Source: crypt(5) of libxcrypt 4.4; RFC 7914.
    """
    salted = _digits(secrets.token_bytes(16) if salt is None else salt)
    key = hashlib.scrypt(
        password.encode(),
        # The salt is the text, not what it was made of.
        salt=salted.encode(),
        n=1 << COST,
        r=BLOCKS,
        p=1,
        maxmem=1 << 26,
        dklen=32,
    )
    return f"$7${DIGITS[COST]}{_number(BLOCKS)}{_number(1)}{salted}${_digits(key)}"


def _number(value: int) -> str:
    """Return thirty bits as five digits."""
    return "".join(DIGITS[value >> shift & 63] for shift in range(0, 30, 6))


def _digits(content: bytes) -> str:
    """Return bytes as digits, three bytes as four."""
    number = int.from_bytes(content, "little")
    return "".join(DIGITS[number >> shift & 63] for shift in range(0, 8 * len(content), 6))
