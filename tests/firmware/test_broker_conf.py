import os
import pwd
import select
import socket
import stat
import subprocess
import sys
import time

import pytest

from firmware.errors import LinkError, WireError
from firmware.image.broker_conf import Tls, hashed, new_password, write_broker
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
    write_broker(tmp_path, "club", {"table": "x"}, 1883)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {"mosquitto.conf": 0o600, "mosquitto.acl": 0o600, "passwords": 0o600}


def test_no_password_is_written_down(tmp_path):
    words = {"table": new_password(), "node-01": new_password()}
    write_broker(tmp_path, "club", words, 1883)
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


def test_the_client_id_is_forced_where_seats_come_in_and_only_there(tmp_path):
    private = listeners(write_broker(tmp_path, "club", {}, 5001, second_port=5002))
    assert {port: "clientid true" in text for port, text in private.items()} == {
        5001: True,
        5002: False,
    }
    card = listeners(write_broker(tmp_path, "club", {}, 1883, tls=TLS, daemon=True))
    assert {port: "clientid true" in text for port, text in card.items()} == {
        1883: False,
        8883: True,
    }


def test_only_the_listener_with_tls_is_open_to_the_lan(tmp_path):
    conf = write_broker(tmp_path, "club", {}, 1883, tls=TLS, second_port=1884)
    for port, text in listeners(conf).items():
        on_loopback = text.splitlines()[0].endswith(" 127.0.0.1")
        assert on_loopback is (port != 8883)
        assert ("certfile" in text) is (port == 8883)


def test_on_a_card_nothing_is_repeated_that_debians_own_file_says(tmp_path):
    text = write_broker(tmp_path, "club", {}, 1883, tls=TLS, daemon=True).read_text()
    words = {line.split()[0] for line in text.splitlines() if line and line[0] != "#"}
    # Of persistence the last word counts, and ours comes last.
    debians = {"pid_file", "persistence_location", "log_dest", "include_dir"}
    assert words & (debians | {"user"}) == set()


def answers(port):
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_store_that_a_power_cut_has_zeroed_does_not_keep_the_broker_from_starting(tmp_path):
    """mosquitto issues 2639 and 3160, as on a card: Debian's own file, then ours in conf.d."""
    program = find_mosquitto()
    if program is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    store, ours = tmp_path / "mosquitto.db", tmp_path / "conf.d"
    store.write_bytes(bytes(5000))
    ours.mkdir()
    port = free_port()
    conf = write_broker(tmp_path, "club", {}, port, daemon=True)
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
    text = write_broker(tmp_path, "club", {}, 1883).read_text()
    assert "per_listener_settings true" not in text
    for line in ("allow_anonymous false", "set_tcp_nodelay true", "sys_interval 0"):
        assert f"\n{line}\n" in text


def test_the_rights_are_the_tables_own(tmp_path):
    write_broker(tmp_path, "club", {}, 1883)
    rights = [
        line.split()
        for line in (tmp_path / "mosquitto.acl").read_text().splitlines()
        if line and not line.startswith(("#", "user"))
    ]
    assert len(rights) == 7
    assert all(right[-1].startswith("mafia/v1/club/") for right in rights)


def test_a_table_whose_name_is_no_topic_is_refused(tmp_path):
    with pytest.raises(WireError, match="a#b"):
        write_broker(tmp_path, "a#b", {}, 1883)
    assert list(tmp_path.iterdir()) == []


def test_mosquitto_takes_both_configurations_without_an_error(mosquitto, tmp_path):
    log = (tmp_path / "mosquitto" / "mosquitto.log").read_text()
    assert "running" in log
    assert "Error" not in log


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
