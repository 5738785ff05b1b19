"""The first start of a card, by Debian 13's own cloud-init from beginning to end (make test-pi).

In a copy of the system that is gone afterwards. What systemd would start is not started:
cloud-init sees that it is in a chroot.
"""

import ctypes
import ctypes.util
import os
import shutil
import subprocess
import tempfile

import pytest
import yaml

from firmware.image.cloud_init import INCLUDE, HostKey, Machine, write_boot_files
from firmware.image.login import hashed
from firmware.image.netplan import Wifi, pre_shared_key

SEED = "var/lib/cloud/seed/nocloud"
MACHINE = Machine(
    hostname="mafia-node-01",
    kind="seat",
    network=Wifi("Клуб", "the club's own"),
    country="DE",
    time_zone="Asia/Yekaterinburg",
    language="en",
    password_hash=hashed("пароль", b"salt"),
    ssh_keys=(
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHBhrRqs6yyp8Bgmo5nNsJsoN1O3JSs4rSRh1cPFUmMs a",
    ),
    host_key=HostKey("-----BEGIN OPENSSH PRIVATE KEY-----\nAA\n", "ssh-ed25519 AAAA"),
)

UNIT = "[Service]\nExecStart=true\n[Install]\nWantedBy=multi-user.target\n"

START = """
cd {folder}
mkdir up work root out
tar -x -C up -f {seed}
mount -t overlay overlay -o lowerdir=/,upperdir=up,workdir=work root
mount -t proc proc root/proc
mount --bind /sys root/sys
mount --bind /dev root/dev
mount -t tmpfs tmpfs root/run
mkdir root/run/cloud-init
touch root/run/cloud-init/enabled
for stage in "init --local" init "modules --mode=config" "modules --mode=final"; do
    chroot root cloud-init $stage
done >/dev/null 2>&1 || true
cd root
tar -c etc home/club boot/firmware
"""


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    """The files of a card after its first start."""
    if os.geteuid() or not shutil.which("cloud-init"):
        pytest.skip("cloud-init is on a card: make test-pi")
    space = ["unshare", "--mount", "--uts", "--net", "--pid", "--fork", "--kill-child"]
    seed, made = tmp_path_factory.mktemp("seed"), tmp_path_factory.mktemp("made")
    (seed / SEED).mkdir(parents=True)
    write_boot_files(seed / SEED, MACHINE)
    (seed / "etc/cloud/cloud.cfg.d").mkdir(parents=True)
    sources = "datasource_list: [NoCloud, None]\n"
    (seed / "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(sources)
    (seed / "boot/firmware/mafia/kit").mkdir(parents=True)
    (seed / "boot/firmware/config.txt").write_text("# theirs\n")
    (seed / "boot/firmware/mafia/kit/mafia-firstboot.service").write_text(UNIT)
    subprocess.run(
        ["tar", "-c", "-C", seed, "-f", seed / "seed.tar", "etc", "var", "boot"], check=True
    )
    # On a disk: what is in memory cannot lie over a system everywhere.
    with tempfile.TemporaryDirectory(prefix="mafia-start-", dir="/var/tmp") as folder:
        start = START.format(folder=folder, seed=seed / "seed.tar")
        started = subprocess.run([*space, "sh", "-euc", start], capture_output=True, timeout=120)
    assert started.returncode == 0, started.stderr
    subprocess.run(["tar", "-x", "-C", made], input=started.stdout, check=True)
    return made


def line_of(file, name):
    (line,) = [one for one in file.read_text().splitlines() if one.startswith(f"{name}:")]
    return line.split(":")


def test_the_user_is_there_and_its_password_opens_the_pi(card):
    assert line_of(card / "etc/passwd", "club")[6] == "/bin/bash"
    kept = line_of(card / "etc/shadow", "club")[1]
    library = ctypes.CDLL(ctypes.util.find_library("crypt"))
    library.crypt.restype = ctypes.c_char_p
    assert library.crypt("пароль".encode(), kept.encode()).decode() == kept
    for group in ("sudo", "gpio", "i2c"):
        assert "club" in line_of(card / "etc/group", group)[3].split(",")
    keys = (card / "home/club/.ssh/authorized_keys").read_text()
    assert keys == f"{MACHINE.ssh_keys[0]}\n"


def test_the_pi_has_its_name_time_and_ssh_key(card):
    assert (card / "etc/hostname").read_text() == "mafia-node-01\n"
    assert (card / "etc/timezone").read_text() == "Asia/Yekaterinburg\n"
    key = card / "etc/ssh/ssh_host_ed25519_key"
    assert key.read_text() == MACHINE.host_key.private
    assert key.stat().st_mode & 0o777 == 0o600


def test_the_network_is_there_and_its_password_is_roots_alone_and_no_password(card):
    (file,) = (card / "etc/netplan").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    radio = yaml.safe_load(file.read_text("utf-8"))["network"]["wifis"]["wlan0"]
    assert radio["access-points"]["Клуб"]["auth"] == {
        "key-management": "psk",
        "password": pre_shared_key("Клуб", "the club's own"),
    }
    assert (radio["regulatory-domain"], radio["optional"]) == ("DE", True)


def test_the_kit_is_installed_by_its_unit_from_the_next_moment_on(card):
    enabled = card / "etc/systemd/system/multi-user.target.wants/mafia-firstboot.service"
    assert (card / "etc/systemd/system/mafia-firstboot.service").read_text() == UNIT
    assert enabled.is_symlink()
    config = (card / "boot/firmware/config.txt").read_text()
    assert config == f"# theirs\n\n[all]\n{INCLUDE}\n"
