import re

import pytest

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import IDLE_S, ONE, Access
from table_controller.scoreboard.console.door import OPEN

PIN, OTHER = "40718263", "99999999"
PUBLIC = {
    "/",
    "/state",
    "/events",
    "/healthz",
    "/words/end.json",
    "/qr.svg",
    "/rules",
    "/gestures",
    "/devices",
    "/help",
    "/help/host",
    "/privacy",
    "/static/<path:filename>",
}
HTML = {"Accept": "text/html,*/*;q=0.8"}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    file = PinFile(tmp_path / FILE)
    file.write(PIN)
    return file


@pytest.fixture
def app(hub, file, clock):
    return create_app(hub, "en", access=Access(file, clock))


class Phone:
    """A browser of the LAN: by TLS through nginx, unless told otherwise."""

    def __init__(self, app, address="192.168.4.2", tls=True, **environ):
        self.client = app.test_client()
        self.environ = {
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_X_FORWARDED_FOR": address,
            "HTTP_X_FORWARDED_PROTO": "https" if tls else "http",
        } | environ

    def ask(self, method, path, **options):
        options = {"headers": HTML, "environ_overrides": self.environ} | options
        scheme = self.environ.get("HTTP_X_FORWARDED_PROTO", "http")
        return self.client.open(
            path, method=method, base_url=f"{scheme}://mafia.local", buffered=True, **options
        )

    def get(self, path, **options):
        return self.ask("GET", path, **options)

    def post(self, path, **options):
        return self.ask("POST", path, **options)

    def log_in(self, pin=PIN, **form):
        page = self.get("/host/login")
        return self.post("/host/login", data={"pin": pin, "csrf": csrf_of(page)} | form)


@pytest.fixture
def phone(app):
    return Phone(app)


def csrf_of(page):
    return re.search(r'name="csrf" value="([^"]*)"', page.text)[1]


def cookies_of(answer):
    return {line.partition("=")[0]: line for line in answer.headers.getlist("Set-Cookie")}


# ---- default deny ----


def test_every_rule_is_public_by_name_or_behind_the_door(app):
    """A page that somebody adds is in no list: it must be under /host."""
    rules = {str(rule) for rule in app.url_map.iter_rules()}
    behind = {rule for rule in rules if re.match(r"/host(/|$)", rule)}
    assert rules - behind == PUBLIC
    assert behind >= {"/host", "/host/login", "/host/logout"}


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_without_a_session_nothing_behind_the_door_is_reached(app, phone, method):
    rules = [
        rule for rule in app.url_map.iter_rules()
        if str(rule).startswith("/host") and rule.endpoint not in OPEN
    ]  # fmt: skip
    paths = [re.sub(r"<[^>]*>", "1", str(rule)) for rule in rules]
    for path in [*paths, "/host/", "/host/not/there", "/host/../host"]:
        answer = phone.ask(method, path)
        assert (answer.status_code, answer.headers.get("Location")) == (303, "/host/login"), path
        assert phone.ask(method, path, headers={"Accept": "text/event-stream"}).status_code == 403


def test_a_page_that_is_added_later_is_behind_the_door_by_itself(app, phone):
    @app.route("/host/orders", methods=["GET", "POST"])
    def orders():
        return "orders"

    assert phone.get("/host/orders").status_code == 303
    assert phone.post("/host/orders").status_code == 303
    phone.log_in()
    csrf = csrf_of(phone.get("/host"))
    assert phone.get("/host/orders").text == "orders"
    assert phone.post("/host/orders").status_code == 403
    assert phone.post("/host/orders", data={"csrf": csrf[:-1]}).status_code == 403
    assert phone.post("/host/orders", data={"csrf": csrf}).text == "orders"
    assert phone.post("/host/orders", headers={"X-CSRF-Token": csrf}).text == "orders"


@pytest.mark.parametrize(
    "path",
    ["//host", "/host//", "/HOST", "/%68ost", "/host%2F", "/./host", "/host;a", "/static/../host"],
)
def test_no_spelling_of_the_path_goes_round_the_door(phone, path):
    assert phone.get(path).status_code in (303, 308, 404)
    assert "logged in" not in phone.get(path, follow_redirects=True).text


# ---- in and out ----


def test_the_pin_lets_in_and_logging_out_ends_it(phone):
    answer = phone.log_in()
    assert (answer.status_code, answer.headers["Location"]) == (303, "/host")
    page = phone.get("/host")
    assert page.status_code == 200
    assert "You are logged in as the host." in page.text
    assert phone.get("/host/login").headers["Location"] == "/host"
    token = phone.client.get_cookie("mafia_host", "mafia.local", "/host").value
    assert phone.post("/host/logout", data={"csrf": "x"}).status_code == 403
    assert phone.get("/host").status_code == 200
    out = phone.post("/host/logout", data={"csrf": csrf_of(page)})
    assert (out.status_code, out.headers["Location"]) == (303, "/host/login")
    phone.client.set_cookie("mafia_host", token, domain="mafia.local", path="/host")
    assert phone.get("/host").status_code == 303, "the old cookie opens nothing"


def test_a_session_that_has_ended_asks_for_the_pin_again(phone, clock):
    phone.log_in()
    clock.advance(IDLE_S)
    assert phone.get("/host").headers["Location"] == "/host/login"


def test_the_cookie_is_for_the_hosts_pages_alone(app):
    by_tls = cookies_of(Phone(app).log_in())["mafia_host"]
    assert re.fullmatch(
        r"mafia_host=[\w-]{43}; Secure; HttpOnly; Path=/host; SameSite=Strict", by_tls
    )
    here = Phone(app, REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="127.0.0.1", tls=False)
    plain = cookies_of(here.log_in())["mafia_host"]
    assert re.fullmatch(r"mafia_host=[\w-]{43}; HttpOnly; Path=/host; SameSite=Strict", plain)


def test_a_log_in_gives_a_new_session_and_ends_the_one_before(phone):
    phone.log_in()
    old = phone.client.get_cookie("mafia_host", "mafia.local", "/host").value
    form = Phone.get(phone, "/host/login")
    assert form.status_code == 303
    phone.client.set_cookie("mafia_form", "f", domain="mafia.local", path="/host")
    phone.post("/host/login", data={"pin": PIN, "csrf": "f"})
    assert phone.client.get_cookie("mafia_host", "mafia.local", "/host").value != old
    phone.client.set_cookie("mafia_host", old, domain="mafia.local", path="/host")
    assert phone.get("/host").status_code == 303


def test_a_form_of_another_page_is_not_looked_at(app, file):
    phone = Phone(app)
    for form in ({"csrf": ""}, {"csrf": "x"}, {"csrf": "п"}):
        answer = phone.log_in(**form)
        assert answer.status_code == 400
        assert "This page was too old" in answer.text
    bare = Phone(app).post("/host/login", data={"pin": PIN})
    assert (bare.status_code, "mafia_host" in cookies_of(bare)) == (400, False)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "This PIN is wrong."), ("ru", "Неверный ПИН-код."), ("de", "Diese PIN ist falsch.")],
)
def test_a_wrong_pin_is_said_and_then_waited_for(app, clock, language, words):
    phone = Phone(app)
    page = phone.get("/host/login", headers={"Accept-Language": language} | HTML)
    for _ in range(ONE.free):
        data = {"pin": OTHER, "csrf": csrf_of(page)}
        page = phone.post(f"/host/login?lang={language}", data=data)
        assert page.status_code == 403
        assert words in page.text
        assert 'role="alert"' in page.text
    page = phone.post(f"/host/login?lang={language}", data={"pin": PIN, "csrf": csrf_of(page)})
    assert (page.status_code, page.headers["Retry-After"]) == (429, "5")
    assert "5 " in re.search(r'role="alert">([^<]*)', page.text)[1]
    clock.advance(5.0)
    page = phone.post(f"/host/login?lang={language}", data={"pin": PIN, "csrf": csrf_of(page)})
    assert page.status_code == 303


def test_one_phones_waits_are_its_own_although_one_proxy_speaks_for_all(app):
    stranger, host = Phone(app, "192.168.4.66"), Phone(app, "192.168.4.2")
    for _ in range(ONE.free + 1):
        last = stranger.log_in(OTHER)
    assert last.status_code == 429
    assert host.log_in().status_code == 303


def test_without_a_pin_the_page_says_what_to_run(app, file):
    file.path.unlink()
    page = Phone(app).get("/host/login")
    assert page.status_code == 503
    assert "mafia-table pin" in page.text
    assert Phone(app).log_in().status_code == 503


# ---- TLS only ----


@pytest.mark.parametrize(
    "environ",
    [
        {"REMOTE_ADDR": "192.168.4.2"},
        {"REMOTE_ADDR": "192.168.4.2", "HTTP_X_FORWARDED_PROTO": "https"},
        {"REMOTE_ADDR": "192.168.4.2", "HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_PROTO": "http"},
    ],
)
def test_without_tls_the_hosts_pages_are_refused_to_the_lan(app, environ):
    phone = Phone(app)
    phone.environ |= environ
    for method, path in (("GET", "/host"), ("GET", "/host/login"), ("POST", "/host/login")):
        answer = phone.ask(method, path)
        assert answer.status_code == 403
        assert "https://mafia.local/host" in answer.text
        assert "Set-Cookie" not in answer.headers
    assert phone.get("/state").status_code == 200


def test_the_controller_itself_needs_no_tls(app):
    client = app.test_client()
    assert client.get("/host/login").status_code == 200


# ---- what every page carries ----


def test_the_hosts_pages_are_kept_by_no_browser_and_framed_by_none(phone):
    pages = [phone.get("/host/login"), phone.log_in(OTHER), phone.log_in(), phone.get("/host")]
    pages.append(phone.get("/host/none"))
    for page in pages:
        assert page.headers["Cache-Control"] == "no-store"
        policy = page.headers["Content-Security-Policy"]
        assert "form-action 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert page.headers["Referrer-Policy"] == "no-referrer"
        inline = r'<script(?! type="(application/json|module)")|style=|<style|\son\w+=|//'
        assert re.findall(inline, page.text) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_speak_the_language_that_was_asked(phone, language):
    answer = phone.get(f"/host/login?lang={language}")
    assert f'<html lang="{language}">' in answer.text
    heading = {"en": "Host", "ru": "Ведущий", "de": "Spielleiter"}[language]
    assert f"<h1>{heading}</h1>" in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/none", 404),
        ("POST", "/state", 405),
        ("TRACE", "/", 405),
        ("GET", "/host/none", 404),
    ],
)
def test_errors_are_one_plain_line(phone, method, path, status):
    phone.log_in()
    answer = phone.ask(method, path)
    assert answer.status_code == status
    assert re.fullmatch(rf"{status} [A-Z][A-Za-z ]+\n", answer.text)
    assert answer.mimetype == "text/plain"


def test_a_mistake_of_ours_shows_nothing_of_itself(app, phone, caplog):
    @app.get("/host/broken")
    def broken():
        raise RuntimeError("the seed is 1234")

    phone.log_in()
    app.config["PROPAGATE_EXCEPTIONS"] = False
    answer = phone.get("/host/broken")
    assert (answer.status_code, answer.text) == (500, "500 Internal Server Error\n")
    assert not app.debug
    assert not app.testing


def test_a_form_that_is_too_long_is_not_read(phone):
    phone.get("/host/login")
    assert phone.post("/host/login", data={"pin": "1" * 20_000}).status_code == 413
    many = {"csrf": "x"} | {f"f{number}": "1" for number in range(2000)}
    assert phone.post("/host/login", data=many).status_code in (400, 413)
    junk = phone.post(
        "/host/login", data=b"\xff\x00=&&=%zz", content_type="application/x-www-form-urlencoded"
    )
    assert junk.status_code == 400


def test_neither_pin_nor_session_is_on_a_page_in_a_log_or_in_an_error(app, phone, caplog):
    caplog.set_level("DEBUG")
    pages = [phone.log_in(OTHER), phone.log_in(), phone.get("/host"), phone.get(f"/host/{PIN}")]
    token = phone.client.get_cookie("mafia_host", "mafia.local", "/host").value
    pages += [
        phone.post("/host", data={"pin": PIN}),
        phone.post("/host/login", data={"pin": PIN, "csrf": "x"}),
        phone.get("/state"),
        phone.get("/healthz"),
        phone.get("/"),
    ]
    bodies = "".join(page.text for page in pages) + caplog.text
    for secret in (PIN, OTHER, token):
        assert secret not in bodies
    heads = "".join(str(page.headers) for page in pages if "mafia_host" not in cookies_of(page))
    assert token not in heads
