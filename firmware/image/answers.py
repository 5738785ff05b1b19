"""What a club answers before its cards are made: asked, or read from a file.

The file is TOML, and what is left out is as below::

    club = "Mafia"            # on the sheet, and in the name of the kit's own Wi-Fi
    table = "club"            # 1-32 of a-z 0-9 -; another one for a second table
    hostname = "mafia"        # the table's: phones call it mafia.local
    language = "en"           # en, ru, de
    time_zone = "Europe/London"
    country = "GB"            # two letters: which channels Wi-Fi may use
    network = "hotspot"       # hotspot (the table makes one), wifi (the club's), cable
    ssid = ""                 # name of the Wi-Fi; "": hotspot's is made of the table's name
    hidden = false            # the club's Wi-Fi does not tell its name
    nodes = 10                # 1 to 12; 11 and 12 are spares
    table_board = "pi5"       # pi5 (Debian 13), pi4 (Debian 12)
    seat_board = "pi5"
    eyes = true               # a camera at each seat
    screen = "ssd1306"        # ssd1306, sh1106, none
    switch = "no"             # contact of the buttons: no (normally open), nc
    voice = "espeak"          # espeak, host (reads out), off
    lights = true             # the ring of lights and the controller's two buttons
    ssh_key = ""              # a line "ssh-ed25519 AAAA..."; "": a password is made

    [secrets]                 # taken over into the folder secrets, never written here again
    wifi_password = "..."     # left out: of the hotspot one is made
    password = "..."          # of the user "club" on every Pi; left out: made, or none with ssh_key
    pin = "12345678"          # of the host; left out: made
"""

import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from firmware.card import explain, line
from firmware.card_parts import Language, Name, Part, TableName
from firmware.errors import CardError
from firmware.private import write_private

Hostname = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?\Z",
        description="1 to 32 of a-z, 0-9 and -, as in mafia",
    ),
]
TimeZone = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}\Z",
        description="a time zone as in Europe/Berlin",
    ),
]
Country = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Z]{2}\Z", description="two capital letters as in DE")
]
Ssid = Annotated[
    str,
    msgspec.Meta(
        max_length=32,
        pattern=r"^[^\x00-\x1f\x7f]*\Z",
        description="the name of a Wi-Fi, up to 32 characters",
    ),
]
Nodes = Annotated[int, msgspec.Meta(ge=1, le=12, description="1 to 12")]
SshKey = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^((ssh-|ecdsa-|sk-)\S+ [A-Za-z0-9+/=]+( [^\x00-\x1f\x7f]*)?)?\Z",
        description='the one line of a public key as in "ssh-ed25519 AAAA... name"',
    ),
]
Board = Literal["pi5", "pi4"]

FILE: Final = "answers.toml"
"""In the club's folder."""


class Answers(Part, frozen=True, kw_only=True):
    """What is not secret."""

    club: Name = "Mafia"
    table: TableName = "club"
    hostname: Hostname = "mafia"
    language: Language = "en"
    time_zone: TimeZone = "Europe/London"
    country: Country = "GB"
    network: Literal["hotspot", "wifi", "cable"] = "hotspot"
    ssid: Ssid = ""
    hidden: bool = False
    nodes: Nodes = 10
    table_board: Board = "pi5"
    seat_board: Board = "pi5"
    eyes: bool = True
    screen: Literal["ssd1306", "sh1106", "none"] = "ssd1306"
    switch: Literal["no", "nc"] = "no"
    voice: Literal["espeak", "host", "off"] = "espeak"
    lights: bool = True
    ssh_key: SshKey = ""

    @property
    def wifi_name(self) -> str:
        """The name of the Wi-Fi that nodes and phones join; "" with a cable."""
        if self.network == "cable":
            return ""
        return self.ssid or f"Mafia {self.table}"[:32]

    @property
    def users(self) -> tuple[str, ...]:
        """The nodes, by the names they have at the broker."""
        return tuple(f"node-{number:02d}" for number in range(1, self.nodes + 1))

    @property
    def boards(self) -> tuple[Board, ...]:
        """The boards that a kit is needed for."""
        return tuple(dict.fromkeys((self.table_board, self.seat_board)))


class Given(Part, frozen=True, kw_only=True):
    """The secrets that somebody has given; "" is not given."""

    wifi_password: str = ""
    password: str = ""
    pin: str = ""

    def __repr__(self) -> str:
        return "Given(...)"


class _File(Answers, frozen=True, kw_only=True):
    """The file: the answers, and perhaps secrets."""

    secrets: Given = Given()


def read(path: Path) -> tuple[Answers, Given]:
    """Read answers from *path*.

    :raises CardError: naming file, key, value and what is allowed; never a secret.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CardError(f"{path}: {error.strerror}; expected a file of answers") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        # What it says may quote a secret.
        where = getattr(error, "lineno", None)
        place = f", line {where}" if where else ""
        raise CardError(f"{path}: not TOML{place}; expected a file of answers") from None
    try:
        told = msgspec.convert(raw, _File)
    except msgspec.ValidationError as error:
        raise CardError(f"{path}: {explain(str(error), raw, _File)}") from None
    answers = {name: getattr(told, name) for name in Answers.__struct_fields__}
    return check(Answers(**answers)), told.secrets


def check(answers: Answers) -> Answers:
    """Return *answers* if they go together.

    :raises CardError: naming what does not.
    """
    if answers.network == "wifi" and not answers.ssid:
        wanted = 'expected the name of the club\'s Wi-Fi, or network = "hotspot"'
        raise CardError(f"ssid: missing; {wanted}")
    return answers


def save(folder: Path, answers: Answers) -> None:
    """Write *answers* into the club's folder, for the next run."""
    told = msgspec.to_builtins(answers)
    write_private(folder / FILE, "".join(f"{line(*each)}\n" for each in told.items()))
