"""The table program: the parts put together, on a Pi or in a rehearsal."""

import contextlib
import importlib.metadata
import logging
import queue
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware import service
from firmware.board import TableBoard, open_pins
from firmware.broker import Broker
from firmware.card import TableCard, link_settings, read_table_card
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, CardError
from firmware.link import Link
from firmware.wire import NODES, TopicKind, Topics
from firmware.words import Words, catalogue
from table_controller.countdown import Countdowns
from table_controller.game import SEATS
from table_controller.journals import Journals
from table_controller.kept_seats import KeptSeats
from table_controller.lights import Lights, LightsOut
from table_controller.nodes import Nodes
from table_controller.playing import Terms
from table_controller.result import result_table
from table_controller.room import Room
from table_controller.rulesheet import read_ruleset
from table_controller.scoreboard import create_app
from table_controller.scoreboard.hub import Hub
from table_controller.scoreboard.serve import serve
from table_controller.show import Show
from table_controller.table import Item, Table
from table_controller.voice import Silent, Voice

log = logging.getLogger(__name__)

NAME_MAX: Final = 24
"""Letters of a player's name; the card has the same limit."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. The last five are for rehearsals."""

    card: Path
    players: Path | None = None
    ruleset: Path | None = None
    turbo: bool = False
    once: bool = False
    swaps: tuple[tuple[int, str], ...] = ()
    rehearsal: Path | None = None
    step: bool = False
    speed: float = 1.0
    seed: int | None = None
    readiness: bool = False
    """A readiness round although it steps."""


class _Dark:
    """Lights of a table that has none."""

    def set(self, values: object) -> None:
        """Show nothing."""


def run_table(options: Options) -> None:
    """Run the table until it is told to stop, or its one game is over.

    :raises CardError: if the card or the list of players is wrong.
    :raises KitError: if a part, a port or the journal is not there.
    """
    service.keep_memory_private()
    card = read_table_card(options.card)
    words = catalogue(card.language)
    terms = Terms(
        ruleset=read_ruleset(options.ruleset, turbo=options.turbo),
        names=_names(card, options.players, words),
        version=importlib.metadata.version("mafia-table-kit"),
        rehearsal_seed=options.seed,
    )
    clock = SystemClock()
    inbox: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
    service.on_stop(lambda: inbox.put(None))
    with contextlib.ExitStack() as stack:
        journals = Journals(Path(card.data_dir) / "journal")
        stack.callback(journals.close)
        topics = Topics(card.table)
        link = Broker(
            link_settings(card),
            topics,
            clock,
            inbox.put,
            subscriptions=[
                topics.of(kind, "+")
                for kind in (TopicKind.STATUS, TopicKind.SAID, TopicKind.HEALTH)
            ],
        )
        hub = Hub(clock)
        server = serve(create_app(hub, card.language), card.scoreboard.bind, card.scoreboard.port)
        stack.callback(server.stop)
        print(f"Scoreboard: http://{_address(card)}:{server.port}/", flush=True)
        room = options.rehearsal and stack.enter_context(Room(options.rehearsal, inbox.put))
        show = Show(
            clock=clock,
            link=link,
            topics=topics,
            nodes=Nodes(),
            countdowns=Countdowns(speed=options.speed, stepping=options.step),
            hub=hub,
            voice=room or _voice(card, clock, stack),
            lights=Lights(room or _lights(card, stack)),
            words=words,
        )
        kept = KeptSeats(Path(card.data_dir) / "seats.json")
        kept.read_into(show.nodes)
        table = Table(
            clock=clock,
            journals=journals,
            terms=terms,
            show=show,
            # A rehearsal that steps has nobody who waits for a practice to end.
            readiness=options.readiness or (card.readiness and not options.step),
            kept=kept,
        )
        stack.callback(table.playing.close)
        table.playing.resume()
        for seat, node in options.swaps:
            table.playing.swap(seat, node)
        stack.enter_context(link)
        _loop(table, link, inbox, clock, once=options.once)
        service.notify("STOPPING=1")
        if options.once and show.board is not None and table.playing.over:
            print(result_table(show.board, words))


def _loop(
    table: Table,
    link: Link,
    inbox: "queue.SimpleQueue[Item | None]",
    clock: Clock,
    *,
    once: bool,
) -> None:
    service.notify("READY=1")
    watchdog = service.Watchdog(clock, link.healthy, lambda now_s: table.playing.answers())
    for item in _items(table, inbox, clock, watchdog):
        if item is not None:
            table.take(item)
        table.tick()
        watchdog.tick(clock.now_s())
        if once and table.playing.over:
            return


def _items(
    table: Table,
    inbox: "queue.SimpleQueue[Item | None]",
    clock: Clock,
    watchdog: service.Watchdog,
) -> Iterator[Item | None]:
    """Yield each item of the inbox, and None when something is due; end at a stop."""
    while True:
        due_s = min(table.next_due_s(), watchdog.due_s)
        try:
            item = inbox.get(timeout=max(0.0, due_s - clock.now_s()))
        except queue.Empty:
            yield None
            continue
        if item is None:
            return
        yield item


def _names(card: TableCard, players: Path | None, words: Words) -> tuple[str, ...]:
    """Return ten names: of the file, else of the card, the rest being "Player 7" and so on."""
    names = card.players
    if players is not None:
        try:
            lines = players.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CardError(f"{players}: {error}; expected ten names, one a line") from error
        names = tuple(line.strip() for line in lines if line.strip())
        if len(names) != len(SEATS) or len(set(names)) != len(SEATS):
            raise CardError(f"{players}: {len(set(names))} names, expected ten different ones")
        if odd := [name for name in names if not name.isprintable()]:
            raise CardError(f"{players}: {odd[0]!r}: expected letters that can be shown")
        if too_long := [name for name in names if len(name) > NAME_MAX]:
            raise CardError(f"{players}: {too_long[0]!r}: expected {NAME_MAX} letters at most")
    t = words.gettext
    return tuple(
        names[seat - 1] if seat <= len(names) else t("Player {number}").format(number=seat)
        for seat in SEATS
    )


def _address(card: TableCard) -> str:
    return "127.0.0.1" if card.scoreboard.bind == "127.0.0.1" else "mafia.local"


def _voice(card: TableCard, clock: Clock, stack: contextlib.ExitStack) -> Voice:
    voice: Voice = Silent()
    if card.voice != "off":
        # Imported late: a rehearsal needs no sound.
        from table_controller.speaker import open_voice

        recordings = Path(card.recordings) if card.voice == "aplay" else None
        cache = Path(card.data_dir) / "voice"
        voice = open_voice(card.language, cache, clock, recordings=recordings)
    stack.callback(voice.close)
    return voice


def _lights(card: TableCard, stack: contextlib.ExitStack) -> LightsOut:
    if not card.lights:
        return _Dark()
    try:
        # The controller's start and stop buttons have no meaning yet.
        board = TableBoard(open_pins(), lambda level: None)
    except BoardError as error:
        # A game needs no lights.
        log.warning("lights off: %s", error)
        return _Dark()
    stack.callback(board.close)
    return board


def check_swap(text: str) -> tuple[int, str]:
    """Return seat and node of ``3=node-11``.

    :raises ValueError: if it is not a seat and a node of the kit.
    """
    seat, _, node = text.partition("=")
    if not seat.isdigit() or int(seat) not in SEATS or node not in NODES:
        raise ValueError(f"{text!r}: expected SEAT=NODE, as 3=node-11")
    return int(seat), node
