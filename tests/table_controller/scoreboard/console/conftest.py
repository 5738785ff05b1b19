"""Sheets of one evening, a table that answers as told, and the console in a real browser."""

import contextlib
import datetime
import json
import queue
from types import SimpleNamespace

import msgspec
import pytest
from msgspec.structs import replace

from firmware.pin import FILE, PinFile
from firmware.words import catalogue
from table_controller.game import actions, events
from table_controller.game.model import (
    Countdown,
    CountdownKind,
    Grounds,
    Offence,
    Sanction,
    Source,
)
from table_controller.game.views import HostView, PublicMotion, PublicPhase
from table_controller.host.changes import Change
from table_controller.host.notices import HostNotice, NoticeKind
from table_controller.host.ordering import Answer
from table_controller.host.orders import NextLine, Rematch, SkipReadiness
from table_controller.host.people import People
from table_controller.host.sentence import Sentence
from table_controller.host.sheet import (
    Line,
    Lobby,
    LobbyPlayer,
    PastStep,
    Sheet,
    SheetPlacing,
    SheetSeat,
    Spare,
    VoiceState,
)
from table_controller.league import Entry, open_league
from table_controller.readiness import (
    ButtonState,
    CameraState,
    ReadinessView,
    SeatReadiness,
    Stage,
)
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.sheets import Sheets
from table_controller.scoreboard.serve import serve

expect = pytest.importorskip("playwright.sync_api").expect

PIN = "40718263"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
UTC = "2026-11-30T20:15:30Z"
FREE = ("place", "identify", "swap", "camera", "volume", "music", "backup", "shutdown")
"""Orders that need no game."""

BY_DAY = (
    "pause", "end_countdown", "extend_countdown", "shorten_countdown", "give_foul",
    "take_back_foul", "correct_nomination", "open_grounds", "put_opponent_victory", "rule",
    "withdraw", "void", "undo", *FREE,
)  # fmt: skip
IN_VOTE = (*BY_DAY, "correct_vote", "call_again")
BY_NIGHT = ("pause", "call_again", "rule", "withdraw", "void")


def seats_around(names, **changes):
    plain = [
        SheetSeat(seat, name, f"node-{seat:02}", online=True, camera="on")
        for seat, name in enumerate(names, start=1)
    ]
    return tuple(replace(each, **changes.get(f"s{each.seat}", {})) for each in plain)


def lost_seat():
    text = "Seat {seat} has lost its device {user}: go on without it, swap it, or wait"
    said = Sentence(text, seat=2, user="node-02")
    english = said.told(catalogue("en"))
    return HostNotice(NoticeKind.SEAT_LOST, UTC, 2, "node-02", english, said)


def undo_steps():
    return (
        PastStep(41, UTC, (events.FoulGiven(4, 3),)),
        PastStep(38, UTC, (events.SpeechBegan(5, silent=False),)),
        PastStep(30, UTC, (events.NominationStood(4, 7),)),
    )


def a_round(stage, names):
    def seat(number):
        pressed = ButtonState.PRESSED
        vote = ButtonState.MISSING if number in (5, 6) else pressed
        shout = {2: ButtonState.MISSING, 6: ButtonState.MISSING, 8: ButtonState.STUCK}
        return SeatReadiness(
            number, names[number - 1], f"node-{number:02}", number != 6, vote,
            shout.get(number, pressed), CameraState.SEES, ready=False,
        )  # fmt: skip

    return ReadinessView(stage, tuple(map(seat, range(1, 11))))


@pytest.fixture
def club(tmp_path, clock, boards):
    """The league of the ten but for seat 10, who is a guest; seat 8 is barred; and Wanda."""
    names = [seat.name for seat in boards["speech"].seats]
    with contextlib.closing(open_league(tmp_path / "league.db", clock)) as league:
        for name in (*names[:9], "Wanda"):
            league.players.add(Entry(name))
        until = league.today() + datetime.timedelta(days=30)
        league.bars.put(
            names[7], league.today(), last_day=until, reason="threats", decided_by="the club"
        )
        yield league


@pytest.fixture
def evening(boards, club):
    """The sheets of an evening by the name of their moment."""
    names = [seat.name for seat in boards["speech"].seats]
    seats = seats_around(names)
    clock_12 = Countdown(12, CountdownKind.SPEECH, 60.0, True, 5)
    lobby = Lobby(
        tuple(
            LobbyPlayer(club.players.get(name).id if at < 9 else "", name)
            for at, name in enumerate(names)
        ),
        ("default", "turbo"), "default", fixed=False,
    )  # fmt: skip
    empty = Sheet(
        step=1,
        phase="lobby",
        seats=seats_around(names, s3={"online": False, "kit": "0.2.0"}, s6={"online": False}),
        spares=(Spare("node-11", online=True), Spare("node-12", online=False, kit="?")),
        kit="0.1.0",
        orders=("new_game", *FREE),
        voice=VoiceState(on=True, volume=70),
        lobby=lobby,
    )

    def of_game(name, countdowns=(), **more):
        board = boards[name]
        view = HostView(board.game, countdowns=countdowns)
        return Sheet(
            step=20,
            phase=board.game.phase,
            paused=board.game.paused,
            game=view,
            board=board,
            seats=seats,
            spares=empty.spares,
            voice=empty.voice,
            **more,
        )

    end_12 = actions.EndCountdown(12)
    speech = replace(
        of_game("speech", (clock_12,), orders=BY_DAY, next=(end_12,), undo=undo_steps()),
        seats=seats_around(names, s2={"online": False}, s7={"away_s": 12.0}),
        notices=(lost_seat(),),
    )
    ballot = of_game("vote", orders=IN_VOTE, next=(actions.CallAgain(),), undo=undo_steps())
    closing = replace(ballot.game.public, phase=PublicPhase.COUNTING)
    counting = replace(ballot.game, public=closing, voted=(1, 3, 4, 7))
    grounds = (
        Grounds(1, 3, Offence.INSULTS, Sanction.TECHNICAL_FOUL, Source.SEAT, 5, 8, 2, False),
        Grounds(2, 7, Offence.AWAY, Sanction.DISQUALIFICATION, Source.PRESENCE, 0, 0, 2, False),
    )
    motion = PublicMotion(Sanction.TECHNICAL_FOUL, 3, Offence.INSULTS, voters=8, needed=5)
    moved = replace(speech.game.public, phase=PublicPhase.MOTION, motion=motion, floor=0)
    lift = of_game("lift", orders=IN_VOTE, undo=undo_steps())
    night = of_game("night", orders=BY_NIGHT, next=())
    return {
        "lobby": empty,
        "check": replace(
            of_game("check", orders=("practice", "skip_readiness", "pause", "void", *FREE)),
            readiness=a_round(Stage.CHECK, names),
            next=(SkipReadiness(),),
        ),
        "placing": replace(empty, placing=SheetPlacing(3, {"node-01": 1, "node-02": 2})),
        "seating": of_game("seating", orders=("pause", "void", *FREE)),
        "speech": speech,
        "silent voice": replace(
            speech,
            line=Line("speech 5", "Seat 5, one minute."),
            orders=(*BY_DAY, "next_line"),
            next=(NextLine(), end_12),
            voice=VoiceState(on=False),
        ),
        "vote": ballot,
        "counting": replace(ballot, phase="counting", game=counting),
        "lift": lift,
        "motion": replace(
            speech,
            phase="motion",
            game=replace(
                speech.game, public=moved, grounds=grounds,
                technical_fouls=(0, 0, 1, *(0,) * 7),
            ),
            orders=IN_VOTE,
            next=(),
        ),
        "night": night,
        "paused": replace(
            of_game("paused", (replace(clock_12, runs=False),), undo=undo_steps()),
            orders=("resume", *BY_DAY[1:]),
            next=(actions.Resume(),),
        ),
        "over": replace(
            of_game("over", orders=("rematch", "new_game", "undo", *FREE), undo=undo_steps()),
            over=True,
            lobby=lobby,
            next=(Rematch(),),
        ),
    }  # fmt: skip


class AnsweringTable:
    """What the console puts in the table's inbox, and what it is told: done, unless said."""

    def __init__(self) -> None:
        self.asked: queue.SimpleQueue = queue.SimpleQueue()
        self.answers: list[Answer | None] = []
        """The next ones; None: no answer comes."""

    def put(self, request, reply) -> None:
        answer = self.answers.pop(0) if self.answers else Answer(request.step)
        self.asked.put(request)
        if answer is not None:
            reply(answer)

    def order(self):
        """Return the next order that was asked, as JSON has it."""
        return json.loads(msgspec.json.encode(self.asked.get(timeout=20).order))

    def refuse(self, why, *changed):
        about = frozenset({"course"})
        self.answers.append(Answer(30, why, tuple(Change(30, about, each) for each in changed)))


@pytest.fixture
def kit(hub, clock, club, tmp_path, monkeypatch):
    """A server with a sheet and a table behind it: ``kit.sheets``, ``kit.table``, ``kit.url``."""
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    table, sheets = AnsweringTable(), Sheets(clock, hub)
    console = (sheets, table.put)
    app = create_app(
        hub, "en", access=Access(pin, clock), console=console, people=People(club), beat_s=0.5
    )
    server = serve(app, "127.0.0.1", 0, stall_s=15.0)

    def end_streams():
        for stream in tuple(sheets._streams):
            stream.end()

    url = f"http://127.0.0.1:{server.port}"
    yield SimpleNamespace(table=table, sheets=sheets, url=url, end_streams=end_streams)
    server.stop()


@pytest.fixture
def open_console(chromium, kit):
    """Open the console in a browser of its own; what a browser complains of fails the test.

    But not of what the test is about: words of that in *allow*.
    """
    contexts, faults = [], []

    def open_page(language="en", *, allow=(), **options):
        context = chromium.new_context(**({"locale": language} | PHONE | options))
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))

        def note(said):
            if said.type in ("error", "warning") and not any(word in said.text for word in allow):
                faults.append(said.text)

        page.goto(f"{kit.url}/host/login?lang={language}")
        page.locator("#pin").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{kit.url}/host*")
        page.on("console", note)
        page.goto(f"{kit.url}/host?lang={language}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def show(kit, evening, open_console):
    """Open the console at a moment of the evening, or bring the open one there."""
    pages = []

    def at(moment, *language, **options):
        kit.sheets.publish(evening[moment])
        if not pages:
            pages.append(open_console(*language, **options))
        expect(pages[0].locator("body")).to_have_attribute("data-phase", evening[moment].phase)
        return pages[0]

    return at


@pytest.fixture
def press_next():
    """Press the big button once it is *name* and has settled."""

    def press(page, name):
        button = page.locator("#next")
        expect(button).to_have_text(name)
        expect(button).to_have_attribute("aria-disabled", "false")
        button.click()

    return press


@pytest.fixture
def choose():
    """Open the sheet of a seat, and return it."""

    def open_sheet(page, seat):
        page.locator(f"#seat-{seat}").click()
        expect(page.locator("#seat-sheet")).to_be_visible()
        return page.locator("#seat-sheet")

    return open_sheet
