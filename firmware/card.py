"""A card's kit.toml: what this device is, read once and checked at the door.

A seat's card::

    kind = "seat"
    table = "club"            # 1-32 of a-z 0-9 -; the same on all cards of a table
    user = "node-03"          # node-01 ... node-12
    language = "en"           # en, ru; until the table says otherwise

    [link]
    host = "mafia.local"
    port = 8883
    password_file = "node-03.password"   # or: password = "..."
    ca = "ca.crt"             # authority of the broker's certificate; left out: no TLS

    [parts]
    shout = true              # the second button
    lamp = true
    screen = "ssd1306"        # ssd1306, sh1106, none
    eyes = false              # a camera and its process
    switch = "no"             # contact of the buttons: no (normally open), nc
    i2c_bus = 1
    i2c_address = 0x3C        # 0x3C or 0x3D

The table's card::

    kind = "table"
    table = "club"
    language = "ru"
    data_dir = "/var/lib/mafia"
    lights = true             # the LEDs around the table, and the controller's two buttons
    voice = "espeak"          # off, host (reads out), espeak, aplay (the club's recordings)
    recordings = "voice"      # folder of WAV files, with aplay only
    music = "music"           # folder of WAV files for the night; may be left out
    players = ["Anna", "Boris"]          # up to ten, by seat; may be left out
    readiness = true          # before the first deal all try their buttons and a vote
    seating = "random"        # random, fixed (in the order of the list)

    [link]
    host = "127.0.0.1"
    port = 1883
    password = "..."

    [scoreboard]
    bind = "0.0.0.0"
    port = 8080
    names = ["mafia.club.example"]       # more names that browsers may call it by
    pin_hash = ""             # of the host's PIN: what mafia-table pin --hash prints

    [league]                  # left out: a file in data_dir
    url = "postgresql+psycopg://mafia@club.example/league?sslmode=verify-full"
    password_file = "league.password"    # or: password = "..."; or none

    [gestures]                # the club's table; what is left out is as below
    on = ["number", "thumb_up", "thumb_down", "ok", "hook", "fist", "open_palm", "pistol"]
    forbidden = "forbidden"   # the hand that is grounds; "none": no hand is

    [gestures.means]          # what the board says of a hand beside its name
    fist = "I vote"

    [[seasons]]               # spans of days that are rated; left out: calendar years
    key = "autumn-2026"       # 1-32 of a-z 0-9 -; in the address of its pages
    name = "Autumn 2026"
    first = 2026-09-01
    last = 2026-12-31         # this day too
    ci = false                # adds Ci for those who are shot in the first night

Paths are relative to the card's folder. Only *kind*, *table*, *user* (of a seat),
*data_dir* (of the table) and *[link]* with host, port and a password must be there.
"""

import json
import re
import reprlib
import tomllib
import typing
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec

from firmware.card_parts import GESTURES as GESTURES
from firmware.card_parts import GesturesCard as GesturesCard
from firmware.card_parts import Hand as Hand
from firmware.card_parts import Language as Language
from firmware.card_parts import LeagueCard as LeagueCard
from firmware.card_parts import LinkCard as LinkCard
from firmware.card_parts import MaybePath, Name, NodeName, Part, TableName, Text
from firmware.card_parts import PartsCard as PartsCard
from firmware.card_parts import ScoreboardCard as ScoreboardCard
from firmware.card_parts import SeasonCard as SeasonCard
from firmware.errors import CardError
from firmware.link import LinkSettings
from firmware.private import write_private

DEFAULT_PATH: Final = Path("/etc/mafia/kit.toml")
"""Where a card's file is unless ``--card`` says otherwise."""


class SeatCard(Part, frozen=True, kw_only=True):
    """The checked card of a seat."""

    kind: Literal["seat"] = "seat"
    table: TableName
    user: NodeName
    link: LinkCard
    language: Language = "en"
    parts: PartsCard = PartsCard()


class TableCard(Part, frozen=True, kw_only=True):
    """The checked card of the table controller."""

    kind: Literal["table"] = "table"
    table: TableName
    user: Literal["table"] = "table"
    link: LinkCard
    data_dir: Text
    language: Language = "en"
    lights: bool = True
    voice: Literal["off", "host", "espeak", "aplay"] = "off"
    recordings: MaybePath = ""
    music: MaybePath = ""
    readiness: bool = True
    seating: Literal["random", "fixed"] = "random"
    players: Annotated[
        tuple[Name, ...], msgspec.Meta(max_length=10, description="a list of up to ten names")
    ] = ()
    scoreboard: ScoreboardCard = ScoreboardCard()
    league: LeagueCard = LeagueCard()
    gestures: GesturesCard = GESTURES
    seasons: tuple[SeasonCard, ...] = ()


_SHORT: Final = reprlib.Repr()
_SHORT.maxstring = 200

SECRETS: Final = (
    *("link.password", "league.url", "league.password", "scoreboard.pin_hash"),
    *("secrets", "secrets.wifi_password", "secrets.password", "secrets.pin"),
)
"""Keys whose value no message repeats; the last four are of image/answers.py."""

CardConfig = SeatCard | TableCard
_Card = TypeVar("_Card", SeatCard, TableCard)


def read_seat_card(path: Path) -> SeatCard:
    """Read a seat's card.

    :raises CardError: naming file, key, value and what is allowed.
    """
    card = _read(path, SeatCard, "seat")
    return msgspec.structs.replace(card, link=_settle(path, card.link))


def read_table_card(path: Path) -> TableCard:
    """Read the table's card.

    :raises CardError: naming file, key, value and what is allowed.
    """
    card = _read(path, TableCard, "table")
    if card.gestures.forbidden in card.gestures.on:
        raise CardError(
            f"{path}: gestures.forbidden = {card.gestures.forbidden!r}: take it out of gestures.on"
        )
    keys = [season.key for season in card.seasons]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise CardError(f"{path}: seasons: key = {twice!r} is there twice: expected different keys")
    recordings, music = path.parent / card.recordings, path.parent / card.music
    if card.voice == "aplay" and not (card.recordings and recordings.is_dir()):
        raise CardError(f"{path}: recordings = {card.recordings!r}: expected a folder of WAV files")
    if not music.is_dir():
        raise CardError(f"{path}: music = {card.music!r}: expected a folder of WAV files")
    return msgspec.structs.replace(
        card,
        link=_settle(path, card.link),
        league=_settle_league(path, card.league),
        data_dir=str(path.parent.absolute() / card.data_dir),
        recordings=str(recordings.absolute()) if card.recordings else "",
        music=str(music.absolute()) if card.music else "",
    )


def link_settings(card: CardConfig) -> LinkSettings:
    """Return where *card* says the broker is, and who we are there."""
    ca = Path(card.link.ca) if card.link.ca else None
    return LinkSettings(card.link.host, card.link.port, card.user, card.link.password, ca)


def link_card(settings: LinkSettings) -> LinkCard:
    """Return the section ``[link]`` that says *settings*."""
    ca = str(settings.ca) if settings.ca else ""
    return LinkCard(settings.host, settings.port, password=settings.password, ca=ca)


def render(card: CardConfig) -> str:
    """Return *card* as TOML that reads back as the same card."""
    lines: list[str] = []
    sections: list[str] = []
    for key, value in msgspec.to_builtins(card).items():
        if isinstance(value, dict):
            sections += _section(key, value)
        elif key == "seasons":
            for season in value:
                sections += ["", f"[[{key}]]", *(line(*each) for each in season.items())]
        else:
            lines.append(line(key, value))
    return "\n".join([*lines, *sections, ""])


def save(path: Path, card: CardConfig) -> None:
    """Write *card* to *path*, readable by its owner only, whole or not at all."""
    write_private(path, render(card))


# ---- reading ----


def _read(path: Path, type_: type[_Card], kind: str) -> _Card:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CardError(
            f"{path}: {error.strerror}; expected the {kind}'s card: name it with --card"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CardError(f"{path}: not TOML: {error}; expected the {kind}'s card") from error
    if raw.get("kind") != kind:
        raise CardError(f'{path}: kind = {_SHORT.repr(raw.get("kind"))}: expected "{kind}"')
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as error:
        raise CardError(f"{path}: {explain(str(error), raw, type_)}") from None


def explain(message: str, raw: dict[str, Any], type_: type[msgspec.Struct]) -> str:
    """Return msgspec's *message* with the key, its value and what is allowed."""
    # Of a wrong key in a table of the reader's own making msgspec says: at `key` in `$.the.table`.
    complaint, _, place = message.replace("at `key` in ", "at ").partition(" - at `$")
    keys: list[str | int] = [
        int(key[1:-1]) if key.startswith("[") else key
        for key in re.findall(r"\[\d+\]|\w+", place.rstrip("`"))
    ]
    if missing := re.search(r"(missing required|unknown) field `(.*)`", complaint):
        keys.append(missing[2])
    value: Any = raw
    allowed: Any = type_
    known: tuple[str, ...] = ()
    for key in keys:
        if isinstance(key, int):
            value, allowed = value[key], typing.get_args(_bare(allowed))[0]
            continue
        fields = typing.get_type_hints(allowed, include_extras=True)
        value, allowed, known = value.get(key), fields.get(key), tuple(fields)
    name = ".".join(map(str, keys))
    if missing:
        end = "missing" if missing[1] != "unknown" else f"unknown: expected {', '.join(known)}"
        return f"{name}: {end}"
    shown = "(kept secret)" if name in SECRETS else _SHORT.repr(value)
    return f"{name} = {shown}: {_wanted(allowed) or complaint}"


def _bare(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is Annotated else hint


def _wanted(hint: Any) -> str:
    """Return what a value of type *hint* may be; "" if msgspec's own words say it."""
    if typing.get_origin(hint) is Literal:
        return "expected " + ", ".join(json.dumps(choice) for choice in typing.get_args(hint))
    if typing.get_origin(hint) is Annotated:
        return f"expected {typing.get_args(hint)[1].description}"
    if typing.get_origin(hint) is dict:
        keys, values = map(_wanted, typing.get_args(hint))
        return f"{keys}, each with {values.removeprefix('expected ')}"
    return ""


def _settle(path: Path, link: LinkCard) -> LinkCard:
    """Return *link* with the password read in and paths made absolute."""
    if bool(link.password) == bool(link.password_file):
        raise CardError(f"{path}: link: expected one of password and password_file")
    password = link.password
    if link.password_file:
        password = _password(path, "link", link.password_file)
    ca = path.parent / link.ca
    if link.ca and not ca.is_file():
        raise CardError(f"{path}: link.ca = {str(ca)!r}: no such file")
    return msgspec.structs.replace(
        link, password=password, password_file="", ca=str(ca.absolute()) if link.ca else ""
    )


def _settle_league(path: Path, league: LeagueCard) -> LeagueCard:
    """Return *league* with the password read in; a server that knows us otherwise wants none."""
    try:
        ways = (league.password, league.password_file, urlsplit(league.url).password)
    except ValueError:
        # The error's own text would quote the password.
        raise CardError(
            f"{path}: league.url = (kept secret): expected postgresql+psycopg://USER@HOST/NAME"
        ) from None
    if sum(map(bool, ways)) > 1:
        raise CardError(f"{path}: league: expected one of password and password_file")
    if not league.url and any(ways):
        raise CardError(f"{path}: league.url: missing; expected the server of that password")
    if not league.password_file:
        return league
    password = _password(path, "league", league.password_file)
    return msgspec.structs.replace(league, password=password, password_file="")


def _password(path: Path, section: str, name: str) -> str:
    file = path.parent / name
    key = f"{path}: {section}.password_file = {str(file)!r}"
    try:
        password = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        # The other error's own text would quote the password.
        problem = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise CardError(f"{key}: {problem}") from None
    if not password:
        raise CardError(f"{key}: the file is empty")
    return password


def _section(name: str, values: dict[str, Any]) -> list[str]:
    """Return the lines of a section, and of the sections in it that hold something."""
    lines = ["", f"[{name}]"]
    inner: list[str] = []
    for key, value in values.items():
        if not isinstance(value, dict):
            lines.append(line(key, value))
        elif value:
            inner += _section(f"{name}.{key}", value)
    return lines + inner


def line(key: str, value: bool | int | str | list[str]) -> str:
    """Return a line of TOML; JSON's strings, numbers, booleans and lists are TOML's."""
    return f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
