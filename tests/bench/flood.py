"""What a flood of the scoreboard costs the game: ``make bench``.

In turns, presses of a real seat at a real table with and without a stranger who
floods the scoreboard (flooding.py, in a process of its own, which shares the
processors here; a stranger's laptop would not).
"""

import contextlib
import json
import statistics
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from press import LISTENING, SEAT, USER, OurSeat, begin, standing, told

from firmware.clock import SystemClock
from firmware.pin import FILE, PinFile, new_pin
from firmware.wire import Topics
from table_controller.rehearsal.house import House, Settings

FLOODING: Final = Path(__file__).with_name("flooding.py")

BATCH: Final = 25
"""Presses in a row with or without the flood."""

MUST_S: Final = 1.0
"""No press may wait longer: its seat would say that it waits. Source: DESIGN 6."""


@contextlib.contextmanager
def flood(house: House, answers: Counter[str]) -> Iterator[None]:
    """Flood the scoreboard of *house* meanwhile; add what the flood was answered."""
    port = house.address.rstrip("/").rpartition(":")[2]
    program = [sys.executable, str(FLOODING), port]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "flooding\n"
        yield
        answers.update(json.loads(process.communicate(timeout=30)[0]))


def page_s(house: House, path: str) -> float:
    """Return how long a page of the table takes on the controller itself."""
    clock = SystemClock()
    began_s = clock.now_s()
    with urllib.request.urlopen(f"{house.address}{path}", timeout=30) as answer:
        answer.read()
    return clock.now_s() - began_s


@click.command()
@click.option("--presses", type=click.IntRange(2), default=100, show_default=True)
def main(presses: int) -> None:
    """Measure, print, and exit with 1 when a press waited too long."""
    quiet: list[float] = []
    flooded: list[float] = []
    pages: tuple[list[float], list[float]] = ([], [])
    answers: Counter[str] = Counter()
    with contextlib.ExitStack() as stack:
        house = stack.enter_context(House(Settings(step=True, seed=1)))
        PinFile(house.folder / "data" / FILE).write(new_pin())
        begin(house)
        house.seats[SEAT].kill()
        seat = stack.enter_context(OurSeat(house.broker.settings(USER), Topics("rehearsal")))
        seat.until(*LISTENING)
        while len(flooded) < presses:
            for times, its, during in (
                (quiet, pages[0], contextlib.nullcontext()),
                (flooded, pages[1], flood(house, answers)),
            ):
                with during, standing(house):
                    for _ in range(BATCH):
                        times.append(seat.shout()[2])
                        house.stage.step()
                        seat.until(*LISTENING)
                        its.append(page_s(house, "host/login"))
    click.echo(f"{len(flooded)} presses each, in turns{'median':>41}{'p99':>12}")
    told("confirmed press -> screen", quiet)
    told("the same while the scoreboard is flooded", flooded)
    told("the host's page", pages[0])
    told("the same while the scoreboard is flooded", pages[1])
    said = ", ".join(f"{number} x {what}" for what, number in sorted(answers.items()))
    click.echo(f"the flood was answered: {said}")
    worst = max(flooded)
    click.echo(
        f"ratio of medians {statistics.median(flooded) / statistics.median(quiet):.2f}, of the"
        f" page's {statistics.median(pages[1]) / statistics.median(pages[0]):.2f};"
        f" the slowest press {worst * 1000:.0f} ms (at most {MUST_S * 1000:.0f})"
    )
    sys.exit(worst > MUST_S)


if __name__ == "__main__":
    main()
