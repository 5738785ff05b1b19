"""The self-test's lines on pins and screen."""

import os
import tempfile
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.board import SEAT_PINS, mock_pins, open_pins
from firmware.card import PartsCard
from firmware.errors import BoardError
from firmware.finding import Outcome
from firmware.wire import Button
from seat_node.checks import parts
from seat_node.display import open_device

NOBODY = 65534


@pytest.fixture
def mocked():
    factory = mock_pins()
    yield factory
    factory.reset()


@pytest.fixture
def root(tmp_path):
    """A file system with an I2C bus that nothing answers on."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "i2c-1").touch()
    return tmp_path


# ---- a seat that runs ----


def test_a_seat_that_runs_is_not_disturbed(tmp_path):
    found = parts.running(str, tmp_path)
    assert (found.outcome, found.remedy) == (Outcome.FAULT, parts.STOP_SEAT)
    assert parts.running(str, tmp_path / "gone") is None


# ---- pins ----


def test_free_pins_are_fine_and_named(mocked):
    found, board = parts.pins(str, PartsCard(), lambda: mocked, print)
    assert (found.outcome, found.found) == (Outcome.FINE, "VOTE, SHOUT, lamp")
    assert board.buttons == {Button.VOTE, Button.SHOUT}


def test_only_the_parts_of_the_card_are_asked_for(mocked):
    found, _ = parts.pins(str, PartsCard(shout=False, lamp=False), lambda: mocked, print)
    assert found.found == "VOTE"


def test_a_machine_without_pins_says_what_to_do():
    found, board = parts.pins(str, PartsCard(), open_pins, print)
    assert (found.outcome, board) == (Outcome.FAULT, None)
    assert "python3-lgpio" in found.remedy or "Raspberry Pi" in found.remedy


class Broken:
    """Pins that cannot be had, for the reason that lgpio gives."""

    def __init__(self, reason):
        self._reason = reason

    def pin(self, gpio):
        raise RuntimeError(self._reason)


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [("'GPIO busy'", parts.STOP_SEAT), ("'can not open gpiochip'", "the group gpio")],
)
def test_pins_that_another_has_or_that_are_not_ours_say_what_to_do(reason, remedy):
    found, board = parts.pins(str, PartsCard(), lambda: Broken(reason), print)
    assert (found.outcome, board) == (Outcome.FAULT, None)
    assert remedy in found.remedy
    assert reason in found.found


class ShoutGrounded(MockPWMPin):
    """A header on which a wire holds SHOUT's pin at ground, whatever pulls it up."""

    def _set_pull(self, value):
        super()._set_pull(value)
        if self.info.name == f"GPIO{SEAT_PINS['shout']}":
            self.drive_low()


def test_a_button_that_is_down_with_nobody_there_names_the_pin_it_belongs_to():
    pins = MockFactory(pin_class=ShoutGrounded)
    found, board = parts.pins(str, PartsCard(), lambda: pins, print)
    assert found.outcome is Outcome.FAULT
    assert found.found == "pressed while nobody presses: SHOUT"
    assert "SHOUT belongs between pin 13 (GPIO27) and ground" in found.remedy
    assert board is not None


def test_a_switch_of_the_other_kind_than_the_card_says_is_seen(mocked):
    found, _ = parts.pins(str, PartsCard(switch="nc"), lambda: mocked, print)
    assert found.found == "pressed while nobody presses: SHOUT, VOTE"
    assert "wrong kind of switch (nc)" in found.remedy


# ---- the screen ----


def refuse(driver, bus, address):
    raise BoardError(f"no screen at {address}")


def answers_at(there):
    """A bus on which a screen is at the address *there* only."""
    return lambda driver, bus, address: (
        open_device("dummy") if address == there else refuse(driver, bus, address)
    )


def test_a_seat_without_a_screen_by_its_card_is_fine(tmp_path):
    found, device = parts.screen(str, PartsCard(screen="none"), open_device, tmp_path)
    assert (found.outcome, device) == (Outcome.FINE, None)


def test_i2c_that_is_off_is_told_with_the_way_to_turn_it_on(tmp_path):
    found, device = parts.screen(str, PartsCard(), open_device, tmp_path)
    assert (found.outcome, device) == (Outcome.FAULT, None)
    assert found.found == f"{tmp_path}/dev/i2c-1 is not there: I2C is off"
    assert "raspi-config nonint do_i2c 0" in found.remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_bus_of_others_names_the_group():
    # Not in tmp_path, whose upper folders nobody else may enter.
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "dev").mkdir()
        (root / "dev" / "i2c-1").touch(0o600)
        root.chmod(0o755)
        os.seteuid(NOBODY)
        try:
            found, _ = parts.screen(str, PartsCard(), open_device, root)
        finally:
            os.seteuid(0)
    assert (found.outcome, "usermod -aG i2c" in found.remedy) == (Outcome.FAULT, True)


def test_a_bus_that_is_broken_is_told(root):
    (root / "dev" / "i2c-1").unlink()
    (root / "dev" / "i2c-1").mkdir()
    found, _ = parts.screen(str, PartsCard(), open_device, root)
    assert (found.outcome, "Is a directory" in found.found) == (Outcome.FAULT, True)


def test_the_real_driver_on_a_bus_that_does_not_answer_names_the_wires(root):
    found, device = parts.screen(str, PartsCard(i2c_bus=1), open_device, root)
    assert (found.outcome, device) == (Outcome.FAULT, None)
    assert found.found == "nothing answers at 0x3C of bus 1"
    assert "SDA on pin 3, SCL on pin 5, VCC on pin 1, GND on pin 6" in found.remedy


def test_a_screen_at_the_other_address_is_found_there(root):
    found, device = parts.screen(str, PartsCard(), answers_at(0x3D), root)
    assert (found.outcome, device) == (Outcome.FAULT, None)
    assert "is at 0x3D, the card says 0x3C" in found.found
    assert found.remedy.endswith("i2c_address = 0x3D")


def test_a_screen_at_its_place_is_fine_and_stays_open(root):
    found, device = parts.screen(str, PartsCard(), answers_at(0x3C), root)
    assert (found.outcome, found.found) == (Outcome.FINE, "ssd1306, 0x3C")
    assert device.size == (128, 64)


def test_a_missing_library_of_the_screen_is_told(root):
    def without_luma(driver, bus, address):
        raise BoardError("screen not found") from ModuleNotFoundError("No module named 'luma'")

    found, _ = parts.screen(str, PartsCard(), without_luma, root)
    assert "No module named 'luma'" in found.found
