"""The set-up script on a machine made of stand-ins: nothing is really installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = "firmware/image/setup.sh"
OF_EVERY_DEBIAN = """
    awk basename bash cat cp cut dirname env grep mkdir paste rm sed sha256sum sort tail tee true
    uname
"""

PYTHON = """case "$*" in
  *version_info*) exit 0 ;;
  *ensurepip*) [ -e "$KIT_SYSTEM_ROOT/no-ensurepip" ] && exit 1; exit 0 ;;
  "-m venv --clear .venv")
     echo "venv" >>"$KIT_SYSTEM_ROOT/log"
     mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  "-m pip install"*)
     echo "pip $*" >>"$KIT_SYSTEM_ROOT/log"
     [ -e "$KIT_SYSTEM_ROOT/offline" ] && echo "NewConnectionError: no route" && exit 1
     exit 0 ;;
  "-m pip --disable-pip-version-check download"*)
     echo "pip $*" >>"$KIT_SYSTEM_ROOT/log"
     mkdir -p build/opencv; : >build/opencv/headless.whl ;;
  "-m pip --disable-pip-version-check "*) echo "pip $*" >>"$KIT_SYSTEM_ROOT/log" ;;
  "-m pip --version"|"-c ") exit 0 ;;
  *) exit 9 ;;
esac"""


class Machine:
    """A source tree, a root folder and a PATH of its own."""

    def __init__(self, folder):
        self.root = folder / "root"
        self.tree = folder / "kit"
        self.programs = folder / "bin"
        for path in (self.root, self.programs, self.tree / "firmware" / "image"):
            path.mkdir(parents=True)
        for name in (SCRIPT, "firmware/image/constraints-dev.txt", "pyproject.toml"):
            shutil.copy(ROOT / name, self.tree / name)
        for name in OF_EVERY_DEBIAN.split():
            (self.programs / name).symlink_to(shutil.which(name))
        self.has("python3", PYTHON)
        self.has("id", "echo 1000")
        self.has("sudo", "exit 1")
        self.has("apt-get", 'echo "apt-get $*" >>"$KIT_SYSTEM_ROOT/log"')

    def has(self, name, script="exit 0"):
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def has_file(self, name):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def has_what_a_demo_needs(self):
        self.has("espeak-ng")
        self.has_file("usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
        # As on Debian: not on an ordinary user's PATH.
        self.has_file("usr/sbin/mosquitto")
        (self.root / "usr/sbin/mosquitto").chmod(0o755)

    def set_up(self, target="demo"):
        return subprocess.run(
            [self.tree / SCRIPT, target],
            env={"PATH": str(self.programs), "KIT_SYSTEM_ROOT": str(self.root)},
            capture_output=True,
            text=True,
            timeout=60,
        )

    def calls(self):
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def ready(machine):
    machine.has_what_a_demo_needs()
    return machine


def extras(call):
    return call.partition("--editable ")[2]


def test_the_first_start_installs_and_the_second_does_nothing(ready):
    first = ready.set_up()
    assert (first.returncode, first.stderr) == (0, "")
    assert ready.calls()[0] == "venv"
    assert "--constraint firmware/image/constraints-dev.txt" in ready.calls()[1]
    assert extras(ready.calls()[1]) == ".[seat,table]"
    second = ready.set_up()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert len(ready.calls()) == 2


def test_a_change_of_the_project_installs_again_what_was_there(ready):
    ready.has("chromium")
    ready.has("aplay")
    ready.has("nginx")
    ready.has("nft")
    ready.has("mkfs.vfat")
    ready.has("mcopy")
    ready.has("faketime")
    ready.has("ssh")
    ready.has_file("usr/sbin/sshd")
    ready.has("strace")
    ready.has_file("usr/lib/postgresql/17/bin/initdb")
    for name in ("libEGL.so.1", "libGLESv2.so.2", "libGL.so.1", "libglib-2.0.so.0"):
        ready.has_file(f"usr/lib/{name}")
    assert ready.set_up("test").returncode == 0
    assert ready.set_up("demo").returncode == 0
    with (ready.tree / "pyproject.toml").open("a") as project:
        project.write("# changed\n")
    assert ready.set_up("demo").returncode == 0
    everything = ".[dev,seat,table,vision]"
    assert [extras(call) for call in ready.calls()[1:]] == [everything, everything]


def test_the_eyes_get_an_opencv_without_windows(ready):
    assert ready.set_up().returncode == 0
    packages = ready.tree / ".venv/lib/python3.11/site-packages"
    (packages / "opencv_contrib_python-5.1.dist-info").mkdir(parents=True)
    with (ready.tree / "pyproject.toml").open("a") as project:
        project.write("# changed\n")
    done = ready.set_up()
    assert (done.returncode, done.stderr) == (0, "")
    *_, fetched, removed, put = ready.calls()
    assert "download" in fetched
    assert fetched.endswith("opencv-python-headless")
    assert removed.endswith("uninstall --quiet --yes opencv-contrib-python")
    assert put.endswith("--force-reinstall build/opencv/headless.whl")


def test_without_rights_it_says_what_to_run_and_stops(machine):
    machine.has_file("no-ensurepip")
    done = machine.set_up()
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "setup: missing Debian packages. Run this and start again: "
        "sudo apt-get install -y python3-venv mosquitto espeak-ng fonts-dejavu-core"
    ]
    assert machine.calls() == []


def test_the_tests_need_a_browser_and_what_the_eyes_need(ready):
    done = ready.set_up("test")
    assert done.returncode == 2
    assert done.stderr.split("-y ")[1].split() == [
        "libegl1", "libgles2", "libgl1", "libglib2.0-0", "chromium", "alsa-utils",
        "strace", "nginx", "nftables", "dosfstools", "mtools", "faketime",
        "openssh-client", "openssh-server", "postgresql",
    ]  # fmt: skip


def test_the_bench_needs_nothing_of_the_system_but_the_voices_player(machine):
    assert machine.set_up("bench").returncode == 2
    assert "apt-get install -y alsa-utils" in machine.set_up("bench").stderr
    machine.has("aplay")
    assert machine.set_up("bench").returncode == 0
    pip = [call for call in machine.calls() if call.startswith("pip")]
    assert len(pip) == 1
    assert pip[0].endswith("--editable .[bench]")
    assert not any(call.startswith("apt-get") for call in machine.calls())


def test_the_drawings_need_their_own_tools_and_no_broker(machine):
    done = machine.set_up("hardware")
    assert done.returncode == 2
    wanted = ["graphviz", "openscad", "xvfb", "xauth", "fonts-dejavu-core"]
    assert done.stderr.split("-y ")[1].split() == wanted
    for name in ("dot", "openscad", "xvfb-run", "xauth"):
        machine.has(name)
    machine.has_file("usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    assert machine.set_up("hardware").returncode == 0
    assert extras(machine.calls()[-1]) == ".[hardware,seat]"


@pytest.mark.parametrize("user", ["root", "a user with sudo"])
def test_with_rights_it_installs_what_is_missing_only(machine, user):
    if user == "root":
        machine.has("id", "echo 0")
    else:
        machine.has("sudo", 'shift; exec "$@"')
    machine.has("espeak-ng")
    machine.set_up()
    assert machine.calls()[:2] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends mosquitto fonts-dejavu-core",
    ]
    assert machine.calls()[2] == "venv"


def test_debians_own_daemons_are_switched_off_only_when_they_have_just_come(machine):
    machine.has("id", "echo 0")
    machine.has("systemctl", 'echo "systemctl $*" >>"$KIT_SYSTEM_ROOT/log"')
    machine.has_file("run/systemd/system/x")
    machine.set_up()
    off = "systemctl disable --quiet --now {}.service"
    assert off.format("mosquitto") in machine.calls()
    assert off.format("nginx") not in machine.calls()
    (machine.root / "log").unlink()
    machine.has_what_a_demo_needs()
    machine.set_up()
    assert machine.calls() == []
    machine.set_up("test")
    assert off.format("nginx") in machine.calls()
    assert off.format("ssh") in machine.calls()
    assert off.format("mosquitto") not in machine.calls()


def test_without_the_internet_it_says_so(ready):
    ready.has_file("offline")
    done = ready.set_up()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "setup: the package index cannot be reached; the first start needs the internet once."
    )
    (ready.root / "offline").unlink()
    assert ready.set_up().returncode == 0


def test_a_failing_apt_ends_the_set_up(machine):
    machine.has("id", "echo 0")
    machine.has("apt-get", 'echo "E: Unable to locate package"; exit 100')
    done = machine.set_up()
    assert done.returncode == 2
    assert "E: Unable to locate package" in done.stderr
    assert machine.calls() == []


def test_another_python_is_refused_with_the_ones_that_do(ready):
    ready.has("python3", '[ "$1" = --version ] && echo "Python 3.9.2" && exit 0; exit 1')
    done = ready.set_up()
    assert done.returncode == 2
    assert done.stderr == "setup: Python 3.11, 3.12 or 3.13 is needed, found: Python 3.9.2\n"


def test_an_unknown_target_is_refused(ready):
    done = ready.set_up("nonsense")
    assert done.returncode == 2
    assert "demo|vision|test" in done.stderr
