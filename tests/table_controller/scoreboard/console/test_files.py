"""The host's page of files, on a real table: what may be had, when, and what is never in it."""

import io
import logging
import re
import shutil
import zipfile
from pathlib import Path

import msgspec
import pytest

from firmware import card as cards
from firmware.card import LinkCard, ScoreboardCard, TableCard
from firmware.errors import JournalError
from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.game import SEATS, Phase, actions
from table_controller.host import bundle, upkeep
from table_controller.host.ordering import ConsoleRequest
from table_controller.host.orders import HostOrder, Undo
from table_controller.host.recent_log import RecentLog
from table_controller.record.entries import FORMAT, Row
from table_controller.record.examine import examine
from table_controller.record.journal import Journal
from table_controller.record.journals import NOBODY
from table_controller.record.records import GAMES_MAX, Records
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.files import Shelf
from table_controller.scoreboard.serve import serve

GOLDEN = Path(__file__).parents[3] / "golden" / "journals" / f"{FORMAT}.db"
GAME = "20260102-180000-5c2f45be"
PIN, PASSWORD = "40718263", "only-the-table-knows"
ROLE_WORDS = re.compile(
    r"\b(?:citizen|sheriff|don)\b|\bmafia\b(?![-_/.])|шериф|мафи|\bдон\b", re.IGNORECASE
)
"""In the names of programs, folders and topics "mafia" tells nothing."""


class Site:
    """The page in front of the rig's table, and a host who is logged in."""

    def __init__(self, rig, folder, clock):
        self.rig, self.ended = rig, []
        self.card_path = folder / "kit.toml"
        self.card = TableCard(
            table="club",
            link=LinkCard(host="127.0.0.1", port=1883, password=PASSWORD),
            data_dir=str(rig.folder.parent),
            players=("Anna Secret",),
            scoreboard=ScoreboardCard(pin_hash="scrypt$abc"),
        )
        cards.save(self.card_path, self.card)
        self.answers = True
        self.serve_orders()
        pin = PinFile(folder / FILE)
        pin.write(PIN)
        self.log = RecentLog()
        shelf = Shelf(rig.folder, self.card_path, self.card, rig.sheets, self.put, self.log)
        access = Access(pin, clock)
        self.app = create_app(rig.hub, "en", access=access, shelf=shelf)
        self.client = self.app.test_client()
        page = self.client.get("/host/login", base_url="http://localhost").text
        self.client.post("/host/login", data={"pin": PIN, "csrf": csrf_of(page)})

    def serve_orders(self):
        """Let the rig's table carry out the page's orders, as the program does."""
        end = lambda: self.ended.append(self.rig.state)  # noqa: E731
        upkeep.serve(self.rig.table.orders, self.rig.table.playing, self.rig.journals, end)

    def put(self, request, reply):
        if self.answers:
            self.rig.table.take(ConsoleRequest(request, reply))
            self.rig.settle()

    def get(self, path="", **more):
        # A sheet is drafted now and then: the page is not newer.
        self.rig.advance(1.0)
        return self.client.get(f"/host/files{path}", buffered=True, **more)

    def post(self, what, **form):
        page = self.get().text
        (number,) = re.findall(rf'files/{what}[^>]*>\s*.*\s*.*name="id" value="([^"]+)"', page)
        form = {"csrf": csrf_of(page), "id": number} | form
        return self.client.post(f"/host/files/{what}", data=form)


def csrf_of(page):
    return re.search(r'name="csrf" value="([^"]*)"', page)[1]


@pytest.fixture
def site(rig, tmp_path, clock, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    site = Site(rig, tmp_path, clock)
    with site.log:
        yield site


@pytest.fixture
def old_game(rig):
    """A game of an earlier evening, which is over."""
    shutil.copyfile(GOLDEN, rig.folder / f"{GAME}.db")
    rig.journals.name_current(NOBODY)


def order(rig, action):
    answers = []
    rig.table.take(HostOrder(action, answers.append))
    rig.settle()
    assert answers == [""]


def to_the_calls_of_the_night(rig):
    rig.to_first_day()
    for seat in SEATS:
        rig.until(lambda seat=seat: rig.state.floor == seat)
        rig.end_floor(seat)
    rig.until_phase(Phase.CALLING)


def running(rig):
    return rig.journals.current_game()


# ---- games ----


@pytest.mark.usefixtures("old_game")
def test_a_finished_game_is_listed_and_sent_whole(site):
    assert f"/host/files/games/{GAME}.jsonl" in site.get().text
    answer = site.get(f"/games/{GAME}.jsonl")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{GAME}.jsonl"'
    rows = [msgspec.json.decode(line, type=Row) for line in answer.data.splitlines()]
    assert rows == examine(GOLDEN).rows
    assert answer.headers["Cache-Control"] == "no-store"


def test_of_the_game_that_is_played_nothing_is_sent_and_the_reason_is_told(rig, site):
    rig.all_hold()
    answer = site.get(f"/games/{running(rig)}.jsonl")
    assert answer.status_code == 409
    assert answer.text == "This game is being played: nothing of it leaves the table.\n"
    page = site.get().text
    assert f"{running(rig)}.jsonl" not in page
    assert f"{running(rig)}: is not over" in page


def test_a_game_ended_without_a_result_is_sent_once_the_next_has_begun(rig, site):
    rig.all_hold()
    first = running(rig)
    order(rig, actions.Void())
    assert site.get(f"/games/{first}.jsonl").status_code == 409
    assert f"{first}.jsonl" not in site.get().text
    order(rig, Undo(len(rig.table.playing.past.targets) - 1))
    assert site.get(f"/games/{first}.jsonl").status_code == 409
    order(rig, actions.Void())
    rig.all_hold()
    rig.all_hold()
    assert running(rig) != first
    answer = site.get(f"/games/{first}.jsonl")
    assert (answer.status_code, answer.data.count(b"\n")) == (200, len(rows_of(rig, first)))


def rows_of(rig, game):
    return examine(rig.folder / f"{game}.db").rows


def test_a_game_that_broke_off_stays_with_the_table(rig, site):
    rig.all_hold()
    name = "20250101-180000-aa"
    shutil.copyfile(rig.folder / f"{running(rig)}.db", rig.folder / f"{name}.db")
    assert site.get(f"/games/{name}.jsonl").status_code == 409


@pytest.mark.parametrize("name", ["20990101-000000-aa", "..%2Fhost.pin", "current", "x" * 80])
def test_what_is_no_game_is_not_there(site, name):
    assert site.get(f"/games/{name}.jsonl").status_code == 404


@pytest.mark.usefixtures("old_game")
def test_one_is_sent_at_a_time(site):
    first = site.client.get(f"/host/files/games/{GAME}.jsonl")
    again = site.client.get(f"/host/files/games/{GAME}.jsonl")
    assert (again.status_code, again.headers["Retry-After"]) == (503, "3")
    first.close()
    assert site.client.get(f"/host/files/games/{GAME}.jsonl").status_code == 200


def test_what_was_refused_holds_nobody_up(rig, site, old_game):
    rig.all_hold()
    assert site.get(f"/games/{running(rig)}.jsonl").status_code == 409
    assert site.get(f"/games/{GAME}.jsonl").status_code == 200


def test_a_record_that_is_too_long_is_refused(site, old_game, monkeypatch):
    monkeypatch.setattr("table_controller.record.records.BYTES_MAX", 100)
    answer = site.get(f"/games/{GAME}.jsonl")
    assert answer.status_code == 409
    assert "too long" in answer.text


def test_older_games_are_a_page_further_and_each_is_read_once(rig, site, monkeypatch):
    for number in range(GAMES_MAX + 2):
        shutil.copyfile(GOLDEN, rig.folder / f"20260102-1800{number:02}-5c2f45be.db")
    rig.journals.name_current(NOBODY)
    looks = []
    monkeypatch.setattr(
        "table_controller.record.records.examine", lambda path: looks.append(path) or examine(path)
    )
    page = site.get().text
    assert page.count(".jsonl") == GAMES_MAX
    (older,) = re.findall(r'href="([^"]*before[^"]*)"', page)
    rest = site.client.get(older.replace("&amp;", "&")).text
    assert rest.count(".jsonl") == 2
    assert "before=" not in rest
    site.get()
    assert len(looks) == len(set(looks)) == GAMES_MAX + 2


# ---- backups ----


def test_a_backup_is_made_when_a_host_asks_and_twice_the_same_click_is_one(rig, site):
    rig.all_hold()
    before = len(rig.journals.backups.all())
    page = site.get().text
    (number,) = re.findall(r'name="id" value="([0-9a-f]+)"', page)
    for _ in range(2):
        answer = site.post("backup", id=number)
        assert (answer.status_code, answer.headers["Location"]) == (
            303, "/host/files?lang=en&done=backup",
        )  # fmt: skip
    assert "The backup is made." in site.get("?done=backup").text
    made = rig.journals.backups.all()[before:]
    assert [path.name.split(".")[2] for path in made] == ["asked"]
    assert examine(made[0]).rows == rows_of(rig, running(rig))


def test_the_size_of_a_backup_is_told_of_games_that_are_over(rig, site):
    rig.all_hold()
    shown = re.findall(r"UTC: start of the game(, \d+ kB)?", site.get().text)
    assert shown == [""]
    order(rig, actions.Void())
    rig.all_hold()
    rig.all_hold()
    shown = re.findall(r"UTC: start of the game(, \d+ kB)?", site.get().text)
    assert shown[0] == ""
    assert re.fullmatch(r", \d+ kB", shown[1])


def test_by_night_no_backup_is_made_and_no_log_is_sent(rig, site):
    to_the_calls_of_the_night(rig)
    before = rig.journals.backups.all()
    answer = site.post("backup")
    assert answer.status_code == 409
    assert 'role="alert">Not by night.' in answer.text
    assert site.get("/fault.zip").status_code == 409
    order(rig, actions.Pause())
    assert site.post("backup").status_code == 409, "the pause of a night is night"
    assert site.get("/fault.zip").status_code == 409
    assert rig.journals.backups.all() == before


def test_from_nightfall_to_morning_no_press_moves_the_page(rig, site):
    to_the_calls_of_the_night(rig)
    still = re.compile(r'value="[^"]*"')
    page = still.sub("", site.get().text)
    rig.press(*range(1, 11))
    assert still.sub("", site.get().text) == page


def test_without_a_game_there_is_nothing_to_copy(site):
    answer = site.post("backup")
    assert answer.status_code == 409
    assert "There is no game to copy." in answer.text


def test_a_disk_that_takes_no_copy_does_not_stop_the_game(rig, site, monkeypatch):
    rig.all_hold()

    def full(self, path):
        raise JournalError(f"journal {path}: database or disk is full")

    monkeypatch.setattr(Journal, "backup", full)
    answer = site.post("backup")
    assert answer.status_code == 409
    assert "The disk takes no copy" in answer.text
    assert not rig.table.playing.halted
    assert rig.table.playing.runs


def test_a_table_that_does_not_answer_is_not_waited_for_for_ever(site, monkeypatch):
    monkeypatch.setattr("table_controller.scoreboard.console.files.ANSWER_S", 0.01)
    site.answers = False
    answer = site.post("backup")
    assert answer.status_code == 503
    assert "it is not known whether it was done" in answer.text


# ---- the off switch ----


def test_the_table_is_switched_off_after_a_second_look(rig, site):
    rig.all_hold()
    page = site.get().text
    details = re.search(r"<details>.*?</details>", page, re.DOTALL)[0]
    assert "/host/files/shutdown" in details
    assert "Yes, switch it off" in details
    assert site.ended == []
    answer = site.post("shutdown")
    assert "The table switches itself off now." in answer.text
    assert "<form" not in answer.text
    assert len(site.ended) == 1


def test_a_rehearsal_has_no_machine_to_switch_off(rig, site):
    rig.table.orders._served.clear()
    upkeep.serve(rig.table.orders, rig.table.playing, rig.journals, None)
    answer = site.post("shutdown")
    assert (answer.status_code, site.ended) == (409, [])


def test_the_stop_button_and_the_order_end_the_table_alike(rig):
    rig.all_hold()
    rig.buttons.end(rig.now_s)
    assert rig.buttons.stopped
    assert rig.state.paused


# ---- the door ----


@pytest.mark.parametrize("path", ["", "/fault.zip", f"/games/{GAME}.jsonl"])
@pytest.mark.usefixtures("old_game")
def test_nobody_but_the_host_has_any_of_it(site, path):
    stranger = site.app.test_client()
    assert stranger.get(f"/host/files{path}").status_code == 403


@pytest.mark.parametrize("what", ["backup", "shutdown"])
def test_a_form_of_another_page_orders_nothing(rig, site, what):
    rig.all_hold()
    before = rig.journals.backups.all()
    for form in ({}, {"csrf": "x"}):
        assert site.client.post(f"/host/files/{what}", data=form).status_code == 403
    assert (rig.journals.backups.all(), site.ended) == (before, [])


# ---- what is in it ----


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as bundle:
        assert bundle.testzip() is None
        return {name: bundle.read(name).decode() for name in bundle.namelist()}


def test_the_bundle_tells_log_doctor_versions_and_card(site):
    logging.getLogger("table_controller").warning("lights: bad\nhandle")
    answer = site.get("/fault.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="mafia-club.zip"'
    parts = unzipped(answer.data)
    assert re.search(r"^\S+\+00:00 W table_controller: lights: bad$", parts["log.txt"], re.M)
    assert "SD card" in parts["doctor.txt"]
    assert re.search(r"^mafia-table-kit \d", parts["versions.txt"], re.M)
    assert "link.port = 1883\n" in parts["card.txt"]


@pytest.mark.usefixtures("old_game")
def test_during_a_game_no_role_pin_or_password_is_in_anything(rig, site, caplog):
    caplog.set_level("DEBUG")
    to_the_calls_of_the_night(rig)
    rig.until_phase(Phase.SPEECH)
    site.post("backup")
    seed = rig.show.started.seed
    texts = dict(unzipped(site.get("/fault.zip").data))
    texts |= {language: site.get(f"?lang={language}").text for language in LANGUAGES}
    texts["refusal"] = site.get(f"/games/{running(rig)}.jsonl").text
    assert "begins" in texts["log.txt"], "the game is in the log"
    for name, text in texts.items():
        assert len(text) > 50, name
        for secret in (PIN, PASSWORD, seed, "scrypt", "Anna Secret"):
            assert secret not in text, name
        winners = re.compile("The mafia wins|Мафия|Die Mafia")
        assert ROLE_WORDS.findall(winners.sub("", text)) == [], name


@pytest.mark.parametrize("field", ["password", "pin_hash", "players"])
def test_what_the_card_keeps_to_itself_stays_there(site, field):
    told = bundle.card_text(site.card)
    for secret in (PASSWORD, "scrypt", "Anna"):
        assert secret not in told
    assert f"{field} = 1" in told or field not in told


def test_the_log_is_kept_to_a_length(monkeypatch):
    monkeypatch.setattr("table_controller.host.recent_log.LINE_MAX", 10)
    with RecentLog() as recent:
        logging.getLogger("x").warning("%s", "y" * 1000)
        for number in range(2100):
            logging.getLogger("x").warning("%d", number)
    logging.getLogger("x").warning("after")
    lines = recent.text().splitlines()
    assert (len(lines), lines[-1].endswith(": 2099")) == (2000, True)
    assert "yyyyyyyyyyy" not in recent.text()


def test_a_folder_that_is_empty_is_no_fault(tmp_path):
    records = Records(tmp_path / "none", over=lambda: True)
    assert (records.games(), records.backups()) == ([], [])


# ---- in the browser ----


@pytest.fixture
def url(rig, site):
    server = serve(site.app, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.port}"
    server.stop()


@pytest.fixture
def open_page(chromium, url):
    contexts = []

    def visit(language="en", **options):
        viewport = {"width": 360, "height": 740}
        contexts.append(chromium.new_context(viewport=viewport, locale=language, **options))
        page = contexts[-1].new_page()
        page.set_default_timeout(20_000)
        page.goto(f"{url}/host/login")
        page.locator("#pin").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/host")
        page.goto(f"{url}/host/files")
        return page

    yield visit
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("old_game")
def test_nothing_bars_a_person_and_all_is_big_enough_to_hit(open_page, faults_of, language):
    page = open_page(language)
    assert page.get_attribute("html", "lang") == language
    page.locator("summary").click()
    assert faults_of(page) == []
    for part in page.locator("a, button, summary").all():
        assert part.bounding_box()["height"] >= 44, part.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
@pytest.mark.usefixtures("old_game")
def test_a_host_takes_a_record_home_and_makes_a_backup_by_keyboard(rig, open_page, tmp_path):
    # The table's loop is this thread's: a game begins before the browser asks for anything.
    rig.all_hold()
    rig.advance(1.0)
    page = open_page(java_script_enabled=False)
    with page.expect_download() as loading:
        page.get_by_role("link", name="2026-01-02").click()
    loading.value.save_as(tmp_path / "game.jsonl")
    assert loading.value.suggested_filename == f"{GAME}.jsonl"
    assert len((tmp_path / "game.jsonl").read_bytes().splitlines()) == len(examine(GOLDEN).rows)
    page.get_by_role("button", name="Make a backup now").focus()
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("The backup is made.").wait_for()
    assert "asked for" in page.inner_text("ol")
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Yes, switch it off"
