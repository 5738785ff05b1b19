"""The sizes of hardware/enclosure/dimensions.scad, and its tables."""

import ast
import csv
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
# The drawings' scripts are of the source tree alone; nobody installs them.
sys.path.insert(0, str(HARDWARE.parent))
LINE = re.compile(r"^(\w+) = ([^;]+);", re.MULTILINE)


@pytest.fixture(scope="session")
def sizes():
    """Numbers and lists of numbers, in millimetres and degrees, by their names."""
    text = (HARDWARE / "enclosure" / "dimensions.scad").read_text("utf-8")
    return SimpleNamespace(**{name: ast.literal_eval(value) for name, value in LINE.findall(text)})


@pytest.fixture(scope="session")
def table():
    """A function that reads a table of hardware/ as rows."""

    def read(name):
        with (HARDWARE / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return read
