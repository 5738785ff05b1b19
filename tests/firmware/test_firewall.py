"""The rule that no device takes all of the broker's places, in a real kernel."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.image.broker_conf import CONNECTIONS_MAX, TLS_PORT

ROOT = Path(__file__).parents[2]
RULES = ROOT / "firmware" / "image" / "mafia.nft"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
NFT = shutil.which("nft", path=PATH)
MOST = 6

pytestmark = pytest.mark.skipif(NFT is None, reason="nft is not installed: apt install nftables")

# A network of its own with the broker's place in it, and a second one on a cable: the club's LAN.
SET_UP = """
set -eu
unshare --net tail -f /dev/null & far=$!
trap 'kill $far' EXIT
while [ "$(readlink /proc/$far/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do :; done
ip link set lo up
ip link add near type veth peer name far netns $far
ip address add 10.9.0.1/24 dev near
ip address add fd09::1/64 dev near nodad
ip link set near up
nsenter --net --target $far sh -euc '
    ip address add 10.9.0.2/24 dev far; ip address add 10.9.0.3/24 dev far
    ip address add fd09::2/64 dev far nodad; ip link set far up'
"$NFT" -f "$RULES"
"$NFT" -f "$RULES"
"$PYTHON" -c "$LISTEN" "nsenter --net --target $far"
"""

LISTEN = """
import json, selectors, socket, subprocess, sys, threading
held = []
def accept(server):
    while True:
        held.append(server.accept())
for port in (8883, 8080):
    server = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True)
    threading.Thread(target=accept, args=(server,), daemon=True).start()
far = sys.argv[1].split()
CONNECT = '''
import json, socket, sys
def come(address, target, port, often):
    lines = []
    for _ in range(often):
        try:
            lines.append(socket.create_connection((target, port), 10, source_address=(address, 0)))
        except ConnectionRefusedError:
            pass
    return lines
told = {}
first = come("10.9.0.2", "10.9.0.1", 8883, 20)
told["one device"] = len(first)
told["another device"] = len(come("10.9.0.3", "10.9.0.1", 8883, 3))
told["by IPv6"] = len(come("fd09::2", "fd09::1", 8883, 20))
told["the pages"] = len(come("10.9.0.2", "10.9.0.1", 8080, 20))
for line in first[:2]:
    line.shutdown(socket.SHUT_RDWR)
    line.close()
print(json.dumps(told))
'''
told = json.loads(subprocess.check_output([*far, sys.executable, "-c", CONNECT]))
near = [socket.create_connection(("127.0.0.1", 8883), 10) for _ in range(20)]
print(json.dumps(told | {"the machine itself": len(near)}))
"""


@pytest.fixture(scope="module")
def came():
    """How many of the connections that were tried came in, by who tried."""
    space = ["unshare", "--net", *(["--map-root-user"] if os.geteuid() else [])]
    cable = "ip link add near type veth peer name far"
    probe = [*space, "sh", "-c", f"{NFT} list ruleset && {cable}"]
    if subprocess.run(probe, capture_output=True, env=os.environ | {"PATH": PATH}).returncode:
        pytest.skip("no network of one's own here, or no nf_tables in this kernel")
    given = {"NFT": NFT, "RULES": str(RULES), "PYTHON": sys.executable, "LISTEN": LISTEN}
    done = subprocess.run(
        [*space, "sh", "-c", SET_UP],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        env=os.environ | {"PATH": PATH} | given,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_device_takes_all_places_of_the_broker(came):
    assert came["one device"] == came["by IPv6"] == MOST
    assert came["another device"] == 3


def test_nothing_else_is_held_up(came):
    assert came["the pages"] == 20
    assert came["the machine itself"] == 20


def test_the_rule_leaves_a_seat_its_place_and_is_of_the_brokers_port():
    rules = re.findall(r"tcp dport (\d+) .* ct count over (\d+) ", RULES.read_text("utf-8"))
    assert rules == [(str(TLS_PORT), str(MOST))] * 2
    # Twelve nodes and the table fit beside four devices that hold what they can.
    assert CONNECTIONS_MAX - 4 * MOST >= 13
