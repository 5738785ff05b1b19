"""The host's PIN on a running table: made by the command, typed in a browser, in no file or log."""

import http.client
import re
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

from firmware import card as cards
from firmware.card import LinkCard, ScoreboardCard, TableCard
from firmware.mosquitto import free_port

OTHER = "99999999"
START_S = 30.0


class Table:
    """A table program without a broker, at DEBUG; what it says goes to a file as to the journal."""

    def __init__(self, folder):
        self.folder = folder
        self.card = folder / "kit.toml"
        self.port = free_port()
        cards.save(
            self.card,
            TableCard(
                table="t1",
                link=LinkCard(host="127.0.0.1", port=free_port(), password="link"),
                data_dir=str(folder / "data"),
                lights=False,
                scoreboard=ScoreboardCard(bind="127.0.0.1", port=self.port),
            ),
        )
        self._log = (folder / "table.log").open("wb")
        self.process = None

    def start(self):
        program = [sys.executable, "-m", "table_controller", "run", "--card", str(self.card)]
        self.process = subprocess.Popen(
            [*program, "--log-level", "debug"], stdout=subprocess.PIPE, stderr=self._log
        )
        assert self.process.stdout.readline().startswith(b"Scoreboard: ")

    def stop(self):
        self.process.terminate()
        said = self.process.stdout.read()
        self.process.wait(START_S)
        self.process.stdout.close()
        self._log.close()
        return said.decode()

    def new_pin(self):
        done = subprocess.run(
            [sys.executable, "-m", "table_controller", "pin", "--card", str(self.card)],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        return re.search(r"\d{4} \d{4}", done.stdout)[0].replace(" ", "")

    def ask(self, method, path, form=None, cookies=None):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        kept = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
        headers = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
        body = urllib.parse.urlencode(form) if form else None
        line.request(method, path, body, headers | ({"Cookie": kept} if kept else {}))
        answer = line.getresponse()
        text = answer.read().decode()
        given = dict(
            each.partition(";")[0].split("=", 1)
            for each in answer.headers.get_all("Set-Cookie", [])
        )
        line.close()
        return answer.status, text, given

    def log_in(self, pin):
        _, page, cookies = self.ask("GET", "/host/login")
        csrf = re.search(r'name="csrf" value="([^"]*)"', page)[1]
        return self.ask("POST", "/host/login", {"csrf": csrf, "pin": pin}, cookies)


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    made.start()
    yield made
    if made.process.poll() is None:
        made.stop()


def test_a_pin_is_made_while_the_table_runs_and_is_nowhere_but_on_the_terminal(table):
    assert table.ask("GET", "/host/login")[0] == 503, "a service makes none by itself"
    first = table.new_pin()
    assert table.log_in(OTHER)[0] == 403
    status, _, session = table.log_in(first)
    assert status == 303
    assert "You are logged in" in table.ask("GET", "/host", cookies=session)[1]
    assert table.ask("POST", "/host", {"pin": first}, session)[0] == 403
    assert table.ask("POST", "/host/login", {"pin": first, "csrf": "x"})[0] == 400
    for _ in range(6):
        last = table.log_in(OTHER)[0]
    assert last == 429

    second = table.new_pin()
    assert table.ask("GET", "/host", cookies=session)[0] == 303, "the old one's session has ended"
    assert table.log_in(first)[0] == 403
    status, _, newer = table.log_in(second)
    assert status == 303, "the waits are forgotten"
    said = Path(f"/proc/{table.process.pid}/cmdline").read_text() + table.stop()
    log = (table.folder / "table.log").read_text()
    assert "wrong host PIN from 127.0.0.1" in log
    secrets = [first, second, OTHER, session["mafia_host"], newer["mafia_host"]]
    for path in table.folder.rglob("*"):
        if path.is_file():
            said += path.read_bytes().decode("latin-1")
    assert log in said
    assert [secret for secret in secrets if secret in said] == []
    pin_file = table.folder / "data" / "host.pin"
    assert pin_file.stat().st_mode & 0o777 == 0o600
