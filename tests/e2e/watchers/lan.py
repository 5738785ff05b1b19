"""Watcher (b): a phone on the LAN, which asks for all that the table's web server has.

The paths are those of the running program, so that a page of later is looked at too.
"""

import http.client
import itertools
import json
import re
import threading
from pathlib import Path
from urllib.parse import urlparse

from tests.e2e.watchers import plain

HOST = "/host"
"""Prefix of the host's pages."""

HOLE = re.compile(r"<(?:(\w+)(?:\([^)]*\))?:)?\w+>")
"""A part of a path that is filled in: werkzeug's ``<int:seat>``."""

SAMPLES = {"int": ("3",), "float": ("1.0",), "uuid": ("00000000-0000-0000-0000-000000000001",)}
"""What a hole is filled with, by its kind."""

WORDS = ("3", "current")
"""The same of a kind that takes any word: the number of a seat, and what there might be."""

SELDOM = (
    # It asks the doctor, who takes seconds.
    (re.compile(r"\.zip$"), 100),
    (re.compile(r"^/static/"), 25),
    (re.compile(r"^text/(html|plain)$"), 4),
)
"""By path or kind of content: what is slow to make is asked for at one look of so many; whatever
else there is, the states above all, at each."""

PATIENCE_S = 60.0
"""With an answer; only a failing test waits that long."""


def paths_of(rules, static):
    """Return every path that can be got, of *rules* ({rule, methods}) and files in *static*."""
    found = []
    for rule in rules:
        if "GET" not in rule["methods"]:
            continue
        holes = HOLE.findall(rule["rule"])
        if holes == ["path"]:
            files = sorted(p.relative_to(static) for p in static.rglob("*") if p.is_file())
            found += [HOLE.sub(str(path), rule["rule"]) for path in files]
            continue
        for words in itertools.product(*(SAMPLES.get(kind, WORDS) for kind in holes)):
            filled = iter(words)
            found.append(HOLE.sub(lambda _, filled=filled: next(filled), rule["rule"]))
    return sorted(set(found))


class Stream(threading.Thread):
    """Holds one stream and reads it to its end."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.events = []
        self._answer = answer
        self.start()

    def run(self):
        lines = []
        try:
            while line := self._answer.readline():
                if line != b"\n":
                    lines.append(line)
                    continue
                # The clock alone brings beats.
                if lines and lines[0] != b"event: beat\n":
                    self.events.append(plain.page(b"".join(lines)))
                lines = []
        except (OSError, ValueError, AttributeError):
            return  # Its connection was closed.


class Pages:
    """Asks for *paths* again and again, and holds those that are streams. For one thread."""

    def __init__(self, address, paths, cookies=None):
        self.told = {path: [] for path in paths}
        """By path: (status, headers, body) at each look."""
        self.streams = {}
        self._netloc = urlparse(address).netloc
        kept = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
        self._headers = {"Accept": "*/*"} | ({"Cookie": kept} if kept else {})
        self._lines = []
        self._line = self._connect()
        self._looks, self._every = 0, {}

    def look(self):
        """Ask for all pages once."""
        for path, answers in self.told.items():
            if path not in self.streams and not self._looks % self._every.get(path, 1):
                answers.append(self._ask(path))
        self._looks += 1

    def recording(self):
        """Return what was told, by path; of a stream its events."""
        return {
            path: [answers[0], *self.streams[path].events] if path in self.streams else answers
            for path, answers in self.told.items()
        }

    def close(self):
        for line in self._lines:
            if line.sock is not None:
                line.sock.shutdown(2)
            line.close()

    def _connect(self):
        self._lines.append(http.client.HTTPConnection(self._netloc, timeout=PATIENCE_S))
        return self._lines[-1]

    def _ask(self, path):
        self._line.request("GET", path, headers=self._headers)
        answer = self._line.getresponse()
        if answer.headers.get_content_type() != "text/event-stream":
            body, kind = answer.read(), answer.headers.get_content_type()
            seldom = (n for of, n in SELDOM if of.search(path) or of.search(kind))
            self._every[path] = next(seldom, 1)
            return answer.status, plain.headers(answer.getheaders(), len(body)), plain.page(body)
        self.streams[path] = Stream(answer)
        self._line = self._connect()
        return answer.status, plain.headers(answer.getheaders(), 0), b""


def served(house):
    """Return the paths of the running table, by whether they are the host's."""
    rules = json.loads((house.folder / "rules.json").read_text())
    import table_controller.scoreboard as scoreboard

    paths = paths_of(rules, Path(scoreboard.__file__).parent / "static")
    return {own: [p for p in paths if p.startswith(HOST) is own] for own in (False, True)}


class LanWatcher(Pages):
    """Records every page, stream and header that whoever is on the LAN can get."""

    def __init__(self, house):
        paths = served(house)
        # To whom the host's door is shut its answer must not tell either.
        super().__init__(house.address, paths[False] + paths[True])
