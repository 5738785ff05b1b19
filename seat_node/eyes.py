"""The camera process: looks at the player, tells the seat names and numbers.

It runs without any network, opens one unix socket and writes nothing to disk.
A crash of the vision library ends this process only; the seat starts it again.
"""

import contextlib
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import click

from firmware import service
from firmware.clock import Clock, SystemClock
from firmware.errors import BoardError, KitError
from firmware.wire import GestureName, Presence
from seat_node import camera, light
from seat_node.bodies import Torso, is_player
from seat_node.frame import Frame, Source
from seat_node.framing import Box, Framing
from seat_node.gestures import meant, name_hands
from seat_node.lean import keep_one_heap, spare_drawing
from seat_node.models import BODY_MODEL, FACE_MODEL, HAND_MODEL, default_directory
from seat_node.presence import Watcher
from seat_node.reporting import Line, PrintedLine, SocketLine
from seat_node.reports import Hand, Report, Sight, Watch
from seat_node.shape import Points, measure
from seat_node.steady import Steady
from seat_node.vitals import resident_mb
from seat_node.watching import LOOK_S, SIGHT_S, Turn, stay_blind, stay_shut, watch_over

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FACE_S: Final = 1 / 3
"""Time between two looks for a face. Source: DESIGN 6, as the two below."""
HANDS_S: Final = 1 / 5
"""Time between two looks for hands while none is seen."""
BUSY_HANDS_S: Final = 1 / 12
"""The same while a hand is seen."""
EMPTY_HANDS_S: Final = 1.0
"""And while the chair is empty: a hand at the edge is enough to end that."""
BODY_S: Final = 1.0
"""Time between two looks for a body while there is no face. Only with one is a chair empty.

After a body was seen it is a look for a face more: so that an absence, counted from a look,
is looked at a little after each whole second, and after 15.0 s too.
"""
BODY_EARLY_S: Final = 0.1
"""A camera's pictures are 67 ms apart; a look that comes so much early is the one that is due."""
HAND_HOLDS_S: Final = 0.5
"""So long a hand that was seen shows that its player is there. Source: DESIGN 6."""
PRINTED: Final = tuple(
    name for name in GestureName if name not in (GestureName.OPEN_PALM, GestureName.FORBIDDEN)
)
"""What is told to people without a seat: of five fingers the number."""
FIRST_WATCH_S: Final = 5.0
"""How long a new seat is given to say what it wants: it does at once, perhaps that none looks."""

START_S: Final = 30.0
"""A camera or a library that takes longer to start has hung."""
RETRY_S: Final = 5.0
"""Eyes without a camera end after this, to be started again: libcamera looks at its start only."""


class NoCamera(click.ClickException):
    """The source cannot be opened; that may change."""

    exit_code = service.Exit.UNAVAILABLE


class FaceFinder(Protocol):
    """What finds faces. See :class:`~seat_node.faces.Faces`."""

    def look(self, rgb: "NDArray[np.uint8]", at_s: float) -> Box | None:
        """Return where there is one."""
        ...


class HandFinder(Protocol):
    """What finds hands. See :class:`~seat_node.hands.Hands`."""

    def look(self, rgb: "NDArray[np.uint8]", at_s: float, *, two: bool) -> list[Points]:
        """Return what was found, two at most."""
        ...


class BodyFinder(Protocol):
    """What finds bodies. See :class:`~seat_node.bodies.Bodies`."""

    def look(self, rgb: "NDArray[np.uint8]") -> list[Torso]:
        """Return what was found."""
        ...


class Eyes:
    """Looks when a look is due, and says what has changed."""

    def __init__(
        self, source: Source, faces: FaceFinder, hands: HandFinder, bodies: BodyFinder
    ) -> None:
        self._source = source
        self._faces = faces
        self._hands = hands
        self._bodies = bodies
        self._body_due_s = 0.0
        self._light = light.Light(live=source.live)
        self._framing = Framing()
        self._chair = Watcher()
        self._steady = Steady()
        self._watch = Watch()
        self._face_due_s = 0.0
        self._hands_due_s = 0.0
        self._hand_s: float | None = None
        """When a hand was last seen."""
        self._sight = Sight(light.OK, 0.0, 0.0)
        self._sight_s: float | None = None
        self._frames = 0

    def introduce(self, at_s: float) -> list[Report]:
        """Return how everything stands, for a seat that has just connected."""
        return [self._chair.chair(at_s), self._new_sight(self._sight.word, at_s)]

    def turn(self, watch: Watch, now_s: float) -> Turn:
        """Take the looks that are due at *now_s*.

        :raises BoardError: if the source stopped.
        """
        if watch != self._watch:
            self._steady = Steady(watch.forbidden)
            self._watch = watch
        face_due = now_s >= self._face_due_s
        hands_due = watch.names and now_s >= self._hands_due_s
        if not face_due and not hands_due:
            return Turn([], self._due_s())
        frame = self._source.look(now_s)
        if frame is None:
            return Turn([], None)
        self._frames += 1
        reports: list[Report] = []
        if face_due:
            self._face_due_s = _next_s(self._face_due_s, FACE_S, now_s)
            reports += self._look_at_chair(frame)
        if hands_due:
            busy = self._look_at_hands(frame, reports)
            idle_s = EMPTY_HANDS_S if self._chair.state is Presence.AWAY else HANDS_S
            pause_s = BUSY_HANDS_S if busy else idle_s
            self._hands_due_s = _next_s(self._hands_due_s, pause_s, now_s)
        return Turn(reports, self._due_s())

    def _due_s(self) -> float:
        if not self._watch.names:
            return self._face_due_s
        return min(self._face_due_s, self._hands_due_s)

    def _look_at_chair(self, frame: Frame) -> list[Report]:
        reports: list[Report] = []
        word = self._light.judge(frame.rgb, frame.at_s)
        seen: bool | None = None
        face: Box | None = None
        if word != light.FROZEN:
            # A face in poor light is a face; no face in poor light says nothing.
            face = self._faces.look(frame.rgb, frame.at_s)
            hand = self._hand_s is not None and frame.at_s - self._hand_s <= HAND_HOLDS_S
            seen = True if face is not None or hand else None
        # No face and no look for a body says nothing, and is no look at the chair.
        hidden = seen is None and word == light.OK
        body_due = hidden and frame.at_s >= self._body_due_s - BODY_EARLY_S
        if body_due:
            seen = any(map(is_player, self._bodies.look(frame.rgb)))
            self._body_due_s = frame.at_s + BODY_S + (FACE_S if seen else 0.0)
        if not hidden or body_due:
            chair = self._chair.update(seen, frame.at_s)
            reports += [] if chair is None else [chair]
        aim = self._framing.update(word, self._light.mean, face, frame.at_s)
        due = self._sight_s is None or frame.at_s - self._sight_s >= SIGHT_S
        if due or word != self._sight.word or aim != self._sight.aim:
            reports.append(self._new_sight(word, frame.at_s))
        return reports

    def _look_at_hands(self, frame: Frame, reports: list[Report]) -> bool:
        """Add what became steady to *reports* and return whether a hand was seen."""
        found = self._hands.look(frame.rgb, frame.at_s, two=self._watch.two_hands)
        if found:
            self._hand_s = frame.at_s
        height, width, _ = frame.rgb.shape
        seen = name_hands([measure(points, width, height) for points in found])
        seen = meant(seen, self._watch.names, pick=self._watch.two_hands)
        if steady := self._steady.update(seen, frame.at_s):
            name = GestureName(steady.name)
            reports.append(Hand(name, steady.number, steady.confidence, frame.at_s))
        return bool(found)

    def _new_sight(self, word: str, at_s: float) -> Sight:
        past_s = 0.0 if self._sight_s is None else at_s - self._sight_s
        fps = round(self._frames / past_s, 1) if past_s > 0 else 0.0
        self._sight = Sight(word, fps, resident_mb(), self._framing.word)
        self._sight_s = at_s
        self._frames = 0
        return self._sight


def _next_s(due_s: float, pause_s: float, now_s: float) -> float:
    """Return when the look after the one due at *due_s* is due; what was missed stays missed."""
    return due_s + pause_s if due_s + pause_s > now_s else now_s + pause_s


def _chosen(_context: click.Context, _parameter: click.Parameter, named: str) -> camera.Chosen:
    try:
        return camera.choose(named)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@click.command()
@click.option(
    "--source",
    required=True,
    callback=_chosen,
    help="picamera2, webcam:N, a video file, or a folder of pictures, shown in the order of "
    "their names. Recordings begin again after their end.",
)
@click.option(
    "--socket",
    "socket_path",
    type=click.Path(path_type=Path),
    help="The seat's unix socket. Without it reports are printed, gestures on.",
)
@click.option(
    "--models",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the models. Default: as `mafia-seat models` puts them.",
)
@click.option(
    "--once",
    is_flag=True,
    help="Go once through a recording, as fast as the machine can; times are then seconds of "
    "the recording.",
)
@click.option(
    "--each",
    "each_s",
    type=click.FloatRange(min=0.1),
    default=1.0,
    show_default=True,
    help="Seconds that a picture of a folder is shown.",
)
@click.option("--two-hands", is_flag=True, help="Without a socket: add up two hands, 6 to 10.")
def eyes(
    source: camera.Chosen,
    socket_path: Path | None,
    directory: Path | None,
    once: bool,
    each_s: float,
    two_hands: bool,
) -> None:
    """Watch the chair and the hands, and tell the seat. No picture leaves this process."""
    if once and source.kind in (camera.Kind.PICAMERA, camera.Kind.WEBCAM):
        raise click.UsageError("--once: a camera has no end")
    clock = SystemClock()
    line: Line
    if socket_path is None:
        line = PrintedLine(Watch(PRINTED, GestureName.FORBIDDEN, two_hands))
    else:
        line = SocketLine(socket_path, clock, first_s=FIRST_WATCH_S)
    directory = directory or default_directory()
    for model in (HAND_MODEL, FACE_MODEL, BODY_MODEL):
        if not (directory / model).is_file():
            raise click.UsageError(f"{directory / model} is missing: run mafia-seat models")
    try:
        retry_s = 0.0 if socket_path is None else RETRY_S
        _run(source, line, directory, clock, once=once, each_s=each_s, retry_s=retry_s)
    except BrokenPipeError:
        raise SystemExit(1) from None
    except KitError as error:
        raise click.ClickException(str(error)) from error


def _open_finders(
    directory: Path, stack: contextlib.ExitStack
) -> tuple[FaceFinder, HandFinder, BodyFinder]:
    """Load the models; *stack* closes them."""
    from seat_node.bodies import Bodies
    from seat_node.faces import Faces
    from seat_node.hands import Hands

    finders = faces, hands, bodies = Faces(directory), Hands(directory), Bodies(directory)
    for finder in finders:
        stack.callback(_close, finder.close)
    return faces, hands, bodies


def _close(close: Callable[[], None]) -> None:
    with service.ends_within(LOOK_S):
        close()


def _run(
    chosen: camera.Chosen,
    line: Line,
    directory: Path,
    clock: Clock,
    *,
    once: bool,
    each_s: float,
    retry_s: float,
) -> None:
    """Open everything, look until the end, close everything."""
    service.keep_memory_private()
    service.start_logging("WARNING")
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    keep_one_heap()
    spare_drawing()
    with contextlib.ExitStack() as stack:
        stack.callback(line.close)
        open_ = None
        shut = True
        while shut:
            stay_shut(line, clock)
            try:
                with service.ends_within(START_S):
                    # The camera first: without one nothing else is worth its seconds.
                    source = camera.open_source(chosen, clock, once=once, each_s=each_s)
                with service.ends_within(START_S):
                    open_ = open_ or _open_finders(directory, stack)
            except BoardError as error:
                stay_blind(line, clock, retry_s)
                raise NoCamera(str(error)) from error
            except (ImportError, OSError) as error:
                raise click.UsageError(
                    f"MediaPipe does not start: {error}: run make vision"
                ) from error
            try:
                shut = watch_over(Eyes(source, *open_), line, clock, hurry=once)
            finally:
                with service.ends_within(LOOK_S):
                    source.close()
