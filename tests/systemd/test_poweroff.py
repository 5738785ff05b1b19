"""The rule by which the stop button may shut the machine down, asked of a real polkit."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "systemd" / "mafia-poweroff.rules"
POLKITD = Path("/usr/lib/polkit-1/polkitd")
LOGIND = Path("/usr/share/polkit-1/actions/org.freedesktop.login1.policy")
YES, NEEDS_A_PASSWORD = 0, 2
"""Exit codes. Source: pkcheck(1)."""

USERS = ("mafia-table", "mafia-seat", "mafia-eyes", "nobody")
ACTIONS = (
    "power-off",
    "power-off-multiple-sessions",
    "power-off-ignore-inhibit",
    "reboot",
    "halt",
    "suspend",
    "set-wall-message",
)

BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}</servicedir>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
  </policy>
</busconfig>
"""
SERVICE = "[D-BUS Service]\nName=org.freedesktop.PolicyKit1\nExec={polkitd} --no-debug\n"

# A bus of our own starts polkitd when it is asked for; all ends with this shell.
ASK = """
mount --bind {folder}/passwd /etc/passwd
mount --bind {folder}/rules /etc/polkit-1/rules.d
export DBUS_SYSTEM_BUS_ADDRESS=unix:path={folder}/bus
dbus-daemon --config-file={folder}/bus.conf --fork --nopidfile
for user in {users}; do
    setpriv --reuid=$user --clear-groups tail -f /dev/null & subject=$!
    while [ "$(ps -o user:32= -p $subject | tr -d ' ')" != $user ]; do :; done
    for action in {actions}; do
        code=0
        pkcheck --action-id org.freedesktop.login1.$action --process $subject || code=$?
        echo "$user $action $code"
    done
done
"""


def furnish(folder):
    """Put the rule, its users and a bus that starts polkitd into *folder*."""
    (folder / "rules").mkdir()
    shutil.copy(RULES, folder / "rules" / "50-mafia-poweroff.rules")
    ours = [user for user in USERS if user.startswith("mafia-")]
    lines = [f"{user}:x:{61000 + n}:{61000 + n}::/:/bin/false" for n, user in enumerate(ours)]
    (folder / "passwd").write_text("\n".join([Path("/etc/passwd").read_text(), *lines, ""]))
    (folder / "bus.conf").write_text(BUS.format(folder=folder))
    (folder / "polkit.service").write_text(SERVICE.format(polkitd=POLKITD))


@pytest.fixture(scope="module")
def answers():
    """What polkit says: user and action -> exit code."""
    if not (POLKITD.exists() and LOGIND.exists() and shutil.which("pkcheck")):
        pytest.skip("polkit is not installed: apt install polkitd pkexec dbus systemd")
    space = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() or subprocess.run([*space, "true"], capture_output=True).returncode:
        pytest.skip("only root may ask for others, with mounts of its own")
    # Not in pytest's folder, which polkitd's user may not enter.
    with tempfile.TemporaryDirectory(prefix="mafia-polkit-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        furnish(folder)
        script = ASK.format(folder=folder, users=" ".join(USERS), actions=" ".join(ACTIONS))
        asked = subprocess.run(
            [*space, "sh", "-euc", script], capture_output=True, text=True, timeout=60
        )
    assert asked.returncode == 0, asked.stderr
    return {
        (user, action): int(code)
        for user, action, code in re.findall(r"^(\S+) (\S+) (\d+)$", asked.stdout, re.MULTILINE)
    }


def test_the_tables_user_may_shut_the_machine_down_whoever_is_logged_in(answers):
    assert answers["mafia-table", "power-off"] == YES
    assert answers["mafia-table", "power-off-multiple-sessions"] == YES


def test_nobody_may_do_anything_else_by_that_rule(answers):
    may = {asked for asked, code in answers.items() if code == YES}
    assert may == {
        ("mafia-table", "power-off"),
        ("mafia-table", "power-off-multiple-sessions"),
        # Whoever may do the first may also announce it: logind's own policy implies it.
        ("mafia-table", "set-wall-message"),
    }
    assert set(answers.values()) == {YES, NEEDS_A_PASSWORD}
    assert len(answers) == len(USERS) * len(ACTIONS)
