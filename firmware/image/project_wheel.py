"""The wheel of this very program, to be put on cards: whatever it was started from.

A source tree is built. An installed program is packed again from its own files,
so that it needs no index, and a card gets what its maker runs.
"""

import base64
import csv
import hashlib
import importlib.metadata
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

import firmware
from firmware.errors import BoardError

PROJECT: Final = "mafia-table-kit"
TREE: Final = Path(firmware.__file__).parents[1]
PARTS: Final = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "firmware",
    "table_controller",
    "seat_node",
)
"""What a wheel is built from."""

DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Of every member of a wheel, so that the same files give the same bytes."""
DATE_S: Final = 315532800
"""The same as seconds since 1970; setuptools reads SOURCE_DATE_EPOCH."""

INFO: Final = ".dist-info"
OF_THE_INSTALLER: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
"""Written when a wheel is installed. Source: PyPA, "Recording installed projects"."""

BUILD_S: Final = 300.0
SETUPTOOLS_MIN: Final = 77
"""Source: pyproject.toml, build-system."""


def make(into: Path) -> Path:
    """Put the project's wheel into *into* and return where it is.

    :raises BoardError: if the source tree cannot be built, or a file of the
        installed program is not as it was installed.
    """
    if (TREE / "pyproject.toml").is_file():
        return build(TREE, into)
    return repack(importlib.metadata.distribution(PROJECT), into)


def build(tree: Path, into: Path) -> Path:
    """Build the wheel of the source *tree*, aside: setuptools keeps files that are gone.

    :raises BoardError: if pip cannot.
    """
    with tempfile.TemporaryDirectory(prefix="mafia-wheel-") as scratch:
        copy, made = Path(scratch) / "tree", Path(scratch) / "made"
        copy.mkdir()
        for part in PARTS:
            if (tree / part).is_dir():
                hidden = shutil.ignore_patterns("__pycache__", ".*")
                shutil.copytree(tree / part, copy / part, ignore=hidden)
            else:
                shutil.copyfile(tree / part, copy / part)
        units = copy / "firmware" / "image" / "systemd"
        if units.is_file():  # a link, where git makes none
            units.unlink()
            shutil.copytree(tree / "systemd", units)
        run = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
        run += ["--no-input", "--no-deps", "--wheel-dir", str(made)]
        if _setuptools() >= SETUPTOOLS_MIN:
            run.append("--no-build-isolation")  # then it needs no index
        backend([*run, str(copy)], copy)
        (found,) = made.iterdir()
        with zipfile.ZipFile(found) as wheel:
            return _write({name: wheel.read(name) for name in wheel.namelist()}, into)


def backend(command: list[str], tree: Path) -> None:
    """Let *command* build something of *tree*, in it, with dates that are the same each time.

    :raises BoardError: if it fails.
    """
    done = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(DATE_S)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=BUILD_S,
        check=False,
    )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in said if "error" in line.lower()] or said[-1:]
        why = errors[0].strip() if errors else f"it ended with {done.returncode}"
        raise BoardError(f"{tree}: could not be built: {why}")


def repack(installed: importlib.metadata.Distribution, into: Path) -> Path:
    """Make the wheel that *installed* came from, out of its files.

    :raises BoardError: if a file is missing or has changed.
    """
    members: dict[str, bytes] = {}
    for file in installed.files or ():
        path = PurePosixPath(file.as_posix())
        if path.is_absolute() or ".." in path.parts or "__pycache__" in path.parts:
            continue  # commands and byte code, made anew where it is installed
        if path.parts[0].endswith(INFO) and path.name in OF_THE_INSTALLER:
            continue
        try:
            content = Path(str(file.locate())).read_bytes()
        except OSError as error:
            raise BoardError(f"{file.locate()}: {error.strerror}: install the kit again") from error
        if file.hash is None or file.hash.value != _record_sum(content):
            raise BoardError(f"{file.locate()} has changed: install the kit again")
        members[str(path)] = content
    if not members:
        raise BoardError(f"{PROJECT} is not installed from a wheel: install it with pip")
    return _write(members, into)


def _write(members: dict[str, bytes], into: Path) -> Path:
    """Write a wheel of *members* with a new RECORD.

    Not compressed: the bytes are the same on every system.
    """
    folder = next(top for name in members if (top := name.split("/")[0]).endswith(INFO))
    record = f"{folder}/RECORD"
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    names = sorted(members.keys() - {record})
    rows.writerows(
        (name, f"sha256={_record_sum(members[name])}", len(members[name])) for name in names
    )
    rows.writerow((record, "", ""))
    made = into / f"{folder.removesuffix(INFO)}-py3-none-any.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as wheel:
        for name in (*names, record):
            member = zipfile.ZipInfo(name, DATE)
            member.create_system = 3  # Unix, whatever this is
            member.external_attr = 0o644 << 16
            wheel.writestr(member, members[name] if name != record else text.getvalue())
    return made


def _setuptools() -> int:
    """Return the version of setuptools that is installed, 0: none."""
    try:
        return int(importlib.metadata.version("setuptools").split(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return 0


def _record_sum(content: bytes) -> str:
    """Return the sum of *content* as a RECORD has it."""
    digest = hashlib.sha256(content).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
