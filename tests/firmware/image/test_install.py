"""The installer of a card on a machine made of stand-ins: nothing is really installed.

The real thing, in a Debian 13: test_install_on_debian.py.
"""

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "firmware" / "image" / "install.sh"
OF_EVERY_DEBIAN = """
    basename bash cat cp cut dirname flock grep head ln mkdir mktemp mv printf readlink rm sed
    sha256sum stat sync tail touch tr
"""

SAY = 'echo "$*" >>"$KIT_SYSTEM_ROOT/log"\n'
DIE = '[ "$(cat "$KIT_SYSTEM_ROOT/dies" 2>/dev/null)" = {0} ] && kill -9 0\n'
FAIL = '[ -e "$KIT_SYSTEM_ROOT/fails-{0}" ] && echo "no {0}" && exit 1\n'

PYTHON = f"""case "$*" in
  "-c import sys"*) echo 3.13 ;;
  "-c import ensurepip") exit 0 ;;
  "-m venv"*)
     {SAY}{DIE.format("venv")}
     release=${{@: -1}}
     mkdir -p $release/bin
     for name in python mafia-table mafia-seat; do
        cp "$KIT_SYSTEM_ROOT/installed-$name" $release/bin/$name
     done ;;
  *) exit 9 ;;
esac"""

INSTALLED_PYTHON = f"""case "$*" in
  "-m pip install"*) {SAY}{DIE.format("pip")}{FAIL.format("pip")};;
  "-I -c "*) {SAY}{DIE.format("try")}{FAIL.format("import")};;
  "-I -m seat_node.notice"*) {SAY};;
  "-I -m firmware.image.settle"*)
     echo "$(basename "$(dirname "$(dirname "$0")")") $*" >>"$KIT_SYSTEM_ROOT/log"
     case "$*" in
       *--forget) {DIE.format("forget")} rm -r $5 ;;
       *) {DIE.format("settle")}
          [ -e "$KIT_SYSTEM_ROOT/wrong-card" ] && echo "kit.toml: link.port = 0" >&2 && exit 78
          mkdir -p "$KIT_SYSTEM_ROOT/etc/mafia"
          [ "$4" = --card ] && ! cmp -s $5/kit.toml "$KIT_SYSTEM_ROOT/etc/mafia/kit.toml" &&
             cp $5/kit.toml "$KIT_SYSTEM_ROOT/etc/mafia" && echo /etc/mafia/kit.toml ;;
     esac
     ;;
  *) exit 9 ;;
esac
exit 0"""

SYSTEMCTL = f"""{SAY}case "$1" in
  is-active) unit=${{@: -1}}
     [ -e "$KIT_SYSTEM_ROOT/run/$unit" ] || exit 3
     grep -qs "$(readlink "$KIT_SYSTEM_ROOT/opt/mafia/current")" "$KIT_SYSTEM_ROOT/broken" && exit 3
     exit 0 ;;
  restart)
     for unit in mosquitto nginx mafia-table mafia-seat; do
        : >"$KIT_SYSTEM_ROOT/run/$unit.service"
     done ;;
esac"""


class Machine:
    """A Pi's root folder, the kit's folder and the card's, and a PATH of its own."""

    def __init__(self, folder):
        self.root, self.programs = folder / "root", folder / "bin"
        self.kit, self.card = folder / "mafia" / "kit", folder / "mafia" / "card"
        for path in (self.root, self.programs):
            path.mkdir()
        for name in [*OF_EVERY_DEBIAN.split(), "cmp"]:
            (self.programs / name).symlink_to(shutil.which(name))
        self.has("python3", PYTHON)
        self.has("id", "echo 0")
        self.has("sleep")
        self.has("dpkg-query", 'grep -qxs "${@: -1}" "$KIT_SYSTEM_ROOT/packages" && echo installed')
        self.has("dpkg", SAY)
        self.has(
            "apt-get",
            f'{SAY}[ ! -e "$KIT_SYSTEM_ROOT/offline" ] || exit 100',
        )
        for name, script in (
            ("python", INSTALLED_PYTHON),
            ("mafia-table", 'echo "mafia-table, version $(cat "$KIT_SYSTEM_ROOT/version")"'),
            ("mafia-seat", 'echo "mafia-seat, version $(cat "$KIT_SYSTEM_ROOT/version")"'),
        ):
            self.program(self.root / f"installed-{name}", script)
        self.says("packages", "python3-venv\nmosquitto\n")
        self.brings("1.0.0")
        self.puts_card("table")

    def has(self, name, script="exit 0"):
        self.program(self.programs / name, script)

    def program(self, path, script):
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def says(self, name, text=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def brings(self, version):
        """Put a kit of *version* on the card; return what its release is called."""
        shutil.rmtree(self.kit, ignore_errors=True)
        (self.kit / "wheels").mkdir(parents=True)
        (self.kit / "models").mkdir()
        shutil.copy(SCRIPT, self.kit)
        (self.kit / "VERSION").write_text(f"{version}\npi5\n")
        (self.kit / "wheels" / "kit.whl").write_text(version)
        (self.kit / "models" / "hand.task").write_text("model")
        for kind in ("table", "seat"):
            (self.kit / f"apt-{kind}.txt").write_text("# Why.\npython3-venv  # venv\nmosquitto\n")
        self.says("version", version)
        return self.seals(version)

    def seals(self, version):
        files = sorted(
            path for path in self.kit.rglob("*") if path.is_file() and path.name != "SHA256SUMS"
        )
        sums = "".join(
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(self.kit)}\n"
            for path in files
        )
        (self.kit / "SHA256SUMS").write_text(sums)
        return f"{version}-{hashlib.sha256(sums.encode()).hexdigest()[:8]}"

    def puts_card(self, kind, eyes=False):
        self.card.mkdir(exist_ok=True)
        (self.card / "kit.toml").write_text(
            f'kind = "{kind}"\n[parts]\neyes = {str(eyes).lower()}\n'
        )

    def boots(self):
        """From now on systemd runs."""
        (self.root / "run" / "systemd" / "system").mkdir(parents=True)
        self.has("systemctl", SYSTEMCTL)

    def install(self, *words):
        return subprocess.run(
            [self.kit / "install.sh", *words],
            env={"PATH": str(self.programs), "KIT_SYSTEM_ROOT": str(self.root)},
            capture_output=True,
            text=True,
            timeout=60,
            start_new_session=True,  # a process group that can be cut off
        )

    @property
    def calls(self):
        log = self.root / "log"
        return log.read_text().splitlines() if log.exists() else []

    @property
    def runs(self):
        return (self.root / "opt/mafia/current").resolve().name

    @property
    def releases(self):
        return {path.name for path in (self.root / "opt/mafia/releases").iterdir()}

    def snapshot(self):
        """Return all that is installed, with where links lead."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if name not in ("log", "dies", "opt/mafia/install.log"):
                found[name] = (
                    path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
                )
        return found


@pytest.fixture
def pi(tmp_path):
    return Machine(tmp_path)


def test_the_first_run_installs_and_the_second_does_nothing(pi):
    name = pi.seals("1.0.0")
    first = pi.install()
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.splitlines()[-1] == f"install: done: {name} is installed"
    assert pi.runs == name
    assert (pi.root / "opt/mafia/bin/mafia-table").is_file()
    assert not pi.card.exists()
    pip = next(call for call in pi.calls if "pip" in call)
    assert "--no-index" in pip
    assert pip.endswith("mafia-table-kit[table,club]==1.0.0")
    before, calls = pi.snapshot(), len(pi.calls)
    second = pi.install()
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout == f"install: nothing to do: {name} is installed\n"
    assert pi.snapshot() == before
    assert [call.split(" ", 1)[1] for call in pi.calls[calls:]] == ["-I -m firmware.image.settle"]


def test_a_seat_gets_what_its_eyes_need_and_tries_them_if_it_has_any(pi):
    pi.puts_card("seat", eyes=True)
    assert pi.install().returncode == 0
    pips = [call for call in pi.calls if "pip" in call]
    assert pips[0].endswith("mafia-table-kit[seat]==1.0.0")
    assert pips[1].endswith(f"--no-deps -r {pi.kit}/eyes.txt")
    assert (pi.root / "opt/mafia/models/hand.task").read_text() == "model"
    assert any("import mediapipe" in call for call in pi.calls)
    pi.puts_card("seat")
    (pi.root / "log").unlink()
    pi.brings("1.0.1")
    assert pi.install().returncode == 0
    assert not any("import mediapipe" in call for call in pi.calls)


@pytest.mark.parametrize("step", ["venv", "pip", "try", "settle", "forget"])
def test_cut_off_at_any_point_the_next_run_ends_as_if_nothing_had_been(pi, tmp_path, step):
    (tmp_path / "other").mkdir()
    other = Machine(tmp_path / "other")
    assert other.install().returncode == 0
    pi.says("dies", step)
    assert pi.install().returncode == -9
    assert not (pi.root / "opt/mafia/installed").exists()
    (pi.root / "dies").unlink()
    again = pi.install()
    assert (again.returncode, again.stderr) == (0, "")
    assert pi.snapshot() == other.snapshot()
    assert not pi.card.exists()


def test_a_damaged_kit_is_named_and_nothing_is_changed(pi):
    (pi.kit / "wheels" / "kit.whl").write_text("torn")
    done = pi.install()
    assert done.returncode == 1
    assert "is damaged (wheels/kit.whl: FAILED): copy the card's folder again" in done.stderr
    assert pi.calls == []
    (pi.kit / "SHA256SUMS").unlink()
    done = pi.install()
    assert done.returncode == 1
    assert "no whole kit" in done.stderr


@pytest.mark.parametrize(
    ("break_it", "code", "said"),
    [
        (lambda pi: shutil.rmtree(pi.card), 2, "no card: neither"),
        (lambda pi: pi.puts_card("lamp"), 78, 'no line kind = "table" or kind = "seat"'),
        (lambda pi: pi.has("python3", "echo 3.11"), 2, "has Python 3.13; found: 3.11. Make"),
        (lambda pi: pi.has("id", "echo 1000"), 2, "needs root: sudo"),
        (lambda pi: pi.says("wrong-card"), 78, "the card could not be settled"),
        (lambda pi: pi.says("fails-pip"), 1, "pip could not install from"),
        (lambda pi: pi.says("fails-import"), 1, "does not work on this system; nothing"),
        (lambda pi: pi.says("version", "0.9"), 1, "does not work on this system"),
    ],
)  # fmt: skip
def test_what_fails_says_what_was_found_and_what_to_do(pi, break_it, code, said):
    break_it(pi)
    done = pi.install()
    assert done.returncode == code
    assert said in done.stderr.splitlines()[-1]
    assert not (pi.root / "opt/mafia/current").exists()
    assert not (pi.root / "opt/mafia/installed").exists()


def test_only_missing_packages_are_installed_and_without_a_network_they_are_named(pi):
    pi.says("packages", "python3-venv\n")
    pi.says("offline")
    done = pi.install()
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert "(mosquitto)" in last
    assert "Give this Pi the internet, or bring debs/" in last
    (pi.root / "offline").unlink()
    assert pi.install().returncode == 0
    apt = [call for call in pi.calls if "DPkg::Lock::Timeout=900" in call]
    assert apt[-1].endswith("install -y --no-install-recommends mosquitto")


def test_a_seats_screen_says_that_it_is_being_set_up_and_what_is_missing(pi):
    pi.puts_card("seat")
    pi.says("packages", "python3-venv\n")
    pi.says("offline")
    assert pi.install().returncode == 2
    assert pi.install().returncode == 2
    # Made once, however often it is tried again.
    assert len([call for call in pi.calls if "venv" in call and "apt" not in call]) == 1
    (pi.root / "offline").unlink()
    assert pi.install().returncode == 0
    shown = [call.split()[3] for call in pi.calls if "seat_node.notice" in call]
    assert shown == ["installing", "packages"] * 2 + ["installing"]
    (pi.root / "log").unlink()
    pi.brings("1.0.1")
    assert pi.install().returncode == 0
    # By now the screen is the seat's.
    assert not any("seat_node.notice" in call for call in pi.calls)


def test_packages_that_the_card_brings_need_no_network(pi):
    pi.says("packages", "python3-venv\n")
    (pi.kit / "debs").mkdir()
    (pi.kit / "debs" / "Packages").touch()
    pi.seals("1.0.0")
    assert pi.install().returncode == 0
    apt = [call for call in pi.calls if "DPkg::Lock" in call]
    assert len(apt) == 2
    assert all("Dir::Etc::sourceparts=/dev/null" in call for call in apt)


def test_a_new_release_is_beside_the_old_one_and_older_ones_go(pi):
    first = pi.seals("1.0.0")
    pi.install()
    second = pi.brings("1.1.0")
    assert pi.install().returncode == 0
    assert (pi.runs, pi.releases) == (second, {first, second})
    third = pi.brings("1.2.0")
    assert pi.install().returncode == 0
    assert (pi.runs, pi.releases) == (third, {second, third})
    back = pi.install("--back")
    assert back.stdout.splitlines()[-1] == f"install: done: {second} runs again; {third} is kept"
    assert pi.runs == second
    # By its own settling: it knows its units.
    assert f"{second} -I -m firmware.image.settle" in pi.calls
    assert pi.install("--back").returncode == 0
    assert pi.runs == third


def test_without_a_release_before_there_is_no_way_back(pi):
    pi.install()
    done = pi.install("--back")
    assert done.returncode == 2
    assert "there is no release before" in done.stderr


def test_a_release_whose_service_does_not_start_is_put_back(pi):
    pi.boots()
    first = pi.seals("1.0.0")
    assert pi.install().returncode == 0
    second = pi.brings("1.1.0")
    pi.says("broken", f"releases/{second}")
    done = pi.install()
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"install: mosquitto does not start with {second}: {first} is back. "
        "Why: journalctl -u mosquitto"
    )
    assert pi.runs == first
    assert pi.calls[-1] == "is-active --quiet nginx.service"
    (pi.root / "broken").unlink()
    assert pi.install().returncode == 0
    assert (pi.runs, pi.releases) == (second, {first, second})


def test_a_first_release_that_does_not_start_is_installed_and_says_so(pi):
    pi.boots()
    name = pi.seals("1.0.0")
    pi.says("broken", f"releases/{name}")
    done = pi.install()
    assert done.returncode == 1
    assert "is installed, but mosquitto does not start: journalctl -u mosquitto" in done.stderr
    assert not pi.card.exists()
    assert (pi.root / "opt/mafia/installed").exists()


def test_a_new_card_of_the_same_release_starts_its_services_anew(pi):
    pi.boots()
    pi.puts_card("seat")
    assert pi.install().returncode == 0
    pi.puts_card("seat", eyes=True)
    (pi.root / "log").unlink()
    assert pi.install().returncode == 0
    assert "restart --no-block mafia-seat" in pi.calls
    assert "restart --no-block mafia-eyes" in pi.calls
    assert not any("pip" in call for call in pi.calls)


def test_a_card_of_another_kind_wants_another_image(pi):
    pi.install()
    pi.puts_card("seat")
    done = pi.install()
    assert done.returncode == 78
    assert "write the system's image onto the card anew" in done.stderr


def test_a_check_changes_nothing(pi):
    name = pi.seals("1.0.0")
    pi.says("packages", "python3-venv\n")
    before = pi.snapshot()
    done = pi.install("--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "install: Debian packages to install: mosquitto",
        f"install: {name} can be installed",
    ]
    assert pi.snapshot() == before
    assert pi.calls == []


@pytest.mark.parametrize("words", [("--card",), ("--bak",), ("--keep-debs",)])
def test_a_wrong_option_says_which_there_are(pi, words):
    done = pi.install(*words)
    assert done.returncode == 2
    assert words[0] in done.stderr
    assert pi.calls == []
