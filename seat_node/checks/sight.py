"""What the eyes need: a CPU that MediaPipe runs on, its version, its models, a camera."""

import importlib.metadata
import os
import sys
from pathlib import Path
from typing import Final

import msgspec

from firmware.errors import BoardError
from firmware.finding import Finding, Translate, fault, fine, note
from seat_node.checks.parts import STOP_SEAT
from seat_node.checks.probe import Probe
from seat_node.models import default_directory, missing, read_lock

CPUINFO: Final = Path("/proc/cpuinfo")

CARD_MODELS: Final = Path("/opt/mafia/models")
"""Where a card's eyes have their models. Source: systemd/mafia-eyes.service."""

NEW: Final = "mediapipe==1.2.3"
"""Needs LSE atomics on ARM: Pi 5. Source: measured, no wheel from 1.0 on runs without."""
OLD: Final = "mediapipe==0.10.18"
"""The last that runs on a Pi 4; wheels for Python 3.11 and 3.12 only."""

DARK: Final = 20
"""Mean brightness, of 255, below which a cover or a dark room is to be thought of."""


class Cpu(msgspec.Struct, frozen=True):
    """What ``/proc/cpuinfo`` says."""

    model: str
    arm: bool
    bits_64: bool
    lse: bool
    """ARM: has the atomic instructions of ARMv8.1 (``atomics``)."""

    def mediapipe(self, python: tuple[int, int]) -> str:
        """Return the requirement that runs here with *python*; "": there is none."""
        if not self.bits_64:
            return ""
        if not self.arm or self.lse:
            return NEW if (3, 11) <= python <= (3, 13) else ""
        return OLD if python in ((3, 11), (3, 12)) else ""


def read_cpu(path: Path = CPUINFO) -> Cpu:
    """Read what the kernel says of the CPU.

    Source: Linux, arch/arm64 and arch/x86 kernel/cpu: ``Features`` and ``flags``.
    """
    fields: dict[str, str] = {}
    for line in path.read_text("utf-8", errors="replace").splitlines():
        key, _, value = line.partition(":")
        fields.setdefault(key.strip(), value.strip())
    features = set(fields.get("Features", fields.get("flags", "")).split())
    arm = "Features" in fields
    # "Model" is the board, on a Pi only; "model name" the CPU; "model" a number on x86.
    model = fields.get("Model") or fields.get("model name") or ("ARM" if arm else "CPU")
    return Cpu(
        model=model,
        arm=arm,
        # A 64-bit kernel tells of asimd and fp; a 32-bit one of neon. "lm": long mode.
        bits_64=bool(features & {"asimd", "lm"}),
        lse="atomics" in features,
    )


def cpu(
    t: Translate,
    *,
    eyes: bool,
    path: Path = CPUINFO,
    python: tuple[int, int] = sys.version_info[:2],
) -> Finding:
    """Say which MediaPipe fits this Pi; without *eyes* that none does is no fault."""
    part = t("CPU")
    try:
        found = read_cpu(path)
    except OSError as error:
        return note(part, t("{path} cannot be read").format(path=path), str(error.strerror))
    fits = found.mediapipe(python)
    kind = "" if not found.arm else (t(", with LSE") if found.lse else t(", without LSE"))
    if fits:
        return fine(part, f"{found.model}{kind}: {fits}")
    if not found.bits_64:
        remedy = t("Use the 64-bit system.")
    elif found.arm and not found.lse:
        remedy = t("A camera needs a Pi 5 here; a Pi 4 needs Debian 12 with Python 3.11.")
    else:
        remedy = t("A camera needs Python 3.11, 3.12 or 3.13.")
    said = t("{model}{kind}, Python {python}: no MediaPipe runs here").format(
        model=found.model, kind=kind, python=".".join(map(str, python))
    )
    return (fault if eyes else note)(part, said, remedy)


def installed() -> str | None:
    """Return the version of MediaPipe that is installed; None: none."""
    try:
        return importlib.metadata.version("mediapipe")
    except importlib.metadata.PackageNotFoundError:
        return None


def vision(t: Translate, version: str | None, fits: str, models: Path, probe: Probe) -> Finding:
    """Let MediaPipe look at a picture, if *version* is there and of the kind that *fits*."""
    part = t("vision")
    install = t("Install {requirement}.").format(requirement=fits) if fits else t("See CPU.")
    if version is None:
        return fault(part, t("MediaPipe is not installed"), install)
    if fits == OLD and version.split(".")[0] != "0":
        found = t("MediaPipe {version} does not run on this CPU").format(version=version)
        return fault(part, found, install)
    ended = probe("vision", str(models))
    if ended.code == 0:
        return fine(part, f"MediaPipe {version}")
    if ended.illegal_instruction:
        found = t("MediaPipe {version} ends by an illegal instruction (SIGILL)")
        return fault(part, found.format(version=version), install)
    if ended.code is None:
        return fault(part, t("MediaPipe hangs"), t("Start the Pi again; then install it anew."))
    found = t("MediaPipe {version} does not work: {said}")
    said = ended.said or t("it ended with {code}").format(code=ended.code)
    remedy = t("If a library is missing: sudo apt install libgl1 libgles2 libegl1 libglib2.0-0t64")
    return fault(part, found.format(version=version, said=said), remedy)


def models_directory() -> Path:
    """Return where this machine's models are: a card's own folder, else the user's."""
    if not os.environ.get("MAFIA_MODELS") and CARD_MODELS.is_dir():
        return CARD_MODELS
    return default_directory()


def models(t: Translate, directory: Path) -> Finding:
    """Compare the models in *directory* with what is pinned, byte for byte."""
    part = t("models")
    try:
        lock = read_lock()
    except BoardError as error:
        return fault(part, str(error), t("Install the kit again."))
    wrong = missing(directory, lock)
    if not wrong:
        return fine(
            part, t("{number} in {folder}").format(number=len(lock.models), folder=directory)
        )
    names = ", ".join(model.file for model in wrong)
    found = t("missing or damaged in {folder}: {names}").format(folder=directory, names=names)
    return fault(part, found, f"mafia-seat models --to {directory}")


def camera(t: Translate, source: str, probe: Probe) -> Finding:
    """Take one picture of *source*; nothing of it is kept."""
    part = t("camera")
    ended = probe("camera", source)
    if ended.code == 0:
        size, brightness = ended.said.split()
        if int(brightness) < DARK:
            remedy = t("Open the lens cover, and give the player light.")
            return note(part, t("{size}, but dark").format(size=size), remedy)
        return fine(part, f"{source}, {size}")
    if ended.code is None:
        remedy = t("Take the power away, check both ends of the cable, and start again.")
        return fault(part, t("hangs"), remedy)
    said = ended.said or t("it ended with {code}").format(code=ended.code)
    if "busy" in said.lower() or "another program" in said:
        return fault(part, t("another program has it: {error}").format(error=said), STOP_SEAT)
    if "picamera2" in said and "apt" in said:
        return fault(part, t("picamera2 is not installed"), "sudo apt install python3-picamera2")
    remedy = t("Check both ends of the cable: contacts to the contacts; then rpicam-hello.")
    return fault(part, said, remedy)
