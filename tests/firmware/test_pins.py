"""The pins of a source tree: whole, and to be had as wheels for every machine it is for."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PINS = ROOT / "firmware" / "image" / "constraints-dev.txt"


def name_of(requirement):
    name = requirement.split("==")[0].split(">=")[0].split("[")[0]
    return name.strip().lower().replace("_", "-").replace(".", "-")


def requirements():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    return [*project["dependencies"], *(one for extra in extras for one in extra)]


def pins():
    lines = PINS.read_text().splitlines()
    return {name_of(line): line for line in lines if line and not line.startswith("#")}


def test_every_requirement_is_pinned():
    assert {name_of(one) for one in requirements()} - pins().keys() == set()


def test_a_pin_is_one_exact_version():
    assert [line for line in pins().values() if line.count("==") != 1] == []


@pytest.mark.proof
@pytest.mark.parametrize("python", ["3.11", "3.13"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_all_that_is_installed_is_pinned_and_a_wheel(python, machine, tmp_path):
    manylinux = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
    platforms = [word for tag in manylinux for word in ("--platform", f"{tag}_{machine}")]
    report = tmp_path / "report.json"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--report", report,
         "--target", tmp_path / "none", "--only-binary=:all:", "--python-version", python,
         "--implementation", "cp", *platforms, "--constraint", PINS, *requirements()],
        check=True, timeout=600,
    )  # fmt: skip
    installed = json.loads(report.read_text())["install"]
    names = {name_of(one["metadata"]["name"]) for one in installed}
    assert len(names) > 40
    assert names - pins().keys() == set()
