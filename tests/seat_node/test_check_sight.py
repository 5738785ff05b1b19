"""The self-test's lines on what the eyes need: CPU, MediaPipe, models, camera."""

import importlib.util
import signal
import sys
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.finding import Outcome
from seat_node.checks import probe, sight
from seat_node.checks.probe import Ended, run_child
from seat_node.models import default_directory, missing, read_lock

ROOT = Path(__file__).parents[2]

PI_5 = """processor\t: 0
BogoMIPS\t: 108.00
Features\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop
CPU implementer\t: 0x41
CPU part\t: 0xd0b

Revision\t: c04170
Model\t\t: Raspberry Pi 5 Model B Rev 1.0
"""  # noqa: E501
PI_4 = """processor\t: 0
BogoMIPS\t: 108.00
Features\t: fp asimd evtstrm crc32 cpuid
CPU part\t: 0xd08

Model\t\t: Raspberry Pi 4 Model B Rev 1.4
"""
PI_4_IN_32_BITS = """processor\t: 0
model name\t: ARMv7 Processor rev 3 (v7l)
Features\t: half thumb fastmult vfp edsp neon vfpv3 tls vfpv4 idiva idivt vfpd32 lpae evtstrm crc32

Model\t\t: Raspberry Pi 4 Model B Rev 1.4
"""
X86 = """processor\t: 0
vendor_id\t: GenuineIntel
model\t\t: 158
model name\t: Intel(R) Core(TM) i7
flags\t\t: fpu vme de pse tsc msr lm avx2
"""


@pytest.fixture
def cpuinfo(tmp_path):
    def write(text):
        path = tmp_path / "cpuinfo"
        path.write_text(text)
        return path

    return write


# ---- the CPU ----


@pytest.mark.parametrize(
    ("text", "python", "fits"),
    [
        (PI_5, (3, 11), sight.NEW),
        (PI_5, (3, 13), sight.NEW),
        (PI_4, (3, 11), sight.OLD),
        (PI_4, (3, 12), sight.OLD),
        (PI_4, (3, 13), ""),
        (PI_4_IN_32_BITS, (3, 11), ""),
        (X86, (3, 12), sight.NEW),
        (X86, (3, 14), ""),
    ],
)
def test_the_mediapipe_that_fits_a_board_is_named(cpuinfo, text, python, fits):
    path = cpuinfo(text)
    assert sight.read_cpu(path).mediapipe(python) == fits
    found = sight.cpu(str, eyes=True, path=path, python=python)
    assert found.outcome is (Outcome.FINE if fits else Outcome.FAULT)
    assert (fits or "no MediaPipe runs here") in found.found


def test_the_board_is_named_and_whether_it_has_lse(cpuinfo):
    new = sight.cpu(str, eyes=True, path=cpuinfo(PI_5), python=(3, 13))
    assert new.found == f"Raspberry Pi 5 Model B Rev 1.0, with LSE: {sight.NEW}"
    old = sight.cpu(str, eyes=True, path=cpuinfo(PI_4), python=(3, 11))
    assert old.found == f"Raspberry Pi 4 Model B Rev 1.4, without LSE: {sight.OLD}"


@pytest.mark.parametrize(
    ("text", "python", "remedy"),
    [
        (PI_4, (3, 13), "Pi 4 needs Debian 12"),
        (PI_4_IN_32_BITS, (3, 11), "64-bit"),
        (X86, (3, 14), "Python 3.11, 3.12 or 3.13"),
    ],
)
def test_a_board_without_a_mediapipe_says_what_to_do(cpuinfo, text, python, remedy):
    found = sight.cpu(str, eyes=True, path=cpuinfo(text), python=python)
    assert remedy in found.remedy
    without = sight.cpu(str, eyes=False, path=cpuinfo(text), python=python)
    assert without.outcome is Outcome.NOTE, "a seat without eyes plays"


def test_a_cpu_that_cannot_be_asked_is_noted(tmp_path):
    assert sight.cpu(str, eyes=True, path=tmp_path / "gone").outcome is Outcome.NOTE


def test_this_machine_is_understood():
    assert sight.read_cpu().bits_64


def test_the_two_mediapipes_are_those_that_the_kit_pins():
    pins = (ROOT / "firmware" / "image" / "constraints-dev.txt").read_text().splitlines()
    assert sight.NEW in pins
    assert read_lock().wheel[0].requirement == sight.OLD


# ---- MediaPipe ----


def ending(code, said=""):
    """A probe that ends so; the real ones are below."""
    return lambda what, with_: Ended(code, said)


def never(what, with_):
    raise AssertionError("nothing needs to be tried")


@pytest.mark.parametrize(
    ("version", "fits", "ended", "outcome", "found", "remedy"),
    [
        (None, sight.NEW, never, Outcome.FAULT, "not installed", sight.NEW),
        (None, "", never, Outcome.FAULT, "not installed", "See CPU."),
        ("1.2.3", sight.OLD, never, Outcome.FAULT, "does not run on this CPU", sight.OLD),
        ("0.10.18", sight.OLD, ending(0), Outcome.FINE, "MediaPipe 0.10.18", ""),
        ("1.2.3", sight.NEW, ending(-4), Outcome.FAULT, "illegal instruction (SIGILL)", sight.NEW),
        ("1.2.3", sight.NEW, ending(None), Outcome.FAULT, "hangs", "Start the Pi again"),
        (
            "1.2.3", sight.NEW, ending(1, "libGLESv2.so.2: cannot open"),
            Outcome.FAULT, "libGLESv2.so.2: cannot open", "libgles2",
        ),
        ("1.2.3", sight.NEW, ending(-6), Outcome.FAULT, "it ended with -6", "libgles2"),
    ],
)  # fmt: skip
def test_each_way_that_mediapipe_fails_is_told_apart(
    tmp_path, version, fits, ended, outcome, found, remedy
):
    told = sight.vision(str, version, fits, tmp_path, ended)
    assert told.outcome is outcome
    assert found in told.found
    assert remedy in told.remedy


# ---- models ----


def test_missing_and_damaged_models_are_named(tmp_path):
    names = [model.file for model in read_lock().models]
    (tmp_path / names[0]).write_bytes(b"not a model")
    found = sight.models(str, tmp_path)
    assert found.outcome is Outcome.FAULT
    assert all(name in found.found for name in names)
    assert found.remedy == f"mafia-seat models --to {tmp_path}"


def test_a_cards_own_models_are_looked_at_before_the_users(tmp_path, monkeypatch):
    monkeypatch.setattr(sight, "CARD_MODELS", tmp_path)
    monkeypatch.delenv("MAFIA_MODELS", raising=False)
    assert sight.models_directory() == tmp_path
    monkeypatch.setenv("MAFIA_MODELS", "/srv/models")
    assert sight.models_directory() == Path("/srv/models")
    monkeypatch.delenv("MAFIA_MODELS")
    monkeypatch.setattr(sight, "CARD_MODELS", tmp_path / "gone")
    assert sight.models_directory() == default_directory()


# ---- the camera ----


@pytest.mark.parametrize(
    ("ended", "outcome", "found", "remedy"),
    [
        (ending(0, "640x480 91"), Outcome.FINE, "picamera2, 640x480", ""),
        (ending(0, "640x480 3"), Outcome.NOTE, "640x480, but dark", "lens cover"),
        (ending(None), Outcome.FAULT, "hangs", "cable"),
        (
            ending(1, "no camera (list index out of range): check its cable and rpicam-hello"),
            Outcome.FAULT, "no camera", "rpicam-hello",
        ),
        (
            ending(1, "no camera (Failed to acquire: Device or resource busy)"),
            Outcome.FAULT, "another program has it", "systemctl stop",
        ),
        (ending(-11), Outcome.FAULT, "it ended with -11", "cable"),
    ],
)  # fmt: skip
def test_each_way_that_a_camera_fails_is_told_apart(ended, outcome, found, remedy):
    told = sight.camera(str, "picamera2", ended)
    assert told.outcome is outcome
    assert found in told.found
    assert remedy in told.remedy


# ---- real children ----


def python(code):
    return (sys.executable, "-c", code)


def test_an_illegal_instruction_of_a_child_is_reported_as_such(tmp_path):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
    ended = run_child(python(code), 30.0)
    assert ended.code == -signal.SIGILL
    told = sight.vision(str, "1.2.3", sight.NEW, tmp_path, lambda what, with_: ended)
    assert "illegal instruction (SIGILL)" in told.found


def test_a_child_that_hangs_is_killed_after_its_time():
    code = "import signal; print('still here', flush=True); signal.pause()"
    clock = SystemClock()
    before_s = clock.now_s()
    assert run_child(python(code), 2.0) == Ended(None, "still here")
    assert clock.now_s() - before_s < 15.0


def test_a_child_that_leaves_a_child_behind_keeps_nobody_waiting():
    code = "import subprocess; subprocess.Popen(['sleep', '5']); print('gone')"
    assert run_child(python(code), 30.0) == Ended(0, "gone")


def test_a_childs_last_words_are_kept():
    assert run_child(python("print('a'); print('b'); exit(3)"), 30.0) == Ended(3, "b")


@pytest.mark.skipif(importlib.util.find_spec("picamera2"), reason="a Raspberry Pi")
def test_a_pi_camera_without_its_library_names_the_package():
    told = sight.camera(str, "picamera2", probe.probe)
    assert (told.outcome, told.found) == (Outcome.FAULT, "picamera2 is not installed")
    assert told.remedy == "sudo apt install python3-picamera2"


def test_a_webcam_that_is_not_there_is_named():
    told = sight.camera(str, "webcam:77", probe.probe)
    assert (told.outcome, "/dev/video77 does not exist" in told.found) == (Outcome.FAULT, True)


@pytest.mark.parametrize(
    ("grey", "outcome"), [(128, Outcome.FINE), (0, Outcome.NOTE)], ids=["lit", "covered"]
)
def test_a_real_picture_is_taken_and_a_covered_lens_seen(tmp_path, grey, outcome):
    pytest.importorskip("cv2", reason="OpenCV is not installed: make vision")
    from PIL import Image

    Image.new("RGB", (320, 240), (grey, grey, grey)).save(tmp_path / "a.png")
    told = sight.camera(str, str(tmp_path), probe.probe)
    assert (told.outcome, "320x240" in told.found) == (outcome, True)


@pytest.mark.vision
def test_the_real_mediapipe_looks_at_a_picture():
    pytest.importorskip("cv2", reason="OpenCV is not installed: make vision")
    version = sight.installed()
    directory = default_directory()
    if version is None or missing(directory, read_lock()):
        pytest.skip("MediaPipe or its models are not installed: make vision")
    assert sight.models(str, directory).outcome is Outcome.FINE
    told = sight.vision(str, version, sight.NEW, directory, probe.probe)
    assert (told.outcome, told.found) == (Outcome.FINE, f"MediaPipe {version}")


@pytest.mark.vision
def test_the_real_mediapipe_without_models_says_which(tmp_path):
    if sight.installed() is None:
        pytest.skip("MediaPipe is not installed: make vision")
    told = sight.vision(str, "1.2.3", sight.NEW, tmp_path, probe.probe)
    assert told.outcome is Outcome.FAULT
    assert str(tmp_path) in told.found
