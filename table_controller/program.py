"""The table program: the parts put together, on a Pi or in a rehearsal."""

import contextlib
import importlib.metadata
import logging
import queue
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from firmware import rehearsal, service
from firmware.board import TableBoard, open_pins
from firmware.broker import Broker
from firmware.card import TableCard, link_settings, read_table_card
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, CardError
from firmware.link import Link
from firmware.rehearsal import (
    Done,
    Heard,
    Order,
    Refused,
    Step,
    Stepped,
    TableReply,
    TableRequest,
    Watch,
)
from firmware.rehearsal_socket import RehearsalServer, Reply
from firmware.wire import NODES, TopicKind, Topics
from firmware.words import Words, catalogue
from table_controller.countdown import Countdowns
from table_controller.game import SEATS, Action
from table_controller.journals import Journals
from table_controller.lights import Lights, LightsOut
from table_controller.nodes import Nodes
from table_controller.orders import GoOn, HostOrder, StepRequest, Swap
from table_controller.playing import Terms
from table_controller.result import result_table
from table_controller.rulesheet import read_ruleset
from table_controller.scoreboard import create_app
from table_controller.scoreboard.hub import Hub
from table_controller.scoreboard.serve import serve
from table_controller.show import Show
from table_controller.table import Item, Table
from table_controller.voice import Phrase, Silent, Voice

log = logging.getLogger(__name__)

NAME_MAX: Final = 24
"""Letters of a player's name; the card has the same limit."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line says. The last four are for rehearsals."""

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


class _Dark:
    """Lights of a table that has none."""

    def set(self, values: object) -> None:
        """Show nothing."""


class _Room(Voice):
    """The voice of a rehearsal: whoever listens at the socket hears it."""

    def __init__(self, socket: RehearsalServer[TableRequest]) -> None:
        self._socket = socket

    def say(self, phrase: Phrase) -> None:
        """Tell all who watch."""
        self._socket.publish(Heard(phrase.name, phrase.number, phrase.text))

    def close(self) -> None:
        """Do nothing; the socket is closed by its owner."""


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
        show = Show(
            clock=clock,
            link=link,
            topics=topics,
            nodes=Nodes(),
            countdowns=Countdowns(speed=options.speed, stepping=options.step),
            hub=hub,
            voice=_voice(options, card, clock, inbox, stack),
            lights=Lights(_lights(options, card, stack)),
            words=words,
        )
        table = Table(clock=clock, journals=journals, terms=terms, show=show)
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


def _voice(
    options: Options,
    card: TableCard,
    clock: Clock,
    inbox: "queue.SimpleQueue[Item | None]",
    stack: contextlib.ExitStack,
) -> Voice:
    if options.rehearsal is not None:
        return _Room(stack.enter_context(_rehearsal(options.rehearsal, inbox)))
    voice: Voice = Silent()
    if card.voice != "off":
        # Imported late: a rehearsal needs no sound.
        from table_controller.speaker import open_voice

        recordings = Path(card.recordings) if card.voice == "aplay" else None
        cache = Path(card.data_dir) / "voice"
        voice = open_voice(card.language, cache, clock, recordings=recordings)
    stack.callback(voice.close)
    return voice


def _rehearsal(
    path: Path, inbox: "queue.SimpleQueue[Item | None]"
) -> RehearsalServer[TableRequest]:
    def handle(request: TableRequest, reply: Reply) -> None:
        def stepped(kind: str) -> None:
            answer: TableReply = Stepped(kind) if kind else Refused("no countdown runs")
            reply(answer)

        def ordered(reason: str) -> None:
            reply(Refused(reason) if reason else Done())

        match request:
            case Step():
                inbox.put(StepRequest(stepped))
            case Order(action=raw):
                try:
                    action = msgspec.json.decode(raw, type=Action)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    reply(Refused(str(error)))
                else:
                    inbox.put(HostOrder(action, ordered))
            case rehearsal.Swap(seat=seat, node=node):
                inbox.put(HostOrder(Swap(seat, node), ordered))
            case rehearsal.GoOn():
                inbox.put(HostOrder(GoOn(), ordered))
            case Watch():
                pass

    return RehearsalServer(path, TableRequest, handle)


def _lights(options: Options, card: TableCard, stack: contextlib.ExitStack) -> LightsOut:
    if options.rehearsal is not None or not card.lights:
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
