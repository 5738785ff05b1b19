"""Who may act as the host: PIN, waits after wrong ones, sessions that end.

Nobody can lock the host out. A wait holds up only addresses that have typed a
wrong PIN before: the first try of an address is looked at whatever others did.
It ends by itself, does not grow by trying during it, and counts for no session
that is open. And on the controller, ``mafia-table pin`` makes a PIN that
forgets all waits.
"""

import hashlib
import hmac
import logging
import secrets
import threading
from dataclasses import dataclass
from typing import Final

from firmware.clock import Clock
from firmware.errors import CardError
from firmware.pin import PinFile, matches
from table_controller.scoreboard.callers import Caller

IDLE_S: Final = 2 * 3600.0
"""A session that is not used for so long ends: a game lasts an hour."""

ABSOLUTE_S: Final = 12 * 3600.0
"""And after so long in any case: an evening."""

SESSIONS_MAX: Final = 8
"""The least recently used one gives way."""

FORGET_S: Final = 3600.0
"""Wrong PINs are forgotten so long after the last one."""

ADDRESSES_MAX: Final = 1000
"""Of wrong PINs that are remembered; the network of a club has 254."""

HASHING_S: Final = 1.0
"""The longest that one try waits for another one's hashing; then it is held up."""

TOKEN_BYTES: Final = 32

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Growth:
    """How waits grow: *free* tries have none, then *first_s*, doubled each time up to *most_s*."""

    free: int
    first_s: float
    most_s: float

    def wait_s(self, wrong: int) -> float:
        """Return the wait after so many *wrong* tries."""
        if wrong < self.free:
            return 0.0
        return min(self.most_s, self.first_s * 2.0 ** min(wrong - self.free, 40))


ONE: Final = Growth(free=4, first_s=5.0, most_s=900.0)
"""For one address."""

ALL: Final = Growth(free=20, first_s=2.0, most_s=60.0)
"""For all together, so that many addresses do not make many tries."""


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last_s: float = 0.0

    def left_s(self, growth: Growth, now_s: float) -> float:
        return max(0.0, self.last_s + growth.wait_s(self.wrong) - now_s)

    def add(self, now_s: float) -> None:
        self.wrong, self.last_s = self.wrong + 1, now_s


class Lockout:
    """Wrong PINs, by address and in all."""

    def __init__(self) -> None:
        self._all = _Tries()
        self._by: dict[str, _Tries] = {}

    def wait_s(self, address: str, now_s: float) -> float:
        """Return how long the next try of *address* is held up; 0.0: not at all."""
        self._forget(now_s)
        tries = self._by.get(address)
        if tries is None:
            return 0.0
        return max(tries.left_s(ONE, now_s), self._all.left_s(ALL, now_s))

    def wrong(self, address: str, now_s: float) -> None:
        """Count a wrong PIN."""
        tries = self._by.pop(address, _Tries())
        while len(self._by) >= ADDRESSES_MAX:
            del self._by[next(iter(self._by))]
        self._by[address] = tries
        tries.add(now_s)
        self._all.add(now_s)

    def right(self, address: str) -> None:
        """Forget the wrong ones of *address*."""
        self._by.pop(address, None)

    def _forget(self, now_s: float) -> None:
        for address, tries in list(self._by.items()):
            if now_s - tries.last_s < FORGET_S:
                break  # They stand in the order of their last try.
            del self._by[address]
        if now_s - self._all.last_s >= FORGET_S:
            self._all = _Tries()


@dataclass(slots=True)
class Session:
    """One browser of the host."""

    csrf: str
    """What its forms send along, so that no other page can send them."""
    opened_s: float
    used_s: float
    pin: str
    """The hash of the PIN that opened it: another PIN ends it."""

    def __repr__(self) -> str:
        return f"Session(opened_s={self.opened_s:.0f})"

    def accepts(self, csrf: str) -> bool:
        """Tell whether *csrf* is the one that its forms send along."""
        return hmac.compare_digest(self.csrf.encode(), csrf.encode())


@dataclass(frozen=True, slots=True)
class Opened:
    """The PIN was right; the browser keeps *token*."""

    token: str

    def __repr__(self) -> str:
        return "Opened()"


@dataclass(frozen=True, slots=True)
class Wrong:
    """The PIN was wrong."""


@dataclass(frozen=True, slots=True)
class Held:
    """The PIN was not looked at: try again in *wait_s*."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class Unset:
    """There is no PIN, or it cannot be read: nobody gets in."""


class Access:
    """The door's keeper. Thread-safe; sessions live in memory and end with the program."""

    def __init__(self, pin: PinFile, clock: Clock) -> None:
        self._pin = pin
        self._clock = clock
        self._hashing = threading.Lock()
        self._lock = threading.Lock()
        self._lockout = Lockout()
        self._sessions: dict[str, Session] = {}
        self._known = ""
        self._fault = ""

    def open(self, typed: str, caller: Caller) -> Opened | Wrong | Held | Unset:
        """Let *caller* in if *typed* is the PIN, and it need not wait."""
        # One at a time: many at once must not pass before the first is counted.
        if not self._hashing.acquire(timeout=HASHING_S):
            return Held(HASHING_S)
        try:
            return self._open(typed, caller)
        finally:
            self._hashing.release()

    def _open(self, typed: str, caller: Caller) -> Opened | Wrong | Held | Unset:
        kept, now_s = self._kept(), self._clock.now_s()
        if not kept:
            return Unset()
        if (wait_s := self._lockout.wait_s(caller.address, now_s)) > 0:
            return Held(wait_s)
        if not matches(typed, kept):
            self._lockout.wrong(caller.address, now_s)
            log.warning("wrong host PIN from %s", caller.address)
            return Wrong()
        self._lockout.right(caller.address)
        log.info("the host has logged in from %s", caller.address)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        session = Session(secrets.token_urlsafe(TOKEN_BYTES), now_s, now_s, kept)
        with self._lock:
            while len(self._sessions) >= SESSIONS_MAX:
                del self._sessions[min(self._sessions, key=lambda key: self._sessions[key].used_s)]
            self._sessions[_key(token)] = session
        return Opened(token)

    def session(self, token: str) -> Session | None:
        """Return the session of *token*, used now, or None: it has ended or never was."""
        kept, now_s = self._kept(), self._clock.now_s()
        with self._lock:
            session = self._sessions.get(_key(token))
            if session is None:
                return None
            fresh = now_s - session.used_s < IDLE_S and now_s - session.opened_s < ABSOLUTE_S
            if not fresh or session.pin != kept:
                del self._sessions[_key(token)]
                return None
            session.used_s = now_s
            return session

    def close(self, token: str) -> None:
        """End the session of *token*, if there is one."""
        with self._lock:
            self._sessions.pop(_key(token), None)

    @property
    def has_pin(self) -> bool:
        """Tell whether there is a PIN at all."""
        return bool(self._kept())

    def _kept(self) -> str:
        """Return the hash now; a new one ends all waits, and all sessions by and by."""
        kept = fault = ""
        try:
            kept = self._pin.read()
        except CardError as error:
            fault = str(error)
        if fault != self._fault:
            self._fault = fault
            if fault:
                log.warning("nobody can log in as the host: %s", fault)
        with self._lock:
            if kept != self._known:
                self._known, self._lockout = kept, Lockout()
        return kept


def _key(token: str) -> str:
    """Return what a session is kept by: who reads the memory has no token."""
    return hashlib.sha256(token.encode()).hexdigest()
