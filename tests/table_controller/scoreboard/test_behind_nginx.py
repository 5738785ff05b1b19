"""The pages as a card serves them: a real nginx with the kit's configuration in front."""

import contextlib
import datetime
import http.client
import os
import pwd
import re
import shutil
import signal
import socket
import ssl
import subprocess
import urllib.parse
from types import SimpleNamespace

import pytest

from firmware import tls as kits_tls
from firmware.certificates import WEB, Authority, renew_web
from firmware.clock import SystemClock
from firmware.image.nginx_conf import write_nginx
from firmware.mosquitto import free_port
from firmware.pin import FILE, PinFile
from table_controller.league import open_league
from table_controller.scoreboard.console.access import ONE, Access
from table_controller.scoreboard.console.club import Club

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
pytestmark = pytest.mark.skipif(
    NGINX is None, reason="nginx is not installed: sudo apt install nginx"
)

PIN, OTHER = "40718263", "99999999"
START_S = 15.0
DAY_S = 86400
CARD_AGE = datetime.timedelta(days=600)
"""Long enough for the certificate of the pages to be renewed, and it still holds."""
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextlib.contextmanager
def nginx(folder, include):
    """Run nginx with *include*, as Debian's own file would have it; nothing outside *folder*."""
    main, log = folder / "nginx.conf", folder / "error.log"
    user = f"user {pwd.getpwuid(os.geteuid()).pw_name};" if os.geteuid() == 0 else ""
    temporary = "".join(f"{name}_temp_path {folder}/{name};\n" for name in TEMPORARY)
    main.write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {log}; worker_processes 1;\n"
        # As Debian 12 has it; a second one of the same level would be an error.
        "events {}\nhttp { ssl_protocols TLSv1 TLSv1.1 TLSv1.2; gzip on; keepalive_timeout 65;\n"
        f"access_log {folder}/access.log;\n{temporary} include {include}; }}\n"
    )
    process = subprocess.Popen([NGINX, "-c", str(main), "-e", str(log)], stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)


def wait_for(port, process):
    for _ in range(int(START_S / 0.1)):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
            pytest.fail(process.stderr.read().decode())
    pytest.fail("nginx does not listen")


@pytest.fixture
def card(tmp_path, serving, hub, clock, monkeypatch):
    """A table program with nginx before it."""
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    league = open_league(tmp_path / "league.db", clock)
    club = Club(league, tuple)
    app = serving(hub, access=Access(pin, clock), beat_s=0.2, club=club)
    plain, tls = free_port(), free_port()
    kit, web = tmp_path / "kit", tmp_path / "web"
    for folder in (kit, web):
        folder.mkdir()
    made = SystemClock().wall() - CARD_AGE
    Authority.kept(kit).delegate(web, made, "mafia.local", "127.0.0.1")
    include = tmp_path / "mafia.conf"
    write_nginx(
        include, web / WEB, app_port=app.port,
        http_port=plain, https_port=tls, address="127.0.0.1",
    )  # fmt: skip
    with nginx(tmp_path, include) as process:
        wait_for(tls, process)
        yield SimpleNamespace(
            app=app, plain=plain, tls=tls, ca=kit / "ca.crt", folder=tmp_path, process=process,
            league=league,
        )  # fmt: skip
    league.close()


class Browser:
    """Sends requests from *address*, by TLS that is checked against the kit's authority."""

    def __init__(self, card, address="127.0.0.5", tls=True):
        self.port = card.tls if tls else card.plain
        self.address = address
        self.context = ssl.create_default_context(cafile=card.ca) if tls else None
        self.cookies = {}

    def connect(self):
        options = {"timeout": 15, "source_address": (self.address, 0)}
        if self.context is None:
            return http.client.HTTPConnection("127.0.0.1", self.port, **options)
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.context, **options)

    def ask(self, method, path, body=None, **headers):
        line = self.connect()
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Accept": "text/html", "Host": f"mafia.local:{self.port}"} | headers
        if kept:
            sent["Cookie"] = kept
        if body is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        line.request(method, path, body, sent)
        answer = line.getresponse()
        text = answer.read().decode()
        for given in answer.headers.get_all("Set-Cookie", []):
            name, _, value = given.partition("=")
            self.cookies[name] = value.partition(";")[0]
        line.close()
        return SimpleNamespace(status=answer.status, text=text, headers=answer.headers)

    def log_in(self, pin=PIN, **headers):
        page = self.ask("GET", "/host/login", **headers)
        csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)[1]
        form = urllib.parse.urlencode({"pin": pin, "csrf": csrf})
        return self.ask("POST", "/host/login", form, **headers)


def test_the_host_logs_in_by_tls_and_out_again(card):
    phone = Browser(card)
    answer = phone.log_in()
    assert (answer.status, answer.headers["Location"]) == (303, "/host")
    cookie = next(c for c in answer.headers.get_all("Set-Cookie") if c.startswith("mafia_host"))
    assert {"Secure", "HttpOnly", "Path=/host", "SameSite=Strict"} <= set(cookie.split("; "))
    page = phone.ask("GET", "/host")
    assert page.status == 200
    assert page.headers.get_all("Cache-Control") == ["no-store"]
    assert len(page.headers.get_all("Content-Security-Policy")) == 1
    csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)[1]
    assert phone.ask("POST", "/host/logout", f"csrf={csrf}").status == 303
    assert phone.ask("GET", "/host").headers["Location"] == "/host/login"


def shown_certificate(card, name="mafia.local"):
    with socket.create_connection(("127.0.0.1", card.tls), 15) as line:
        secure = kits_tls.context(card.ca).wrap_socket(line, server_hostname=name)
        with secure:
            return secure.getpeercert()


def test_its_certificate_holds_for_phones_and_a_renewed_one_is_shown_after_a_new_start(card):
    first = shown_certificate(card)
    assert shown_certificate(card, "127.0.0.1") == first
    begins, ends = (ssl.cert_time_to_seconds(first[at]) for at in ("notBefore", "notAfter"))
    assert ends - begins < 825 * DAY_S, "iPhones refuse more"
    assert renew_web(card.folder / "web", SystemClock().wall())
    card.process.send_signal(signal.SIGHUP)
    for _ in range(2000):
        if (second := shown_certificate(card))["serialNumber"] != first["serialNumber"]:
            break
    assert ssl.cert_time_to_seconds(second["notAfter"]) > ends


@pytest.mark.parametrize("path", ["/host", "/host/login", "/host/x?y=1"])
def test_without_tls_the_hosts_pages_are_sent_to_tls(card, path):
    answer = Browser(card, tls=False).ask("GET", path)
    assert answer.status == 302
    assert answer.headers["Location"] == f"https://mafia.local:{card.tls}{path}"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "path", ["//host", "/./host", "/%68ost", "/x/../host", "/HOST", "/host%2Flogin"]
)
def test_no_spelling_of_the_path_brings_the_form_without_tls(card, path):
    answer = Browser(card, tls=False).ask("GET", path)
    assert answer.status in (302, 308, 400, 403, 404)
    assert "csrf" not in answer.text


def test_a_claim_to_come_by_tls_or_from_the_controller_is_overwritten(card):
    claims = {
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "127.0.0.1",
        "Forwarded": "for=127.0.0.1;proto=https",
        "X_Forwarded_For": "127.0.0.1",
    }
    stranger = Browser(card, "127.0.0.66")
    for _ in range(ONE.free):
        assert stranger.log_in(OTHER, **claims).status == 403
    assert stranger.log_in(**claims).status == 429
    assert Browser(card, "127.0.0.5").log_in().status == 303
    plain = Browser(card, "127.0.0.66", tls=False)
    assert "mafia.local" in plain.ask("GET", "/state", **claims).headers.get(
        "Location", "mafia.local"
    )
    assert plain.ask("GET", "/host/login", **claims).status == 302


@pytest.mark.parametrize("tls", [False, True])
def test_the_scoreboard_is_live_both_ways_and_its_stream_is_not_held_back(card, hub, boards, tls):
    viewer = Browser(card, tls=tls)
    assert "Waiting for players" in viewer.ask("GET", "/").text
    line = viewer.connect()
    line.request("GET", "/events", headers={"Host": "mafia.local"})
    stream = line.getresponse()
    assert stream.headers["Content-Type"].startswith("text/event-stream")
    assert stream.readline() == b"retry: 1000\n"
    assert hub.wait(lambda hub: hub.streams == 1)
    hub.publish(boards["vote"])
    news = b""
    while b'"called":8' not in news:
        news = stream.readline()
    assert news.startswith(b"data: ")
    line.close()
    assert hub.wait(lambda hub: hub.streams == 0)


def test_streams_are_counted_by_the_viewers_own_address(card, hub):
    lines = [Browser(card, "127.0.0.7", tls=False).connect() for _ in range(5)]
    statuses = []
    for line in lines:
        line.request("GET", "/events", headers={"Host": "mafia.local"})
        statuses.append(line.getresponse().status)
    assert statuses == [200, 200, 200, 200, 503]
    other = Browser(card, "127.0.0.8", tls=False).connect()
    other.request("GET", "/events", headers={"Host": "mafia.local"})
    assert other.getresponse().status == 200
    for line in [*lines, other]:
        line.close()


def test_a_strangers_name_for_the_table_gets_nothing(card):
    for tls in (False, True):
        assert Browser(card, tls=tls).ask("GET", "/state", Host="evil.example").status == 421


def test_what_is_too_much_is_refused_in_one_line(card):
    phone = Browser(card)
    assert phone.ask("POST", "/host/login", "x" * 20_000).status == 413
    long = phone.ask("GET", "/", **{"X": "y" * 20_000})
    assert (long.status, long.text) == (400, "400\n")
    assert phone.ask("GET", "/none").text == "404 Not Found\n"
    for answer in (long, phone.ask("GET", "/"), phone.ask("POST", "/host/login", "x" * 20_000)):
        assert answer.headers.get("Server", "nginx") == "nginx", "without a version"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "nginx" not in answer.text


def test_a_file_of_players_comes_through_and_no_other_form_of_its_size(card):
    phone = Browser(card)
    phone.log_in()
    page = phone.ask("GET", "/host/players")
    csrf = re.search(r'name="csrf" value="([^"]*)"', page.text)[1]
    rows = "".join(f"Player {n:04},{'n' * 20},{'c' * 20}\n" for n in range(1000))
    head = 'Content-Disposition: form-data; name="'
    parts = (
        f'{head}csrf"\r\n\r\n{csrf}',
        f'{head}file"; filename="a.csv"\r\n\r\nname,nick,club\n{rows}',
    )
    body = "".join(f"--x\r\n{part}\r\n" for part in parts) + "--x--\r\n"
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = phone.ask("POST", "/host/players/import", body, **kind)
    assert answer.status == 200
    assert "1000 added" in answer.text
    assert len(card.league.find()) == 1000
    assert phone.ask("POST", "/host/players/add", body, **kind).status == 413
    assert phone.ask("POST", "/host/players/import", body + "x" * 9000, **kind).status == 413
    assert Browser(card, tls=False).ask("POST", "/host/players/import", "x").status == 302


def test_a_device_that_asks_too_often_is_refused_and_another_is_not(card):
    flood, phone = Browser(card, "127.0.0.66"), Browser(card, "127.0.0.5")
    statuses = [flood.ask("GET", "/healthz").status for _ in range(130)]
    assert statuses[:20] == [200] * 20
    assert statuses.count(429) > 5
    assert phone.ask("GET", "/healthz").status == 200


def test_old_tls_and_a_foreign_authority_are_refused(card):
    old = ssl.create_default_context(cafile=card.ca)
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    for context in (old, ssl.create_default_context()):
        phone = Browser(card)
        phone.context = context
        with pytest.raises(ssl.SSLError):
            phone.ask("GET", "/")


def test_while_the_table_program_is_away_nginx_says_so_in_one_line(card):
    card.app.server.stop()
    answer = Browser(card).ask("GET", "/host")
    assert (answer.status, answer.text) == (502, "502\n")


def test_what_nginx_writes_down_has_no_pin_and_no_session(card):
    phone = Browser(card)
    phone.log_in(OTHER)
    phone.log_in()
    phone.ask("GET", "/host")
    written = "".join(
        path.read_text(errors="replace") for path in card.folder.rglob("*.log") if path.is_file()
    )
    for secret in (PIN, OTHER, phone.cookies["mafia_host"]):
        assert secret not in written
    assert (card.folder / "mafia.conf").stat().st_mode & 0o777 == 0o600


@pytest.mark.browser
def test_a_phone_that_opens_the_short_address_comes_in_by_tls_and_stays_in(card, chromium):
    expect = pytest.importorskip("playwright.sync_api").expect
    context = chromium.new_context(locale="en", ignore_https_errors=True)
    context.set_default_timeout(20_000)
    page = context.new_page()
    short = f"http://127.0.0.1:{card.plain}/host"
    page.goto(short)
    assert page.url == f"https://127.0.0.1:{card.tls}/host/login"
    page.get_by_label("The host's PIN").fill(PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("You are logged in as the host.")
    kept = {cookie["name"]: cookie for cookie in context.cookies()}
    assert kept["mafia_host"]["secure"]
    again = context.new_page()
    again.goto(short)
    expect(again.locator("#said")).to_have_text("You are logged in as the host.")
    context.close()
