"""The command ``mafia-table simulate``: what a change of the rules does, on many random games."""

import secrets
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click
import msgspec

from firmware import service
from firmware.words import LANGUAGES, SOURCE, Words, catalogue
from table_controller.commands.rulesheet import read_ruleset, ruleset_options
from table_controller.game import GameState, Phase, Ruleset, Winner, apply, new_game
from table_controller.game.model import BallotKind
from table_controller.random_players import Players
from table_controller.wording import winner_name

Z_95: Final = 1.959964
"""Half width of a 95 % interval, in standard deviations. Source: normal distribution."""


class Played(msgspec.Struct, frozen=True):
    """What a simulated game was like."""

    winner: Winner
    days: int
    """Mornings that came."""
    table_s: float
    nights: int
    """Shooting nights."""
    misses: int
    lifts: int
    lifts_passed: int
    singles: int
    """Days that a single nominee left on, without a ballot."""


def play(ruleset: Ruleset, seed: str) -> tuple[GameState, float, int]:
    """Play a random game; return its end, its time at the table in s, its inputs."""
    players, state = Players(seed), new_game(ruleset)
    table_s, inputs = 0.0, 0
    while state.phase is not Phase.OVER:
        moves = players.moves(state)
        table_s += moves.took_s
        inputs += len(moves.actions)
        for action in moves.actions:
            state, _ = apply(state, action)
    return state, table_s, inputs


def play_all(ruleset: Ruleset, games: Iterable[int], seed: int) -> list[Played]:
    """Play a random game for each number of *games*; the same numbers give the same games."""
    return [_played(*play(ruleset, f"{seed} {number}")[:2]) for number in games]


def _played(state: GameState, table_s: float) -> Played:
    assert state.decided is not None
    lifts = [ballot for ballot in state.ballots if ballot.kind is BallotKind.LIFT]
    voted = {ballot.day for ballot in state.ballots}
    return Played(
        winner=state.decided,
        days=state.day,
        table_s=table_s,
        nights=len(state.nights),
        misses=sum(night.hit is None for night in state.nights),
        lifts=len(lifts),
        lifts_passed=sum(bool(lift.top) for lift in lifts),
        singles=sum(bool(day.leave) and day.day not in voted for day in state.days),
    )


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Return the 95 % interval for the share of which *hits* of *tries* are a sample.

    Source: Wilson 1927, score interval without correction.
    """
    share, room = hits / tries, Z_95**2 / tries
    middle = (share + room / 2) / (1 + room)
    half = Z_95 * (share * (1 - share) / tries + room / (4 * tries)) ** 0.5 / (1 + room)
    return max(0.0, middle - half), min(1.0, middle + half)


# ---- the report ----


def report(games: Sequence[Played], words: Words) -> str:
    """Return what *games* (at least one) were like, a line for each question."""
    t = words.gettext
    rows = [(t("of all games"), t("games"), t("share"), t("95 % interval"))]
    for winner in Winner:
        won = sum(game.winner is winner for game in games)
        rows.append(_share(winner_name(winner, words), won, len(games)))
    for what, counted in (
        (t("with a lift"), [game.lifts for game in games]),
        (t("with a lift that passed"), [game.lifts_passed for game in games]),
        (t("with a miss"), [game.misses for game in games]),
        (t("with a single nominee who left"), [game.singles for game in games]),
    ):
        rows.append(_share(what, sum(map(bool, counted)), len(games)))
    nights = sum(game.nights for game in games)
    lengths = [(t("length"), t("mean"), t("median"), t("9 of 10 games"))]
    lengths.append(_spread(t("days"), [game.days for game in games], "{:.0f}"))
    lengths.append(_spread(t("table minutes"), [game.table_s / 60 for game in games], "{:.0f}"))
    rates = [(t("of all shooting nights"), t("nights"), t("share"), t("95 % interval"))]
    if nights:
        rates.append(_share(t("missed"), sum(game.misses for game in games), nights))
    return "\n\n".join(map(_laid_out, (rows, rates, lengths)))


def _share(what: str, hits: int, tries: int) -> tuple[str, str, str, str]:
    low, high = wilson(hits, tries)
    return (what, f"{hits}", f"{hits / tries:.1%}", f"{low:.1%} - {high:.1%}")


def _spread(what: str, lengths: Sequence[float], form: str) -> tuple[str, str, str, str]:
    ordered = sorted(lengths)
    last = len(ordered) - 1
    low, middle, high = (ordered[round(last * part)] for part in (0.05, 0.5, 0.95))
    mean = f"{statistics.fmean(ordered):.1f}"
    return (what, mean, form.format(middle), f"{form.format(low)} - {form.format(high)}")


def _laid_out(rows: Sequence[tuple[str, str, str, str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )


@click.command(short_help="Play random games and print how they went.")
@click.option(
    "--games", type=click.IntRange(1, 10_000_000), required=True, metavar="N", help="How many."
)
@ruleset_options
@click.option("--seed", type=int, metavar="S", help="Play the same games again.")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default=SOURCE,
    show_default=True,
    help="Of what is printed.",
)
def simulate(
    games: int, ruleset: Path | None, turbo: bool, seed: int | None, language: str
) -> None:
    """Play N random games and print who won, how long they took, what happened in them.

    The players are loaded dice that know what their seat knows, so compare two
    rules by it, not the dice with people.
    """
    service.start_logging("warning")
    words = catalogue(language)
    number = secrets.randbelow(2**31) if seed is None else seed
    sys.exit(service.run(lambda: _simulate(games, ruleset, turbo, number, words)))


def _simulate(games: int, path: Path | None, turbo: bool, seed: int, words: Words) -> None:
    ruleset, t = read_ruleset(path, turbo=turbo), words.gettext
    title = t("{games} random games, mode {mode}, seed {seed}")
    numbers = range(games)
    with click.progressbar(numbers, label=t("playing"), file=sys.stderr) as bar:
        played = play_all(ruleset, bar, seed)
    click.echo(title.format(games=games, mode=ruleset.mode, seed=seed))
    click.echo("\n" + report(played, words))
