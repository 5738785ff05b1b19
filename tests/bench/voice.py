"""How late a call of the night begins to sound: ``make bench``.

A whole table (its loop, the journal on a disk, the music of the night) calls the
numbers of a turbo night, and a real aplay plays them on an ALSA device that hands
every sample on: no sound card is needed. Measured is from the moment when a
call is due to its first sample at the device. That device, ALSA's ``file``, hands on
what it has got one buffer later (:data:`BUFFER_S`), which is taken off. What would lie at a
sound card before the call (:data:`LEAD_S` at most) is added: so it is told when the
room hears it.

Beside it stands what a program for each phrase takes: aplay started anew with the
same sound. It would be heard as soon, on a device that needs no time to open;
but a device without a mixer plays no music beside it.
"""

import array
import contextlib
import os
import queue
import select
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import wave
from pathlib import Path
from typing import Any, Final

import click

from firmware.clock import SystemClock
from firmware.fakes import FakeBroker, nodes_and_table
from firmware.wire import Topics
from firmware.words import catalogue
from table_controller.countdown import Countdowns
from table_controller.game import SEATS, TURBO, Phase, actions
from table_controller.lights import Lights
from table_controller.nodes import Nodes
from table_controller.record.journals import Journals
from table_controller.scoreboard.hub import Hub
from table_controller.show import Show
from table_controller.table import Table
from table_controller.terms import Terms
from table_controller.voice.aplay import BUFFER_US
from table_controller.voice.phrases import Phrase
from table_controller.voice.sound import RATE
from table_controller.voice.speaker import LEAD_S, Speaker, open_voice

MUST_S: Final = 0.150
"""The latest that a call may begin to sound. Source: DESIGN 7, the host's evening."""

BUFFER_S: Final = BUFFER_US / 1e6

LOUD: Final = 15000
"""A call is louder, the music and all else is not."""

PATIENCE_S: Final = 30.0


class Device:
    """An ALSA device called ``sink``: whatever is played on it comes out here."""

    def __init__(self, folder: Path) -> None:
        pipe, config = folder / "sink", folder / "asound.conf"
        os.mkfifo(pipe)
        config.write_text(
            "</usr/share/alsa/alsa.conf>\n"
            f'pcm.sink {{ type file slave.pcm "null" file "{pipe}" format "raw" }}\n'
        )
        os.environ["ALSA_CONFIG_PATH"] = str(config)
        self._pipe = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        self.began_s: queue.SimpleQueue[float] = queue.SimpleQueue()
        """When each loud sound began to come."""
        threading.Thread(target=self._listen, daemon=True).start()

    def drain(self, speaker: Speaker) -> None:
        """Wait until all that is said has come, and the silence after it."""
        speaker.wait(PATIENCE_S)
        threading.Event().wait(1.0)

    def _listen(self) -> None:
        loud, rest = False, b""
        while True:
            select.select([self._pipe], [], [])
            now_s = time.monotonic()
            rest += os.read(self._pipe, 1 << 16)
            whole = len(rest) // 2 * 2
            samples, rest = array.array("h", rest[:whole]), rest[whole:]
            if not loud and any(sample > LOUD for sample in samples):
                self.began_s.put(now_s)
            loud = samples[-1] > LOUD if samples else loud


class Calls:
    """A voice that keeps when each call that it hands on was due."""

    def __init__(self, speaker: Speaker, countdowns: Countdowns) -> None:
        self._speaker = speaker
        self._countdowns = countdowns
        self.due_s: list[float] = []
        self.said_s: list[float] = []

    def say(self, phrase: Phrase) -> None:
        if phrase.call:
            # The clock of the call that begins now started when that was due.
            clock = self._countdowns.first()
            assert clock is not None
            self.due_s.append(clock[0] - clock[1].length_s)
            self.said_s.append(time.monotonic())
        self._speaker.say(phrase)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._speaker, name)


def record(path: Path, level: int, length_s: float) -> None:
    """Write a recording of one level, and a little silence."""
    samples = [level] * round(length_s * RATE) + [0] * (RATE // 10)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(array.array("h", samples).tobytes())


def night(folder: Path, speaker: Speaker, count: int) -> Calls:
    """Let a table call *count* numbers; return when each was due and said."""
    clock, topics = SystemClock(), Topics("bench")
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    broker = FakeBroker(clock, nodes_and_table(topics))
    link = broker.link("table", topics, inbox.put, subscriptions=[])
    countdowns = Countdowns()
    calls = Calls(speaker, countdowns)
    table = Table(
        clock=clock,
        journals=Journals(folder / "journal"),
        terms=Terms(TURBO, tuple(f"Player {seat}" for seat in SEATS), "0", 7),
        show=Show(
            clock=clock,
            link=link,
            topics=topics,
            nodes=Nodes(),
            countdowns=countdowns,
            hub=Hub(clock),
            voice=calls,
            lights=Lights(None),
            words=catalogue("en"),
        ),
    )
    table.reading.volume(100)
    with link:
        table.playing.start()
        for seat in SEATS:
            table.playing.act(actions.Ready(seat), clock.now_s())
        # Nobody waits for the day of a measurement.
        while (state := table.playing.state) and (state.night < 1 or state.phase in _BEFORE):
            assert state.clock is not None
            table.playing.act(actions.Expire(state.clock.id), clock.now_s())
        while len(calls.due_s) < count:
            with contextlib.suppress(queue.Empty):
                table.take(inbox.get(timeout=max(0.0, table.next_due_s() - clock.now_s())))
            table.tick()
    table.playing.close()
    return calls


_BEFORE: Final = frozenset({Phase.LOOK, Phase.MEETING, Phase.REST, Phase.MORNING, Phase.SPEECH})


def spawned_s(device: Device, path: Path) -> float:
    """Start aplay for one sound; return how long it takes until it comes."""
    began_s = time.monotonic()
    subprocess.run(["aplay", "-q", "-D", "sink", str(path)], check=True)
    return device.began_s.get(timeout=PATIENCE_S) - began_s


def line(name: str, times_s: list[float]) -> str:
    """Return a line of median, 99 of 100, and worst, in ms."""
    cut = statistics.quantiles(times_s, n=100)[98] if len(times_s) > 1 else times_s[0]
    median = statistics.median(times_s)
    values = "  ".join(f"{1000 * each:6.1f}" for each in (median, min(cut, max(times_s))))
    return f"{name:44}{values}  {1000 * max(times_s):6.1f}"


@click.command()
@click.option("--calls", default=20, show_default=True, help="Numbers that are called.")
def main(calls: int) -> None:
    """Measure how late a night's calls begin to sound; exit with 1 when that is too late."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        device = Device(folder)
        for sub in ("recordings", "music"):
            (folder / sub).mkdir()
        record(folder / "music" / "song.wav", 12000, 5.0)
        for seat in SEATS:
            record(folder / "recordings" / f"number-{seat}.wav", 30000, 0.4)
        speaker = open_voice(
            "en",
            folder / "cache",
            SystemClock(),
            recordings=folder / "recordings",
            music=folder / "music",
            device="sink",
        )
        assert isinstance(speaker, Speaker), speaker.fault
        speaker.sounds.wait_ahead(PATIENCE_S)
        called = night(folder, speaker, calls)
        came_s = [device.began_s.get(timeout=PATIENCE_S) for _ in range(calls)]
        # The last one is to be heard to its end, else the next seems to be it.
        device.drain(speaker)
        speaker.close()
        path = folder / "recordings" / "number-7.wav"
        anew_s = [spawned_s(device, path) for _ in range(calls)]
    late_s = [came - due - BUFFER_S for came, due in zip(came_s, called.due_s, strict=True)]
    journal_s = [said - due for said, due in zip(called.said_s, called.due_s, strict=True)]
    heard_s = [each + LEAD_S for each in late_s]
    click.echo(f"{'a call of the night, ms':44}   p50     p99   worst")
    click.echo(line("  due -> journalled and asked of the voice", journal_s))
    click.echo(line("  due -> its first sample at the device", late_s))
    click.echo(line(f"  due -> heard (with {1000 * LEAD_S:.0f} ms before it)", heard_s))
    click.echo(line("  aplay started anew -> its first sample", anew_s))
    good = max(heard_s) < MUST_S
    click.echo(f"  must: heard within {1000 * MUST_S:.0f} ms: {'yes' if good else 'NO'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
