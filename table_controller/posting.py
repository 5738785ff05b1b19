"""What the table posts on its public pages: by which rules it plays."""

from table_controller.host.lineups import Lineups
from table_controller.playing import Playing
from table_controller.scoreboard.pages.posted import Posted
from table_controller.show import Show


class Posting:
    """Keeps *posted* as the table is; without it nothing is posted."""

    def __init__(
        self, playing: Playing, show: Show, lineups: Lineups, posted: Posted | None
    ) -> None:
        self._playing = playing
        self._show = show
        self._lineups = lineups
        self._posted = posted

    def look(self) -> None:
        """Post what is in force now."""
        if self._posted is None:
            return
        started = self._show.started
        runs = self._playing.state is not None and not self._playing.over
        self._posted.ruleset = started.ruleset if started and runs else self._lineups.ruleset
