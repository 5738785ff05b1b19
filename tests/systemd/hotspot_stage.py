"""What users may and see beside a real NetworkManager: ``hotspot_stage.py UNIT.json``.

Runs as root where test_hotspot.py has set the stage, and prints one object of answers.
"""

import contextlib
import json
import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

UNIT = json.loads(Path(sys.argv[1]).read_text())
OWN, OTHER = "mafia-hotspot", "mafia-table"
STATE = ["nmcli", "--get-values", "GENERAL.STATE", "connection", "show", "mafia-hotspot"]


def as_user(user, words):
    return ["setpriv", f"--reuid={user}", "--clear-groups", "env", "LC_ALL=C", *words]


def run(user, *words, patience_s=30):
    """Return exit code and words; "goes on" for what has not ended."""
    try:
        done = subprocess.run(
            as_user(user, words), capture_output=True, text=True, timeout=patience_s
        )
    except subprocess.TimeoutExpired:
        return "goes on"
    return [done.returncode, (done.stdout + done.stderr).strip()]


@contextlib.contextmanager
def process_of(user):
    """Yield the number of a process that is *user*'s by now."""
    process = subprocess.Popen(as_user(user, ["tail", "-f", "/dev/null"]))
    while os.stat(f"/proc/{process.pid}").st_uid != pwd.getpwnam(user).pw_uid:  # noqa: PTH116
        pass
    yield process.pid
    process.kill()
    process.wait()


def rights(user):
    with process_of(user) as number:
        return [
            action
            for action in UNIT["actions"]
            if not subprocess.run(
                ["pkcheck", "--action-id", action, "--process", str(number)], capture_output=True
            ).returncode
        ]


def bring_up():
    """Let the unit's user bring it up; a bridge is not up before something has joined it."""
    subprocess.run(["ip", "link", "add", "radio", "type", "ifb"], check=True)
    subprocess.run(["ip", "link", "set", "radio", "up"], check=True)
    bringing = subprocess.Popen(as_user(OWN, UNIT["up"]), stdout=subprocess.DEVNULL)
    while run("root", *STATE)[1] != "activated":
        subprocess.run(
            ["ip", "link", "set", "radio", "master", "wlan0"], capture_output=True, check=False
        )
    return bringing.wait(30)


def address():
    told = subprocess.run(
        ["ip", "-json", "-4", "address", "show", "wlan0"], capture_output=True, check=True
    )
    return json.loads(told.stdout)[0]["addr_info"][0]["local"]


def address_of(name):
    """Ask the table's own network for *name*; None: it knows none."""
    labels = b"".join(bytes([len(one)]) + one.encode() for one in name.split("."))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(10)
        asking.sendto(b"\0\1\1\0\0\1" + bytes(6) + labels + b"\0\0\1\0\1", ("10.42.0.1", 53))
        answer = asking.recv(512)
    return socket.inet_ntoa(answer[-4:]) if answer[7] else None


def main():
    change = ["nmcli", "connection", "modify", "mafia-hotspot", "ipv4.addresses", "10.0.0.1/24"]
    other = ["nmcli", "connection", "add", "type", "bridge", "ifname", "other"]
    down = ["nmcli", "connection", "down", "mafia-hotspot"]
    answers = {
        "rights": {user: rights(user) for user in UNIT["users"]},
        "there": run(OWN, *UNIT["condition"]),
        "looked at before": run(OWN, *UNIT["look"]),
        "another brings it up": run(OTHER, *UNIT["up"]),
        "brought up": bring_up(),
        "looked at": run(OWN, *UNIT["look"], patience_s=1),
        "address": address(),
        "names": {name: address_of(name) for name in ("mafia", "mafia.local", "club.example")},
        "changes it": run(OWN, *change),
        "makes one": run(OWN, *other),
        "another takes it down": run(OTHER, *down),
        "settings": run("root", "NetworkManager", "--print-config")[1],
        "lost": run("root", *down)[0],
        "looked at when lost": run(OWN, *UNIT["look"]),
    }
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
