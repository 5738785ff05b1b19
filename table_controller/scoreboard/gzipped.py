"""Answers that travel compressed: the public ones, and only where the browser asked for it.

A host's page is never among them: it holds secrets beside what a request may choose, and
the length of the two compressed together tells of the secret (BREACH). nginx, which serves
those by TLS, compresses nothing either.
"""

import gzip
from typing import Final

from flask import Flask, Response, request

from table_controller.scoreboard.console.door import is_host_path

_TEXTS: Final = frozenset(
    {"text/html", "text/css", "text/javascript", "application/json", "image/svg+xml", "text/csv"}
)
"""Not ``text/event-stream``: its events must leave at once."""

_WORTH: Final = 512
"""Bytes from which on it saves a packet."""


def add_gzip(app: Flask) -> None:
    """Let *app* compress what is public, long enough, and text."""

    @app.after_request
    def compress(answer: Response) -> Response:
        if answer.mimetype not in _TEXTS or is_host_path(request.path):
            return answer
        answer.vary.add("Accept-Encoding")
        if (
            answer.status_code != 200
            or request.method == "HEAD"
            or answer.headers.get("Set-Cookie")
            or "Content-Encoding" in answer.headers
            or not request.accept_encodings["gzip"]
        ):
            return answer
        answer.direct_passthrough = False  # a file's, which is read here
        plain = answer.get_data()
        if len(plain) < _WORTH:
            return answer
        answer.set_data(gzip.compress(plain, compresslevel=6, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
        etag, _ = answer.get_etag()
        if etag is not None:
            answer.set_etag(etag, weak=True)  # the same text in other bytes
        return answer
