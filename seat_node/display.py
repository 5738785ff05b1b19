"""The hooded screen; the only file that knows luma.

Drawing and the I2C bus (23 ms a picture at 400 kHz) are on a thread of their own:
a slow or failing screen never delays a press. Only what has changed goes over the
bus: the strip that answers a press takes 6 ms of it.
"""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, Final

import msgspec
from PIL import Image

from firmware.errors import BoardError
from firmware.signals import Reply
from seat_node.face import Face
from seat_node.screens import HEIGHT_PX, WIDTH_PX, render

DRIVERS: Final = ("ssd1306", "sh1106", "dummy", "none")
"""``none``: no screen is fitted. ``dummy`` keeps the picture in memory."""

PAGE_PX: Final = 8
"""Rows of a page, the part of a picture that both chips take by itself."""

RETRY_S: Final = 5.0
"""How often a screen that failed is tried again."""

log = logging.getLogger(__name__)


def open_device(driver: str, bus: int = 1, address: int = 0x3C, *, stays: bool = False) -> Any:
    """Return the device of *driver*, one of :data:`DRIVERS`; None for ``none``.

    *stays*: what it shows is left there when the program ends.

    :raises BoardError: if it is not there.
    """
    if driver == "none":
        return None
    try:
        if driver == "dummy":
            from luma.core.device import dummy

            return dummy(width=WIDTH_PX, height=HEIGHT_PX, mode="1")
        from luma.core.interface.serial import i2c
        from luma.oled.device import sh1106, ssd1306

        chip, address_page = {
            "ssd1306": (ssd1306, _ssd1306_page),
            "sh1106": (sh1106, _sh1106_page),
        }[driver]
        device = chip(i2c(port=bus, address=address), width=WIDTH_PX, height=HEIGHT_PX)
        device.persist = stays
        return Panel(device, address_page)
    except Exception as error:  # luma's own errors, OSError of the bus, a missing smbus2
        raise BoardError(
            f"screen {driver} not found at I2C 0x{address:02X} on bus {bus} ({error}): "
            "check the wires of hardware/pinout.csv, and that I2C is on (raspi-config)"
        ) from error


def _ssd1306_page(number: int) -> tuple[int, ...]:
    # A window of all columns and this page, in the horizontal mode that luma sets.
    return (0x21, 0, WIDTH_PX - 1, 0x22, number, number)


def _sh1106_page(number: int) -> tuple[int, ...]:
    # Its memory has 132 columns: the glass begins at the third.
    return (0xB0 + number, 0x02, 0x10)


class Panel:
    """A chip on the bus; it is sent the pages that differ from what it shows.

    *device* is luma's, just made and so dark; *address_page* returns the command
    that comes before the bytes of a page.
    """

    def __init__(self, device: Any, address_page: Callable[[int], tuple[int, ...]]) -> None:
        self._device = device
        self._address_page = address_page
        self._shown = [bytes(WIDTH_PX)] * (HEIGHT_PX // PAGE_PX)

    def display(self, picture: Image.Image) -> None:
        """Show *picture*.

        :raises OSError: if the bus fails; what is shown is unknown then.
        """
        for number, before in enumerate(self._shown):
            top = number * PAGE_PX
            rows = picture.crop((0, top, WIDTH_PX, top + PAGE_PX))
            # A byte a column, the upper row in bit 0.
            page = rows.transpose(Image.Transpose.ROTATE_270).tobytes()
            if page != before:
                self._device.command(*self._address_page(number))
                self._device.data(page)
                self._shown[number] = page

    def cleanup(self) -> None:
        """Go dark."""
        self._device.cleanup()


class Screen:
    """Shows the last face it was given, as soon as the device can.

    *open_it* returns the device or raises :class:`BoardError`. *report* gets the
    reason when it fails and ``""`` when it works again, on the screen's thread.
    Use as a context manager; leaving it makes the screen dark.
    """

    def __init__(self, open_it: Callable[[], Any], report: Callable[[str], object]) -> None:
        self._open = open_it
        self._report = report
        self._faces: queue.SimpleQueue[Face | None] = queue.SimpleQueue()
        """The newest alone is shown; None ends it."""
        self._closing = threading.Event()
        self._failed = False
        self._owed: Face | None = None
        """What could not be shown."""
        self._ahead: tuple[Face, Image.Image] | None = None
        """A face that is likely to come, and its picture."""
        self._device: Any = None
        self._thread = threading.Thread(target=self._live, name="screen", daemon=True)

    def __enter__(self) -> "Screen":
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._closing.set()
        self._faces.put(None)
        self._thread.join(RETRY_S)

    def show(self, face: Face) -> None:
        """Show *face* instead of whatever waits to be shown; does not wait."""
        self._faces.put(face)

    def _live(self) -> None:
        while (face := self._next()) is not None:
            try:
                if self._device is None:
                    self._device = self._open()
                if self._device is None:
                    return
                self._device.display(self._picture(face))
                self._draw_ahead(face)
            except Exception as error:  # noqa: BLE001 - whatever it is, the seat plays on
                self._fail(face, error)
            else:
                if self._failed:
                    self._failed = False
                    self._report("")
        self._darken()

    def _next(self) -> Face | None:
        """Return the next face to show, after a failure not before it may work; None: end."""
        if self._failed:
            self._closing.wait(RETRY_S)
        face, self._owed = self._owed or self._faces.get(), None
        while face is not None and not self._faces.empty():
            face = self._faces.get()
        return None if self._closing.is_set() else face

    def _picture(self, face: Face) -> Image.Image:
        if self._ahead is not None and self._ahead[0] == face:
            return self._ahead[1]
        return render(face)

    def _draw_ahead(self, face: Face) -> None:
        """Draw the likely answer to the press that *face* shows, while it is on its way."""
        self._ahead = None
        if face.reply is Reply.PRESSED and self._faces.empty():
            accepted = msgspec.structs.replace(face, reply=Reply.ACCEPTED)
            self._ahead = (accepted, render(accepted))

    def _fail(self, face: Face, error: Exception) -> None:
        # Shown at the next try, unless a newer one has come.
        self._owed = face
        self._device = None
        if not self._failed:
            self._failed = True
            self._report(str(error))

    def _darken(self) -> None:
        if self._device is None:
            return
        try:
            self._device.cleanup()
        except Exception as error:  # noqa: BLE001 - it is the end anyway
            log.warning("screen: %s", error)
