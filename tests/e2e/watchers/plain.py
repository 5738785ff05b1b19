"""What two recordings of the same table may differ in: all of it is here, each with its reason.

Everything else that a watcher records must be equal, byte for byte.
"""

import io
import json
import re
import zipfile

RANDOM_IN_PAGES = (
    # How long ago a board or sheet was made, as it is sent: time alone.
    (rb'"age_s": ?[\d.]+', b'"age_s":*'),
    # What was left of a clock as it was shown: the time that the machine needed until then.
    (rb'"left_s": ?[\d.]+', b'"left_s":*'),
    # For how long a chair is empty, a seat away: time alone.
    (rb'"away_s": ?[\d.]+', b'"away_s":*'),
    # When something was told, by the time of day.
    (rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|\+00:00)?", b"*time*"),
    # What a form sends back, made anew for each session and for each log-in.
    (rb'name="csrf" value="[\w-]+"', b'name="csrf" value="*"'),
    (rb'data-csrf="[\w-]+"', b'data-csrf="*"'),
    (rb'name="id" value="[0-9a-f]{32}', b'name="id" value="*'),
    # What a device has measured of itself, each 10 s from its own start: time and the machine.
    # test_devices_posted.py holds that it does not go by roles or presses.
    (rb"</dt><dd[^>]*>.*?</dd></div>", b"</dt><dd>*</dd></div>"),
    # The name of a game: when it began, and a random number.
    (rb"\d{8}-\d{6}-[0-9a-f]{8}", b"*game*"),
)
CHANCE_IN_A_BUNDLE = re.compile(rb"\d+|/\S*mafia-\w+|[0-9a-f]{8}")
"""Ports, times, memory and the folder of a bundle for finding faults."""

OF_THE_MACHINE = "doctor.txt"
"""The part of a bundle that tells how the machine is at that moment."""

RANDOM_HEADERS = {"Date"}
"""The time of day. And the size of a body, when it is that of the body: a number in it may have
a digit more."""

RANDOM_COOKIES = re.compile(r"(mafia_form|mafia_host)=[\w-]+")
"""The token of a form or a session, made anew each time."""

START_OF_A_PROGRAM = ("boot", "by")
"""Eight digits that a node's or the table's program makes anew at each start."""

COUNTED_FROM_ANYWHERE = ("id", "ask")
"""Cues, and questions to the nodes, are numbered from a random number; how they go on counts."""


def page(body):
    """Return *body* (bytes) of an answer without what is random; of a bundle its parts."""
    if zipfile.is_zipfile(io.BytesIO(body)):
        with zipfile.ZipFile(io.BytesIO(body)) as bundle:
            parts = {name: bundle.read(name) for name in bundle.namelist()}
        parts[OF_THE_MACHINE] = b""
        return {name: CHANCE_IN_A_BUNDLE.sub(b"*", text) for name, text in parts.items()}
    for pattern, instead in RANDOM_IN_PAGES:
        body = re.sub(pattern, instead, body)
    return body


def headers(pairs, size):
    """Return (name, value) *pairs* of an answer of *size* bytes, likewise, in their order."""
    random = RANDOM_HEADERS | ({("Content-Length", str(size))} if size else set())
    return tuple(
        (name, "*")
        if {name, (name, value)} & random
        else (name, RANDOM_COOKIES.sub(r"\1=*", value))
        for name, value in pairs
    )


class Messages:
    """Takes what is random out of the messages of one client, in their order."""

    def __init__(self):
        self._first = {}

    def plain(self, topic, payload):
        """Return *payload* without what is random, and its size as it came."""
        if "/ping/" in topic:
            # The client's own, as often as time has passed.
            return None
        told = json.loads(payload)
        if topic.endswith("/cue"):
            for name in START_OF_A_PROGRAM:
                told[name] = "*"
            told["id"] = self._counted("id", told["id"])
            if told.get("ask"):
                told["ask"]["id"] = self._counted("ask", told["ask"]["id"])
        return len(payload) if topic.endswith("/cue") else 0, _without_time(told)

    def _counted(self, name, number):
        return number - self._first.setdefault(name, number)


def _without_time(told):
    """Return *told* with what is left of each clock hidden, whichever list it is in."""
    if isinstance(told, dict):
        return {key: "*" if key == "left_s" else _without_time(each) for key, each in told.items()}
    if isinstance(told, list):
        return [_without_time(each) for each in told]
    return told


def differences(one, other):
    """Return where two recordings, {channel: list}, differ first: [(channel, place, one, other)].

    A channel that one of them lacks, or that goes on for longer, differs at its end.
    """
    found = []
    for channel in sorted({*one, *other}):
        mine, its = one.get(channel, ()), other.get(channel, ())
        for place in range(max(len(mine), len(its))):
            pair = [kept[place] if place < len(kept) else None for kept in (mine, its)]
            if pair[0] != pair[1]:
                found.append((channel, place, *pair))
                break
    return found
