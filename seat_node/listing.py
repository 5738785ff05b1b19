"""The list of a cue: cursor, marks, open or closed. Pure.

The table hears the choice only; moving and marking stay in the seat.
Source: DESIGN 6, the column *pick*.
"""

from firmware.rehearsal import Row
from firmware.wire import Menu, Pick, Picking

DONE = 0
"""Value of the line that confirms in a list with several marks."""


class Listing:
    """A player's way through one menu."""

    def __init__(self, menu: Menu) -> None:
        self.menu = menu
        self.open = not menu.opens
        self.cursor = 0
        self.hand = 0
        """The number last shown by hand, until a button is used; 0: none."""
        self._marks = list(menu.marked) if menu.marks > 1 else []

    def update(self, menu: Menu) -> None:
        """Take a newer cue's version of the same menu; cursor, marks and openness stay.

        One that is open from now on, in the pick time after a speech say, is opened.
        """
        self.open = self.open or (self.menu.opens and not menu.opens)
        self.menu = menu
        values = {entry.value for entry in menu.entries}
        self._marks = [value for value in self._marks if value in values]
        self.cursor = min(self.cursor, self._last)

    def tap(self) -> Picking | None:
        """VOTE tapped: open the list, or go to the next line."""
        self.hand = 0
        if not self.open:
            self.open, self.cursor = True, 0
            return Picking(self.menu.id, open=True)
        self.cursor = 0 if self.cursor >= self._last else self.cursor + 1
        return None

    def hold(self) -> Pick | None:
        """VOTE held on the line pointed at: mark, unmark or confirm."""
        self.hand = 0
        if self.cursor == len(self.menu.entries):
            self.open = False
            return Pick(self.menu.id, tuple(self._marks))
        value = self.menu.entries[self.cursor].value
        if not self._several:
            self.open = False
            return Pick(self.menu.id, (value,))
        if value in self._marks:
            self._marks.remove(value)
        elif len(self._marks) < self.menu.marks:
            self._marks.append(value)
        return None

    def back(self) -> Pick | Picking | None:
        """SHOUT tapped: unmark, take back or leave."""
        self.hand = 0
        if self._several and self._marks:
            self._marks.pop()
            return None
        if not self._several and self.menu.marked:
            return Pick(self.menu.id)
        self.open = False
        return Picking(self.menu.id, open=False)

    def point(self, value: int) -> None:
        """Take the number of a hand: move the cursor to its line, if there is one."""
        self.hand = value
        for place, entry in enumerate(self.menu.entries):
            if entry.value == value:
                self.cursor = place

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return the lines as they are shown; empty while closed."""
        if not self.open:
            return ()
        marked = self._marks if self._several else self.menu.marked
        rows = tuple(
            Row(entry.value, entry.label, entry.value in marked) for entry in self.menu.entries
        )
        return (*rows, Row(DONE, self.menu.done, marked=False)) if self._several else rows

    @property
    def _several(self) -> bool:
        return self.menu.marks > 1

    @property
    def _last(self) -> int:
        return max(0, len(self.menu.entries) - (0 if self._several else 1))
