import difflib
import os
import pwd
import select
import socket
import stat
import subprocess
import sys
import time

import pytest

from firmware.certificates import Authority, Tls
from firmware.errors import LinkError, WireError
from firmware.image.broker_conf import EVERYWHERE, hashed, new_password, write_broker
from firmware.mosquitto import Mosquitto, find_mosquitto, free_port

DEADLINE_S = 15.0
TLS = Tls("/ca.crt", "/broker.crt", "/broker.key")


def listeners(conf):
    """Return the listener blocks of a configuration, by port."""
    blocks = conf.read_text().split("\nlistener ")[1:]
    return {int(block.split()[0]): block for block in blocks}


def test_all_files_are_their_owners_alone_also_over_ones_that_were_not(tmp_path):
    for name in ("mosquitto.conf", "mosquitto.acl", "passwords"):
        (tmp_path / name).touch(0o644)
    write_broker(tmp_path, "club", {"table": "x"}, TLS)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {"mosquitto.conf": 0o600, "mosquitto.acl": 0o600, "passwords": 0o600}


def test_no_password_is_written_down(tmp_path):
    words = {"table": new_password(), "node-01": new_password()}
    write_broker(tmp_path, "club", words, TLS)
    written = "".join(file.read_text() for file in tmp_path.iterdir())
    assert not [word for word in words.values() if word in written]
    assert {"table:$7$", "node-01:$7$"} <= {
        line[: line.index("$7$") + 3] for line in written.splitlines() if ":$7$" in line
    }


def test_two_passwords_are_never_the_same_and_neither_are_two_hashes_of_one():
    assert len({new_password() for _ in range(100)}) == 100
    assert len({hashed("x") for _ in range(10)}) == 10


def test_a_hash_is_what_mosquittos_own_tool_makes():
    # Made by mosquitto_passwd 2.0.11, which takes 101 rounds.
    made = "$7$101$SgjIdUY2ioICwUPN$XCXS0MJVFW4Usdc0OdyXd3dTQ3jz51Jv3u9gjvjFyv5iLHqO6kNUGzT7QGf"
    made += "bpLLJrAEwLOP9M1FHP+sUI/iCGQ=="
    assert hashed("p", b"J\x08\xc8uF6\x8a\x82\x02\xc1C\xcd", rounds=101) == made


def on_a_card(folder):
    """Write a card's configuration."""
    return write_broker(folder, "club", {}, TLS, address=EVERYWHERE, daemon=True)


def test_a_card_and_a_private_broker_differ_in_ports_address_and_process_only(tmp_path):
    card = on_a_card(tmp_path).read_text().splitlines()
    private = write_broker(tmp_path, "club", {}, TLS, port=5001, tls_port=5002)
    assert {
        line[2:]
        for line in difflib.ndiff(card, private.read_text().splitlines())
        if line[0] in "+-"
    } == {
        *("listener 1883 127.0.0.1", "listener 5001 127.0.0.1"),
        *("listener 8883 ", "listener 5002 127.0.0.1"),
        f"user {pwd.getpwuid(os.geteuid()).pw_name}",
        f"log_dest file {tmp_path}/mosquitto.log",
    }


def test_only_the_listener_with_tls_is_open_to_the_lan_and_there_the_client_id_is_forced(tmp_path):
    lan, own = listeners(on_a_card(tmp_path)).values()
    assert own.splitlines()[0] == "1883 127.0.0.1"
    assert "use_username_as_clientid false\n" in own
    assert lan.splitlines()[0] == "8883 "
    for line in (
        "use_username_as_clientid true",
        "max_connections 40",
        "tls_version tlsv1.2",
        *("cafile /ca.crt", "certfile /broker.crt", "keyfile /broker.key"),
    ):
        assert f"\n{line}\n" in lan


def test_on_a_card_nothing_is_repeated_that_debians_own_file_says(tmp_path):
    text = on_a_card(tmp_path).read_text()
    words = {line.split()[0] for line in text.splitlines() if line and line[0] != "#"}
    # Of persistence the last word counts, and ours comes last.
    debians = {"pid_file", "persistence_location", "log_dest", "include_dir"}
    assert words & (debians | {"user"}) == set()


def answers(port):
    """Return whether a broker refuses who gives no name; that it listens is not enough."""
    nameless = b"\x10\x10\x00\x04MQTT\x04\x02\x00\x05\x00\x04anon"
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0) as probe:
            probe.sendall(nameless)
            return probe.recv(4) == b"\x20\x02\x00\x05"
    except OSError:
        return False


def test_a_store_that_a_power_cut_has_zeroed_does_not_keep_the_broker_from_starting(tmp_path):
    """mosquitto issues 2639 and 3160, as on a card: Debian's own file, then ours in conf.d."""
    program = find_mosquitto()
    if program is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    store, ours = tmp_path / "mosquitto.db", tmp_path / "conf.d"
    store.write_bytes(bytes(5000))
    ours.mkdir()
    tls, port = Authority.make().equip(tmp_path, "127.0.0.1"), free_port()
    ports = {"port": port, "tls_port": free_port()}
    conf = write_broker(tmp_path, "club", {}, tls, **ports, daemon=True)
    conf.rename(ours / "mafia.conf")
    debians = tmp_path / "debian.conf"
    debians.write_text(
        f"user {pwd.getpwuid(os.geteuid()).pw_name}\npersistence true\n"
        f"persistence_location {tmp_path}/\ninclude_dir {ours}\n"
    )
    log = tmp_path / "log"
    with log.open("w") as told, subprocess.Popen([program, "-c", debians], stderr=told) as broker:
        # Not by its word "running": a signal that comes as it says so is lost on it.
        deadline_s = time.monotonic() + DEADLINE_S
        while broker.poll() is None and not answers(port):
            assert time.monotonic() < deadline_s
        broker.terminate()
        assert broker.wait(DEADLINE_S) == 0, log.read_text()
    assert store.read_bytes() == bytes(5000)


def test_listeners_are_never_given_settings_of_their_own(tmp_path):
    text = write_broker(tmp_path, "club", {}, TLS).read_text()
    assert "per_listener_settings true" not in text
    for line in ("allow_anonymous false", "set_tcp_nodelay true", "sys_interval 0"):
        assert f"\n{line}\n" in text


def test_the_rights_are_the_tables_own(tmp_path):
    write_broker(tmp_path, "club", {}, TLS)
    rights = [
        line.split()
        for line in (tmp_path / "mosquitto.acl").read_text().splitlines()
        if line and not line.startswith(("#", "user"))
    ]
    assert len(rights) == 9
    assert all(right[-1].startswith("mafia/v1/club/") for right in rights)


def test_a_table_whose_name_is_no_topic_is_refused(tmp_path):
    with pytest.raises(WireError, match="a#b"):
        write_broker(tmp_path, "a#b", {}, TLS)
    assert list(tmp_path.iterdir()) == []


def test_mosquitto_takes_the_configuration_without_a_complaint(mosquitto, tmp_path):
    log = (tmp_path / "mosquitto" / "mosquitto.log").read_text()
    assert "running" in log
    usual = ("should not be run as root", "does not contain '%c' or '%u'")
    complaints = [line for line in log.splitlines() if "Error" in line or "Warning" in line]
    assert [line for line in complaints if not any(words in line for words in usual)] == []


def test_of_a_private_broker_no_key_is_written_down_but_its_own(mosquitto, tmp_path):
    files = (tmp_path / "mosquitto").iterdir()
    assert [file.name for file in files if b"PRIVATE KEY" in file.read_bytes()] == ["broker.key"]


def test_the_table_comes_in_where_the_last_listener_is(tmp_path):
    """So a broker that lets it in has opened all of them."""
    *_, last = listeners(write_broker(tmp_path, "club", {}, TLS, port=5001, tls_port=5002))
    assert last == 5001


def test_the_broker_is_gone_after_it_was_left(tmp_path):
    with Mosquitto(tmp_path, "club", {"table": "x"}) as running:
        pid = running.pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(LinkError, match="does not run"):
        _ = running.pid


def test_a_frozen_broker_can_be_ended(mosquitto):
    mosquitto.freeze()
    mosquitto.stop()
    mosquitto.start()
    os.kill(mosquitto.pid, 0)


def test_a_broker_that_cannot_start_says_why(mosquitto, tmp_path):
    mosquitto.stop()
    conf = tmp_path / "mosquitto" / "mosquitto.conf"
    conf.write_text(conf.read_text() + "\nnonsense 1\n")
    with pytest.raises(LinkError, match="nonsense"):
        mosquitto.start()


def test_without_mosquitto_the_command_to_run_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    with (
        pytest.raises(LinkError, match="sudo apt install mosquitto"),
        Mosquitto(tmp_path, "club", {}),
    ):
        pass


def test_the_broker_dies_with_the_program_that_started_it(tmp_path):
    program = (
        "import sys, pathlib; from firmware.mosquitto import Mosquitto, find_mosquitto, free_port\n"
        f"with Mosquitto(pathlib.Path({str(tmp_path)!r}), 'club', {{}}) as m:\n"
        "    print(m.pid, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        pid = int(parent.stdout.readline())
        watch = os.pidfd_open(pid)
        parent.kill()
    poll = select.poll()
    poll.register(watch)
    assert poll.poll(10_000), "mosquitto outlived its program"
    os.close(watch)
