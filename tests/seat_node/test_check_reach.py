"""The self-test's line on the link, with a real mosquitto at the other end."""

import socket
import subprocess

import msgspec
import pytest

from firmware.broker import Broker
from firmware.certificates import Authority, Tls
from firmware.clock import SystemClock
from firmware.finding import Outcome
from firmware.link import Linked, LinkSettings
from firmware.mosquitto import Mosquitto, find_mosquitto, free_port
from seat_node.checks.reach import SILENCE, link

USER = "node-03"
CLOCK = SystemClock()
VALID, FUTURE, PAST = ("2025", "2045"), ("2044", "2045"), ("2020", "2021")


def check(settings, **options):
    return link(str, settings, "test", CLOCK, **options)


def test_a_seat_that_may_come_in_is_fine_and_says_nothing_there(mosquitto, topics, new_inbox):
    inbox = new_inbox()
    listener = Broker(
        mosquitto.settings("table"), topics, CLOCK, inbox.put, subscriptions=[f"{topics.root}/up/#"]
    )
    with listener:
        inbox.an(Linked)
        found = check(mosquitto.settings(USER))
        inbox.until_quiet(0.3)
    assert found.outcome is Outcome.FINE
    assert found.found == f"node-03, 127.0.0.1:{mosquitto.tls_port}, by TLS"
    assert inbox.topics == []


def without_tls(mosquitto):
    """A card for the listener that is for programs on the table's own machine."""
    return msgspec.structs.replace(mosquitto.settings(USER), port=mosquitto.port, ca=None)


def test_a_link_without_tls_is_said_to_be_one(mosquitto):
    found = check(without_tls(mosquitto))
    assert found.outcome is Outcome.FINE
    assert found.found == f"node-03, 127.0.0.1:{mosquitto.port}, without TLS"


def test_a_wrong_password_is_told_as_such(mosquitto):
    found = check(msgspec.structs.replace(mosquitto.settings(USER), password="wrong"))
    assert found.outcome is Outcome.FAULT
    assert "Not authorized" in found.found
    assert "another password" in found.remedy


def test_a_port_at_which_nobody_listens(mosquitto):
    found = check(msgspec.structs.replace(mosquitto.settings(USER), port=free_port()))
    assert found.outcome is Outcome.FAULT
    assert "Connection refused" in found.found
    assert "restart mosquitto" in found.remedy


def test_a_name_that_no_device_has():
    found = check(LinkSettings("table.invalid", 8883, USER, "x", None))
    assert found.outcome is Outcome.FAULT
    assert "table.invalid:8883" in found.found
    assert "No device has this name" in found.remedy


def test_a_host_that_takes_the_call_and_never_answers_does_not_keep_us():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        settings = LinkSettings("127.0.0.1", mute.getsockname()[1], USER, "x", None)
        before_s = CLOCK.now_s()
        found = check(settings, patience_s=0.5)
        assert CLOCK.now_s() - before_s < 5.0
    assert (found.outcome, found.remedy) == (Outcome.FAULT, SILENCE)
    assert "no answer within" in found.found


# ---- certificates ----


def openssl(folder, *words):
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)


AUTHORITY = """
[ca]
default_ca = kit
[kit]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
[any]
commonName = supplied
"""
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
NAMES = """
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
authorityKeyIdentifier = keyid
subjectAltName = {name}
"""


@pytest.fixture
def authority(tmp_path):
    """The kit's authority, by openssl so that it can sign for any years; and another one."""
    Authority.kept(tmp_path)
    (tmp_path / "other").mkdir()
    Authority.kept(tmp_path / "other")
    (tmp_path / "ca.cnf").write_text(AUTHORITY)
    (tmp_path / "index").touch()
    (tmp_path / "serial").write_text("01\n")
    return tmp_path


@pytest.fixture
def lan(authority, tmp_path):
    """Starts a broker with a certificate for *name* of *years*; returns the seat's settings."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed: sudo apt install mosquitto")
    running = []

    def start(ca, *, years=VALID, name="IP:127.0.0.1"):
        (tmp_path / "names").write_text(NAMES.format(name=name))
        openssl(
            tmp_path,
            *("req", *KEY, "-subj", "/CN=broker", "-keyout", "broker.key", "-out", "broker.csr"),
        )
        openssl(
            tmp_path,
            *("ca", "-batch", "-config", "ca.cnf", "-cert", "ca.crt", "-keyfile", "ca.key"),
            *("-in", "broker.csr", "-extfile", "names", "-notext", "-out", "broker.crt"),
            *("-startdate", f"{years[0]}0101000000Z", "-enddate", f"{years[1]}0101000000Z"),
        )
        tls = Tls(*(authority / file for file in ("ca.crt", "broker.crt", "broker.key")))
        folder = tmp_path / "lan"
        folder.mkdir()
        broker = Mosquitto(folder, "test", {USER: "x"}, tls=tls).__enter__()
        running.append(broker)
        return msgspec.structs.replace(broker.settings(USER), ca=authority / ca if ca else None)

    yield start
    for broker in running:
        broker.stop()


def test_a_card_with_the_kits_authority_is_fine(lan):
    found = check(lan("ca.crt"))
    assert (found.outcome, found.found.endswith(", by TLS")) == (Outcome.FINE, True)


def test_a_wrong_password_by_tls_is_told_as_such(lan):
    found = check(msgspec.structs.replace(lan("ca.crt"), password="wrong"))
    assert (found.outcome, "another password" in found.remedy) == (Outcome.FAULT, True)


@pytest.mark.parametrize(
    ("ca", "options", "remedy"),
    [
        ("other/ca.crt", {}, "take the card and the table of one kit"),
        ("ca.crt", {"years": FUTURE}, "The clock of this Pi is wrong"),
        ("ca.crt", {"years": PAST}, "certificate is too old"),
        ("ca.crt", {"name": "IP:127.0.0.2"}, "for another name"),
        (None, {}, "does its port want TLS?"),
    ],
    ids=["another kit", "not valid yet", "expired", "another name", "no ca on the card"],
)
def test_each_way_that_tls_fails_is_told_apart(lan, ca, options, remedy):
    found = check(lan(ca, **options))
    assert found.outcome is Outcome.FAULT
    assert remedy in found.remedy, found


def test_tls_at_a_port_without_it(mosquitto):
    settings = without_tls(mosquitto)
    found = check(msgspec.structs.replace(settings, ca=mosquitto.settings(USER).ca))
    assert found.outcome is Outcome.FAULT
    assert "does it speak TLS at this port?" in found.remedy, found


def test_a_ca_that_is_no_certificate(mosquitto, tmp_path):
    (tmp_path / "ca.crt").write_text("nonsense")
    found = check(msgspec.structs.replace(mosquitto.settings(USER), ca=tmp_path / "ca.crt"))
    assert (found.outcome, "no certificate" in found.remedy) == (Outcome.FAULT, True)
