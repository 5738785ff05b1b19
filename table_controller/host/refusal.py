"""Why the table does not carry out an order, in the words of whoever gave it."""

from typing import Final

from firmware.errors import JournalError, KitError
from firmware.words import N_, SOURCE, Words, catalogue
from table_controller.game import IllegalAction, Refusal


class Refused(KitError, ValueError):
    """An order that is not carried out: a *text* marked for the catalogues, and its *values*."""

    def __init__(self, text: str, **values: object) -> None:
        self._text = text
        self._values = values
        super().__init__(self.told(catalogue(SOURCE)))

    def told(self, words: Words) -> str:
        """Return why, in *words*."""
        return words.gettext(self._text).format(**self._values)


_RULES: Final = {
    Refusal.GAME_OVER: N_("The game is over."),
    Refusal.PAUSED: N_("The game is paused."),
    Refusal.NOT_PAUSED: N_("The game is not paused."),
    Refusal.WRONG_PHASE: N_("It is not the time for that."),
    Refusal.STALE_COUNTDOWN: N_("That clock has run out."),
    Refusal.NO_SUCH_SEAT: N_("There is no such seat."),
    Refusal.NOT_LIVING: N_("That seat is out of the game."),
    Refusal.ALREADY_READY: N_("That seat is ready already."),
    Refusal.BAD_DEAL: N_("These are not the cards of a game."),
    Refusal.NOT_YOUR_FLOOR: N_("That seat does not have the floor."),
    Refusal.YOUR_FLOOR: N_("That seat has the floor."),
    Refusal.ALREADY_LISTED: N_("That seat is on the list already."),
    Refusal.NOTHING_TO_TAKE_BACK: N_("There is nothing to take back."),
    Refusal.ALREADY_VOTED: N_("That seat has voted already."),
    Refusal.NOT_CALLED: N_("That candidate has not been called."),
    Refusal.BAD_BEST_MOVE: N_("That is no best move."),
    Refusal.BAD_CROWN: N_("The crown cannot go there."),
    Refusal.LOCKED: N_("These picks are locked."),
    Refusal.SHOUTING: N_("That seat is shouting: it has its foul."),
    Refusal.DISQUALIFIED: N_("That seat is disqualified."),
    Refusal.ALREADY_RULED: N_("That is ruled already and takes effect at dawn."),
    Refusal.BAD_SANCTION: N_("A host cannot rule that."),
    Refusal.BAD_GROUNDS: N_("There are no such grounds."),
    Refusal.ALREADY_OPEN: N_("That waits for its motion already."),
    Refusal.ALREADY_ACCUSED: N_("That seat has made its accusation today."),
    Refusal.NOT_FOR_YOU: N_("That seat has no part in this vote."),
    Refusal.NOTHING_TO_CONFIRM: N_("There is nothing to confirm."),
    Refusal.NOTHING_TO_CALL: N_("Nothing is being called now."),
    Refusal.NOT_SPOKEN: N_("That seat has not had its speech."),
    Refusal.BAD_EXTENSION: N_("A clock gets 5, 10 ... or 60 s more or less."),
    Refusal.NO_FLOOR: N_("Only a speech, picks or a shout can be made shorter."),
    Refusal.TOO_SHORT: N_("That is more than the whole clock has. End it instead."),
}


def why(error: Exception, words: Words) -> str:
    """Return why an order is not carried out, in *words*."""
    t = words.gettext
    match error:
        case Refused():
            return error.told(words)
        case IllegalAction(refusal=refusal):
            return t(_RULES[refusal])
        case JournalError():
            return t("The disk takes nothing: the game stands still until it does.")
    return str(error)
