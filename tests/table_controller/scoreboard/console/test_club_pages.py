"""The host's pages about players, bars and appeals, as a browser without scripts sends them."""

import datetime
import html
import io
import re

import pytest
from msgspec.structs import replace

from firmware.pin import FILE, PinFile
from firmware.words import LANGUAGES
from table_controller.game.terms import Offence
from table_controller.league import Case, Entry, Verdict, open_league
from table_controller.league.games import Seen
from table_controller.league.players import Person
from table_controller.record.finished import finished_game
from table_controller.record.offenders import Offender
from table_controller.scoreboard import create_app
from table_controller.scoreboard.console.access import Access
from table_controller.scoreboard.console.club import Club
from table_controller.scoreboard.console.players import SHOWN_MAX, UPLOAD_MAX
from tests.table_controller.golden_record import golden_rows

PIN = "40718263"
GAME = "20261130-200000-aabbccdd"
BORIS = Offender(GAME, "2026-11-30T20:10:00", 4, "Борис", Offence.THREATS, True, True)
GUEST = Offender(GAME, "2026-11-30T20:12:00", 7, "Xenia", Offence.FORBIDDEN_GESTURE, False, False)
PATHS = ("/host/players", "/host/bars", "/host/bars/new", "/host/appeals", "/host/appeals/new")


@pytest.fixture
def league(tmp_path, clock):
    league = open_league(tmp_path / "league.db", clock)
    for name in ("Anna", "Борис", "Clara"):
        league.players.add(Entry(name))
    yield league
    league.close()


@pytest.fixture
def today(league):
    return league.today()


@pytest.fixture
def offenders():
    """Who the last games name; a test may change it."""
    return [BORIS, GUEST]


@pytest.fixture
def app(hub, clock, tmp_path, league, offenders, monkeypatch):
    monkeypatch.setattr("firmware.pin.N", 2)
    pin = PinFile(tmp_path / FILE)
    pin.write(PIN)
    club = Club(league, lambda: offenders)
    return create_app(hub, "en", access=Access(pin, clock), club=club)


class Host:
    """A host's browser."""

    def __init__(self, app):
        self.client = app.test_client()
        csrf = self.csrf_of(self.client.get("/host/login"))
        self.client.post("/host/login", data={"pin": PIN, "csrf": csrf})

    @staticmethod
    def csrf_of(page):
        return re.search(r'name="csrf" value="([^"]*)"', page.text)[1]

    def get(self, path):
        return self.client.get(path)

    def post(self, path, **data):
        """Send a form, then follow to the page that it leads to."""
        csrf = self.csrf_of(self.get("/host/players"))
        answer = self.client.post(path, data={"csrf": csrf} | data)
        if answer.status_code != 303:
            return answer
        assert answer.location.startswith("/host/")
        return self.get(answer.location)


@pytest.fixture
def host(app):
    return Host(app)


def said(page):
    """What the page says was done."""
    return re.findall(r'role="status">(.*?)<', page.text)


def faults(page):
    """What is said beside fields, by field: only of one that points at its fault."""
    found = {}
    for field, about in re.findall(
        r'name="(\w+)"[^>]*aria-invalid="true" aria-describedby="([^" ]+)"', page.text
    ):
        text = re.search(rf'id="{about}">(.*?)<', page.text)
        found[field] = html.unescape(text[1])
    return found


def names(league):
    return [each.name for each in league.find()]


# ---- the door ----


def test_none_of_it_is_there_without_a_session(app, host):
    stranger = app.test_client()
    for path in PATHS:
        assert stranger.get(path).status_code == 403
        assert host.get(path).status_code == 200


def test_nothing_is_changed_without_the_forms_token(app, host, league):
    posts = [str(rule) for rule in app.url_map.iter_rules() if "POST" in rule.methods]
    mine = [p for p in posts if re.match(r"/host/(players|bars|appeals|games)", p)]
    assert len(mine) == 16
    for path in mine:
        path = re.sub("<.*?>", "x", path)
        assert host.client.post(path, data={"name": "Dora"}).status_code == 403
    assert "Dora" not in names(league)


# ---- players ----


def test_a_player_is_added_found_and_changed(host, league):
    page = host.post("/host/players/add", name=" Дора ", nick="Лиса", club="Nord")
    assert said(page) == ["The player is added."]
    dora = league.players.get("Дора")
    page = host.get("/host/players?q=ЛИС")
    assert re.findall(r'<a href="/host/players/(\w+)', page.text) == [dora.id]
    page = host.post(f"/host/players/{dora.id}", name="Dora", nick="", club="Süd")
    assert said(page) == ["It is changed."]
    assert league.players.get(dora.id).club == "Süd"


def test_a_name_that_is_taken_is_said_beside_the_field_and_stays_typed(host, league):
    page = host.post("/host/players/add", name="ANNA", nick="N" * 25, club="<b>")
    assert page.status_code == 422
    assert "25 letters" in faults(page)["nick"]
    assert 'value="&lt;b&gt;"' in page.text
    page = host.post("/host/players/add", name="ANNA", nick="N", club="")
    assert faults(page) == {"name": "Anna: there is a player of that name"}
    assert 'value="ANNA"' in page.text
    clara = league.players.get("Clara")
    page = host.post(f"/host/players/{clara.id}", name="anna", nick="", club="")
    assert faults(page) == {"name": "Anna: there is a player of that name"}
    assert names(league) == ["Anna", "Clara", "Борис"]


def test_a_long_list_is_cut_and_says_so(host, league):
    league.players.take(Entry(f"Player {n:03}") for n in range(SHOWN_MAX + 5))
    page = host.get("/host/players")
    assert len(re.findall(r'<a href="/host/players/\w{12}\?', page.text)) == SHOWN_MAX
    assert "8 more: type more of the name." in page.text


def test_players_and_guests_are_seated_and_removed(host, league):
    anna = league.players.get("Anna")
    assert said(host.post("/host/players/seat", who=anna.id)) == ["At the table now."]
    page = host.post("/host/players/seat", who="Xenia")
    assert "At the table: 2 of 10" in page.text
    assert re.findall(r"Xenia <small>(.*?)<", page.text) == ["guest"]
    assert league.players.last_ten() == (Person(anna.id, "Anna"), Person("", "Xenia"))
    page = host.post("/host/players/seat", who="xenia")
    assert faults(page) == {"who": "xenia is there twice"}
    assert said(host.post("/host/players/unseat", who="Xenia")) == ["No longer at the table."]
    host.post("/host/players/unseat", who=anna.id)
    assert league.players.last_ten() == ()


def test_a_barred_player_is_not_seated_by_id_nor_as_a_guest(host, league, today):
    league.bars.put("Борис", today, last_day=None, reason="x", decided_by="Olga")
    for who in (league.players.get("Борис").id, "БОРИС"):
        page = host.post("/host/players/seat", who=who)
        assert page.status_code == 422
        assert faults(page) == {"who": "Борис is barred for good"}
    assert league.players.last_ten() == ()


# ---- a file ----


def upload(host, raw, name="players.csv"):
    return host.post("/host/players/import", file=(io.BytesIO(raw), name))


def test_a_file_is_read_in_and_the_same_again_changes_nothing(host, league):
    raw = "name;nick;club\nДора;Лиса;Nord\nANNA;;\n".encode("utf-8-sig")
    assert said(upload(host, raw)) == ["1 added, 1 changed, 0 known already"]
    before = league.find()
    assert said(upload(host, raw)) == ["0 added, 0 changed, 2 known already"]
    assert league.find() == before


def test_of_a_file_with_faults_all_are_told_and_the_good_lines_are_read_in(host, league):
    page = upload(host, f"name,nick\n,x\nDora,{'y' * 25}\nEva,z\n".encode())
    assert page.status_code == 200
    assert said(page) == ["1 added, 0 changed, 0 known already"]
    told = html.unescape(re.search(r'id="file-fault">.*?</ul>', page.text, re.S)[0])
    assert "The rest is read in, but not:" in told
    assert re.findall("<li>(.*?)</li>", told) == [
        "line 2, name: expected something here",
        f"line 3, nick: '{'y' * 24}…': 25 letters; expected 24 at most",
    ]
    assert names(league) == ["Anna", "Clara", "Eva", "Борис"]


def test_a_file_without_a_good_line_changes_nothing(host, league):
    page = upload(host, b"name,nick\n,x\n")
    assert page.status_code == 422
    assert "Nothing was read in:" in page.text
    assert names(league) == ["Anna", "Clara", "Борис"]


def test_an_older_spreadsheets_file_is_read_in_when_it_is_said_what_it_is(host, league):
    raw = "name;nick\nДора;Ёж\n".encode("cp1251")
    assert upload(host, raw).status_code == 422
    page = host.post(
        "/host/players/import", file=(io.BytesIO(raw), "x.csv"), encoding="windows-1251"
    )
    assert said(page) == ["1 added, 0 changed, 0 known already"]
    assert "Дора" in names(league)


def test_no_file_and_one_that_is_none_are_said_so(host):
    for raw in (b"", b"\x89PNG\r\n\x1a\n\xff\xfe"):
        page = upload(host, raw)
        assert page.status_code == 422
        assert 'id="file-fault"' in page.text


def test_a_thousand_players_fit_in_an_upload_and_more_is_refused_with_the_way(host, league):
    lines = [f"Фамилия Имя {n:04},nick {n:04},Клуб" for n in range(1000)]
    raw = ("name,nick,club\n" + "\n".join(lines)).encode()
    assert len(raw) < UPLOAD_MAX - 1024
    assert said(upload(host, raw)) == ["1000 added, 0 changed, 0 known already"]
    page = upload(host, b"name\n" + b"x" * UPLOAD_MAX)
    assert page.status_code == 413
    assert "mafia-table players import FILE" in page.text


def test_other_forms_take_no_more_than_before(host):
    assert host.post("/host/players/add", name="x" * 17_000).status_code == 413


def test_a_name_is_taken_away_when_it_is_typed_once_more(host, league):
    anna = league.players.get("Anna")
    page = host.post(f"/host/players/{anna.id}/anonymise", name="Ann")
    assert (page.status_code, names(league)) == (422, ["Anna", "Clara", "Борис"])
    assert faults(page) == {"name": "expected Anna: it cannot be undone"}
    page = host.post(f"/host/players/{anna.id}/anonymise", name="anna")
    assert said(page) == ["The name is gone; the games stay."]
    assert names(league) == ["Clara", "Борис"]
    assert host.get(f"/host/players/{anna.id}").status_code == 404
    assert host.post(f"/host/players/{anna.id}/anonymise", name="anna").status_code == 404


def test_the_name_of_who_is_barred_stays(host, league, today):
    anna = league.players.get("Anna")
    league.bars.put("Anna", today, last_day=None, reason="x", decided_by="Olga")
    page = host.post(f"/host/players/{anna.id}/anonymise", name="Anna")
    assert page.status_code == 422
    assert "the bar needs the name" in faults(page)["name"]
    assert league.bar_of("Anna", today) is not None


# ---- bars ----


def test_after_a_game_a_bar_is_offered_with_all_that_is_known(host, league, today):
    page = host.get("/host/bars")
    links = re.findall(r'href="(/host/bars/new\?[^"]*game[^"]*)"', page.text)
    assert len(links) == 2
    page = host.get(html.unescape(links[0]))
    values = dict(re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', page.text))
    assert (values["who"], values["game"], values["seat"]) == ("Борис", GAME, "4")
    assert values["last_day"] == (today + datetime.timedelta(days=28)).isoformat()
    assert '<option value="threats" selected>' in page.text
    form = {
        "who": "Борис", "game": GAME, "seat": "4", "offence": "threats", "time": "until",
        "last_day": values["last_day"], "reason": "Threats at the table", "decided_by": "Olga",
    }  # fmt: skip
    assert said(host.post("/host/bars/new", **form)) == ["The player is barred."]
    bar = league.bar_of("Борис", today)
    assert (bar.game, bar.seat, bar.offence, bar.decided_by) == (GAME, 4, "threats", "Olga")
    assert str(bar.last_day) == values["last_day"]
    left = re.findall(r'href="/host/bars/new\?[^"]*seat=(\d+)', host.get("/host/bars").text)
    assert left == ["7"]


def test_a_bar_for_good_of_a_guest(host, league, today):
    form = {"time": "good", "reason": "x", "decided_by": "Olga", "last_day": ""}
    host.post("/host/bars/new", who="Xenia", game=GAME, seat="7", **form)
    bar = league.bar_of("xenia", today)
    assert (bar.last_day, bar.seat) == (None, 7)
    assert "Xenia" in names(league)


@pytest.mark.parametrize(
    ("wrong", "field", "why"),
    [
        ({"last_day": "soon"}, "last_day", "expected a day, as 2027-01-31"),
        (
            {"last_day": "1999-12-31"},
            "last_day",
            "December 31, 1999 is over; expected today or later",
        ),
        ({"reason": ""}, "reason", "expected something here"),
        ({"decided_by": " "}, "decided_by", "expected something here"),
        ({"who": ""}, "who", "expected something here"),
    ],
)
def test_what_a_bar_lacks_is_said_beside_its_field(host, league, today, wrong, field, why):
    day = today + datetime.timedelta(days=1)
    form = {
        "who": "Anna", "time": "until", "last_day": day.isoformat(), "reason": "x",
        "decided_by": "Olga",
    }  # fmt: skip
    page = host.post("/host/bars/new", **(form | wrong))
    assert page.status_code == 422
    assert faults(page) == {field: why}
    assert league.bars.all() == ()


@pytest.mark.parametrize(
    ("hidden", "why"),
    [
        ({"game": "../../x", "seat": "4"}, "That is no seat of a finished game."),
        ({"game": GAME, "seat": "99"}, "That is no seat of a finished game."),
        ({"game": GAME}, "That is no seat of a finished game."),
        ({"seat": "4"}, "That is no seat of a finished game."),
        ({"game": GAME, "seat": "4"}, "expected Борис, who had that seat"),
    ],
)
def test_a_bar_for_what_no_game_knows_is_refused(host, league, hidden, why):
    form = {"who": "Anna", "time": "good", "reason": "x", "decided_by": "Olga"}
    page = host.post("/host/bars/new", **form, **hidden)
    assert page.status_code == 422
    assert why in html.unescape(page.text)
    assert league.bars.all() == ()


def test_a_form_sent_twice_bars_once(host, league):
    form = {"who": "Борис", "time": "good", "reason": "x", "decided_by": "Olga"}
    form |= {"game": GAME, "seat": "4"}
    assert host.post("/host/bars/new", **form).status_code == 200
    page = host.post("/host/bars/new", **form)
    assert page.status_code == 422
    assert faults(page) == {"who": "Борис is barred for that game already"}
    assert len(league.bars.all()) == 1


def test_a_bar_is_lifted_with_who_and_why(host, league, today):
    bar = league.bars.put("Anna", today, last_day=None, reason="x", decided_by="Olga")
    page = host.post(f"/host/bars/{bar.id}", decided_by="", reason="")
    assert faults(page) == {"decided_by": "expected something here"}
    page = host.post(f"/host/bars/{bar.id}", decided_by="Pjotr", reason="It is enough.")
    assert said(page) == ["The bar is lifted."]
    assert "It is enough." in page.text
    assert league.bar_of("Anna", today) is None
    assert host.post(f"/host/bars/{bar.id}", decided_by="P", reason="").status_code == 422


# ---- appeals ----


def test_an_appeal_is_taken_down_noted_and_upheld(host, league, today):
    bar = league.bars.put(
        "Борис", today, last_day=None, reason="x", decided_by="Olga", game=GAME, seat=4
    )
    page = host.get("/host/appeals/new")
    assert html.unescape(page.text).count("Борис: Threats, seat 4") == 1
    form = {"case": f"{GAME}/4", "text": "I said nothing.\nNothing.", "by": "Olga"}
    page = host.post("/host/appeals/new", **form)
    assert said(page) == ["The appeal is taken down."]
    (appeal,) = league.appeals.all()
    assert f"{GAME}/4" not in host.get("/host/appeals/new").text
    page = host.post(f"/host/appeals/{appeal.id}/note", text="Anna heard it.", by="Pjotr")
    assert said(page) == ["The note is added."]
    form = {"verdict": "upheld", "text": "A joke.", "by": "Pjotr"}
    page = host.post(f"/host/appeals/{appeal.id}/decide", **form)
    assert said(page) == ["The appeal is decided."]
    assert re.findall(r"<li><b>(.*?)</b>, (.*?),", page.text) == [
        ("taken down", "Olga"), ("note", "Pjotr"), ("upheld", "Pjotr"),
    ]  # fmt: skip
    assert '<section aria-labelledby="decide">' not in page.text
    assert league.appeals.points_removed(GAME) == {4}
    assert league.bars.all()[0].id == bar.id
    assert league.bars.all()[0].lifted_by == "Pjotr"
    page = host.post(f"/host/appeals/{appeal.id}/decide", **(form | {"verdict": "rejected"}))
    assert page.status_code == 422
    assert league.appeals.get(appeal.id).state is Verdict.UPHELD


def test_what_an_appeal_lacks_is_said_beside_its_field(host, league):
    page = host.post("/host/appeals/new", case="made/up", text="x", by="Olga")
    assert set(faults(page).values()) == {"Choose what the appeal is against."}
    page = host.post("/host/appeals/new", case=f"{GAME}/4", text="x", by="")
    assert faults(page) == {"by": "expected something here"}
    assert f'value="{GAME}/4" checked' in page.text
    appeal = league.appeals.take(Case("Борис", GAME, 4, "threats"), text="x", by="Olga")
    page = host.post(f"/host/appeals/{appeal.id}/decide", text="why", by="Olga")
    assert set(faults(page).values()) == {"expected upheld or rejected"}
    assert league.appeals.get(appeal.id).state is Verdict.OPEN


def test_an_appeal_against_a_bar_of_no_game(host, league, today):
    bar = league.bars.put("Anna", today, last_day=None, reason="x", decided_by="Olga")
    assert "Anna: barred for good" in host.get("/host/appeals/new").text
    host.post("/host/appeals/new", case=bar.id, text="Why?", by="Olga")
    assert league.appeals.all()[0].bar == bar.id


# ---- all of them ----


def test_what_is_gone_is_said_so(host):
    for path in ("players/none", "bars/none", "appeals/none"):
        page = host.get(f"/host/{path}")
        assert page.status_code == 404
        assert "nothing at this address" in page.text
    for path in ("players/none", "bars/none"):
        assert host.post(f"/host/{path}", name="x", decided_by="x").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_stays_in_its_language_whatever_is_done(host, league, language):
    for path in PATHS:
        page = host.get(f"{path}?lang={language}")
        assert f'<html lang="{language}">' in page.text
        inside = re.findall(r'(?:href|action)="(/host[^"]*)"', page.text)
        assert inside
        assert [each for each in inside if f"lang={language}" not in each] == []
    page = host.post(f"/host/players/add?lang={language}", name="Dora", nick="", club="")
    assert f'<html lang="{language}">' in page.text


def test_a_file_that_breaks_under_way_is_said_and_the_scoreboard_stays(host, league, tmp_path):
    import sqlite3

    db = sqlite3.connect(tmp_path / "league.db")
    db.execute("drop table sitting")
    db.close()
    page = host.get("/host/players")
    assert page.status_code == 503
    assert "The club's file cannot be used now" in page.text
    assert host.get("/state").status_code == 200


# ---- players who changed since ----


def bar_link(host):
    """Return the values of the form behind the link that offers to bar seat 4."""
    links = re.findall(r'href="(/host/bars/new\?[^"]*seat=4[^"]*)"', host.get("/host/bars").text)
    page = host.get(html.unescape(links[0]))
    return dict(re.findall(r'name="(\w+)"[^>]* value="([^"]*)"', page.text))


def test_a_player_who_was_renamed_since_the_game_is_barred_from_its_link(
    host, league, offenders, today
):
    boris = league.players.get("Борис")
    offenders[:] = [replace(BORIS, player=boris.id)]
    league.players.change(boris.id, Entry("Boris the Second"))
    values = bar_link(host)
    assert values["who"] == "Boris the Second"
    form = {"time": "good", "reason": "x", "decided_by": "Olga"}
    page = host.post("/host/bars/new", **(values | form))
    assert said(page) == ["The player is barred."]
    assert league.bar_of(boris.id, today).seat == 4
    assert [each.name for each in league.find("bor")] == ["Boris the Second"]


def test_the_old_name_of_a_renamed_player_bars_nobody_else(host, league, offenders):
    boris = league.players.get("Борис")
    offenders[:] = [replace(BORIS, player=boris.id)]
    league.players.change(boris.id, Entry("Boris the Second"))
    other = league.players.add(Entry("Борис"))
    form = {"time": "good", "reason": "x", "decided_by": "Olga", "game": GAME, "seat": "4"}
    page = host.post("/host/bars/new", who="Борис", **form)
    assert faults(page) == {"who": "expected Boris the Second, who had that seat"}
    assert league.bars.all(other.id) == ()


def test_a_renamed_player_appeals_under_the_new_name(host, league, offenders):
    boris = league.players.get("Борис")
    offenders[:] = [replace(BORIS, player=boris.id)]
    league.players.change(boris.id, Entry("Boris the Second"))
    host.post("/host/appeals/new", case=f"{GAME}/4", text="no", by="Olga")
    (appeal,) = league.appeals.all()
    assert (appeal.player, appeal.name) == (boris.id, "Boris the Second")


def test_a_guest_who_was_given_the_seat_as_a_player_is_barred_as_one(
    host, league, offenders, today
):
    league.games.keep(finished_game(golden_rows(game=GAME), "club"))
    league.games.seat(Seen(GAME, 1, "Olga", "a member"), 4, "Clara")
    form = {"time": "good", "reason": "x", "decided_by": "Olga"}
    host.post("/host/bars/new", **(bar_link(host) | form))
    assert league.bar_of("Clara", today).game == GAME


def test_who_wants_no_name_any_more_is_offered_for_no_bar(host, league, offenders):
    boris = league.players.get("Борис")
    league.games.keep(finished_game(golden_rows(game=GAME), "club"))
    league.games.seat(Seen(GAME, 1, "Olga", "a member"), 4, boris.id)
    league.anonymise(boris.id)
    for path in ("/host/bars", "/host/appeals/new"):
        assert "Борис" not in host.get(path).text
