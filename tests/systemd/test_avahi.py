"""A table in the club's network, told by a real avahi-daemon to who asks for one.

It runs where a card's system does (make test-pi), on a bus and in a network of its own.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.card import LinkCard, TableCard
from firmware.image import places

STAGE = """
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus
mount --bind {folder} /etc/avahi/services
hostname {hostname}
ip link set lo up
ip link add wlan0 type bridge
ip link add radio type ifb
ip link set radio up master wlan0
ip address add 192.0.2.1/24 dev wlan0
ip link set wlan0 up
dbus-daemon --system --fork --nopidfile
avahi-daemon --no-chroot >/dev/null 2>&1 &
exec {python} -c "$1"
"""

ASK = """
import socket
PTR, TXT, SRV, A = 12, 16, 33, 1
def ask(kind, *labels):
    name = b"".join(bytes([len(one)]) + one.encode() for one in (*labels, "local"))
    question = bytes(5) + bytes([1]) + bytes(6) + name + bytes([0, 0, kind, 0, 1])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.0.2.1"))
        asking.settimeout(0.2)
        for _ in range(100):
            try:
                asking.sendto(question, ("224.0.0.251", 5353))
                return asking.recv(9000)[12 + len(name) + 5:]
            except OSError:
                pass
table = "Mafia table club-2 on mafia-2"
for answer in (ask(PTR, "_mafia", "_tcp"), ask(TXT, table, "_mafia", "_tcp"),
               ask(SRV, table, "_mafia", "_tcp"), ask(A, "mafia-2")):
    print(answer.hex())
"""
"""As a phone asks that has no avahi: RFC 6762 6.7, a legacy query."""


def announced(name):
    card = TableCard(table=name, link=LinkCard("127.0.0.1", 1883), data_dir="/var/lib/mafia")
    (file,) = [one for one in places.machine(card) if one.path == places.AVAHI]
    return file.content


def test_the_record_says_which_table_it_is_and_where_its_broker_and_pages_are():
    group = ElementTree.fromstring(announced("club-2"))
    services = {one.findtext("type"): one for one in group.iter("service")}
    assert services.keys() == {"_mafia._tcp", "_http._tcp"}
    assert services["_mafia._tcp"].findtext("port") == "8883"
    assert services["_http._tcp"].findtext("port") == "80"
    told = [one.text for one in services["_mafia._tcp"].iter("txt-record")]
    assert told[0] == "table=club-2"
    assert told[1].startswith("version=0.")
    assert "%h" in group.findtext("name"), "two tables in one network have two names"


def test_who_asks_the_network_for_a_table_is_told_its_host_and_port():
    needed = ("avahi-daemon", "dbus-daemon", "ip", "hostname")
    if not all(shutil.which(one, path=os.environ["PATH"] + ":/usr/sbin") for one in needed):
        pytest.skip("avahi is on a card: make test-pi")
    space = ["unshare", "--mount", "--net", "--uts", "--pid", "--fork", "--kill-child"]
    space.append("--mount-proc")
    if os.geteuid() or subprocess.run([*space, "true"], capture_output=True).returncode:
        pytest.skip("only root may have a network of its own")
    with tempfile.TemporaryDirectory(prefix="mafia-avahi-") as name:
        Path(name).chmod(0o755)
        (Path(name) / "mafia.service").write_bytes(announced("club-2"))
        stage = STAGE.format(folder=name, hostname="mafia-2", python=sys.executable)
        done = subprocess.run(
            [*space, "sh", "-euc", stage, "sh", ASK], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 0, done.stderr
    names, text, service, address = map(bytes.fromhex, done.stdout.split())
    assert b"Mafia table club-2 on mafia-2" in names
    assert b"table=club-2" in text
    assert (8883).to_bytes(2) + b"\x07mafia-2" in service
    assert address.endswith(bytes([192, 0, 2, 1]))
