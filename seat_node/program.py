"""The program ``mafia-seat run``: its parts put together, and its one loop."""

import contextlib
import importlib.metadata
import queue
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from firmware import service
from firmware.board import SeatBoard, mock_pins, open_pins
from firmware.broker import Broker
from firmware.card import SeatCard, link_settings, read_seat_card
from firmware.clock import Clock, SystemClock
from firmware.link import Link, Retained
from firmware.wire import Button, Status, TopicKind, Topics, encode
from seat_node.display import Screen, open_device
from seat_node.face import Face, describe
from seat_node.inbox import Item, ScreenGone, Stop
from seat_node.rehearse import rehearsal
from seat_node.reports import Watch
from seat_node.screens import photograph
from seat_node.seat import Identity, Seat
from seat_node.vitals import measure

BATCH: Final = 256
"""Items taken before time gets its turn, however many more there are."""


class Options(msgspec.Struct, frozen=True):
    """What the command line says."""

    card: Path
    rehearsal: Path | None = None
    """Socket to press mock pins at; None: real parts."""
    eyes: str | None = None
    """Source of pictures for eyes of our own, instead of the card's service."""


def run_seat(options: Options) -> None:
    """Run a seat until it is told to stop.

    :raises CardError: if the card is wrong.
    :raises KitError: if a part is missing.
    """
    service.keep_memory_private()
    card = read_seat_card(options.card)
    clock = SystemClock()
    inbox: queue.SimpleQueue[Item] = queue.SimpleQueue()
    service.on_stop(lambda: inbox.put(Stop()))
    who = _identity(card, eyes=card.parts.eyes or options.eyes is not None)
    with contextlib.ExitStack() as stack:
        board = _board(card, options, inbox)
        stack.callback(board.close)
        screen = stack.enter_context(_screen(card, options, inbox))
        watch = _eyes(card, options, inbox, clock, stack)
        link = Broker(
            link_settings(card),
            who.topics,
            clock,
            inbox.put,
            subscriptions=[who.topic(TopicKind.CUE)],
            will=_offline(who),
            farewell=_offline(who),
        )

        watched = options.rehearsal and rehearsal(options.rehearsal, board, inbox.put)

        def show(face: Face) -> None:
            screen.show(face)
            board.show(face.lamp, clock.now_s())
            if watched:
                watched.publish(describe(face))

        seat = Seat(
            who,
            link,
            show,
            now_s=clock.now_s(),
            watch=watch,
            picture=lambda face, tell: tell(photograph(face)),
            measure=measure,
            closed=board.closed,
        )
        if watched:
            stack.enter_context(watched)
        stack.enter_context(link)
        loop(seat, board, link, inbox, clock)
        service.notify("STOPPING=1")


def loop(
    seat: Seat, board: SeatBoard, link: Link, inbox: "queue.SimpleQueue[Item]", clock: Clock
) -> None:
    """Take items and let time pass, until a :class:`Stop` comes."""
    service.notify("READY=1")
    watchdog = service.Watchdog(clock, lambda now_s: link.healthy(now_s))
    while True:
        dues = [seat.next_due_s(), watchdog.due_s]
        if board.next_due_s is not None:
            dues.append(board.next_due_s)
        if not _take_all(seat, inbox, clock, min(dues)):
            return
        now_s = clock.now_s()
        seat.tick(now_s)
        board.tick(now_s)
        watchdog.tick(now_s)


def _take_all(seat: Seat, inbox: "queue.SimpleQueue[Item]", clock: Clock, until_s: float) -> bool:
    """Take what comes by *until_s* and what else is there then; False: stop."""
    # All of it before time passes: an edge that waits may end what would be due.
    try:
        item = inbox.get(timeout=max(0.0, until_s - clock.now_s()))
        for taken in range(1, BATCH + 1):
            if isinstance(item, Stop):
                return False
            seat.take(item, clock.now_s())
            if taken < BATCH:
                item = inbox.get_nowait()
    except queue.Empty:
        pass
    return True


def _identity(card: SeatCard, *, eyes: bool) -> Identity:
    parts = card.parts
    has = {
        "shout": parts.shout,
        "lamp": parts.lamp,
        "screen": parts.screen != "none",
        "eyes": eyes,
    }
    return Identity(
        user=card.user,
        boot=secrets.token_hex(4),
        topics=Topics(card.table),
        version=importlib.metadata.version("mafia-table-kit"),
        parts=tuple(part for part, there in has.items() if there),
        language=card.language,
    )


def _offline(who: Identity) -> Retained:
    status = Status(online=False, boot=who.boot, version=who.version, parts=who.parts)
    return Retained(who.topic(TopicKind.STATUS), encode(status))


def _board(card: SeatCard, options: Options, inbox: "queue.SimpleQueue[Item]") -> SeatBoard:
    parts = card.parts
    has = [Button.VOTE, *([Button.SHOUT] if parts.shout else []), *(["lamp"] if parts.lamp else [])]
    return SeatBoard(
        open_pins() if options.rehearsal is None else mock_pins(),
        inbox.put,
        has=has,
        normally_closed=tuple(Button) if parts.switch == "nc" else (),
    )


def _eyes(
    card: SeatCard,
    options: Options,
    inbox: "queue.SimpleQueue[Item]",
    clock: Clock,
    stack: contextlib.ExitStack,
) -> Callable[[Watch], object] | None:
    """Enter what the eyes need into *stack*; return what tells them their wish."""
    if options.eyes is None and not card.parts.eyes:
        return None
    # Imported late: most seats of a rehearsal have no eyes.
    from seat_node.eyes_link import OWN_UNIT, EyesProcess, EyesSocket, eyes_command

    if options.eyes is None:
        return stack.enter_context(EyesSocket(OWN_UNIT, inbox.put, clock, alone=True)).watch
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="mafia-eyes-"))
    path = Path(folder) / "eyes.sock"
    line = stack.enter_context(EyesSocket(path, inbox.put, clock))
    command = eyes_command(options.eyes, path)
    stack.enter_context(EyesProcess(command, inbox.put, clock, lambda: line.last_s))
    return line.watch


def _screen(card: SeatCard, options: Options, inbox: "queue.SimpleQueue[Item]") -> Screen:
    parts = card.parts
    driver: str = parts.screen
    if options.rehearsal is not None and driver != "none":
        driver = "dummy"
    return Screen(
        lambda: open_device(driver, parts.i2c_bus, parts.i2c_address),
        lambda reason: inbox.put(ScreenGone(reason)),
    )
