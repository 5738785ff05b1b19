"""What the buttons of a seat do now, in words, for who learns the kit. Pure.

A legend knows no more than the screen: scene, list and press mode. Of a scene
that it does not know it says what the press mode alone tells.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from firmware.rehearsal import Shown
from firmware.wire import Button, Mark, PressMode
from firmware.words import N_, Words
from table_controller.rehearsal.mind import agreement, numbers


class Uses(msgspec.Struct, frozen=True):
    """What a button does; empty: nothing."""

    tap: str = ""
    hold: str = ""


class Legend(msgspec.Struct, frozen=True):
    """What the player can do."""

    hint: str
    vote: Uses = Uses()
    shout: Uses = Uses()
    waits: bool = False
    """The whole table waits for this player."""


_CARD: Final = N_("your card")
_END: Final = N_("end your speech")
_SHOUT: Final = N_("shout, costs a foul")
_ACCUSE: Final = N_("accuse somebody, once a day")

_LEGENDS: Final = {
    "unlinked": Legend(N_("The seat looks for its table.")),
    "waiting": Legend(N_("The seat waits for the table.")),
    "taken": Legend(N_("Another program plays with this seat's name.")),
    "misfit": Legend(N_("This seat and the table have kits that do not fit: update one of them.")),
    "away": Legend(N_("The camera sees nobody on your chair: come back.")),
    "identify": Legend(N_("The host looks for this seat.")),
    "place": Legend(
        N_("Press VOTE to take the seat that is asked for."), Uses(tap=N_("this is me"))
    ),
    "idle": Legend(
        N_("All ten hold VOTE to start. The bots do: hold yours for two seconds."),
        Uses(hold=N_("start the game")),
        waits=True,
    ),
    "paused": Legend(
        N_("The game is paused. The bots hold VOTE: hold yours for two seconds to go on."),
        Uses(hold=N_("go on")),
        waits=True,
    ),
    "practice": Legend(
        N_("A practice vote: press VOTE when a number is called. It counts for nothing."),
        Uses(tap=N_("vote")),
    ),
    "card": Legend(N_("Your card: only you can see it. By day you look again by holding VOTE.")),
    "nightfall": Legend(N_("Night falls. There is nothing to press.")),
    "meeting": Legend(N_("The mafia meet, everybody else sleeps. There is nothing to press.")),
    "rest": Legend(N_("The night goes on. There is nothing to press.")),
    "night": Legend(
        N_("Numbers are called. Press VOTE once a round, at any number: everybody does."),
        Uses(tap=N_("the number called")),
    ),
    "morning": Legend(N_("Morning. Your card tells what you learned at night.")),
    "day": Legend(
        N_("Listen. You can interrupt with SHOUT."),
        Uses(hold=_CARD),
        Uses(_SHOUT, _ACCUSE),
    ),
    "muted": Legend(
        N_("Three fouls: you say nothing in your next turn. Listen."),
        Uses(hold=_CARD),
        Uses(_SHOUT, _ACCUSE),
    ),
    "shout": Legend(N_("You have the floor for a moment."), Uses(hold=_CARD), Uses(hold=_ACCUSE)),
    "floor": Legend(
        N_("Your turn to speak. You may nominate one player."),
        Uses(N_("nominate"), _CARD),
        Uses(hold=_END),
    ),
    "silent": Legend(
        N_("You may not speak this time, but you may nominate."),
        Uses(N_("nominate"), _CARD),
        Uses(hold=N_("go on")),
    ),
    "tie": Legend(
        N_("You are in the tie: say why you should stay."), Uses(hold=_CARD), Uses(hold=_END)
    ),
    "farewell": Legend(
        N_("You leave the game. Say farewell; give what the screen offers."),
        Uses(N_("best move, crown"), _CARD),
        Uses(hold=_END),
    ),
    "farewell_picks": Legend(
        N_("Last moment to give best move and crown."),
        Uses(N_("the list")),
        Uses(hold=N_("go on")),
    ),
    "reading": Legend(
        N_("The list is read out. Then press VOTE when the one is called whom you want out.")
    ),
    "called": Legend(N_("The vote goes on. Wait for the next call.")),
    "candidate": Legend(
        N_("Press VOTE now to vote against this player. Your first press counts."),
        Uses(tap=N_("against this player")),
        Uses(tap=_SHOUT),
    ),
    "lift": Legend(
        N_("Press VOTE if all of them should leave; do nothing if they should stay."),
        Uses(tap=N_("all of them leave")),
        Uses(tap=_SHOUT),
    ),
    "accuse": Legend(
        N_("You accuse somebody; nobody sees it yet. VOTE goes down the list, held it chooses."),
        Uses(N_("next line"), N_("choose")),
        Uses(N_("back"), N_("leave the list")),
    ),
    "accusation": Legend(
        N_("A seat is accused. If another one confirms it within 5 s, the table votes."),
        Uses(hold=_CARD),
        Uses(tap=_SHOUT),
    ),
    "motion": Legend(
        N_("Press VOTE if you are for it; do nothing if you are against."),
        Uses(tap=N_("for it")),
    ),
    "out": Legend(N_("You are out of the game. The scoreboard shows how it goes on.")),
    "over": Legend(
        N_("The game is over. Hold VOTE for two seconds to play again."),
        Uses(hold=N_("play again")),
    ),
}

_LIST: Final = Legend(
    N_("Go down the list with VOTE, then hold VOTE to choose."),
    Uses(N_("next line"), N_("choose")),
    Uses(N_("back"), N_("end your speech")),
)
_ASKED: Final = Legend(N_("The table waits for you: press what your screen asks for."), waits=True)
_HERE: Final = Uses(tap=N_("I am here"))
_READY: Final = Legend(N_("Waiting for the others"))
_VOTED: Final = Legend(N_("Your vote stands. Wait."))
_ACCUSED: Final = Legend(N_("The others vote about you. There is nothing to press."))
_MATES: Final = Legend(
    N_("Your mates. Remember whom they agree to shoot, the first of these who lives: {seats}")
)
_BY_MODE: Final = {
    PressMode.OFF: Legend(N_("There is nothing to press now.")),
    PressMode.EDGE: Legend(N_("A press counts at once: do what the screen says.")),
    PressMode.NIGHT: _LEGENDS["night"],
    PressMode.RELEASE: Legend(N_("Do what the screen says.")),
}


def legend(shown: Shown, words: Words) -> Legend:
    """Return what the player who sees *shown* can do now; *words* are the screen's too."""
    t = words.gettext
    found = _LEGENDS.get(shown.scene, _BY_MODE[shown.press])
    asks = {Button.VOTE: t("Press VOTE"), Button.SHOUT: t("Press SHOUT")}
    asked = [button.value for button, text in asks.items() if text in shown.lines]
    mates = tuple(numbers((shown.title,)))
    match shown.scene:
        case _ if shown.rows and shown.scene != "accuse":
            found = _LIST
        case _ if asked:
            found = msgspec.structs.replace(_ASKED, **dict.fromkeys(asked, _HERE))
        case "seating" | "check":
            found = _READY
        case "candidate" | "lift" | "motion" if t("You have voted") in shown.lines:
            found = msgspec.structs.replace(_VOTED, shout=found.shout)
        case "accusation" if t("VOTE: confirm") in shown.lines:
            found = msgspec.structs.replace(found, vote=Uses(N_("confirm it"), _CARD))
        case "motion" if shown.press is PressMode.OFF:
            found = _ACCUSED
        case "farewell" if not shown.lines:
            found = msgspec.structs.replace(found, vote=Uses(hold=_CARD))
        case "meeting" if mates:
            found = _MATES
    # Bots agree without a word; a person among them has to be told.
    hint = t(found.hint).format(seats=" ".join(map(str, agreement(mates))))
    return Legend(hint, _said(found.vote, words), _said(found.shout, words), found.waits)


def _said(uses: Uses, words: Words) -> Uses:
    t = words.gettext
    # The empty text is a catalogue's own header.
    return Uses(uses.tap and t(uses.tap), uses.hold and t(uses.hold))


def spoken(shown: Shown, words: Words) -> str:
    """Return the screen in words, for who cannot see it; its clock runs on its own."""
    return ". ".join(filter(None, map(str.strip, _parts(shown, words))))


def _parts(shown: Shown, words: Words) -> Iterator[str]:
    t = words.gettext
    yield shown.title
    yield from shown.lines
    if shown.rows:
        row = shown.rows[shown.cursor]
        yield t("{line}, marked").format(line=row.label) if row.marked else row.label
    if shown.waiting:
        yield t("pressed")
    elif shown.mark is Mark.ACCEPTED:
        yield t("accepted")
    elif shown.mark is Mark.LATE:
        yield t("too late")
