"""What the host is offered: which orders would be taken now, and which is the sensible next one."""

from collections.abc import Collection
from typing import Any, Final

from table_controller.game import CountdownKind, GameState, actions, host_actions
from table_controller.game.views import HostView, PublicPhase
from table_controller.host import orders
from table_controller.host.orders import ConsoleOrder
from table_controller.lost import FLOORS
from table_controller.readiness import Stage

MORE_S: Final = 15.0
"""What a speaker who was disturbed is given with one tap."""

AT_NIGHT: Final = (orders.NextLine, orders.ReadOut, orders.Volume, orders.Music)
"""Orders of the table that stay by night: they are about what the room hears."""

_NAMES: Final[dict[type[Any], type[Any]]] = {actions.OpenGrounds: orders.Accuse}
"""What a host orders instead of an action."""


def name_of(kind: type[Any]) -> str:
    """Return the name of a kind of order."""
    return str(_NAMES.get(kind, kind).__struct_config__.tag)


def open_orders(state: GameState | None, table: Collection[type[Any]]) -> tuple[str, ...]:
    """Return the names of the orders that would be taken now, of some seat at least.

    *table* are the orders of the table that can be carried out now.
    """
    game = host_actions(state) if state is not None else ()
    return tuple(map(name_of, (*game, *table)))


def next_orders(
    game: HostView | None,
    *,
    stage: Stage | None = None,
    waits: bool = False,
    back: int | None = None,
    calls: bool = False,
) -> tuple[ConsoleOrder, ...]:
    """Return what is sensible now, the best first.

    *stage* is of the round before the deal. *waits*: the game waits for the device of
    a lost seat. *back* is what an undo of the end without a result goes back to; *calls*:
    something is called that could be called again.
    """
    if game is None:
        return (orders.Rematch(),)
    public = game.public
    if public.phase is PublicPhase.OVER:
        return (orders.Rematch(), *([orders.Undo(back)] if back is not None else []))
    if public.paused:
        return (actions.Resume(),)
    if waits:
        return (orders.GoOn(), actions.Pause())
    match public.phase:
        case PublicPhase.SEATING:
            return _before_the_deal(stage)
        case PublicPhase.NIGHT:
            return (actions.Pause(), *([actions.CallAgain()] if calls else []))
        case _:
            return _by_day(game)


def _before_the_deal(stage: Stage | None) -> tuple[ConsoleOrder, ...]:
    match stage:
        case Stage.CHECK:
            return (orders.SkipReadiness(), orders.Practice())
        case Stage.PRACTICE:
            return (orders.SkipReadiness(),)
        case _:
            return ()


def _by_day(game: HostView) -> tuple[ConsoleOrder, ...]:
    for clock in game.countdowns:
        if clock.kind is CountdownKind.SHOUT:
            return (actions.EndCountdown(clock.id), actions.Pause())
    for clock in game.countdowns:
        if clock.kind in FLOORS:
            more = actions.ExtendCountdown(clock.id, MORE_S)
            return (actions.EndCountdown(clock.id), more, actions.Pause())
    return (actions.Pause(),)
