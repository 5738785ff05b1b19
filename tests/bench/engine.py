"""How fast the rules engine is, beside another one: ``make bench``.

Both play random whole games of ten, in turns and in one process, so that a busy
machine slows both. An input is an action that an engine has accepted; choosing
it is part of the time. The other is werewolf-engine from PyPI: three werewolves,
a seer, six villagers, one shot and one vote a round, no clocks, no history.

A game of ours has ten times as many inputs, because every call of a number and
every clock that runs out is one. So inputs are what is compared.
"""

import contextlib
import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import msgspec
from werewolf_engine import Game, GameConfig
from werewolf_engine.phases import Phase as WerewolfPhase

from firmware.wire import NODES
from table_controller.game import NORMAL, Action, Phase, apply, new_game, replay
from table_controller.game.scoring import score
from table_controller.nodes import Nodes
from table_controller.random_players import Players
from table_controller.record.entries import FORMAT, Acted, Started, encode_row
from table_controller.record.journals import Journals
from table_controller.record.taking_up import take_up

ROUNDS = 7
REPLAY_MS = 20.0
"""The longest that a whole game's journal may take to replay, in ms of CPU."""

RATIO = 1.0
"""The least of our inputs per CPU-second over theirs."""

Player = Callable[[int], int]
"""Plays the game of a number and returns its inputs."""


def play_ours(number: int) -> int:
    """Play a game of ours, scored at its end."""
    players, state, inputs = Players(f"bench {number}"), new_game(NORMAL), 0
    while state.phase is not Phase.OVER:
        moves = players.moves(state).actions
        for action in moves:
            state, _ = apply(state, action)
        inputs += len(moves)
    assert len(score(NORMAL, state.course)) == 10
    return inputs


def play_werewolves(number: int) -> int:
    """Play a game of werewolf-engine: who can act does, everybody votes."""
    chance = random.Random(number)
    random.seed(number)  # It deals with the module's own dice.
    game = Game(
        [f"p{seat}" for seat in range(10)], GameConfig({"werewolf": 3, "seer": 1, "villager": 6})
    )
    game.start()
    inputs = 1
    while game.phase is not WerewolfPhase.END:
        living = [player for player in game.players if player.alive]
        if game.phase is WerewolfPhase.NIGHT:
            actor = game.night_manager.current_actor
            if actor.role.team == "werewolf":
                living = [player for player in living if player.role.team != "werewolf"]
            game.night_action(actor.id, chance.choice(living).id)
            inputs += 1
        else:
            for voter in living:
                others = [player for player in living if player is not voter]
                game.day_vote(voter.id, chance.choice(others).id)
            inputs += len(living)
    return inputs


def measure(play: Player, numbers: range) -> tuple[float, float]:
    """Return games and inputs per CPU-second."""
    gc.collect()
    began_s = time.process_time()
    inputs = sum(map(play, numbers))
    took_s = time.process_time() - began_s
    return len(numbers) / took_s, inputs / took_s


def journal_of(number: int) -> list[bytes]:
    """Return the actions of a game as its journal has them."""
    players, state, entries = Players(f"bench {number}"), new_game(NORMAL), []
    while state.phase is not Phase.OVER:
        for action in players.moves(state).actions:
            state, _ = apply(state, action)
            entries.append(msgspec.json.encode(action))
    return entries


def replays(numbers: range) -> Iterator[float]:
    """Yield the CPU time of replaying each game from what its journal has, in ms."""
    decode = msgspec.json.Decoder(Action).decode
    for entries in map(journal_of, numbers):
        began_s = time.process_time()
        state = replay(NORMAL, map(decode, entries))
        yield (time.process_time() - began_s) * 1000
        assert state.phase is Phase.OVER


def boots(numbers: range) -> Iterator[float]:
    """Yield the CPU time from a whole game's journal on the disk to its state, in ms.

    That is all a table does with it at its start: check the file, its seals and what
    the rules make of it, then take the game up.
    """
    start = Started(FORMAT, "0", "bench", NORMAL, tuple("ABCDEFGHIJ"), "00" * 32, NODES[:10])
    utc = "2026-01-01T00:00:00.000+00:00"
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            rows = [encode_row(1, utc, start, (), None)]
            players, state = Players(f"bench {number}"), new_game(NORMAL)
            while state.phase is not Phase.OVER:
                for action in players.moves(state).actions:
                    state, events = apply(state, action)
                    rows.append(encode_row(len(rows) + 1, utc, Acted(action), events, None))
            with contextlib.closing(Journals(Path(folder))) as journals:
                journals.install("bench", rows)
                began_s = time.process_time()
                journal = journals.current()
                assert journal is not None
                started, past, _ = take_up(journal, Nodes())
                again = replay(started.ruleset, past.actions)
                yield (time.process_time() - began_s) * 1000
                journal.close()
                assert again == state


def told(what: str, rates: list[tuple[float, float]]) -> None:
    """Print least, median and best of games and inputs per CPU-second."""
    games, inputs = (sorted(column) for column in zip(*rates, strict=True))
    click.echo(
        f"{what:<22}{games[0]:8,.0f} /{statistics.median(games):6,.0f} /{games[-1]:6,.0f}"
        f"{inputs[0]:14,.0f} /{statistics.median(inputs):8,.0f} /{inputs[-1]:8,.0f}"
        f"{statistics.median(inputs) / statistics.median(games):10.1f}"
    )


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="A round.")
def main(games: int) -> None:
    """Measure, print, and exit with 1 when a limit is missed."""
    ours, theirs = [], []
    for turn in range(ROUNDS):
        numbers = range(turn * games, (turn + 1) * games)
        ours.append(measure(play_ours, numbers))
        # As much work for the other: its games are shorter.
        theirs.append(measure(play_werewolves, range(turn * games * 8, (turn + 1) * games * 8)))
    click.echo("least / median / best of 7 rounds, a CPU-second")
    click.echo(f"{'':22}{'games':>24}{'inputs':>32}{'a game':>12}")
    told("this kit", ours)
    told("werewolf-engine 0.1.0", theirs)
    ratios = sorted(our[1] / their[1] for our, their in zip(ours, theirs, strict=True))
    by_games = statistics.median(our[0] / their[0] for our, their in zip(ours, theirs, strict=True))
    ratio = statistics.median(ratios)
    click.echo(
        f"ratio of inputs {ratio:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}; at least {RATIO:.0f},"
        f" goal 2); of games {by_games:.2f}"
    )
    took_ms = sorted(replays(range(50)))
    slowest = took_ms[-1]
    click.echo(
        f"replay of a whole game: median {statistics.median(took_ms):.1f} ms,"
        f" slowest of 50 {slowest:.1f} ms (less than {REPLAY_MS:.0f}, goal 10)"
    )
    boots_ms = sorted(boots(range(20)))
    slowest_boot = boots_ms[-1]
    click.echo(
        f"journal on disk to state: median {statistics.median(boots_ms):.1f} ms,"
        f" slowest of 20 {slowest_boot:.1f} ms (less than {REPLAY_MS:.0f})"
    )
    sys.exit(ratio < RATIO or max(slowest, slowest_boot) >= REPLAY_MS)


if __name__ == "__main__":
    main()
