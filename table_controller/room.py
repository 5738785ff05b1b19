"""The room of a rehearsal: its voice, its lights and its host are at a socket."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Self

import msgspec

from firmware import rehearsal
from firmware.rehearsal import (
    Done,
    Heard,
    Lit,
    Order,
    Refused,
    Step,
    Stepped,
    TableReply,
    TableRequest,
    Watch,
)
from firmware.rehearsal_socket import RehearsalServer, Reply
from table_controller.game import Action
from table_controller.host.orders import (
    GoOn,
    HostOrder,
    Identify,
    Place,
    Practice,
    SkipReadiness,
    StepRequest,
    Swap,
)
from table_controller.placing import PlaceStep
from table_controller.voice.phrases import Phrase, Voice


class Room(Voice):
    """Whoever watches at the socket on *path* hears the voice and sees the lights.

    What the host orders there goes to *put*. A context manager; also the lights' output.

    :raises BoardError: on entering, as :class:`RehearsalServer`.
    """

    fault = ""

    def __init__(self, path: Path, put: Callable[[StepRequest | HostOrder], None]) -> None:
        self._put = put
        self._lit = Lit(())
        self._socket: RehearsalServer[TableRequest] = RehearsalServer(
            path, TableRequest, self._handle
        )

    def __enter__(self) -> Self:
        self._socket.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._socket.__exit__(*exc)

    def say(self, phrase: Phrase) -> None:
        """Tell all who watch."""
        self._socket.publish(Heard(phrase.name, phrase.number, phrase.text))

    def night(self, *, on: bool) -> None:
        """Do nothing: a rehearsal has no music."""

    def tune(self, *, volume: int, music: bool) -> None:
        """Do nothing."""

    def set(self, values: Sequence[float]) -> None:
        """Show thirteen values in 0-1 to all who watch, now or later."""
        self._lit = Lit(tuple(values))
        self._socket.publish(self._lit)

    def close(self) -> None:
        """Do nothing; the socket is closed by its owner."""

    def _handle(self, request: TableRequest, reply: Reply) -> None:
        def stepped(kind: str) -> None:
            answer: TableReply = Stepped(kind) if kind else Refused("no countdown runs")
            reply(answer)

        def ordered(reason: str) -> None:
            reply(Refused(reason) if reason else Done())

        match request:
            case Step():
                self._put(StepRequest(stepped))
            case Order(action=raw):
                try:
                    action = msgspec.json.decode(raw, type=Action)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    reply(Refused(str(error)))
                else:
                    self._put(HostOrder(action, ordered))
            case rehearsal.Swap(seat=seat, node=node):
                self._put(HostOrder(Swap(seat, node), ordered))
            case rehearsal.GoOn():
                self._put(HostOrder(GoOn(), ordered))
            case rehearsal.Identify(seat=seat, node=node, for_s=for_s):
                self._put(HostOrder(Identify(seat, node, for_s), ordered))
            case rehearsal.Place(step=step):
                self._put(HostOrder(Place(PlaceStep(step)), ordered))
            case rehearsal.Practice():
                self._put(HostOrder(Practice(), ordered))
            case rehearsal.SkipReadiness():
                self._put(HostOrder(SkipReadiness(), ordered))
            case Watch():
                reply(self._lit)
