"""The link to the table's broker, made for real: name, network, TLS, password, rights."""

import queue
from typing import Final

from firmware.broker import Broker
from firmware.clock import Clock
from firmware.errors import LinkError
from firmware.finding import Finding, Translate, fault, fine
from firmware.link import Linked, LinkSettings, Received, Unlinked
from firmware.wire import TopicKind, Topics
from firmware.words import N_

PATIENCE_S: Final = 8.0
"""How long the whole of connecting may take; a good one takes 0.1 s."""

REMEDIES: Final = (
    (("not yet valid",), N_("The clock of this Pi is wrong: see its time of day above.")),
    (
        ("certificate has expired",),
        N_("The broker's certificate is too old: make new cards, or set the clock of this Pi."),
    ),
    (
        ("hostname mismatch", "ip address mismatch"),
        N_("The broker's certificate is for another name: put the table's own name on the card."),
    ),
    (
        ("certificate verify failed", "unknown ca"),
        N_("The broker is not the one of this card's ca: take the card and the table of one kit."),
    ),
    (
        ("not authorized", "bad user name or password"),
        N_("The broker has another password for this seat: make this card anew."),
    ),
    (
        ("connection refused",),
        N_("The table is there but its broker is not: sudo systemctl restart mosquitto, there."),
    ),
    (
        ("name or service not known", "name resolution", "no address associated"),
        N_("No device has this name: is the table on and in the same network?"),
    ),
)
"""What to do by what the reason says, in lower case; the first that fits."""

HANGS_UP: Final = (
    "connection lost",
    "reset by peer",
    "broken pipe",
    "eof occurred",
    "unexpected eof",
    "wrong version number",
    "record layer failure",
)
"""A broker that was spoken to in the wrong way: by TLS or without."""

WITHOUT_TLS: Final = N_(
    "The broker hangs up: does its port want TLS? Then the card needs ca, and port 8883."
)
BY_TLS: Final = N_(
    "The broker hangs up: does it speak TLS at this port? Port 8883 does, 1883 does not."
)

SILENCE: Final = N_("Is the table on, and in the same network? Is the host on the card right?")


def link(
    t: Translate,
    settings: LinkSettings,
    table: str,
    clock: Clock,
    patience_s: float = PATIENCE_S,
) -> Finding:
    """Connect and subscribe as the seat does, say nothing there, and leave.

    The seat itself must not run: two of one name put each other out.
    """
    part = t("link")
    where = f"{settings.user}, {settings.host}:{settings.port}"
    heard: queue.SimpleQueue[Received | Linked | Unlinked] = queue.SimpleQueue()
    try:
        topics = Topics(table)
        cue = topics.of(TopicKind.CUE, settings.user)
        with Broker(settings, topics, clock, heard.put, subscriptions=[cue]):
            reason = _wait(heard, clock, clock.now_s() + patience_s)
    except LinkError as error:
        remedy = t("The file that ca names on the card is no certificate: make this card anew.")
        return fault(part, str(error), remedy)
    if reason is None:
        secured = t("by TLS") if settings.ca is not None else t("without TLS")
        return fine(part, f"{where}, {secured}")
    if not reason:
        found = t("{where}: no answer within {seconds:.0f} s")
        return fault(part, found.format(where=where, seconds=patience_s), t(SILENCE))
    return fault(part, f"{where}: {_bare(reason, settings)}", t(_remedy(reason, settings)))


def _wait(
    heard: "queue.SimpleQueue[Received | Linked | Unlinked]", clock: Clock, until_s: float
) -> str | None:
    """Return None once linked, the reason of a refusal, "" if nothing came by *until_s*."""
    while True:
        try:
            item = heard.get(timeout=max(0.0, until_s - clock.now_s()))
        except queue.Empty:
            return ""
        if isinstance(item, Linked):
            return None
        if isinstance(item, Unlinked):
            return item.reason


def _bare(reason: str, settings: LinkSettings) -> str:
    return reason.removeprefix(f"{settings.host}:{settings.port}: ")


def _remedy(reason: str, settings: LinkSettings) -> str:
    said = reason.lower().replace("_", " ")
    for words, remedy in REMEDIES:
        if any(word in said for word in words):
            return remedy
    if any(word in said for word in HANGS_UP):
        return WITHOUT_TLS if settings.ca is None else BY_TLS
    return SILENCE
