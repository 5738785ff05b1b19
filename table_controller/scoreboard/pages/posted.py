"""What the table's loop hands to the pages that tell how it plays."""

from firmware.card import GESTURES, GesturesCard
from table_controller.game import NORMAL, Ruleset


class Posted:
    """The rules in force and the club's table of gestures.

    Written by the table's loop, read by the web server's threads; each field is replaced
    whole and never changed in place. Nothing in it comes from a game's state.
    """

    def __init__(self, ruleset: Ruleset = NORMAL, gestures: GesturesCard = GESTURES) -> None:
        self.ruleset = ruleset
        """Of the game that runs, else of the one that would be dealt next."""
        self.gestures = gestures
