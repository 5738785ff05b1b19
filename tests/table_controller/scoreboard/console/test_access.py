import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from firmware.pin import FILE, PinFile
from table_controller.scoreboard.callers import Caller
from table_controller.scoreboard.console import access as accesses
from table_controller.scoreboard.console.access import (
    ABSOLUTE_S,
    ADDRESSES_MAX,
    ALL,
    FORGET_S,
    IDLE_S,
    ONE,
    SESSIONS_MAX,
    Access,
    Held,
    Lockout,
    Opened,
    Unset,
    Wrong,
)

PIN, OTHER = "40718263", "99999999"
HOST = Caller("192.168.4.2", own=False, tls=True)


def stranger(number=66):
    return Caller(f"192.168.4.{number}", own=False, tls=True)


@pytest.fixture
def file(tmp_path, monkeypatch):
    # What a hash costs is not what is tested here.
    monkeypatch.setattr("firmware.pin.N", 2)
    file = PinFile(tmp_path / FILE)
    file.write(PIN)
    return file


@pytest.fixture
def access(file, clock):
    return Access(file, clock)


def token(access, caller=HOST):
    opened = access.open(PIN, caller)
    assert isinstance(opened, Opened), opened
    return opened.token


# ---- sessions ----


def test_the_pin_opens_a_session_and_nothing_else_does(access):
    assert isinstance(access.open(OTHER, HOST), Wrong)
    first, second = token(access), token(access)
    assert first != second
    assert len(first) >= 43
    assert access.session(first) is not access.session(second)
    for none in ("", "x", first[:-1], first + "x", first.lower()):
        assert access.session(none) is None


def test_a_session_ends_when_it_is_idle(access, clock):
    key = token(access)
    clock.advance(IDLE_S - 1)
    assert access.session(key)
    clock.advance(IDLE_S - 1)
    assert access.session(key)
    clock.advance(IDLE_S)
    assert access.session(key) is None


def test_a_session_ends_after_an_evening_however_much_it_is_used(access, clock):
    key = token(access)
    for _ in range(int(ABSOLUTE_S / IDLE_S * 2) - 1):
        clock.advance(IDLE_S / 2)
        assert access.session(key)
    clock.advance(IDLE_S / 2)
    assert access.session(key) is None


def test_logging_out_ends_one_session_only(access):
    one, other = token(access), token(access)
    access.close(one)
    assert access.session(one) is None
    assert access.session(other)


def test_there_are_only_so_many_sessions_and_the_one_least_used_gives_way(access, clock):
    keys = []
    for _ in range(SESSIONS_MAX):
        keys.append(token(access))
        clock.advance(1.0)
    assert access.session(keys[0])
    clock.advance(1.0)
    token(access)
    assert [access.session(key) is None for key in keys[:3]] == [False, True, False]


def test_a_new_pin_ends_all_sessions_and_all_waits(access, file, clock):
    key = token(access)
    for _ in range(ONE.free):
        access.open(OTHER, HOST)
    assert isinstance(access.open(PIN, HOST), Held)
    file.write("555555")
    assert access.session(key) is None
    assert isinstance(access.open("555555", HOST), Opened)


def test_without_a_pin_or_with_a_damaged_one_nobody_gets_in(access, file, caplog):
    key = token(access)
    file.path.write_text("damaged")
    for typed in (PIN, "", "damaged"):
        assert isinstance(access.open(typed, HOST), Unset)
    assert access.session(key) is None
    assert not access.has_pin
    assert len([each for each in caplog.records if "makes a new one" in each.message]) == 1
    file.path.unlink()
    assert isinstance(access.open(PIN, HOST), Unset)


# ---- waits ----


def fail(access, caller, times=1):
    for _ in range(times):
        assert isinstance(access.open(OTHER, caller), Wrong)


def test_waits_of_one_address_grow_and_the_right_pin_waits_too(access, clock):
    fail(access, HOST, ONE.free)
    for wait_s in (5.0, 10.0, 20.0, 40.0):
        held = access.open(PIN, HOST)
        assert held == Held(wait_s)
        clock.advance(wait_s - 0.5)
        assert access.open(PIN, HOST) == Held(0.5)
        clock.advance(0.5)
        fail(access, HOST)
    clock.advance(80.0)
    assert isinstance(access.open(PIN, HOST), Opened)
    fail(access, HOST, ONE.free)
    assert access.open(PIN, HOST) == Held(5.0)


def test_trying_while_it_waits_makes_no_wait_longer(access, clock):
    fail(access, HOST, ONE.free)
    for _ in range(100):
        assert isinstance(access.open(OTHER, HOST), Held)
    clock.advance(ONE.first_s)
    assert isinstance(access.open(PIN, HOST), Opened)


def test_no_wait_is_longer_than_a_quarter_of_an_hour(clock):
    lockout = Lockout()
    for _ in range(200):
        lockout.wrong("a", clock.now_s())
    assert lockout.wait_s("a", clock.now_s()) == ONE.most_s == 900.0
    clock.advance(FORGET_S)
    assert lockout.wait_s("a", clock.now_s()) == 0.0


def test_many_addresses_together_wait_too(access, clock):
    for number in range(ALL.free):
        fail(access, stranger(number))
    held = access.open(OTHER, stranger(0))
    assert held == Held(ALL.first_s)
    clock.advance(ALL.first_s)
    fail(access, stranger(0))
    assert access.open(OTHER, stranger(1)) == Held(ALL.first_s * 2)


def test_a_stranger_cannot_keep_the_host_out(access, clock):
    key = token(access)
    access.close(key)
    inside = token(access)
    for number in range(100, 160):
        access.open(OTHER, stranger(number))
    for _ in range(50):
        access.open(OTHER, stranger())
    assert isinstance(access.open(OTHER, stranger()), Held)
    assert access.session(inside), "an open session goes on"
    assert isinstance(access.open(PIN, HOST), Opened), "the first try of an address is looked at"
    here = Caller("127.0.0.1", own=True, tls=False)
    assert isinstance(access.open(PIN, here), Opened), "so is one at the controller"


def test_a_night_of_guessing_gets_through_few_pins(access, clock):
    """Ten devices try without a pause for twelve hours."""
    tried, end_s = 0, clock.now_s() + 12 * 3600
    while clock.now_s() < end_s:
        outcomes = [access.open(OTHER, stranger(number)) for number in range(10)]
        tried += sum(isinstance(each, Wrong) for each in outcomes)
        clock.advance(
            min((each.wait_s for each in outcomes if isinstance(each, Held)), default=0.1)
        )
    assert tried < 1000  # of a hundred million


def test_many_addresses_cannot_fill_the_memory(clock):
    lockout = Lockout()
    for number in range(ADDRESSES_MAX * 2):
        lockout.wrong(str(number), clock.now_s())
    assert len(lockout._by) == ADDRESSES_MAX


def test_tries_at_the_same_moment_are_counted_one_by_one(access):
    many = ONE.free * 5
    start = threading.Barrier(many)

    def attempt(_):
        start.wait()
        return access.open(OTHER, HOST)

    with ThreadPoolExecutor(many) as pool:
        outcomes = list(pool.map(attempt, range(many)))
    assert sum(isinstance(each, Wrong) for each in outcomes) == ONE.free


def test_a_try_that_is_held_up_hashes_nothing(access, monkeypatch):
    fail(access, HOST, ONE.free)
    monkeypatch.setattr(accesses, "matches", lambda *_: pytest.fail("looked at"))
    assert isinstance(access.open(PIN, HOST), Held)


# ---- nothing leaks ----


def test_pin_and_tokens_are_in_no_log_and_no_text(access, caplog):
    caplog.set_level("DEBUG")
    opened = access.open(PIN, HOST)
    fail(access, stranger(), ONE.free)
    access.open(OTHER, stranger())
    session = access.session(opened.token)
    access.close(opened.token)
    said = caplog.text + repr(opened) + repr(session) + repr(access)
    assert "wrong host PIN from 192.168.4.66" in said
    for secret in (PIN, OTHER, opened.token, session.csrf, session.pin):
        assert secret not in said


def test_what_is_kept_of_a_session_does_not_open_it(access):
    key = token(access)
    assert key not in repr(access._sessions)
    assert access.session(next(iter(access._sessions))) is None
