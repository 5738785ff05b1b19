"""The keys of updates as OpenSSH reads them; what would say more than it should is refused."""

import shutil
import subprocess

import pytest

from firmware.image.update_keys import (
    RECEIVE,
    authorized_keys_line,
    known_hosts_line,
    known_users,
    make_key_pair,
)
from firmware.private import write_private


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="openssh-client is not installed")
def test_openssh_reads_the_private_key_and_finds_the_public_one_in_it(tmp_path):
    pair = make_key_pair("mafia-table-update")
    write_private(tmp_path / "key", pair.private)
    found = subprocess.run(
        ["ssh-keygen", "-y", "-f", str(tmp_path / "key")], capture_output=True, text=True
    )
    assert found.stdout.split()[:2] == pair.public.split()[:2]
    assert pair.public.split()[2] == "mafia-table-update"
    assert make_key_pair("other").private != pair.private


def test_a_key_may_do_nothing_but_start_one_program():
    public = make_key_pair("x").public
    assert authorized_keys_line(public) == f'restrict,command="{RECEIVE}" {public}'
    assert RECEIVE.endswith("firmware.image.receive $SSH_ORIGINAL_COMMAND")


@pytest.mark.parametrize(
    ("public", "command"),
    [
        ("ssh-rsa AAAA x", RECEIVE),
        ("ssh-ed25519 AAAA x\nssh-ed25519 BBBB y", RECEIVE),
        ("no-pty ssh-ed25519 AAAA", RECEIVE),
        ("ssh-ed25519 AAAA x", 'sh",pty'),
        ("ssh-ed25519 AAAA x", "sh\n"),
        ("ssh-ed25519 AAAA x", "sh\\"),
    ],
)
def test_a_line_that_would_say_something_else_is_refused(public, command):
    with pytest.raises(ValueError, match="key"):
        authorized_keys_line(public, command=command)


def test_known_hosts_names_nodes_by_their_users():
    keys = [make_key_pair(f"host-{n}").public for n in (1, 2)]
    lines = [known_hosts_line(f"node-0{n}", key) for n, key in enumerate(keys, start=1)]
    assert lines[0] == " ".join(["node-01", *keys[0].split()[:2]])
    text = "# the table's nodes\n\n" + "\n".join([*lines, lines[0], "@revoked * ssh-x AA"]) + "\n"
    assert known_users(text) == ("node-01", "node-02")


@pytest.mark.parametrize("user", ["", "node 01", "*", "node-01,node-02", "!x", "|1|x"])
def test_no_pattern_is_taken_for_a_node(user):
    with pytest.raises(ValueError, match="known host"):
        known_hosts_line(user, "ssh-ed25519 AAAA")


@pytest.mark.parametrize("comment", ["", "two words", "end\n"])
def test_a_comment_is_one_word(comment):
    with pytest.raises(ValueError, match="comment of a key"):
        make_key_pair(comment)
