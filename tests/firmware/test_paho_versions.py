"""The link's contract with the oldest paho that the project allows, and with the newest there is.

Symptom: a release of paho-mqtt moved what a program imports (richibrics/IoTuring 97).
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from firmware.mosquitto import find_mosquitto

pytestmark = pytest.mark.proof

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONTRACT = [str(HERE / name) for name in ("test_link.py", "test_broker.py")]

PLAY = """
import pathlib, sys
import pytest
code = pytest.main(sys.argv[2:])
import paho.mqtt, firmware.broker
imported = pathlib.Path(firmware.broker.mqtt.__file__)
assert imported.is_relative_to(sys.argv[1]), imported
print("played with", paho.mqtt.__version__)
sys.exit(code)
"""
"""Run a pytest; at its end tell with which paho the link was played."""

INSTALL_S = 120.0
PLAY_S = 180.0


def oldest():
    """Return the lower bound of paho in the project's dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (found,) = filter(
        None, (re.match(r"paho-mqtt>=([\d.]+)", each) for each in project["dependencies"])
    )
    return found[1]


def install(folder, requirement):
    """Install *requirement* into *folder* from the index that pip knows; return its version."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    try:
        ran = subprocess.run([*pip, requirement], capture_output=True, text=True, timeout=INSTALL_S)
    except subprocess.TimeoutExpired:
        pytest.skip(f"pip brings no {requirement} within {INSTALL_S:g} s")
    if ran.returncode:
        pytest.skip(f"pip brings no {requirement}: {(ran.stderr.splitlines() or ['?'])[-1]}")
    (metadata,) = folder.glob("paho_mqtt-*.dist-info")
    return metadata.name.removeprefix("paho_mqtt-").removesuffix(".dist-info")


def play(folder):
    """Start a pytest of the contract that imports what is in *folder* first."""
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    options = ["-q", "-p", "no:cacheprovider", "--basetemp", str(folder) + "-tests"]
    return subprocess.Popen(
        [sys.executable, "-c", PLAY, str(folder), *options, *CONTRACT],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_the_link_holds_its_contract_with_the_oldest_and_the_newest_paho(tmp_path):
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    folders = {"oldest": tmp_path / "oldest", "newest": tmp_path / "newest"}
    versions = {
        "oldest": install(folders["oldest"], f"paho-mqtt=={oldest()}"),
        "newest": install(folders["newest"], "paho-mqtt"),
    }
    playing = {name: play(folder) for name, folder in folders.items()}
    try:
        for name, child in playing.items():
            with_it = f"with paho-mqtt {versions[name]}"
            try:
                said, _ = child.communicate(timeout=PLAY_S)
            except subprocess.TimeoutExpired:
                child.kill()
                said, _ = child.communicate()
                pytest.fail(f"{with_it} it is not over within {PLAY_S:g} s:\n{said}")
            assert child.returncode == 0, f"{with_it}:\n{said}"
            assert f"played with {versions[name]}\n" in said
            assert "skipped" not in said
    finally:
        for child in playing.values():
            child.kill()
            child.wait()
