"""The club's file under a running table: pages beside commands, and a file that is bad."""

import json
import re
import subprocess
import sys

import pytest

from tests.e2e.test_host_door import Table

WHO = "Аристарх"


@pytest.fixture
def made(tmp_path):
    made = Table(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.stop()


class Host:
    """A host's browser, logged in."""

    def __init__(self, table):
        self.table = table
        _, _, self.cookies = table.log_in(table.new_pin())

    def get(self, path):
        return self.table.ask("GET", path, None, self.cookies)[:2]

    def post(self, path, **form):
        csrf = re.search(r'name="csrf" value="([^"]*)"', self.get("/host/players")[1])[1]
        return self.table.ask("POST", path, {"csrf": csrf} | form, self.cookies)[0]


def command(table, *arguments):
    program = [sys.executable, "-m", "table_controller", *arguments, "--card", str(table.card)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_pages_and_commands_work_on_one_file_while_the_table_runs(made):
    made.start()
    host = Host(made)
    assert command(made, "players", "add", WHO) == f"{WHO} is added\n"
    assert WHO in host.get("/host/players")[1]
    form = {"who": WHO.lower(), "time": "good", "reason": "Geheim 1", "decided_by": "Geheim 2"}
    assert host.post("/host/bars/new", **form) == 303
    assert command(made, "players", "list") == f"{WHO}  barred for good\n"
    case = re.search(r'name="case" value="([^"]*)"', host.get("/host/appeals/new")[1])[1]
    assert host.post("/host/appeals/new", case=case, text="Geheim 3", by="Geheim 4") == 303
    appeal = command(made, "appeals", "list").split()[0]
    decide = ("appeals", "decide", appeal, "upheld", "--reasons", "Geheim 5", "--by", "Geheim 6")
    command(made, *decide)
    assert "upheld" in host.get(f"/host/appeals/{appeal}")[1]
    assert command(made, "players", "list") == f"{WHO}\n"
    read = ("/", "/privacy", "/rules", "/gestures", "/devices", "/ratings", "/ratings.csv")
    for public in (*read, "/state", "/healthz"):
        status, text, *_ = made.ask("GET", public)
        assert status == 200
        assert not re.search(f"{WHO}|Geheim|{appeal}", text)
    said = made.stop()
    log = (made.folder / "table.log").read_text("utf-8")
    assert "logged in" in log
    assert not re.search(f"{WHO}|Geheim|{appeal}", said + log)


def test_a_bad_file_is_told_to_the_host_left_alone_and_the_table_runs(made):
    file = made.folder / "data" / "league.db"
    file.parent.mkdir(mode=0o700)
    file.write_bytes(b"no league" * 1000)
    made.start()
    host = Host(made)
    assert made.ask("GET", "/")[0] == 200
    assert host.get("/host/players")[0] == 404
    notices = json.loads(host.get("/host/state")[1])["sheet"]["notices"]
    assert [each["kind"] for each in notices] == ["club_fails"]
    assert "league.db" in notices[0]["text"]
    assert file.read_bytes() == b"no league" * 1000
