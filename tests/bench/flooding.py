"""A stranger's laptop that floods the scoreboard: ``python flooding.py PORT``, until stdin ends.

All that a program can do without a password, at once: 200 connections of five
devices that keep asking, ask slowly, send heads without an end, hold 48 streams,
or come and go. Says ``flooding`` once each of them runs, and at the end what it was
answered. Loopback has an address for each device; 127.0.0.1, the table's own, is none.
"""

import asyncio
import collections
import contextlib
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Final

HERE: Final = "127.0.0.1"
PAUSE_S: Final = 0.02
"""After a connection was refused or cut."""

answers: collections.Counter[str] = collections.Counter()
"""How often each status was answered, and connections were cut."""


class Line:
    """A connection of the device *address*."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address

    async def __aenter__(self) -> "Line":
        self._reader, self._writer = await asyncio.open_connection(
            HERE, self._port, local_addr=(self._address, 0)
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._writer.transport.abort()

    async def send(self, text: bytes) -> None:
        self._writer.write(text)
        await self._writer.drain()

    async def answer(self) -> None:
        """Read an answer with a length, or the beginning of a stream."""
        head = await self._reader.readuntil(b"\r\n\r\n")
        answers[head.split(b" ", 2)[1].decode()] += 1
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                await self._reader.readexactly(int(line.split(b":")[1]))

    async def rest(self) -> None:
        """Read until it is cut."""
        while await self._reader.read(65536):
            pass


async def pause(for_s: float) -> None:
    """Do nothing."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.Event().wait(), for_s)


def asks(path: str, *, more: str = "") -> bytes:
    """Return a request."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()


async def hammers(line: Line) -> None:
    """Ask again as soon as there is an answer."""
    while True:
        for path in ("/state", "/", "/host", "/static/table.css"):
            await line.send(asks(path))
            await line.answer()


async def dawdles(line: Line) -> None:
    """Send a letter a second of a request that never ends."""
    await line.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
    while True:
        await line.send(b"y")
        await pause(1.0)


async def boasts(line: Line) -> None:
    """Send a head of a megabyte."""
    await line.send(asks("/", more="X: " + "y" * (1 << 20) + "\r\n"))
    await line.answer()
    await line.rest()


async def watches(line: Line) -> None:
    """Hold a stream, or ask for one again."""
    await line.send(asks("/events"))
    await line.answer()
    await line.rest()


async def comes_and_goes(line: Line) -> None:
    """Connect, and leave at once."""
    answers["came"] += 1


KINDS: Final[tuple[tuple[Callable[[Line], Awaitable[None]], str, int], ...]] = (
    (hammers, "127.0.0.61", 62),
    (dawdles, "127.0.0.62", 50),
    (boasts, "127.0.0.63", 20),
    (watches, "127.0.0.64", 48),
    (comes_and_goes, "127.0.0.65", 20),
)
"""What is done, by which device, on how many connections: 200."""


async def again(port: int, address: str, does: Callable[[Line], Awaitable[None]]) -> None:
    """Do it on one connection after the other, for ever."""
    while True:
        try:
            async with Line(port, address) as line:
                await does(line)
        except (OSError, asyncio.IncompleteReadError):
            answers["cut"] += 1
        await pause(PAUSE_S)


async def main(port: int) -> None:
    """Flood until stdin ends."""
    tasks = [
        asyncio.create_task(again(port, address, does))
        for does, address, number in KINDS
        for _ in range(number)
    ]
    await pause(0.5)
    print("flooding", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks)
    print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
