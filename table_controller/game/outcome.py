"""Departures, victory, draw, the right to a mistake.

Source: RULES 1.13 and 1.14.
"""

from msgspec.structs import replace

from table_controller.game import floor
from table_controller.game.events import GameDecided, GameEnded, GameVoided, SeatLeft
from table_controller.game.model import (
    Cause,
    Departure,
    GameState,
    Phase,
    Team,
    Winner,
)
from table_controller.game.turn import STAY, Then, Turn


def remove(turn: Turn, seats: tuple[int, ...], cause: Cause) -> None:
    """Take *seats* out of the game, all at once, with a farewell to come."""
    _take_out(turn, seats, cause)
    turn.set(leaving=seats, to_speak=seats)


def expel(turn: Turn, seat: int, cause: Cause) -> None:
    """Take *seat* out of the game, without a farewell."""
    _take_out(turn, (seat,), cause)


def _take_out(turn: Turn, seats: tuple[int, ...], cause: Cause) -> None:
    state = turn.state
    motion = state.motion
    if motion is not None:
        # Whoever leaves, by whatever cause, takes the own vote along.
        votes = tuple(voter for voter in motion.votes if voter not in seats)
        motion = replace(motion, votes=votes)
    turn.set(
        motion=motion,
        living=tuple(seat for seat in state.living if seat not in seats),
        departures=state.departures + tuple(Departure(seat, cause, state.day) for seat in seats),
        idle_nights=0,
    )
    for seat in seats:
        turn.tell(SeatLeft(seat, cause))
    floor.drop(turn, seats)


def standing(state: GameState) -> Winner | None:
    """Return who has won by the living alone; None: the game goes on."""
    mafia = len(state.mafia)
    if mafia == 0:
        return Winner.TOWN
    if mafia >= len(state.living) - mafia:
        return Winner.MAFIA
    return None


def judge_vote(turn: Turn, leave: tuple[int, ...]) -> None:
    """Test victory when a vote, lift or single nominee has put *leave* out."""
    state = turn.state
    winner = standing(state)
    if (
        winner is None
        and state.ruleset.critical_vote_ends_game
        and state.mistakes_left == 0
        and any(state.roles[seat - 1].team is Team.TOWN for seat in leave)
    ):
        winner = Winner.MAFIA
    _decide(turn, winner)


def judge_expulsion(turn: Turn) -> None:
    """Test victory at once when a seat has been put out by day; a result that stands stays."""
    if turn.state.decided is None:
        _decide(turn, standing(turn.state))


def stop(turn: Turn, loser: Team) -> None:
    """Decide the game against *loser*; a result that stands stays."""
    if turn.state.decided is None:
        _decide(turn, Winner.MAFIA if loser is Team.TOWN else Winner.TOWN)


def judge_dawn(turn: Turn) -> None:
    """Test victory and draw at dawn, and take the reading of mistakes left."""
    state = turn.state
    limit = state.ruleset.draw_after_idle_nights
    winner = standing(state)
    if winner is None and limit and state.idle_nights >= limit:
        winner = Winner.DRAW
    mafia, living = len(state.mafia), len(state.living)
    turn.set(
        mistakes_left=mistakes_left(living - mafia, mafia),
        public_mistakes_left=public_mistakes_left(living),
    )
    _decide(turn, winner)


def mistakes_left(town: int, mafia: int) -> int:
    """Return how many town players the town can still vote out."""
    return max(0, (town - mafia - 1) // 2)


def public_mistakes_left(living: int) -> int:
    """Return what follows for certain from the number of the living alone."""
    return 1 if living >= 9 else 0


def end(turn: Turn) -> Then:
    """End the game, decided or void; everything may be shown now."""
    winner = turn.state.decided
    floor.drop(turn, turn.state.shouts)
    turn.set(
        phase=Phase.OVER,
        paused=False,
        clock=None,
        floor=0,
        ballot=None,
        call=None,
        farewell=None,
        accusation=None,
        accusation_clock=None,
        motion=None,
        resume=None,
    )
    turn.tell(GameVoided() if winner is None else GameEnded(winner))
    return STAY


def _decide(turn: Turn, winner: Winner | None) -> None:
    if winner is not None:
        turn.set(decided=winner)
        turn.tell(GameDecided(winner))
