"""The sections of a card, and what each value may be. Source: the keys in firmware.card."""

import datetime
import typing
from typing import Annotated, Final, Literal

import msgspec

from firmware.wire import GestureName

Language = Literal["en", "ru", "de"]
Port = Annotated[int, msgspec.Meta(ge=1, le=65535, description="1 to 65535")]
Text = Annotated[
    str,
    msgspec.Meta(
        max_length=255,
        pattern=r"^[^\x00-\x1f\x7f]+\Z",
        description="a text of 1 to 255 characters on one line",
    ),
]
MaybePath = Annotated[
    str,
    msgspec.Meta(
        max_length=255,
        pattern=r"^[^\x00-\x1f\x7f]*\Z",
        description="a path of at most 255 characters on one line",
    ),
]
Name = Annotated[
    str,
    msgspec.Meta(
        max_length=24,
        pattern=r"^(?=.*\S)[^\x00-\x1f\x7f]+\Z",
        description="a name of 1 to 24 characters on one line",
    ),
]
TableName = Annotated[
    str,
    msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z", description="1 to 32 of a-z, 0-9 and -"),
]
NodeName = Annotated[
    str, msgspec.Meta(pattern=r"^node-(0[1-9]|1[0-2])\Z", description="node-01 to node-12")
]
PinHash = Annotated[
    str,
    msgspec.Meta(
        max_length=255,
        pattern=r"^(scrypt\$[A-Za-z0-9+/=$]+)?\Z",
        description="what mafia-table pin --hash prints",
    ),
]


LeagueUrl = Annotated[
    str,
    msgspec.Meta(
        max_length=255,
        pattern=r"^(postgresql\+psycopg://[^\x00-\x20\x7f]+)?\Z",
        description="postgresql+psycopg://USER@HOST/NAME",
    ),
]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section: no other keys than those named."""


class LinkCard(Part, frozen=True):
    """Section ``[link]``."""

    host: Text
    port: Port
    password: str = ""
    password_file: MaybePath = ""
    ca: MaybePath = ""

    def __repr__(self) -> str:
        return f"LinkCard({self.host}:{self.port})"


class PartsCard(Part, frozen=True):
    """Section ``[parts]`` of a seat: what is built in; the pins are board.py's."""

    shout: bool = True
    lamp: bool = True
    screen: Literal["ssd1306", "sh1106", "none"] = "ssd1306"
    eyes: bool = False
    switch: Literal["no", "nc"] = "no"
    i2c_bus: Annotated[int, msgspec.Meta(ge=0, le=20, description="0 to 20")] = 1
    i2c_address: Literal[0x3C, 0x3D] = 0x3C


Hand = Literal["number", "thumb_up", "thumb_down", "ok", "hook", "fist", "open_palm", "pistol"]
"""What a player can show. A tap on the ring finger (``ring_tap``) is not recognised."""


class GesturesCard(Part, frozen=True):
    """Section ``[gestures]`` of the table: the club's table of gestures. Source: RULES 3."""

    on: tuple[Hand, ...] = typing.get_args(Hand)
    forbidden: Literal["forbidden", Hand, "none"] = "forbidden"
    """The hand that is grounds: the extended middle finger, another one, or none."""
    means: dict[Hand, Name] = {}

    @property
    def names(self) -> tuple[GestureName, ...]:
        """What the eyes tell."""
        return tuple(GestureName(name) for name in dict.fromkeys(self.on))

    def meaning(self, name: GestureName) -> str:
        """Return what the club says that *name* means; "" if it says nothing."""
        return next((text for hand, text in self.means.items() if hand == name), "")

    @property
    def grounds(self) -> GestureName | None:
        """The hand that is grounds; None: no hand is."""
        return None if self.forbidden == "none" else GestureName(self.forbidden)


GESTURES: Final = GesturesCard()
"""The table of a club that changes nothing."""


class ScoreboardCard(Part, frozen=True):
    """Section ``[scoreboard]`` of the table."""

    bind: Text = "0.0.0.0"  # noqa: S104 - phones and the TV of the club's LAN read it
    port: Port = 8080
    names: tuple[Text, ...] = ()
    pin_hash: PinHash = ""

    def __repr__(self) -> str:
        return f"ScoreboardCard({self.bind}:{self.port})"


class LeagueCard(Part, frozen=True):
    """Section ``[league]`` of the table: a server that several tables share."""

    url: LeagueUrl = ""
    """"": the league is a file in data_dir."""
    password: str = ""
    password_file: MaybePath = ""

    def __repr__(self) -> str:
        return "LeagueCard()"


class SeasonCard(Part, frozen=True):
    """One of ``[[seasons]]`` of the table: a span of days that the club rates by itself."""

    key: TableName
    """In the address of its pages; a year, as ``2026``, takes that calendar year's place."""
    name: Name
    first: datetime.date
    last: datetime.date
    """The last day, which belongs to it."""
    ci: bool = False
    """Whether Ci is added. Source: RULES 4, a season option."""

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError("last is a day before first")
