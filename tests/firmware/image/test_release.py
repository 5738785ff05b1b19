"""What is released: refused when it is not ready, the same each time, and it works elsewhere."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from firmware.errors import BoardError
from firmware.image.project_wheel import build
from firmware.image.release import committed_s, distributions, obstacles, project_version, seal
from firmware.mosquitto import find_mosquitto

ROOT = Path(__file__).parents[3]
PACKAGES = ("firmware", "table_controller", "seat_node")
NOT_FOR_CARDS = {"firmware/image/setup.sh", "firmware/image/constraints-dev.txt"}
GIT = ("git", "-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c",
       "safe.directory=*", "-c", "init.defaultBranch=main")  # fmt: skip
INSTALL_S = 300
DEMO_S = 120
"""On a busy machine; measured on two idle cores: 15."""


def git(tree, *arguments):
    done = subprocess.run([*GIT, *arguments], cwd=tree, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def tree(tmp_path):
    """A checkout that is ready to be released as 1.2.3."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', "utf-8")
    changes = "# Changes\n\n## 1.2.3 of 1 December 2026\n\n- All.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes, "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "All")
    return tmp_path


def test_a_committed_tree_whose_changes_are_told_can_be_released(tree):
    assert obstacles(tree) == []
    assert project_version(tree) == "1.2.3"


def test_what_is_not_committed_keeps_a_tree_from_being_released(tree):
    (tree / "new.py").write_text("", "utf-8")
    assert obstacles(tree) == ["1 files are not committed, '?? new.py' among them"]


@pytest.mark.parametrize("heading", ["Not released yet", "1.2.30", "1.2.3.1", "11.2.3", "1x2.3"])
def test_a_version_that_the_changelog_does_not_have_is_not_released(tree, heading):
    (tree / "CHANGELOG.md").write_text(f"# Changes\n\n## {heading}\n", "utf-8")
    git(tree, "commit", "--quiet", "--all", "--message", "Other")
    assert obstacles(tree) == ["CHANGELOG.md has no heading '## 1.2.3'"]


def test_what_is_no_checkout_is_not_released(tmp_path):
    with pytest.raises(BoardError, match="a release is made of a checkout"):
        obstacles(tmp_path)


def test_the_sums_are_those_that_sha256sum_reads(tmp_path):
    (tmp_path / "kit.tar").write_bytes(b"kit")
    seal(tmp_path)
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "kit.tar: OK\n"


# ---- the real one ----


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """What is committed now."""
    folder = tmp_path_factory.mktemp("checkout")
    git(folder, "clone", "--quiet", str(ROOT), "kit")
    return folder / "kit"


@pytest.fixture(scope="module")
def built(checkout, tmp_path_factory):
    """The sdist and the wheel of it."""
    return distributions(checkout, tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def elsewhere(built, tmp_path_factory):
    """The Python of a new environment that has the wheel, with the extras for a demo."""
    folder = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=INSTALL_S)
    python = folder / "bin" / "python"
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--constraint", ROOT / "firmware" / "image" / "constraints-dev.txt"]
    done = subprocess.run(
        [*command, f"{built[1]}[table,seat]"],
        capture_output=True, text=True, timeout=INSTALL_S, check=False,
    )  # fmt: skip
    if any(sign in done.stderr for sign in ("NewConnectionError", "NameResolutionError")):
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    return python


def run_elsewhere(command, cwd):
    """Run *command* with nothing of the checkout in its reach."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=cwd, env=inherited, capture_output=True, text=True, timeout=DEMO_S, check=False
    )


@pytest.mark.proof
def test_the_same_commit_gives_the_same_bytes(built, checkout, tmp_path):
    git(tmp_path, "clone", "--quiet", str(checkout), "other place")
    into = tmp_path / "again"
    into.mkdir()
    again = distributions(tmp_path / "other place", into)
    assert [path.name for path in again] == [path.name for path in built]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in built]
    with tarfile.open(built[0]) as sdist:
        assert {member.mtime for member in sdist} == {committed_s(checkout)}


@pytest.mark.proof
def test_a_checkout_on_windows_gives_the_same_wheel(built, checkout, tmp_path):
    options = ["-c", "core.symlinks=false", "-c", "core.autocrlf=true"]
    git(tmp_path, *options, "clone", "--quiet", str(checkout), "tree")
    assert (tmp_path / "tree" / "firmware" / "image" / "systemd").is_file()
    wheel = build(tmp_path / "tree", tmp_path)
    assert wheel.read_bytes() == built[1].read_bytes()


@pytest.mark.proof
def test_a_tree_that_is_not_ready_is_refused_before_anything_is_made(checkout, tmp_path):
    git(tmp_path, "clone", "--quiet", str(checkout), "tree")
    (tmp_path / "tree" / "note.txt").write_text("", "utf-8")
    done = run_elsewhere([sys.executable, "-m", "firmware.image.release"], tmp_path / "tree")
    assert done.returncode == 1
    assert "release: 1 files are not committed, '?? note.txt' among them" in done.stderr
    assert done.stderr.endswith('no release; ARGS="--try" builds one to look at\n')
    assert not (tmp_path / "tree" / "build").exists()


@pytest.mark.proof
def test_the_wheel_has_all_that_is_needed_and_nothing_else(built, checkout):
    tracked = git(checkout, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")
    wanted = {name for name in tracked if name.startswith(tuple(f"{top}/" for top in PACKAGES))}
    units = {name for name in tracked if name.startswith("systemd/")}
    wanted |= {f"firmware/image/{name}" for name in units}
    wanted -= {*NOT_FOR_CARDS, "firmware/image/systemd"}
    assert len(units) > 8
    with zipfile.ZipFile(built[1]) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert (found - wanted, wanted - found) == (set(), set())
    with tarfile.open(built[0]) as sdist:
        tops = {name.split("/")[1] for name in sdist.getnames()}
    files = {"CHANGELOG.md", "LICENSE", "MANIFEST.in", "PKG-INFO", "README.md", "pyproject.toml"}
    assert tops == {*PACKAGES, *files, "mafia_table_kit.egg-info", "setup.cfg"}


@pytest.mark.proof
@pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto")
def test_a_demo_is_played_where_nothing_but_the_wheel_is(elsewhere, tmp_path):
    demo = [elsewhere.with_name("mafia-table"), "demo", "--turbo", "--speed", "1000", "--quit"]
    done = run_elsewhere([*demo, "--seed", "7"], tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Scoreboard: http://")
    assert lines[2] in ("The town wins", "The mafia wins", "A draw")
    assert list(tmp_path.iterdir()) == []


UNITS = """
import importlib.resources
image = importlib.resources.files("firmware.image")
print(image.joinpath("systemd", "mafia-seat.service").read_text("utf-8"), end="")
"""


@pytest.mark.proof
def test_an_installed_kit_finds_the_units(elsewhere, checkout, tmp_path):
    done = run_elsewhere([elsewhere, "-c", UNITS], tmp_path)
    assert done.stdout == (checkout / "systemd" / "mafia-seat.service").read_text("utf-8")


REPACK = """
from pathlib import Path
from firmware.image import project_wheel
print(project_wheel.make(Path.cwd()).name)
"""


@pytest.mark.proof
def test_an_installed_kit_makes_the_wheel_again_that_it_came_from(elsewhere, built, tmp_path):
    done = run_elsewhere([elsewhere, "-c", REPACK], tmp_path)
    assert (done.stderr, done.stdout) == ("", f"{built[1].name}\n")
    assert (tmp_path / built[1].name).read_bytes() == built[1].read_bytes()


@pytest.mark.proof
def test_an_installed_kit_with_a_changed_file_is_put_on_no_card(elsewhere, tmp_path):
    where = 'import firmware.image as image; print(image.__file__.replace("__init__.py", ""))'
    place = Path(run_elsewhere([elsewhere, "-c", where], tmp_path).stdout.strip())
    unit = place / "systemd" / "mafia-seat.service"
    was = unit.read_bytes()
    unit.write_bytes(was.replace(b"NoNewPrivileges=yes", b"NoNewPrivileges=no"))
    try:
        done = run_elsewhere([elsewhere, "-c", REPACK], tmp_path)
    finally:
        unit.write_bytes(was)
    assert f"{unit} has changed: install the kit again" in done.stderr
    assert list(tmp_path.iterdir()) == []
