"""Every MQTT message and topic of the kit.

Observations go up, cues come down. Messages are JSON of frozen Structs; what
does not decode is a :class:`~firmware.errors.WireError` and changes nothing.
Times are seconds of the sender's monotonic clock.
"""

import enum
import re
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from firmware.errors import WireError

PAYLOAD_MAX: Final = 16 * 1024
"""Largest payload in bytes that is read. Source: DESIGN 5."""

NIGHT_ANSWER_SIZE: Final = 512
"""Bytes of every answer to a night call, whoever sends it and whatever is in it."""

NIGHT_PRESSES_MAX: Final = 12
"""Presses of one round that a night answer can hold; later ones are dropped.

An honest player presses once a round, a mafioso's ambiguous two are enough to
void the shot, and :data:`NIGHT_ANSWER_SIZE` must hold them all.
"""

CUE_SIZE: Final = 2048
"""Bytes of every cue, by day and by night, so that its size says nothing."""

TABLE: Final = "table"
"""User name of the table controller on the link."""

NODES: Final = tuple(f"node-{number:02d}" for number in range(1, 13))
"""User names of the nodes: ten seats and two spares."""


Boot = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[ !#-\[\]-~]*\Z")]
"""A start of a node's program: eight hex digits made anew each time, "" none.

Whatever it is, it goes into cues and into the log: letters of one byte, all of which print.
"""

Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
"""A counter or an id. What is out of bounds would not fit into the cue that answers it."""

Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e12)]
"""A moment by the sender's monotonic clock."""


Left = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
"""How long something still lasts, in seconds. Of a larger number no clock could tell a second."""


class Button(enum.StrEnum):
    """A seat's buttons."""

    VOTE = "vote"
    SHOUT = "shout"


class How(enum.StrEnum):
    """What was done with a button. Source: DESIGN 6."""

    EDGE = "edge"
    """Closed, in a cue of press mode *edge*; how long does not matter."""
    TAP = "tap"
    """Released before the hold time, in press mode *release*."""
    HOLD = "hold"
    """Held for the hold time (VOTE 0.8 s, SHOUT 1.5 s), in press mode *release*."""
    LET_GO = "let_go"
    """Released after a hold."""


class PressMode(enum.StrEnum):
    """What a press means to the seat while a cue is shown."""

    OFF = "off"
    """Buttons do nothing and leave no trace."""
    EDGE = "edge"
    """The first edge counts (ballots, lifts, motions)."""
    RELEASE = "release"
    """Tap or hold (everything else)."""
    NIGHT = "night"
    """VOTE edges are kept and ride in the answers to the next common cues."""


class Layout(enum.StrEnum):
    """The six layouts of the hooded screen."""

    TITLE = "title"
    BIG = "big"
    CLOCK = "clock"
    LIST = "list"
    ICON = "icon"
    NOTE = "note"


class Icon(enum.StrEnum):
    """Pictures that a screen can draw."""

    NONE = "none"
    CITIZEN = "citizen"
    SHERIFF = "sheriff"
    MAFIA = "mafia"
    DON = "don"
    MOON = "moon"
    SUN = "sun"
    CROWN = "crown"
    LINK = "link"
    CROSS = "cross"
    CHECK = "check"


class Lamp(enum.StrEnum):
    """Patterns of the seat's lamp: the day's public state, never an answer to a press.

    What they mean is in :mod:`firmware.signals`.
    """

    OFF = "off"
    DIM = "dim"
    ON = "on"
    BLINK = "blink"
    FAST = "fast"
    FLASH = "flash"
    DOUBLE = "double"
    SLOW = "slow"


class Mark(enum.StrEnum):
    """The table's answer to a press."""

    ACCEPTED = "accepted"
    LATE = "late"
    NOTHING = "nothing"
    """It meant nothing at that moment."""


class Presence(enum.StrEnum):
    """What the eyes say of the chair; unknown is never away."""

    PRESENT = "present"
    AWAY = "away"
    UNKNOWN = "unknown"


class GestureName(enum.StrEnum):
    """The gestures that the eyes can tell. Source: RULES 3."""

    NUMBER = "number"
    THUMB_UP = "thumb_up"
    THUMB_DOWN = "thumb_down"
    OK = "ok"
    RING_TAP = "ring_tap"
    HOOK = "hook"
    FIST = "fist"
    OPEN_PALM = "open_palm"
    PISTOL = "pistol"
    FORBIDDEN = "forbidden"


class _Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class _What(_Strict, frozen=True, tag_field="is", tag=str.lower):
    pass


# ---- up: what a node says -------------------------------------------------


class Status(msgspec.Struct, frozen=True, omit_defaults=True):
    """Retained state of a node, and its will. Decoded leniently for ever."""

    online: bool = False
    boot: Boot = ""
    version: str = ""
    parts: tuple[str, ...] = ()
    """What the node has, of: shout, lamp, screen, eyes."""


class Press(_What, frozen=True):
    """A button was used."""

    button: Button
    how: How


class Picking(_What, frozen=True):
    """The player opened or left the list *menu* without choosing."""

    menu: int
    open: bool


class Pick(_What, frozen=True):
    """The player confirmed a choice in the list *menu*; empty: none, or taken back."""

    menu: int
    values: tuple[int, ...] = ()


class Present(_What, frozen=True):
    """The chair's state changed; *since_s* is when it began, by the node's clock."""

    state: Presence
    since_s: float


class Absent(_What, frozen=True):
    """The chair was empty without a break for longer than the cue's ``Absence.limit_s``.

    Said once an absence, by the node's clock. Source: RULES 2.1.
    """

    since_s: Seconds
    """When the player was last seen, or the node was told to count, whichever was later."""
    until_s: Seconds
    """When a look last showed that the chair is empty."""


class Gesture(_What, frozen=True):
    """A steady gesture was seen. Not kept: an old gesture says nothing."""

    name: GestureName
    number: Annotated[int, msgspec.Meta(ge=0, le=10)] = 0
    """1-10 with the name ``number``, else 0."""
    confidence: float = 1.0


class Forbidden(_What, frozen=True):
    """The forbidden gesture was held. Kept, as no other gesture is: it is grounds. RULES 2.2."""

    confidence: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]


class RollCall(_What, frozen=True):
    """Answer to a roll call: *last* is the counter of this node's last kept message."""

    ask: Count
    last: Count


class NightAnswer(_What, frozen=True):
    """Answer to a night call: every VOTE press of this round so far, oldest first.

    Sent by every node to every night ask, padded to :data:`NIGHT_ANSWER_SIZE`.
    """

    ask: Count
    round: Count
    """The cue's ``Ask.round``: presses of an older round are not in it."""
    presses: Annotated[tuple[Seconds, ...], msgspec.Meta(max_length=NIGHT_PRESSES_MAX)] = ()


What = Press | Picking | Pick | Present | Absent | Gesture | Forbidden | RollCall | NightAnswer

KEPT: Final = (Press, Picking, Pick, Present, Absent, Forbidden)
"""Kinds that a node keeps and resends until the table has heard them."""


class Said(_Strict, frozen=True):
    """One thing a node says, in order."""

    boot: Boot
    n: Count
    """Counter of kept messages of this boot, from 1; 0 on one that is not kept."""
    oldest: Count
    """Lowest counter that the node still keeps; all below were heard by a table."""
    made_s: Seconds
    sent_s: Seconds
    cue: Count
    """Id of the cue that was shown when it was made; 0: none yet."""
    what: What

    @property
    def id(self) -> str:
        """Return ``boot:counter``, the key that makes a repeat harmless."""
        return f"{self.boot}:{self.n}"


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a node is, every 10 s. Decoded leniently: a refused one would pass for a lost seat."""

    boot: Boot
    up_s: float
    temperature_c: float | None = None
    throttled: bool | None = None
    memory_mb: float | None = None
    fps: float | None = None
    """Frames a second of the eyes; None without eyes."""
    eyes: str = ""
    """State of the eyes in a word: ``""`` none, ``ok``, ``dark``, ``covered``, ``dead`` ..."""
    aim: str = ""
    """How the player is in the picture: ``""`` not known, ``good``, ``closer``, ``left`` ..."""
    drops: int = 0
    """Messages that this node had to drop."""
    link_ms: float | None = None
    """How long its last ping took to the broker and back; None: none has come back."""
    stuck: tuple[Button, ...] = ()
    """Buttons that are down and do not come up. By night the day's: presses are secret then."""


# ---- down: what a seat shows ----------------------------------------------


class ClockFace(_Strict, frozen=True):
    """A clock that the seat counts down by itself from the cue's arrival."""

    left_s: Left
    runs: bool = True


class Entry(_Strict, frozen=True):
    """A line of a list, and the number that a choice of it sends."""

    value: Count
    label: str


class Menu(_Strict, frozen=True):
    """A list to choose from. The seat moves and marks; the table hears the choice."""

    id: Count
    entries: tuple[Entry, ...]
    marks: Count = 1
    """How many can be marked. With 1, a hold on an entry confirms it at once;
    with more, the list ends in *done* and a hold on that confirms."""
    opens: bool = False
    """True: closed until VOTE is tapped; False: open at once."""
    title: str = ""
    done: str = ""
    """Label of the line that confirms; used when *marks* > 1."""
    marked: tuple[Count, ...] = ()
    """What stands already."""


class Answer(_Strict, frozen=True):
    """What became of the kept message *n*."""

    n: Count
    mark: Mark


class AskKind(enum.StrEnum):
    """What a cue asks of the node itself."""

    ROLL_CALL = "roll_call"
    NIGHT = "night"


class Ask(_Strict, frozen=True):
    """A question to the node's program, answered without the player."""

    kind: AskKind
    id: Count
    round: Count = 0
    """Serial of the night round's call; presses are kept per round."""


class Look(_Strict, frozen=True):
    """What the eyes should look for beside the player."""

    gestures: tuple[GestureName, ...] = ()
    """Those that are told."""
    forbidden: GestureName | None = None
    """The one that is grounds; None: none is."""
    two_hands: bool = False
    """Numbers up to 10, in the open list."""
    off: bool = False
    """The host has switched this seat's camera off: the eyes close it and look at nothing."""


class Absence(_Strict, frozen=True):
    """What the seat does about an empty chair: it counts, the table rules."""

    warn_s: Left
    """From so long on its own screen and lamp warn."""
    limit_s: Left
    """The screen counts down to this."""


class Cue(_Strict, frozen=True):
    """What a seat shows and how its buttons work. Only the last one counts."""

    boot: str
    """The boot of the node that it is for; another boot ignores it."""
    id: Count
    """Rises from cue to cue of one start of the table."""
    heard: Count
    """Highest counter of that boot that the table has taken."""
    by: str = ""
    """Eight hex digits made anew at each start of the table: its ids begin anew too."""
    scene: str = ""
    """Name of this screen in the help page and in tests; the seat draws without it."""
    layout: Layout = Layout.NOTE
    title: str = ""
    lines: tuple[str, ...] = ()
    icon: Icon = Icon.NONE
    lamp: Lamp = Lamp.OFF
    clock: ClockFace | None = None
    menu: Menu | None = None
    on_hold: tuple[str, ...] = ()
    """The card's lines, shown while VOTE is held; the seat does not know what they are."""
    on_hold_icon: Icon = Icon.NONE
    """The card's picture."""
    press: PressMode = PressMode.OFF
    answer: Answer | None = None
    ask: Ask | None = None
    look: Look = Look()
    absence: Absence | None = None
    """None: the chair may be empty."""
    private: bool = False
    """The seat's own card is shown: title, lines and icon stay blank over an empty chair."""
    language: str = "en"
    back_off_s: Left = 0.0
    """Above 0: another device plays with this identity; leave the link that long."""


# ---- both -----------------------------------------------------------------


class Ping(_Strict, frozen=True):
    """A user's message to itself, the link's own proof of life."""

    n: int


class Public(msgspec.Struct, frozen=True):
    """Payload of ``public/view`` and ``public/event``: public by construction."""

    kind: str
    body: msgspec.Raw


Message = Status | Said | Health | Cue | Ping | Public


class TopicKind(enum.StrEnum):
    """The topics under a table's root."""

    STATUS = "status"
    SAID = "said"
    HEALTH = "health"
    CUE = "cue"
    VIEW = "view"
    EVENT = "event"
    PING = "ping"


class Address(NamedTuple):
    """A parsed topic: what it carries and whose it is ("" for public ones)."""

    kind: TopicKind
    user: str


_TYPES: Final[dict[TopicKind, Any]] = {
    TopicKind.STATUS: Status,
    TopicKind.SAID: Said,
    TopicKind.HEALTH: Health,
    TopicKind.CUE: Cue,
    TopicKind.VIEW: Public,
    TopicKind.EVENT: Public,
    TopicKind.PING: Ping,
}
_DECODERS: Final = {kind: msgspec.json.Decoder(type_) for kind, type_ in _TYPES.items()}
_ENCODER: Final = msgspec.json.Encoder()
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class Topics:
    """The topics of one table.

    :raises WireError: if *table* is not 1-32 of ``a-z 0-9 -``.
    """

    def __init__(self, table: str) -> None:
        if not _NAME.fullmatch(table):
            raise WireError(f"table name {table!r}: expected 1-32 of a-z, 0-9 and '-'")
        self.root = f"mafia/v1/{table}"

    def of(self, kind: TopicKind, user: str = "") -> str:
        """Return the topic that carries *kind* for *user*."""
        match kind:
            case TopicKind.STATUS | TopicKind.SAID | TopicKind.HEALTH:
                return f"{self.root}/up/{user}/{kind}"
            case TopicKind.CUE:
                return f"{self.root}/down/{user}/{kind}"
            case TopicKind.PING:
                return f"{self.root}/ping/{user}"
            case TopicKind.VIEW | TopicKind.EVENT:
                return f"{self.root}/public/{kind}"

    def parse(self, topic: str) -> Address:
        """Return what *topic* is.

        :raises WireError: if it is none of this table's topics.
        """
        if topic.startswith(self.root + "/"):
            match topic[len(self.root) + 1 :].split("/"):
                case ["up", user, ("status" | "said" | "health") as kind] if _NAME.fullmatch(user):
                    return Address(TopicKind(kind), user)
                case ["down", user, "cue"] if _NAME.fullmatch(user):
                    return Address(TopicKind.CUE, user)
                case ["ping", user] if _NAME.fullmatch(user):
                    return Address(TopicKind.PING, user)
                case ["public", ("view" | "event") as kind]:
                    return Address(TopicKind(kind), "")
        raise WireError(f"topic {topic!r}: not a topic under {self.root}/")


class _Addressed(msgspec.Struct):
    boot: str = ""


def boot_of(payload: bytes) -> str:
    """Return for which boot a cue is that this kit cannot read; "": that cannot be told either."""
    try:
        return msgspec.json.decode(payload, type=_Addressed).boot
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def encode(message: Message, size: int = 0) -> bytes:
    """Return *message* as JSON, padded with blanks to *size* bytes.

    :raises WireError: if it is longer than *size* (when given) or
        :data:`PAYLOAD_MAX`.
    """
    payload = _ENCODER.encode(message)
    if len(payload) > (size or PAYLOAD_MAX):
        limit = size or PAYLOAD_MAX
        raise WireError(f"{type(message).__name__} takes {len(payload)} bytes, limit {limit}")
    return payload.ljust(size)


def decode(kind: TopicKind, payload: bytes) -> Message:
    """Return the message that *payload* carries on a topic of *kind*.

    :raises WireError: if it is too long, not JSON, or not of the kind's type.
    """
    if len(payload) > PAYLOAD_MAX:
        raise WireError(f"{kind}: {len(payload)} bytes, limit {PAYLOAD_MAX}")
    try:
        message: Message = _DECODERS[kind].decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise WireError(f"{kind}: {error}; payload starts {payload[:40]!r}") from error
    return message
