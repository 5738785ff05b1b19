"""The configuration of nginx, which stands before the table program on a card.

Filled from ``nginx.conf`` beside this file, for ``/etc/nginx/conf.d`` of a card
(where Debian's default site is taken away) and for the tests.

Source: nginx.org/en/docs, nginx 1.22 and 1.26.
"""

import string
from pathlib import Path
from typing import Final

from firmware.private import write_private

HTTP_PORT: Final = 80
HTTPS_PORT: Final = 443
APP_PORT: Final = 8080
"""Of the table program, unless its card says otherwise."""

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - phones and the TV of the club's LAN
HERE: Final = Path(__file__).parent


class _Template(string.Template):
    delimiter = "@"  # nginx has $ for itself


def write_nginx(
    path: Path,
    certificate: Path,
    *,
    app_port: int = APP_PORT,
    http_port: int = HTTP_PORT,
    https_port: int = HTTPS_PORT,
    address: str = EVERYWHERE,
) -> None:
    """Write the :func:`configuration` to *path*."""
    text = configuration(
        certificate,
        app_port=app_port,
        http_port=http_port,
        https_port=https_port,
        address=address,
    )
    write_private(path, text)


def configuration(
    certificate: Path,
    *,
    app_port: int = APP_PORT,
    http_port: int = HTTP_PORT,
    https_port: int = HTTPS_PORT,
    address: str = EVERYWHERE,
) -> str:
    """Return what nginx includes at the level of ``http``.

    *certificate* is of the names by which phones call the table, with what signed
    it and its key: see firmware/certificates.py. Only nginx and the table program
    read it. The table program listens at *app_port* on loopback, too.
    """
    text = (HERE / "nginx.conf").read_text(encoding="utf-8")
    suffix = "" if https_port == HTTPS_PORT else f":{https_port}"
    return _Template(text).substitute(
        certificate=certificate,
        app_port=app_port,
        http_port=http_port,
        https_port=https_port,
        https_suffix=suffix,
        address=address,
    )
