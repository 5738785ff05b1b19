"""Named parts on named pins; the only file that knows gpiozero.

The pins are those of hardware/pinout.csv. Callbacks of pins run on the
library's thread, so they do nothing but put a :class:`Level`.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from firmware.errors import BoardError
from firmware.wire import Button, Lamp

SEAT_PINS: Final[Mapping[str, int]] = {"vote": 17, "shout": 27, "lamp": 18}
"""GPIO numbers of a seat. Source: hardware/pinout.csv."""

SEAT_LIGHT_PINS: Final = (4, 5, 6, 12, 13, 16, 17, 19, 20, 21)
"""GPIO numbers of the lights of seats 1-10 at the table controller."""

PHASE_PINS: Final = (22, 23, 24)
"""GPIO numbers of red, green and blue of the phase lamp."""

TABLE_BUTTON_PINS: Final[Mapping[str, int]] = {"start": 26, "stop": 3}
"""GPIO numbers of the controller's buttons; 3 also wakes a Pi that was shut down."""

PWM_HZ: Final = 200
"""Fast enough for the eye, slow enough for lgpio's software PWM."""

DIM: Final = 0.15
"""Share of the light in :attr:`Lamp.DIM`."""

PATTERNS: Final[Mapping[Lamp, tuple[tuple[float, float], ...]]] = {
    Lamp.OFF: ((0.0, 0.0),),
    Lamp.DIM: ((DIM, 0.0),),
    Lamp.ON: ((1.0, 0.0),),
    Lamp.BLINK: ((1.0, 0.5), (0.0, 0.5)),
    Lamp.FAST: ((1.0, 0.125), (0.0, 0.125)),
    Lamp.FLASH: ((1.0, 0.1), (0.0, 1.9)),
    Lamp.DOUBLE: ((1.0, 0.1), (0.0, 0.15), (1.0, 0.1), (0.0, 0.65)),
    Lamp.SLOW: ((DIM, 1.0), (0.0, 1.0)),
}
"""Shares of light and how long each lasts, in seconds, round and round; one alone stays."""


class Level(msgspec.Struct, frozen=True):
    """A button's contact changed: *closed* means pressed, for either kind of switch."""

    button: str
    """A :class:`~firmware.wire.Button` at a seat; ``start`` or ``stop`` at the table."""
    at_s: float
    """Monotonic time of the edge, as the kernel stamped it."""
    closed: bool


Put = Callable[[Level], None]


def open_pins() -> Any:
    """Return the pins of this Raspberry Pi, a gpiozero factory.

    :raises BoardError: if there are none, or they may not be used.
    """
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        raise BoardError(
            f"no GPIO library ({error}): on a Raspberry Pi install python3-lgpio by apt"
        ) from error
    except FileNotFoundError as error:
        raise BoardError(
            f"lgpio cannot make its pipe ({error}): "
            "start in a writable folder, or name one in LG_WD"
        ) from error
    except Exception as error:  # lgpio's error is a bare Exception
        raise BoardError(
            f"GPIO pins cannot be opened ({error}): is this a Raspberry Pi, "
            "and is the user in the group gpio?"
        ) from error


def mock_pins() -> Any:
    """Return pins that exist in this process only; :meth:`SeatBoard.push` drives them."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return MockFactory(pin_class=MockPWMPin)


class _Input:
    """A contact to ground on a pin with pull-up."""

    def __init__(
        self, pins: Any, name: str, gpio: int, put: Put, *, normally_closed: bool = False
    ) -> None:
        self._name = name
        self._put = put
        self._pressed_level = normally_closed
        with _explained(name, gpio):
            self._pin = pins.pin(gpio)
            self._pin.function = "input"
            self._pin.pull = "up"
            self._pin.edges = "both"
            # gpiozero keeps a weak reference only: self is held by the board.
            self._pin.when_changed = self._changed

    def _changed(self, ticks: float, state: int) -> None:
        self._put(Level(self._name, ticks, bool(state) is self._pressed_level))

    @property
    def closed(self) -> bool:
        """Whether the button is pressed now."""
        return bool(self._pin.state) is self._pressed_level

    def drive(self, *, closed: bool) -> None:
        """Press or release the button of a mock pin."""
        if closed is self._pressed_level:
            self._pin.drive_high()
        else:
            self._pin.drive_low()

    def close(self) -> None:
        """Give the pin back."""
        self._pin.when_changed = None
        self._pin.close()


class _Output:
    """A light on a pin, dimmed by PWM, written only on change."""

    def __init__(self, pins: Any, name: str, gpio: int) -> None:
        self._name, self._gpio = name, gpio
        self._value: float | None = 0.0
        with _explained(name, gpio):
            self._pin = pins.pin(gpio)
            self._pin.function = "output"
            self._pin.frequency = PWM_HZ
            self._pin.state = 0.0

    def set(self, value: float) -> None:
        """Light up to *value*, 0-1.

        :raises BoardError: if the pin cannot be written.
        """
        if value == self._value:
            return
        # Unknown until it is written: a value that failed is written anew.
        self._value = None
        with _explained(self._name, self._gpio):
            self._pin.state = value
        self._value = value

    @property
    def value(self) -> float:
        """Share of light that the pin was last told."""
        return self._value or 0.0

    def close(self) -> None:
        """Go dark and give the pin back."""
        self._pin.frequency = None
        self._pin.close()


@contextlib.contextmanager
def _explained(name: str, gpio: int) -> Iterator[None]:
    """Turn any error of the library at one pin into a :class:`BoardError`."""
    try:
        yield
    except Exception as error:
        raise BoardError(
            f"{name} on GPIO{gpio}: {error}; is another program using the pin? "
            "See hardware/pinout.csv"
        ) from error


class SeatBoard:
    """The buttons and the lamp of a seat.

    *pins* is :func:`open_pins` or :func:`mock_pins`; *put* takes each
    :class:`Level`, on the library's thread. *has* names the parts that are
    fitted, of vote, shout and lamp. Time for blinking comes with :meth:`tick`.

    :raises BoardError: naming the part whose pin cannot be used.
    """

    def __init__(
        self,
        pins: Any,
        put: Put,
        *,
        has: Sequence[str] = ("vote", "shout", "lamp"),
        normally_closed: Sequence[str] = (),
    ) -> None:
        self._pins = pins
        self._inputs = {
            button: _Input(
                pins,
                button,
                SEAT_PINS[button],
                put,
                normally_closed=button in normally_closed,
            )
            for button in Button
            if button in has
        }
        self._light = _Output(pins, "lamp", SEAT_PINS["lamp"]) if "lamp" in has else None
        self._lamp = Lamp.OFF
        self._step = 0
        """Which step of the pattern is shown."""
        self._next_s: float | None = None

    @property
    def buttons(self) -> frozenset[Button]:
        """Buttons that are fitted."""
        return frozenset(self._inputs)

    @property
    def closed(self) -> frozenset[Button]:
        """Buttons that are pressed now."""
        return frozenset(button for button, part in self._inputs.items() if part.closed)

    def show(self, lamp: Lamp, now_s: float) -> None:
        """Put the lamp in a state; a pattern begins lit."""
        if self._light is None or lamp is self._lamp:
            return
        self._lamp = lamp
        self._show_step(0, now_s)

    def tick(self, now_s: float) -> None:
        """Go on with the pattern when it is time."""
        if self._next_s is not None and now_s >= self._next_s:
            self._show_step((self._step + 1) % len(PATTERNS[self._lamp]), now_s)

    def _show_step(self, step: int, now_s: float) -> None:
        assert self._light is not None
        light, for_s = PATTERNS[self._lamp][step]
        self._step = step
        self._light.set(light)
        self._next_s = now_s + for_s if for_s else None

    @property
    def next_due_s(self) -> float | None:
        """When :meth:`tick` has something to do; None: never."""
        return self._next_s

    @property
    def light(self) -> float:
        """Share of light that the lamp gives now, 0-1."""
        return self._light.value if self._light is not None else 0.0

    def push(self, button: Button) -> None:
        """Press a button of mock pins."""
        self._inputs[button].drive(closed=True)

    def release(self, button: Button) -> None:
        """Release a button of mock pins."""
        self._inputs[button].drive(closed=False)

    def close(self) -> None:
        """Go dark and give all pins back."""
        for part in self._inputs.values():
            part.close()
        if self._light is not None:
            self._light.close()
        self._pins.close()


class TableLights:
    """The lights at the table controller: ten seats and the phase lamp.

    The pins are ours one by one and not a gpiozero LEDBoard, which writes all of
    its lights when one changes and fails as a whole.

    :raises BoardError: naming the light whose pin cannot be used.
    """

    def __init__(self, pins: Any) -> None:
        self._lights = tuple(
            _Output(pins, f"light of seat {seat}", gpio)
            for seat, gpio in enumerate(SEAT_LIGHT_PINS, start=1)
        ) + tuple(
            _Output(pins, f"phase lamp {colour}", gpio)
            for colour, gpio in zip(("red", "green", "blue"), PHASE_PINS, strict=True)
        )

    def set(self, values: Sequence[float]) -> None:
        """Show a frame: ten seats in order, then red, green, blue; each 0-1.

        :raises ValueError: if there are not thirteen values in 0-1.
        :raises BoardError: naming a light that cannot be written, once the others are.
        """
        if len(values) != len(self._lights) or not all(0 <= value <= 1 for value in values):
            raise ValueError(f"lights {values!r}: expected {len(self._lights)} values in 0-1")
        failed: BoardError | None = None
        for light, value in zip(self._lights, values, strict=True):
            try:
                light.set(value)
            except BoardError as error:
                failed = failed or error
        if failed is not None:
            raise failed

    @property
    def values(self) -> tuple[float, ...]:
        """The frame that is shown."""
        return tuple(light.value for light in self._lights)

    def close(self) -> None:
        """Go dark and give the pins back."""
        for light in self._lights:
            light.close()


class TableButtons:
    """The buttons of the table controller.

    *put* takes each :class:`Level` of ``start`` and ``stop``, on the library's
    thread.

    :raises BoardError: naming the button whose pin cannot be used.
    """

    def __init__(self, pins: Any, put: Put) -> None:
        self._inputs = {
            name: _Input(pins, name, gpio, put) for name, gpio in TABLE_BUTTON_PINS.items()
        }

    @property
    def closed(self) -> frozenset[str]:
        """Buttons that are pressed now."""
        return frozenset(name for name, part in self._inputs.items() if part.closed)

    def push(self, name: str) -> None:
        """Press a button of mock pins."""
        self._inputs[name].drive(closed=True)

    def release(self, name: str) -> None:
        """Release a button of mock pins."""
        self._inputs[name].drive(closed=False)

    def close(self) -> None:
        """Give the pins back."""
        for part in self._inputs.values():
            part.close()
