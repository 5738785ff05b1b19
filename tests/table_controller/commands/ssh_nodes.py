"""Nodes for tests of updates: a real sshd each, on loopback, with the keys that cards have.

A node's forced command is the real program; what the kit's installer does is a small
real script, as the true one would install on this machine.
"""

import contextlib
import getpass
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.clock import SystemClock
from firmware.image import kit as kits
from firmware.image.receive import board_here
from firmware.image.update_keys import (
    IDENTITY,
    KNOWN_HOSTS,
    authorized_keys_line,
    known_hosts_line,
    make_key_pair,
)
from firmware.private import write_private

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
ROOT = Path(__file__).parents[3]
LOGIN = getpass.getuser()
UP_S = 10.0

INSTALLER = """set -eu
opt=$KIT_SYSTEM_ROOT/opt/mafia
cd "$(dirname "$0")"
name=$(head -n 1 VERSION)-$(sha256sum SHA256SUMS | cut -c1-8)
if [ -e "$KIT_SYSTEM_ROOT/full" ]; then
    echo "install: no room on the card: df -h /" >&2
    exit 1
fi
echo "install: Debian packages"
mkdir -p "$opt/releases/$name"
if old=$(readlink "$opt/current"); then ln -sfn "$old" "$opt/before"; fi
ln -sfn "releases/$name" "$opt/current"
echo "install: done: $name is installed"
"""

GO_BACK = """set -eu
opt=$KIT_SYSTEM_ROOT/opt/mafia
test "$*" = --back
now=$(readlink "$opt/current")
ln -sfn "$(readlink "$opt/before")" "$opt/current"
ln -sfn "$now" "$opt/before"
echo "install: done"
"""

PROGRAM = """import os, sys
sys.path.insert(0, {root!r})
os.environ["KIT_SYSTEM_ROOT"] = {node!r}
from pathlib import Path
from firmware.image import receive
receive.board_here = lambda: {board!r}
node = Path({node!r})
places = receive.Places(node / "work", node / "opt/mafia", node / "back.sh")
sys.exit(receive.main(sys.argv[1:], 0, places))
"""


def make_kit(folder: Path, *, board: str = "", version: str = "0.2.0") -> Path:
    """Return a whole kit in *folder*, by default for this machine."""
    (folder / "wheels").mkdir(parents=True)
    (folder / "VERSION").write_text(f"{version}\n{board or board_here()}\n")
    (folder / "install.sh").write_text(INSTALLER)
    (folder / "wheels/some-1.0-py3-none-any.whl").write_bytes(os.urandom(1 << 20))
    kits.seal(folder)
    return folder


class SshNode:
    """One node: its sshd, and what stands for its system."""

    def __init__(self, folder: Path, user: str, update_key: str, board: str) -> None:
        self.user, self.system = user, folder / "system"
        self.system.mkdir(parents=True)
        (self.system / "back.sh").write_text(GO_BACK)
        host = make_key_pair(f"host-{user}")
        write_private(folder / "host_key", host.private)
        self.known = known_hosts_line(user, host.public)
        program = folder / "node.py"
        program.write_text(PROGRAM.format(root=str(ROOT), node=str(self.system), board=board))
        command = f"{shlex.quote(sys.executable)} {program} $SSH_ORIGINAL_COMMAND"
        keys = folder / "authorized_keys"
        keys.write_text(authorized_keys_line(update_key, command=command) + "\n")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._config = folder / "sshd_config"
        self._config.write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {folder / 'host_key'}\n"
            f"AuthorizedKeysFile {keys}\nPidFile none\nStrictModes no\nUsePAM no\n"
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
            "PermitRootLogin yes\nSubsystem sftp internal-sftp\n"
        )
        self._log = folder / "sshd.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Let it be on the network."""
        assert SSHD is not None
        with self._log.open("wb") as log:
            command = [SSHD, "-D", "-e", "-f", str(self._config)]
            self._process = subprocess.Popen(command, stderr=log)
        clock = SystemClock()
        end_s = clock.now_s() + UP_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(
                ("127.0.0.1", self.port), 0.2
            ):  # fmt: skip
                return
            assert self._process.poll() is None, self._log.read_text()
            assert clock.now_s() < end_s, self._log.read_text()

    def stop(self) -> None:
        """Switch it off."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    @property
    def at(self) -> str:
        return f"{self.user}=127.0.0.1:{self.port}"

    def release(self, name: str = "current") -> str:
        """Return the release that the link *name* leads to; "": none."""
        try:
            return (self.system / "opt/mafia" / name).readlink().name
        except OSError:
            return ""


class Club:
    """A table with its keys, and nodes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.keys = folder / "update"
        self.keys.mkdir(mode=0o700)
        pair = make_key_pair("mafia-table-update")
        write_private(self.keys / IDENTITY, pair.private)
        self._public = pair.public
        self.private = pair.private
        self.nodes: dict[str, SshNode] = {}
        self.system = folder / "table"
        self.data = folder / "data"
        self.data.mkdir()

    def add(self, user: str, board: str = "") -> SshNode:
        """Return a new node, still off."""
        node = SshNode(self._folder / user, user, self._public, board or board_here())
        self.nodes[user] = node
        known = "".join(f"{each.known}\n" for each in self.nodes.values())
        (self.keys / KNOWN_HOSTS).write_text(known)
        return node

    def update(self, *words: object) -> subprocess.CompletedProcess[str]:
        """Run the command as it is run at the table."""
        at = [option for node in self.nodes.values() for option in ("--at", node.at)]
        command = [sys.executable, "-m", "table_controller", "update", *map(str, words), *at]
        command += ["--keys", str(self.keys), "--data", str(self.data), "--login", LOGIN]
        environment = os.environ | {"KIT_SYSTEM_ROOT": str(self.system)}
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)

    def ssh(
        self, node: SshNode, *words: str, **options: object
    ) -> subprocess.CompletedProcess[str]:
        """Run the system's ssh with the table's key."""
        command = ["ssh", "-F", "/dev/null", "-i", str(self.keys / IDENTITY), "-oBatchMode=yes"]
        command += ["-oIdentitiesOnly=yes", f"-oUserKnownHostsFile={self.keys / KNOWN_HOSTS}"]
        command += [f"-oHostKeyAlias={node.user}", "-p", str(node.port), "-l", LOGIN, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=30, **options)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """A table that can update; its nodes are switched off after the test."""
    if SSHD is None or shutil.which("ssh") is None:
        pytest.skip("sshd is not installed: sudo apt install openssh-server openssh-client")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    made = Club(tmp_path)
    yield made
    for node in made.nodes.values():
        node.stop()
