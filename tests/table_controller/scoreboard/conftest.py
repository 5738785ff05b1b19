"""Boards of a game, a hub on a fake clock, a real server, a real browser."""

import contextlib
import hashlib
import socket
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.clock import Clock
from firmware.fakes import FakeClock
from table_controller.game.model import BallotKind, Cause, CountdownKind, Role, Winner
from table_controller.game.views import PublicBallot, PublicPhase, PublicSeat, PublicView
from table_controller.scoreboard import create_app
from table_controller.scoreboard.board import Board, BoardClock, BoardReadiness, BoardSeat
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.hub import Hub, Stream
from table_controller.scoreboard.serve import serve

NAMES = (
    "Anna", "Boris", "Clara", "Dmitri", "Elena",
    "Fyodor Konstantinovich", "Galina", "Hugo", "Irina", "Jan",
)  # fmt: skip
ROLES = (
    Role.CITIZEN, Role.MAFIA, Role.CITIZEN, Role.SHERIFF, Role.DON,
    Role.CITIZEN, Role.MAFIA, Role.CITIZEN, Role.CITIZEN, Role.CITIZEN,
)  # fmt: skip


def seats_of(**changes: PublicSeat) -> tuple[PublicSeat, ...]:
    fresh = PublicSeat(seat=1, living=True, ready=True, fouls=0, silenced=False)
    every = {f"s{seat}": replace(fresh, seat=seat) for seat in range(1, 11)}
    return tuple((every | changes).values())


def a_seat(seat: int, **changes) -> dict[str, PublicSeat]:
    plain = {"living": True, "ready": True, "fouls": 0, "silenced": False}
    return {f"s{seat}": PublicSeat(seat=seat, **(plain | changes))}


def around(**changes: BoardSeat) -> tuple[BoardSeat, ...]:
    every = {
        f"s{seat}": BoardSeat(seat=seat, name=name, online=True)
        for seat, name in enumerate(NAMES, start=1)
    }
    return tuple((every | changes).values())


def a_clock(kind: CountdownKind, left_s: float, length_s: float, seat: int = 0, runs: bool = True):
    return BoardClock(kind=kind, seat=seat, left_s=left_s, length_s=length_s, runs=runs)


VOTE = PublicBallot(
    day=1,
    kind=BallotKind.VOTE,
    candidates=(6, 2),
    votes=((1, 6), (2, 6), (3, 6), (4, 2), (5, 6), (6, 2), (7, 6), (8, 2), (9, 2), (10, 2)),
    automatic=(10,),
    top=(6, 2),
    living=10,
)
REVOTE = replace(VOTE, kind=BallotKind.REVOTE, automatic=())
LIFT = PublicBallot(
    day=1,
    kind=BallotKind.LIFT,
    candidates=(6, 2),
    votes=((3, 0), (4, 0), (8, 0), (9, 0), (10, 0)),
    automatic=(),
    top=(),
    living=10,
)
DAY_2 = PublicBallot(
    day=2,
    kind=BallotKind.VOTE,
    candidates=(7, 8, 5),
    votes=((1, 5), (2, 8), (3, 7), (4, 7), (5, 8), (6, 7), (7, 8), (8, 7), (10, 5)),
    automatic=(10,),
    top=(7,),
    living=9,
)
SEED = hashlib.sha256(b"seven").hexdigest()
COMMITMENT = hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


@pytest.fixture
def boards() -> dict[str, Board]:
    """The boards of one game by the name of their moment, in order."""
    out_9 = a_seat(9, living=False, cause=Cause.SHOT, best_move=(2, 5, 6))
    crowned = a_seat(4, crowns=(9,))
    shouted = a_seat(10, fouls=3, silenced=True)
    day_2 = seats_of(**out_9, **crowned, **shouted, **a_seat(1, fouls=1), **a_seat(6, fouls=2))
    quiet = PublicView(
        phase=PublicPhase.SEATING, day=0, night=-1, paused=False,
        seats=seats_of(**a_seat(3, ready=False)),
    )  # fmt: skip
    base = Board(table="t1", game=quiet, seats=around(), commitment=COMMITMENT)
    speech = replace(
        quiet,
        phase=PublicPhase.SPEECH,
        day=2,
        night=1,
        seats=day_2,
        floor=5,
        nominees=(7, 8),
        ballots=(VOTE, REVOTE, LIFT),
        shot=9,
        mistakes_left=1,
    )
    talk = replace(
        base,
        game=speech,
        seats=around(
            s3=BoardSeat(seat=3, name="Clara", online=True, gesture="thumb_up", meaning="town"),
            s8=BoardSeat(seat=8, name="Hugo", online=True, gesture="number", number=7),
            s2=BoardSeat(seat=2, name="Boris", online=False),
        ),
        clocks=(a_clock(CountdownKind.SPEECH, 42.4, 60.0, seat=5),),
    )
    vote = replace(
        talk,
        game=replace(
            speech, phase=PublicPhase.BALLOT, floor=0, called=8,
            nominees=(7, 8, 5), candidates=(7, 8, 5),
        ),
        seats=around(),
        clocks=(a_clock(CountdownKind.BALLOT, 3.2, 5.0, seat=8),),
    )  # fmt: skip
    out_7 = a_seat(7, living=False, cause=Cause.VOTE)
    farewell = replace(
        vote,
        game=replace(
            speech, phase=PublicPhase.FAREWELL, floor=7, leaving=(7,), nominees=(),
            seats=seats_of(**out_9, **crowned, **shouted, **out_7),
            ballots=(VOTE, REVOTE, LIFT, DAY_2),
        ),
        clocks=(a_clock(CountdownKind.FAREWELL, 51.0, 60.0, seat=7),),
    )  # fmt: skip
    ended = tuple(
        replace(
            seat,
            role=role,
            classic=100 if role.team == "town" else 0,
            max=135 if role.team == "town" else -20,
        )
        for seat, role in zip(farewell.game.seats, ROLES, strict=True)
    )
    return {
        "seating": base,
        "check": replace(
            base,
            game=replace(
                quiet, seats=tuple(replace(seat, ready=False) for seat in quiet.seats)
            ),
            seats=around(s6=BoardSeat(seat=6, name=NAMES[5], online=False)),
            readiness=BoardReadiness(
                "check", ((), ("shout",), (), (), ("vote",), ("vote", "shout"), (), (), (), ())
            ),
        ),
        "practice": replace(base, readiness=BoardReadiness("practice")),
        "speech": talk,
        "shout": replace(
            talk,
            game=replace(speech, shout=10),
            clocks=(
                a_clock(CountdownKind.SHOUT, 4.1, 5.0, seat=10),
                a_clock(CountdownKind.SPEECH, 31.0, 60.0, seat=5, runs=False),
            ),
        ),
        "vote": vote,
        "lift": replace(
            vote,
            game=replace(vote.game, phase=PublicPhase.LIFT, called=0, candidates=(7, 8)),
            clocks=(a_clock(CountdownKind.LIFT, 4.0, 5.0),),
        ),
        "farewell": farewell,
        "night": replace(
            farewell,
            game=replace(
                farewell.game, phase=PublicPhase.NIGHT, night=2, floor=0, leaving=(), shot=None
            ),
            clocks=(),
        ),
        "paused": replace(
            talk,
            game=replace(speech, paused=True),
            clocks=(a_clock(CountdownKind.SPEECH, 42.4, 60.0, seat=5, runs=False),),
            notice="paused after a restart",
        ),
        "over": replace(
            farewell,
            game=replace(
                farewell.game, phase=PublicPhase.OVER, seats=ended, floor=0, leaving=(),
                winner=Winner.TOWN,
            ),
            clocks=(),
            seed=SEED,
        ),
    }  # fmt: skip


class WatchedHub(Hub):
    """A hub that tells when a viewer came or its server thread let go of it."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self.changed = threading.Condition()
        self.left = 0

    def join(self, address: str) -> Stream:
        stream = super().join(address)
        with self.changed:
            self.changed.notify_all()
        return stream

    def leave(self, stream: Stream) -> None:
        super().leave(stream)
        with self.changed:
            self.left += 1
            self.changed.notify_all()

    def wait(self, true: Callable[["WatchedHub"], bool], deadline_s: float = 10.0) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: true(self), deadline_s)


@pytest.fixture
def hub(clock: FakeClock) -> WatchedHub:
    return WatchedHub(clock)


@pytest.fixture
def serving() -> Iterator[Callable[..., SimpleNamespace]]:
    """Start a real server: ``serving(hub, beat_s=..)`` has port and url."""
    with contextlib.ExitStack() as running:

        def start(
            hub: Hub,
            *,
            port: int = 0,
            beat_s: float = 3.0,
            stall_s: float = 15.0,
            clock: Clock | None = None,
            access: Access | None = None,
            **parts,
        ):
            app = create_app(hub, "en", access=access, beat_s=beat_s, **parts)
            server = serve(app, "127.0.0.1", port, stall_s=stall_s, clock=clock)
            running.callback(server.stop)
            return SimpleNamespace(
                server=server, port=server.port, url=f"http://127.0.0.1:{server.port}"
            )

        yield start


class RawStream:
    """A viewer at the socket: what a browser's EventSource gets, byte by byte."""

    def __init__(
        self,
        port: int,
        address: str = "127.0.0.1",
        receive: int | None = None,
        path: str = "/events",
    ) -> None:
        self.socket = socket.socket()
        if receive is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.socket.settimeout(10)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(b"GET %b HTTP/1.0\r\nHost: localhost\r\n\r\n" % path.encode())
        self.file = self.socket.makefile("rb")
        self.status = 0
        self.headers: dict[str, str] = {}

    def head(self) -> int:
        self.status = int(self.file.readline().split()[1])
        for line in iter(self.file.readline, b"\r\n"):
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()
        return self.status

    def event(self) -> dict[str, str]:
        """Return the next event's fields; empty at the end of the stream."""
        fields: dict[str, str] = {}
        for line in self.file:
            if line == b"\n":
                return fields
            name, _, value = line.decode().rstrip("\n").partition(":")
            fields[name] = value.strip()
        return fields

    def news(self) -> str:
        """Return the data of the next event that is a board."""
        while True:
            event = self.event()
            if not event or ("data" in event and "event" not in event):
                return event.get("data", "")

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@pytest.fixture
def viewer() -> Iterator[Callable[..., RawStream]]:
    with contextlib.ExitStack() as open_ones:

        def connect(port: int, *where: str, **options: Any) -> RawStream:
            stream = RawStream(port, *where, **options)
            open_ones.callback(stream.close)
            return stream

        yield connect
