"""The views of the state that is played, each made once: a press is read and answered by them."""

from table_controller.game import GameState
from table_controller.game.views import PublicView, SeatView, public_view, seat_view


class Views:
    """Keeps the views of the last state that it was asked about."""

    def __init__(self) -> None:
        self._state: GameState | None = None
        self._public: PublicView | None = None
        self._seats: dict[int, SeatView] = {}

    def public(self, state: GameState) -> PublicView:
        """Return what the room may see of *state*."""
        self._turn_to(state)
        if self._public is None:
            self._public = public_view(state)
        return self._public

    def seat(self, state: GameState, seat: int) -> SeatView:
        """Return what the player of *seat* may see of *state*."""
        self._turn_to(state)
        view = self._seats.get(seat)
        if view is None:
            view = self._seats[seat] = seat_view(state, seat)
        return view

    def _turn_to(self, state: GameState) -> None:
        # The same object: to compare two states takes longer than to look at one.
        if state is not self._state:
            self._state, self._public = state, None
            self._seats.clear()
