"""The process that sees the player has no network, and nothing it writes is a picture.

Every system call of the real eyes is read, as they look at pictures for half a minute
with MediaPipe 1.x, which tries to phone home within some 20 s (DESIGN 2).
"""

import importlib.util
import queue
import re
import shutil
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from seat_node.eyes_link import EyesProcess, EyesSocket, eyes_command, without_network
from seat_node.models import default_directory, missing, read_lock
from seat_node.reports import Sight, Watch

pytestmark = [pytest.mark.vision, pytest.mark.proof]

LOOKS_S = 35.0
LINE_MAX = 300
"""Bytes of a report at most: names and numbers."""

MAGIC = (r"\xff\xd8\xff", r"\x89\x50\x4e\x47", r"\x52\x49\x46\x46")
"""How JPEG, PNG and WebP begin, as strace writes them."""

HARMLESS = ("/dev/null", "/proc/")
"""What may be opened for writing: no disk is behind it."""

STRACE = (
    *("strace", "-f", "-qq", "-xx", "-s", "65536"),
    *("-e", "trace=network,write,writev,pwrite64,pwritev,openat,open,creat"),
)


def text(hexed):
    """Return what strace writes as hex."""
    return bytes.fromhex(hexed.replace(r"\x", "")).decode(errors="replace")


class Calls:
    """The system calls of one run."""

    def __init__(self, lines):
        self.lines = lines

    @property
    def looking(self):
        """Those since the first look: what they import comes before it, and looks at nothing.

        MediaPipe's import asks a compiler for the names of libraries, which keeps notes in /tmp.
        """
        said = "".join(f"\\x{byte:02x}" for byte in b'"word":"ok"')
        first = next(index for index, line in enumerate(self.lines) if said in line)
        return Calls(self.lines[first:])

    def of(self, *names):
        pattern = re.compile(rf"^\d+ +(?:<\.\.\. )?({'|'.join(names)})[( ]")
        return [line for line in self.lines if pattern.match(line)]

    @property
    def written(self):
        """Files that were opened for writing, or made."""
        opened = [
            line
            for line in self.of("openat", "open", "creat")
            if re.search("O_WRONLY|O_RDWR|O_CREAT", line) and " = -1 " not in line
        ]
        return [text(re.search(r'"((?:\\x[0-9a-f]{2})*)"', line)[1]) for line in opened]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """What the eyes did and said in a seat's own hands; then what their network counted."""
    for tool in ("strace", "unshare"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if importlib.util.find_spec("mediapipe") is None or not without_network():
        pytest.skip("MediaPipe is not installed, or unshare is not allowed here")
    if missing(default_directory(), read_lock()):
        pytest.skip("no models: mafia-seat models")
    cv2 = pytest.importorskip("cv2")
    np = pytest.importorskip("numpy")
    folder = tmp_path_factory.mktemp("eyes")
    pictures = folder / "pictures"
    pictures.mkdir()
    noise = np.random.default_rng(1)
    for number in range(4):
        picture = noise.integers(0, 255, (480, 640, 3), dtype=np.uint8)
        cv2.imwrite(str(pictures / f"{number}.jpg"), picture)
    log, path = folder / "calls", folder / "eyes.sock"
    inbox, said = queue.SimpleQueue(), []
    clock = SystemClock()
    command = (*STRACE, "-o", str(log), *eyes_command(str(pictures), path))
    with (
        EyesSocket(path, inbox.put, clock) as line,
        EyesProcess(command, inbox.put, clock, lambda: line.last_s),
    ):
        line.watch(Watch())
        until_s = clock.now_s() + LOOKS_S
        counted = ""
        while clock.now_s() < until_s:
            # They say how they are every few seconds.
            said.append(inbox.get(timeout=LOOKS_S))
            counted = counters(path) or counted
    return Calls(log.read_text("utf-8", errors="replace").splitlines()), said, counted, str(path)


def counters(path):
    """Return /proc/PID/net/dev of the Python process that was given *path*."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            if b"python" in words[0] and str(path).encode() in words:
                return (process / "net" / "dev").read_text("ascii")
        except OSError:
            continue
    return ""


def test_they_work_and_their_network_is_empty(run):
    _, said, counted, _ = run
    sights = [report for report in said if isinstance(report, Sight)]
    assert len(sights) >= 4
    assert {sight.word for sight in sights} == {"ok"}
    assert len(Path("/proc/self/net/dev").read_text("ascii").splitlines()) > 3, "no network here"
    _, _, *interfaces = counted.splitlines()
    (loopback,) = interfaces
    name, *numbers = loopback.split()
    assert (name, set(numbers)) == ("lo:", {"0"})


def test_no_connection_is_made_but_to_the_seat(run):
    calls, _, _, seat = run
    connected = [line for line in calls.of("connect") if line.rstrip().endswith("= 0")]
    assert connected
    assert all("AF_UNIX" in line for line in connected)
    assert all(text(re.search(r'sun_path="((?:\\x..)*)"', line)[1]) == seat for line in connected)
    pending = [line for line in calls.of("connect") if "EINPROGRESS" in line]
    assert pending == []
    assert calls.of("bind", "listen", "accept", "accept4") == []


def test_nothing_but_the_reports_is_written(run):
    calls = run[0].looking
    assert [path for path in calls.written if not path.startswith(HARMLESS)] == []
    writes = calls.of("write", "writev", "pwrite64", "pwritev", "sendto", "sendmsg", "sendmmsg")
    assert any(text(line.split('"')[1]).startswith('{"report"') for line in writes if '"' in line)
    for line in writes:
        for hexed in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', line):
            assert len(hexed) // 4 <= LINE_MAX, text(hexed)
            assert not hexed.startswith(MAGIC)
