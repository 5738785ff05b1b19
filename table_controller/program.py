"""The table program: the parts put together, on a Pi or in a rehearsal."""

import contextlib
import importlib.metadata
import logging
import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware import service
from firmware.board import Level, TableButtons, TableLights, open_pins
from firmware.broker import Broker
from firmware.card import TableCard, link_settings, read_table_card
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, CardError, LeagueError
from firmware.link import Link
from firmware.wire import NODES, TopicKind, Topics
from firmware.words import Words, catalogue
from table_controller import web_certificate
from table_controller.buttons import Buttons, power_off
from table_controller.commands.pin import host_pin
from table_controller.commands.rulesheet import read_ruleset
from table_controller.countdown import Countdowns
from table_controller.game import SEATS
from table_controller.host import upkeep
from table_controller.host.lineups import NAME_MAX, KeptLineup, Lineups
from table_controller.host.ordering import Answer, ConsoleRequest
from table_controller.host.orders import Request
from table_controller.host.people import People
from table_controller.host.recent_log import RecentLog
from table_controller.host.rulesets import Rulesets
from table_controller.kept_seats import KeptSeats
from table_controller.league import League, open_card_league
from table_controller.league.games_keeper import Keeper
from table_controller.league.seasons import seasons_of
from table_controller.lights import Lights
from table_controller.nodes import Nodes
from table_controller.record.journals import Journals
from table_controller.record.offenders import offenders
from table_controller.result import result_table
from table_controller.room import Room
from table_controller.scoreboard import create_app
from table_controller.scoreboard.callers import names_of
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from table_controller.scoreboard.console.files import Shelf
from table_controller.scoreboard.console.games import Keeping
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.hub import Hub
from table_controller.scoreboard.pages.games.routes import Past
from table_controller.scoreboard.pages.posted import Posted
from table_controller.scoreboard.serve import serve
from table_controller.show import Show
from table_controller.table import Item, Table
from table_controller.terms import Terms
from table_controller.voice.phrases import Silent, Voice
from table_controller.voice.settings import KeptVoice

log = logging.getLogger(__name__)

Inbox = queue.SimpleQueue[Item | Level | None]
"""What the loop takes; None ends it."""


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


def run_table(
    options: Options,
    *,
    pins: Callable[[], Any] = open_pins,
    shut_down: Callable[[], object] = power_off,
) -> None:
    """Run the table until it is told to stop, or its one game is over.

    Its own lights and buttons are on *pins*; after its stop button, *shut_down*
    is called last. A rehearsal has neither.

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
    inbox: Inbox = queue.SimpleQueue()
    service.on_stop(lambda: inbox.put(None))
    web_certificate.renew(Path(card.data_dir), clock.wall())
    with contextlib.ExitStack() as stack:
        recent = stack.enter_context(RecentLog())
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
        league = _open_league(card, clock, stack)
        folder = Path(card.data_dir) / "journal"
        keeper = None
        if isinstance(league, League):
            keeper = Keeper(league.games, folder, card.table, inbox.put)
        # Without a league every game waits for it.
        journals = Journals(folder, keeper.waits if keeper else lambda _: True)
        stack.callback(journals.close)
        sheets = Sheets(clock, hub)

        def put(request: Request, reply: Callable[[Answer], None]) -> None:
            inbox.put(ConsoleRequest(request, reply))

        shelf = Shelf(journals.folder, options.card, card, sheets, put, recent)
        club = people = past = None
        if isinstance(league, League) and keeper is not None:
            keeper.start()
            stack.callback(keeper.close)
            keeping = Keeping(keeper, shelf.ended)
            club = Club(league, lambda: offenders(journals.folder), keeping)
            people = People(league)
            told = seasons_of(league, card.seasons)
            past = Past(league, journals.folder, shelf.is_over, told)
        access = Access(host_pin(card, words), clock)
        names = names_of(card.scoreboard.bind, card.scoreboard.names)
        posted = Posted(terms.ruleset, card.gestures)
        app = create_app(
            hub,
            card.language,
            access=access,
            names=names,
            club=club,
            people=people,
            console=(sheets, put),
            shelf=shelf,
            past=past,
            table=card.table,
            posted=posted,
            address="" if options.rehearsal else _phones_address(card),
        )
        server = serve(app, card.scoreboard.bind, card.scoreboard.port)
        stack.callback(server.stop)
        print(f"Scoreboard: http://{_address(card)}:{server.port}/", flush=True)
        room = options.rehearsal and stack.enter_context(Room(options.rehearsal, inbox.put))
        panel = _Panel(Lights(room or None))
        if card.lights and not room:
            panel = _open_panel(pins, inbox.put, stack)
        show = Show(
            clock=clock,
            link=link,
            topics=topics,
            nodes=Nodes(terms.version),
            countdowns=Countdowns(speed=options.speed, stepping=options.step),
            hub=hub,
            voice=room or _voice(card, clock, stack),
            lights=panel.lights,
            words=words,
            gestures_on=card.gestures,
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
            kept_voice=KeptVoice(Path(card.data_dir) / "voice.json"),
            by_hand=card.voice == "host",
            sheets=sheets,
            posted=posted,
            keep=keeper.take if keeper else lambda _: None,
            lineups=Lineups(
                terms,
                Rulesets(terms.ruleset, Path(card.data_dir) / "rulesets"),
                KeptLineup(Path(card.data_dir) / "lineup.json"),
                fixed=card.seating == "fixed",
                recall=options.players is None,
                people=people,
            ),
        )
        stack.callback(table.playing.close)
        if panel.fault:
            table.notices.buttons_fail(panel.fault)
        if fault := _fault(league):
            table.notices.club_fails(fault)
        buttons = Buttons(table.playing, show.lights, closed=panel.closed, now_s=clock.now_s())
        end = None if options.rehearsal else lambda: buttons.end(clock.now_s())
        upkeep.serve(table.orders, table.playing, journals, end)
        table.playing.resume()
        for seat, node in options.swaps:
            table.playing.swap(seat, node)
        stack.enter_context(link)
        _loop(table, buttons, link, inbox, clock, once=options.once)
        service.notify("STOPPING=1")
        if options.once and show.board is not None and table.playing.over:
            print(result_table(show.board, words))
    if buttons.stopped:
        shut_down()


def _loop(
    table: Table,
    buttons: Buttons,
    link: Link,
    inbox: Inbox,
    clock: Clock,
    *,
    once: bool,
) -> None:
    service.notify("READY=1")
    watchdog = service.Watchdog(clock, link.healthy, lambda now_s: table.playing.answers())
    for item in _items(table, buttons, inbox, clock, watchdog):
        if item is None:
            # All that had come was taken.
            buttons.tick(clock.now_s())
        elif isinstance(item, Level):
            buttons.level(item, clock.now_s())
        else:
            table.take(item)
        if buttons.stopped:
            return
        table.tick()
        watchdog.tick(clock.now_s())
        if once and table.playing.over:
            return


def _items(
    table: Table,
    buttons: Buttons,
    inbox: Inbox,
    clock: Clock,
    watchdog: service.Watchdog,
) -> Iterator[Item | Level | None]:
    """Yield each item of the inbox, and None when something is due; end at a stop."""
    while True:
        due_s = min(table.next_due_s(), buttons.next_due_s(), watchdog.due_s)
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


def _phones_address(card: TableCard) -> str:
    """Return the URL of the scoreboard for phones; on loopback it stands behind nginx."""
    name = card.scoreboard.names[0] if card.scoreboard.names else "mafia.local"
    own = card.scoreboard.bind in ("127.0.0.1", "::1")
    return f"http://{name}/" if own else f"http://{name}:{card.scoreboard.port}/"


def _open_league(card: TableCard, clock: Clock, stack: contextlib.ExitStack) -> League | str:
    """Return the club's league, or why it cannot be used: a game needs none.

    A server that is away may come: it is asked again by each page that needs it.
    """
    try:
        league = open_card_league(card, clock, later=True)
    except LeagueError as error:
        return str(error)
    stack.callback(league.close)
    return league


def _fault(league: League | str) -> str:
    """Return why the league cannot be used now; "": it can."""
    if isinstance(league, str):
        return league
    try:
        league.open()
    except LeagueError as error:
        return str(error)
    return ""


def _voice(card: TableCard, clock: Clock, stack: contextlib.ExitStack) -> Voice:
    voice: Voice = Silent()
    if card.voice in ("espeak", "aplay"):
        # Imported late: a rehearsal needs no sound.
        from table_controller.voice.speaker import open_voice

        recordings = Path(card.recordings) if card.voice == "aplay" else None
        cache = Path(card.data_dir) / "voice"
        music = Path(card.music) if card.music else None
        voice = open_voice(card.language, cache, clock, recordings=recordings, music=music)
    stack.callback(voice.close)
    return voice


@dataclass(frozen=True, slots=True)
class _Panel:
    """The controller's own lights and buttons; a game needs neither."""

    lights: Lights
    closed: frozenset[str] = frozenset()
    """Buttons that are down at the start."""
    fault: str = ""
    """Why the buttons do nothing."""


def _open_panel(
    open_: Callable[[], Any], put: Callable[[Level], None], stack: contextlib.ExitStack
) -> _Panel:
    try:
        pins = open_()
    except BoardError as error:
        return _Panel(Lights(None, str(error)), fault=str(error))
    stack.callback(pins.close)
    # Each for itself: lights that fail leave the buttons, and the other way round.
    try:
        out = TableLights(pins)
    except BoardError as error:
        lights = Lights(None, str(error))
    else:
        stack.callback(out.close)
        lights = Lights(out)
    try:
        buttons = TableButtons(pins, put)
    except BoardError as error:
        return _Panel(lights, fault=str(error))
    stack.callback(buttons.close)
    return _Panel(lights, buttons.closed)


def check_swap(text: str) -> tuple[int, str]:
    """Return seat and node of ``3=node-11``.

    :raises ValueError: if it is not a seat and a node of the kit.
    """
    seat, _, node = text.partition("=")
    if not seat.isdigit() or int(seat) not in SEATS or node not in NODES:
        raise ValueError(f"{text!r}: expected SEAT=NODE, as 3=node-11")
    return int(seat), node
