"""The password of a Pi's user, as it may lie on a card."""

import secrets


def hashed(password: str, salt: bytes | None = None) -> str:
    """Return *password* as Debian keeps it in ``/etc/shadow``: scrypt, ``$7$``.

    Source: crypt(5) of libxcrypt 4.4.
    """
    salt = secrets.token_bytes(16) if salt is None else salt
    raise NotImplementedError
