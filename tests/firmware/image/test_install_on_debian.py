"""Cards are installed in a Debian 13 (make test-pi), without a network: a table, and a seat at it.

Each device is a layer of its own over the system that the tests run in. What is missing of a
real card: a kernel that starts the units, and what only Raspberry Pi OS has (ON_A_PI_ONLY).
"""

import contextlib
import hashlib
import os
import re
import shutil
import socket
import stat
import subprocess
import sys

import pytest

from firmware.image import kit as kits
from firmware.image.wheelhouse import fill

ON_A_PI_ONLY = ("python3-lgpio", "python3-picamera2")
"""Packages that Debian has not."""
FROM_APT = "python3-numpy"
"""A package that this system has not: installed from the card, as all are on a fresh Pi."""
NETWORK = "mafia-test"
CARD = "boot/firmware/mafia/card"
INSTALL = "/boot/firmware/mafia/kit/install.sh"
INSTALL_S, START_S = 300, 60
ANSWERS = """
network = "cable"
nodes = 3
lights = false
[secrets]
password = "correct horse"
pin = "40718263"
"""

pytestmark = pytest.mark.skipif(
    "MAFIA_VIRTUAL_CAMERA" not in os.environ, reason="for a Debian 13 of its own: make test-pi"
)


def call(*command, **how):
    return subprocess.run(
        list(map(str, command)), **{"capture_output": True, "text": True, "timeout": 60, **how}
    )


class Device:
    """A system with the boot partition of a card, in a network where nobody else is, or in ours."""

    def __init__(self, folder, kit, network=None):
        self.root, self.layer, self._network = folder / "root", folder / "layer", network
        for path in (self.root, self.layer, folder / "work"):
            path.mkdir(parents=True)
        layers = f"lowerdir=/,upperdir={self.layer},workdir={folder / 'work'}"
        mounts = [("-t", "overlay", "overlay", "-o", layers, self.root)]
        mounts += [("--rbind", f"/{name}", self.root / name) for name in ("proc", "sys", "dev")]
        mounts += [("-t", "tmpfs", "tmpfs", self.root / name) for name in ("run", "tmp")]
        for mount in mounts:
            done = call("mount", *mount)
            assert done.returncode == 0, done.stderr
        shutil.copytree(kit, self.root / "boot/firmware/mafia/kit")
        if network:
            # No way to any package but the card's own.
            sources = self.root / "etc/apt/sources.list"
            sources.write_text("deb http://127.0.0.1:9/ trixie main\n")
        with (self.root / "etc/hosts").open("a") as hosts:
            hosts.write("127.0.0.1 mafia.local\n")  # as avahi would tell
        (self.root / "run/mosquitto").mkdir()
        (self.root / "tmp").chmod(0o1777)

    def command(self, *words):
        apart = ["ip", "netns", "exec", self._network] if self._network else []
        return [*apart, "chroot", str(self.root), *map(str, words)]

    def run(self, *words, **how):
        environment = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        return call(*self.command(*words), env=environment, **how)

    def install(self, *words):
        return self.run("bash", INSTALL, *words, timeout=INSTALL_S)

    def file(self, name):
        return self.root / name.lstrip("/")

    def changed(self):
        """Return all that is other than in the system below: modes, owners, content."""
        found = {}
        for path in sorted(self.layer.rglob("*")):
            name, now = str(path.relative_to(self.layer)), path.lstat()
            content = ""
            if path.is_symlink():
                content = str(path.readlink())
            elif path.is_file() and name != "opt/mafia/install.log":
                content = hashlib.sha256(path.read_bytes()).hexdigest()
            found[name] = (stat.filemode(now.st_mode), now.st_uid, now.st_gid, content)
        return found

    def owner(self, name):
        """Return whose the file is, by the device's own list of users, and its mode."""
        done = self.run("stat", "--format", "%U %a", name)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def close(self):
        call("umount", "--recursive", "--lazy", self.root)


@pytest.fixture(scope="module")
def network():
    """A network of its own, with nothing but itself in it."""
    assert call("ip", "netns", "add", NETWORK).returncode == 0
    assert call("ip", "-n", NETWORK, "link", "set", "lo", "up").returncode == 0
    yield NETWORK
    call("ip", "netns", "del", NETWORK)


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """A kit for this machine, with the packages that a card brings in debs/."""
    kit = tmp_path_factory.mktemp("kit") / "kit"
    fill(kit, "pi5", lambda *_: None, machine=os.uname().machine)
    for kind in ("table", "seat"):
        path = kit / f"apt-{kind}.txt"
        lines = path.read_text().splitlines()
        path.write_text("\n".join(line for line in lines if line not in ON_A_PI_ONLY) + "\n")
    kits.seal(kit)
    with contextlib.closing(Device(tmp_path_factory.mktemp("online"), kit)) as online:
        kept = online.install("--keep-debs", "/root/debs")
        assert kept.returncode == 0, kept.stderr
        shutil.copytree(online.file("root/debs"), kit / "debs")
    assert list((kit / "debs").glob(f"{FROM_APT}_*.deb")), kept.stdout
    kits.seal(kit)
    assert kits.faults(kit) == []
    return kit


class Club:
    """The folder of a club's cards, made by the command."""

    def __init__(self, folder):
        self.folder = folder / "club"
        self._answers = folder / "answers.toml"
        self._answers.write_text(ANSWERS)

    def make(self, *options):
        command = [sys.executable, "-m", "table_controller", "cards", self.folder, "--no-kit"]
        done = call(*command, "--answers", self._answers, *options)
        assert done.returncode == 0, done.stderr

    def put_card(self, user, device):
        shutil.copytree(self.folder / user / "mafia/card", device.root / CARD)


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    club = Club(tmp_path_factory.mktemp("club"))
    club.make()
    return club


@pytest.fixture(scope="module")
def device(tmp_path_factory, club, kit, network):
    """Gives ``device(user)``, installed from the card that was made for it."""
    made = []

    def install(user):
        one = Device(tmp_path_factory.mktemp(user), kit, network)
        made.append(one)
        club.put_card(user, one)
        done = one.install()
        assert done.returncode == 0, done.stdout + done.stderr
        return one

    yield install
    for one in made:
        one.close()


@pytest.fixture(scope="module")
def table(device):
    return device("table")


@pytest.fixture(scope="module")
def seat(device):
    return device("node-03")


def is_done_already(device):
    before = device.changed()
    again = device.install()
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.splitlines()[-1].startswith("install: nothing to do: ")
    return device.changed() == before


def left_on_the_boot_partition(device):
    """Return what lies there besides the kit, which is as it was made."""
    mafia = device.file("boot/firmware/mafia")
    assert kits.faults(mafia / "kit") == []
    return [path.name for path in mafia.iterdir() if path.name != "kit"]


def enabled(device):
    wants = device.file("etc/systemd/system/multi-user.target.wants")
    return {path.name for path in wants.iterdir() if path.is_symlink()}


def test_a_table_is_installed_once_and_nothing_secret_is_left_on_the_boot_partition(table):
    assert is_done_already(table)
    assert left_on_the_boot_partition(table) == []
    assert table.owner("/etc/mafia/kit.toml") == "mafia-table 600"
    assert table.owner("/etc/mosquitto/mafia/broker.key") == "mosquitto 600"
    assert table.owner("/var/lib/mafia/web/ca.key") == "mafia-table 600"
    assert table.owner("/var/lib/mafia/web") == "mafia-table 700"
    assert table.owner("/etc/mafia/update/id_ed25519") == "root 600"
    assert {
        *("mafia-firstboot.service", "mafia-table.service", "mafia-hotspot.service"),
        *("mosquitto.service", "nginx.service", "avahi-daemon.service"),
    } <= enabled(table)
    assert not table.file("etc/nginx/sites-enabled/default").is_symlink()
    # The broker would wait for it.
    waits = table.file("etc/systemd/system/network-online.target.wants")
    assert not (waits / "NetworkManager-wait-online.service").is_symlink()
    verified = table.run("systemd-analyze", "verify", "--man=no", "mafia-table.service")
    assert "mafia-table" not in verified.stderr


def test_a_seat_is_installed_once_and_its_check_says_what_it_lacks(seat):
    assert is_done_already(seat)
    assert left_on_the_boot_partition(seat) == []
    assert seat.owner("/etc/mafia/node-03.password") == "mafia-seat 600"
    assert seat.owner("/etc/mafia/ca.crt") == "root 644"
    assert {"mafia-seat.service", "mafia-eyes.service"} <= enabled(seat)
    assert not {"mafia-table.service", "mafia-hotspot.service"} & enabled(seat)
    numpy = seat.run("dpkg-query", "-W", "-f", "${db:Status-Status}", FROM_APT)
    assert numpy.stdout == "installed"
    assert seat.file("opt/mafia/models/hand_landmarker.task").is_file()


@contextlib.contextmanager
def running(device, *words, notifies=False):
    """Run a program of *device*; with *notifies* it is up once it has said so."""
    address = device.file("run/notify")
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LG_WD": "/tmp"}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        if notifies:
            systemd.bind(str(address))
            address.chmod(0o777)
            systemd.settimeout(START_S)
            environment["NOTIFY_SOCKET"] = "/run/notify"
        with device.file("tmp/out").open("w+") as out:
            process = subprocess.Popen(
                device.command(*words), env=environment, stdout=out, stderr=out
            )
            try:
                if notifies:
                    assert systemd.recv(100) == b"READY=1", device.file("tmp/out").read_text()
                yield process
            finally:
                process.terminate()
                process.wait(START_S)
                address.unlink(missing_ok=True)


AS_THE_TABLE = (
    *("setpriv", "--reuid=mafia-table", "--regid=mafia", "--clear-groups"),
    *("sh", "-c", 'umask 077; exec "$@"', "unit"),
)


def test_the_settled_table_plays_and_the_settled_seat_finds_it(table, seat, network, tmp_path):
    call("chroot", table.root, "chown", "mosquitto:", "/run/mosquitto")
    with contextlib.ExitStack() as stack:
        broker = ("mosquitto", "-c", "/etc/mosquitto/mosquitto.conf")
        stack.enter_context(running(table, *broker))
        run = ("/opt/mafia/bin/mafia-table", "run")
        stack.enter_context(running(table, *AS_THE_TABLE, *run, notifies=True))
        tried = table.run("nginx", "-t")
        assert tried.returncode == 0, tried.stderr
        stack.enter_context(running(table, "nginx", "-g", "daemon off;"))
        page = "import sys, ssl, urllib.request as ask; print(ask.urlopen(sys.argv[1], timeout=20, \
context=ssl.create_default_context(cafile='/etc/mafia/ca.crt')).status)"
        opened = seat.run("python3", "-c", page, "https://mafia.local/host/login")
        assert opened.stdout == "200\n", opened.stderr
        doctor = table.run("mafia-table", "doctor")
        assert (doctor.returncode, doctor.stderr) == (0, ""), doctor.stdout
        noted = re.findall("^note +([a-z ]+?)  ", doctor.stdout, re.MULTILINE)
        assert set(noted) <= {"time of day"}, doctor.stdout
        checked = seat.run("mafia-seat", "check", "--no-press", timeout=120)
    # Of a Pi there are no pins, no screen and no camera here; all else is in order.
    assert checked.returncode == 1
    assert "not in order: pins, screen, camera" in checked.stderr, checked.stdout
    assert re.search(r"^ok +link +node-03, mafia.local:8883, by TLS$", checked.stdout, re.MULTILINE)


def test_a_revoked_node_is_shut_out_by_the_tables_new_card_alone(table, club):
    club.make("--revoke", "node-02")
    club.put_card("table", table)
    taken = table.install()
    assert (taken.returncode, taken.stderr) == (0, "")
    changed = [line for line in taken.stdout.splitlines() if line.startswith("/etc/mosquitto/")]
    assert changed == ["/etc/mosquitto/mafia/broker.users"]
    users = table.file("etc/mosquitto/mafia/broker.users").read_text().splitlines()
    assert [line.split(":")[0] for line in users] == ["table", "node-01", "node-03"]
    assert left_on_the_boot_partition(table) == []
    assert is_done_already(table)
