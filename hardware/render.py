"""Render the drawings of hardware/: wiring as SVG and PNG, enclosures as STL and PNG.

    python -m hardware.render build/hardware
    python -m hardware.render build/hardware --pictures     the guide's pictures anew, too

Needs wireviz with graphviz, openscad and xvfb-run; ``make hardware`` brings them.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from PIL import Image

from hardware.wiring.harness import write

HARDWARE: Final = Path(__file__).resolve().parent
PICTURES: Final = HARDWARE / "pictures"
TOOLS: Final = ("dot", "openscad", "xvfb-run")

Values = Mapping[str, str | int | bool]

PRINTED: Final[Mapping[str, tuple[str, Values]]] = {
    "seat_shell": ("seat_console", {"part": "shell"}),
    "seat_base": ("seat_console", {"part": "base"}),
    "seat_hood": ("seat_console", {"part": "hood"}),
    "seat_shell_ssd1306": ("seat_console", {"part": "shell", "screen": "ssd1306"}),
    "seat_hood_ssd1306": ("seat_console", {"part": "hood", "screen": "ssd1306"}),
    "lens_cover": ("lens_cover", {}),
    "camera_arm": ("camera_arm", {"part": "arm"}),
    "camera_head": ("camera_arm", {"part": "head"}),
    "controller_case": ("controller_case", {"part": "case"}),
    "controller_lid": ("controller_case", {"part": "lid"}),
    "phase_lamp": ("ring_segment", {"part": "phase"}),
    **{f"ring_segment_{n}": ("ring_segment", {"part": "segment", "seat": n}) for n in range(1, 11)},
}
"""What is printed: the drawing and its parameters."""

SEEN: Final[Mapping[str, tuple[str, Values, str]]] = {
    "seat_console": ("seat_console", {}, "75,60,42,55,0,25,480"),
    "seat_console_open": ("seat_console", {"part": "open"}, "75,60,30,50,0,25,440"),
    "seat_console_rear": ("seat_console", {}, "75,60,42,65,0,200,480"),
    "camera_arm": ("camera_arm", {}, "0,0,82,70,0,30,460"),
    "camera_arm_covered": ("camera_arm", {"covered": True}, "6,0,140,75,0,20,200"),
    "controller_case": ("controller_case", {}, "65,45,20,55,0,30,380"),
    "ring": ("ring_segment", {}, "0,0,10,50,0,30,820"),
}
"""What is looked at: the drawing, its parameters, and where the camera is."""


def missing_tools() -> list[str]:
    """Return the programs that rendering needs and that are not there."""
    beside = Path(sys.executable).parent / "wireviz"
    absent = [tool for tool in TOOLS if shutil.which(tool) is None]
    return absent if beside.exists() else [*absent, "wireviz"]


def _defines(values: Values) -> list[str]:
    """Return the options that set *values* in a drawing."""
    defines = []
    for name, value in values.items():
        text = f'"{value}"' if isinstance(value, str) else str(value).lower()
        defines += ["-D", f"{name}={text}"]
    return defines


def _run(command: list[str]) -> None:
    """Run a tool; it has to succeed in silence.

    :raises SystemExit: with the tool's words, if it fails or warns.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or "WARNING" in done.stderr:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def solid(folder: Path, name: str) -> Path:
    """Render one part of :data:`PRINTED` as STL into *folder*; return its path."""
    drawing, values = PRINTED[name]
    path = folder / f"{name}.stl"
    source = str(HARDWARE / "enclosure" / f"{drawing}.scad")
    _run(["openscad", "-q", *_defines(values), "-o", str(path), source])
    return path


def picture(folder: Path, name: str) -> Path:
    """Render one view of :data:`SEEN` as PNG into *folder*; return its path."""
    drawing, values, camera = SEEN[name]
    path = folder / f"{name}.png"
    source = str(HARDWARE / "enclosure" / f"{drawing}.scad")
    look = ["--imgsize=1000,750", "--colorscheme=Tomorrow", f"--camera={camera}"]
    screen = ["xvfb-run", "-a", "openscad", "-q"]
    _run([*screen, *_defines(values), *look, "-o", str(path), source])
    # Few colours: the guide's pictures lie in the repository.
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)
    return path


def wiring(folder: Path) -> list[Path]:
    """Render both harnesses as SVG and PNG into *folder*; return the paths of the SVGs."""
    drawn = []
    for source in write(folder):
        _run([str(Path(sys.executable).parent / "wireviz"), "-f", "ps", str(source)])
        drawn.append(source.with_suffix(".svg"))
    return drawn


def render(folder: Path) -> None:
    """Render everything into *folder*, made when missing."""
    folder.mkdir(parents=True, exist_ok=True)
    print("wiring", flush=True)
    wiring(folder)
    with ThreadPoolExecutor(2) as pool:
        for path in pool.map(lambda name: solid(folder, name), PRINTED):
            print(path.name, flush=True)
    for name in SEEN:
        print(picture(folder, name).name, flush=True)


def main(arguments: list[str]) -> None:
    """Render into the folder that is the first argument.

    :raises SystemExit: if a tool is missing or fails.
    """
    if absent := missing_tools():
        raise SystemExit(f"missing: {', '.join(absent)}; make hardware brings them")
    folder = Path(arguments[0])
    render(folder)
    if "--pictures" in arguments:
        PICTURES.mkdir(exist_ok=True)
        for name in SEEN:
            shutil.copy(folder / f"{name}.png", PICTURES)
        for unit in ("seat", "table"):
            shutil.copy(folder / f"{unit}.svg", PICTURES / f"wiring_{unit}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
