"""The deal: seats and roles in an order that anybody can check afterwards.

A seed of 32 bytes is drawn before the game; its SHA-256, the commitment, is
shown before the deal and the seed itself after the game. To put 1 to 10 in
order, each number is hashed together with the seed and a label, as
SHA-256(seed + "role 7"), and the ten hashes are sorted: equal hashes do not
happen, so each order of ten is as likely as any other, and whoever does not
know the seed knows nothing about it. No library's shuffle is involved, so the
check needs SHA-256 alone: ``mafia-table verify-deal``, or table_controller/deal.md by hand.
"""

import hashlib
import secrets
from collections.abc import Sequence

from table_controller.game import SEATS, Role

PACK = (
    Role.DON,
    Role.MAFIA,
    Role.MAFIA,
    Role.SHERIFF,
    Role.CITIZEN,
    Role.CITIZEN,
    Role.CITIZEN,
    Role.CITIZEN,
    Role.CITIZEN,
    Role.CITIZEN,
)
"""The ten cards; the seats take them in hashed order. Source: RULES, head."""


def fresh_seed() -> bytes:
    """Return 32 bytes from the system's secure source."""
    return secrets.token_bytes(32)


def rehearsal_seed(number: int) -> bytes:
    """Return the seed that ``--seed NUMBER`` stands for in a rehearsal."""
    return hashlib.sha256(f"mafia rehearsal {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of *seed* in hex, to be shown before the deal."""
    return hashlib.sha256(seed).hexdigest()


def hashed_order(seed: bytes, label: str, count: int) -> tuple[int, ...]:
    """Return 1..*count* sorted by SHA-256(seed + label + number)."""
    return tuple(
        sorted(
            range(1, count + 1),
            key=lambda number: hashlib.sha256(seed + f"{label} {number}".encode()).digest(),
        )
    )


def roles(seed: bytes) -> tuple[Role, ...]:
    """Return the role of each seat, seat 1 first."""
    by_seat = dict(zip(hashed_order(seed, "role", len(SEATS)), PACK, strict=True))
    return tuple(by_seat[seat] for seat in SEATS)


def seating(seed: bytes, names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* (ten) as they sit, seat 1 first."""
    by_seat = dict(zip(hashed_order(seed, "seat", len(SEATS)), names, strict=True))
    return tuple(by_seat[seat] for seat in SEATS)
