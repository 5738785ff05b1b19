"""What the table posts on its public pages: by which rules it plays, how its devices are."""

from table_controller.devices import Devices
from table_controller.game.public import public_phase
from table_controller.game.views import PublicPhase
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
        self._devices = Devices(show.nodes)

    def look(self) -> None:
        """Post what is so now. From nightfall to morning the devices stay as they were."""
        posted, state = self._posted, self._playing.state
        if posted is None:
            return
        started = self._show.started
        runs = state is not None and not self._playing.over
        posted.ruleset = started.ruleset if started and runs else self._lineups.ruleset
        posted.night = state is not None and public_phase(state) is PublicPhase.NIGHT
        devices = self._devices.look(night=posted.night)
        if not posted.night and devices != posted.devices:
            posted.devices = devices
