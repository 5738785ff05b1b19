"""How the device is: temperature, throttling, memory; None where it cannot say."""

import resource
from pathlib import Path
from typing import Final

import msgspec

TEMPERATURE: Final = "sys/class/thermal/thermal_zone0/temp"
THROTTLED: Final = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""Bits of the firmware's ``get_throttled``; the lower four are now, not history."""
MEMORY: Final = "proc/self/status"


class Vitals(msgspec.Struct, frozen=True):
    """One reading."""

    temperature_c: float | None
    throttled: bool | None
    memory_mb: float | None
    """Resident memory of this process."""


def measure(root: Path = Path("/")) -> Vitals:
    """Read the files of the kernel under *root*."""
    temperature = _read(root / TEMPERATURE)
    throttled = _read(root / THROTTLED)
    resident = [
        line.split()[1]
        for line in _read(root / MEMORY).splitlines()
        if line.startswith("VmRSS:") and len(line.split()) > 1
    ]
    return Vitals(
        temperature_c=int(temperature) / 1000 if temperature.lstrip("-").isdigit() else None,
        throttled=bool(int(throttled, 16) & 0xF) if _is_hex(throttled) else None,
        memory_mb=int(resident[0]) / 1024 if resident and resident[0].isdigit() else None,
    )


def resident_mb(pid: int | str = "self") -> float:
    """Return the resident memory in MB of the process *pid*, 0 if it has ended.

    Source: proc(5), statm.
    """
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return round(pages * resource.getpagesize() / 1e6, 1)


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _is_hex(text: str) -> bool:
    try:
        int(text, 16)
    except ValueError:
        return False
    return True
