"""The host's PIN: made, hashed, kept in a file that only the table reads.

Source: RFC 7914 (scrypt); the numbers cost a Pi 4 some 0.1 s and 16 MiB a try.
"""

import base64
import binascii
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path
from typing import Final

from firmware.errors import CardError
from firmware.private import write_private

FILE: Final = "host.pin"
"""In the table's data folder."""

DIGITS: Final = 8
"""Of a PIN that is made here."""

PIN: Final = re.compile(r"\d{6,12}", re.ASCII)
"""A PIN that somebody chose. Spaces between the digits are for the eyes only."""

N, R, P = 1 << 14, 8, 1
"""Cost of a hash made now. One made before names its own."""

N_MAX, R_MAX, P_MAX = 1 << 17, 16, 4
"""More would stop a Pi."""

SALT_BYTES, DIGEST_BYTES = 16, 32


def new_pin() -> str:
    """Return a random PIN."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def spaced(pin: str) -> str:
    """Return *pin* in groups of four, as it is read out."""
    return " ".join(pin[start : start + 4] for start in range(0, len(pin), 4))


def tidy(typed: str) -> str:
    """Return what was *typed* without what a keyboard puts between digits."""
    return re.sub(r"[\s-]", "", typed)


def hashed(pin: str) -> str:
    """Return *pin* as it is kept: ``scrypt$N$r$p$salt$digest``, the last two in base64.

    :raises ValueError: if it is not 6 to 12 digits; without the PIN in the text.
    """
    if not PIN.fullmatch(tidy(pin)):
        raise ValueError("the PIN: expected 6 to 12 digits")
    salt = secrets.token_bytes(SALT_BYTES)
    digest = _digest(tidy(pin), salt, N, R, P)
    texts = (base64.b64encode(part).decode() for part in (salt, digest))
    return "$".join(("scrypt", str(N), str(R), str(P), *texts))


def matches(typed: str, kept: str) -> bool:
    """Tell whether *typed* is the PIN of the hash *kept*, in a time that tells nothing of it.

    :raises CardError: if *kept* is no such hash.
    """
    n, r, p, salt, digest = _parts(kept)
    return hmac.compare_digest(_digest(tidy(typed), salt, n, r, p), digest)


def check(kept: str) -> str:
    """Return *kept*.

    :raises CardError: if it is no hash of a PIN.
    """
    _parts(kept)
    return kept


class PinFile:
    """The hash in the file at *path*, else the one *given* on the card.

    The file wins: a PIN that was lost is made anew on the controller.
    """

    def __init__(self, path: Path, given: str = "") -> None:
        self.path = path
        self._given = given

    def read(self) -> str:
        """Return the hash; "" while there is none.

        :raises CardError: if the file cannot be read or is damaged.
        """
        try:
            return check(self.path.read_text(encoding="ascii").strip())
        except FileNotFoundError:
            return self._given
        except (OSError, UnicodeDecodeError, CardError):
            # What stands in it is told to nobody.
            raise CardError(f"{self.path}: not readable: mafia-table pin makes a new one") from None

    def write(self, pin: str) -> None:
        """Keep the hash of *pin*, whole or not at all, for the owner of the folder only.

        :raises ValueError: if *pin* is none.
        :raises CardError: if the file cannot be written.
        """
        text = hashed(pin)
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(self.path, f"{text}\n")
            if os.geteuid() == 0:
                # Else the table's own user could not read what root made.
                owner = self.path.parent.stat()
                os.chown(self.path, owner.st_uid, owner.st_gid)
        except OSError as error:
            raise CardError(
                f"{self.path}: {error.strerror}: run this as root or as the table's user"
            ) from error


def _digest(pin: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    memory = 128 * r * (n + p + 2) + (1 << 20)
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=memory, dklen=DIGEST_BYTES)


def _parts(kept: str) -> tuple[int, int, int, bytes, bytes]:
    try:
        kind, n, r, p, salt, digest = kept.split("$")
        cost = int(n), int(r), int(p)
        raw = tuple(base64.b64decode(part, validate=True) for part in (salt, digest))
    except (ValueError, binascii.Error):
        kind, cost, raw = "", (0, 0, 0), (b"", b"")
    fits = (
        kind == "scrypt"
        and 2 <= cost[0] <= N_MAX
        and cost[0] & (cost[0] - 1) == 0
        and 1 <= cost[1] <= R_MAX
        and 1 <= cost[2] <= P_MAX
        and len(raw[0]) >= SALT_BYTES
        and len(raw[1]) == DIGEST_BYTES
    )
    if not fits:
        raise CardError("the PIN's hash is none that mafia-table pin makes")
    return *cost, raw[0], raw[1]
