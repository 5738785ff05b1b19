"""``mafia-table doctor`` on machines that are as they should be, and on such as are not."""

import contextlib
import datetime
import shutil
import socket
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware import card as cards
from firmware.card import LinkCard, ScoreboardCard, TableCard
from firmware.certificates import Authority
from firmware.finding import Outcome
from firmware.image.broker_conf import write_broker
from firmware.words import LANGUAGES, catalogue
from table_controller import web_certificate
from table_controller.__main__ import table
from table_controller.checks import doors, parts, secrets
from table_controller.record.journals import Journals

ROOT = Path(__file__).parents[3]
t = catalogue("en").gettext


def a_card(folder, **changes):
    link = LinkCard(host="127.0.0.1", port=1883, password="only-the-table")
    fields = {"table": "club", "link": link, "data_dir": str(folder / "data")}
    return TableCard(**fields | changes)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "kit.toml"
    cards.save(path, a_card(tmp_path))
    return path


def outcome(finding):
    if finding.outcome is not Outcome.FINE:
        assert finding.remedy
    return finding.outcome


# ---- what others can read ----


def test_a_password_that_others_can_read_is_a_fault(path):
    card = cards.read_table_card(path)
    assert outcome(secrets.card(t, path, card)) is Outcome.FINE
    path.chmod(0o640)
    found = secrets.card(t, path, card)
    assert outcome(found) is Outcome.FAULT
    assert str(path) in found.found
    assert f"chmod 600 {path}" in found.remedy


def test_a_password_file_beside_the_card_is_looked_at_too(path):
    file = path.with_name("table.password")
    file.touch(0o644)
    file.chmod(0o644)
    assert outcome(secrets.card(t, path, cards.read_table_card(path))) is Outcome.FAULT


@pytest.mark.parametrize(
    ("host", "ca", "wanted"),
    [
        ("127.0.0.1", "", Outcome.FINE),
        ("mafia.local", "", Outcome.FAULT),
        ("mafia.local", "ca.crt", Outcome.FINE),
    ],
)
def test_a_password_that_goes_over_the_network_goes_by_tls(path, host, ca, wanted):
    card = a_card(path.parent, link=LinkCard(host=host, port=1, password="x", ca=ca))
    assert outcome(secrets.card(t, path, card)) is wanted


def test_games_that_others_can_read_are_a_fault(tmp_path):
    folder = tmp_path / "data"
    assert outcome(secrets.kept(t, folder)) is Outcome.NOTE
    folder.mkdir(0o700)
    with contextlib.closing(Journals(folder / "journal")):
        assert outcome(secrets.kept(t, folder)) is Outcome.FINE
    backup = folder / "journal" / "000001.game.end.db"
    backup.touch(0o600)
    backup.chmod(0o604)
    found = secrets.kept(t, folder)
    assert outcome(found) is Outcome.FAULT
    assert str(backup) in found.found


def test_the_pin_of_the_host_is_missed(tmp_path):
    card = a_card(tmp_path)
    assert outcome(secrets.pin(t, card)) is Outcome.NOTE
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "host.pin").touch()
    assert outcome(secrets.pin(t, card)) is Outcome.FINE


def test_a_certificate_that_phones_refuse_is_a_fault_and_a_start_of_the_table_mends_it(tmp_path):
    made, now = (datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (2026, 2029))
    assert outcome(web_certificate.look(t, tmp_path, made)) is Outcome.NOTE
    web_certificate.renew(tmp_path, made)
    assert list(tmp_path.iterdir()) == [], "nothing is made where the card has nothing"
    folder = tmp_path / web_certificate.FOLDER
    folder.mkdir()
    Authority.make().delegate(folder, made, "mafia.local")
    assert outcome(web_certificate.look(t, tmp_path, made)) is Outcome.FINE
    assert outcome(web_certificate.look(t, tmp_path, now)) is Outcome.FAULT
    web_certificate.renew(tmp_path, now)
    found = web_certificate.look(t, tmp_path, now)
    assert outcome(found) is Outcome.FINE
    assert "until 2031-02-0" in found.found


def test_an_authority_that_is_broken_ends_no_table(tmp_path, caplog):
    folder = tmp_path / web_certificate.FOLDER
    folder.mkdir()
    (folder / "ca.crt").write_text("nonsense")
    web_certificate.renew(tmp_path, datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC))
    assert "cannot be renewed" in caplog.text


def test_the_rule_for_the_brokers_places_is_missed_until_it_and_what_reads_it_are_there(tmp_path):
    for file in ("usr/sbin/nft", "etc/mosquitto/mafia.nft"):
        assert outcome(doors.places(t, tmp_path)) is Outcome.NOTE
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
    assert outcome(doors.places(t, tmp_path)) is Outcome.FINE


def test_the_brokers_core_is_missed_until_the_kits_file_is_there(tmp_path):
    assert outcome(secrets.cores(t, tmp_path)) is Outcome.NOTE
    target = tmp_path / "etc/systemd/system/mosquitto.service.d"
    shutil.copytree(ROOT / "systemd/mosquitto.service.d", target)
    assert outcome(secrets.cores(t, tmp_path)) is Outcome.FINE


# ---- what is open ----


def mosquitto(root, *lines):
    (root / "etc/mosquitto/conf.d").mkdir(parents=True, exist_ok=True)
    (root / "etc/mosquitto/mosquitto.conf").write_text(
        "# Debian's\npid_file /run/mosquitto.pid\ninclude_dir /etc/mosquitto/conf.d\n"
    )
    (root / "etc/mosquitto/conf.d/mafia.conf").write_text("\n".join(lines))


TABLES_OWN = "listener 1883 127.0.0.1"
SAFE = (
    "password_file /p",
    "acl_file /a",
    "listener 8883",
    "certfile /c",
    "listener 1883 127.0.0.1",
)


@pytest.mark.parametrize(
    ("lines", "wanted", "word"),
    [
        (SAFE, Outcome.FINE, "8883"),
        ((*SAFE, "allow_anonymous true"), Outcome.FAULT, "without a password"),
        ((*SAFE, "listener 1884 0.0.0.0"), Outcome.FAULT, "1884"),
        ((*SAFE, "per_listener_settings true"), Outcome.FAULT, "per_listener"),
        (SAFE[1:], Outcome.FAULT, "no passwords"),
        ((*SAFE[:2], TABLES_OWN), Outcome.NOTE, "no seat reaches it"),
        (("listener x",), Outcome.FAULT, "cannot be read"),
    ],
)
def test_the_brokers_files_are_read(tmp_path, lines, wanted, word):
    mosquitto(tmp_path, *lines)
    found = doors.broker(t, tmp_path)
    assert outcome(found) is wanted
    assert word in found.found


def test_the_kits_own_configuration_of_the_broker_is_fine(tmp_path):
    mosquitto(tmp_path)
    folder = tmp_path / "etc/mosquitto/conf.d"
    tls = Authority.make().equip(folder, "mafia.local")
    write_broker(folder, "club", {"table": "x"}, tls, address="0.0.0.0", daemon=True)
    assert outcome(doors.broker(t, tmp_path)) is Outcome.FINE


def test_no_broker_is_a_fault(tmp_path):
    assert outcome(doors.broker(t, tmp_path)) is Outcome.FAULT


def test_ports_that_listen_are_found_by_whom_they_are_open_to():
    with socket.create_server(("127.0.0.1", 0)) as near, socket.create_server(("", 0)) as far:
        found = doors.listening(Path("/"))
        assert doors.Open("127.0.0.1", near.getsockname()[1]) in found
        assert doors.Open("0.0.0.0", far.getsockname()[1]) in found
        port = str(far.getsockname()[1])
        said = doors.ports(t, Path("/"), None)
        assert outcome(said) is Outcome.NOTE
        assert port in said.found
        assert str(near.getsockname()[1]) not in said.found


TCP = """  sl  local_address rem_address   st tx_queue rx_queue
   0: 0100007F:075B 00000000:0000 0A 00000000:00000000
   1: 00000000:{port:04X} 00000000:0000 0A 00000000:00000000
   2: 0501A8C0:9999 0801A8C0:01BB 01 00000000:00000000
"""


@pytest.mark.skipif(sys.byteorder != "little", reason="the table is a little-endian machine's")
@pytest.mark.parametrize(("port", "wanted"), [(8080, Outcome.FINE), (23, Outcome.NOTE)])
def test_a_port_that_is_not_the_kits_is_named(tmp_path, port, wanted):
    (tmp_path / "proc/net").mkdir(parents=True)
    (tmp_path / "proc/net/tcp").write_text(TCP.format(port=port))
    found = doors.ports(t, tmp_path, a_card(tmp_path))
    assert outcome(found) is wanted
    assert str(port) in found.found


@pytest.mark.parametrize(
    ("bind", "nginx", "wanted", "at"),
    [
        ("0.0.0.0", False, Outcome.FINE, "0.0.0.0:8080:"),
        ("127.0.0.1", False, Outcome.NOTE, "127.0.0.1:8080:"),
        # As on a card: nginx stands before it.
        ("127.0.0.1", True, Outcome.FINE, "80, 443:"),
    ],
)
def test_who_reads_the_scoreboard_is_told(tmp_path, bind, nginx, wanted, at):
    if nginx:
        (tmp_path / "etc/nginx/conf.d").mkdir(parents=True)
        (tmp_path / "etc/nginx/conf.d/mafia.conf").touch()
    card = a_card(tmp_path, scoreboard=ScoreboardCard(bind=bind))
    found = doors.scoreboard(t, tmp_path, card)
    assert outcome(found) is wanted
    assert found.found.startswith(at)


# ---- what is missing ----


def test_users_and_units_are_missed_until_they_are_there(tmp_path):
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n")
    assert outcome(parts.users(t, tmp_path)) is Outcome.NOTE
    assert outcome(parts.units(t, tmp_path)) is Outcome.NOTE
    (tmp_path / "etc/passwd").write_text("mafia-table:x:990:990::/:/usr/sbin/nologin\n")
    unit = tmp_path / "etc/systemd/system/mafia-table.service"
    shutil.copy(ROOT / "systemd/mafia-table.service", unit)
    assert outcome(parts.users(t, tmp_path)) is Outcome.FINE
    assert outcome(parts.units(t, tmp_path)) is Outcome.FINE
    unit.write_text(unit.read_text().replace("LimitCORE=0", "LimitCORE=infinity"))
    found = parts.units(t, tmp_path)
    assert outcome(found) is Outcome.FAULT
    assert "LimitCORE=0" in found.found


def test_a_voice_that_cannot_speak_is_a_fault(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    found = parts.programs(t, a_card(tmp_path, voice="espeak"))
    assert outcome(found) is Outcome.FAULT
    assert "espeak-ng" in found.found
    assert "alsa-utils" in found.remedy


# ---- the command ----


def run(*arguments):
    done = CliRunner().invoke(table, ["doctor", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_thing_is_a_line_with_its_remedy_and_no_secret(path, language):
    path.chmod(0o644)
    code, out = run("--card", path, "--language", language)
    assert code == 1
    assert f"chmod 600 {path}" in out
    assert "only-the-table" not in out
    lines = [line for line in out.splitlines() if not line.lstrip().startswith("->")]
    assert len(lines) >= 14


def test_a_wrong_card_is_told_and_the_rest_is_looked_at_all_the_same(tmp_path):
    code, out = run("--card", tmp_path / "none.toml")
    assert code == 78
    assert "none.toml" in out
    assert "kit 0." in out


def test_the_pins_are_drawn(path):
    code, out = run("--card", path, "--pins", "--language", "de")
    assert code == 0
    assert "GPIO" in out
    assert "●" in out
