"""The whole games of tests/golden/games, played in process.

What a game holds is told in its file: what seats do, and what must come out.
Rulings are not played.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from table_controller.game import NORMAL, TURBO, Role, Winner, replay, scoring
from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import NightRound, Phase
from table_controller.game.ruleset import Mode

GAMES = sorted((Path(__file__).parents[2] / "golden" / "games").glob("*.json"))


class Golden:
    """A golden game on its way through the engine."""

    def __init__(self, play, game):
        self.play = play
        self.game = game

    def run(self):
        for number, day in enumerate(self.game["days"]):
            self.night(self.game["nights"][number])
            self.day(day)
        for night in self.game["nights"][len(self.game["days"]) :]:
            self.night(night)
        self.play.until(Phase.OVER)

    # ---- night ----

    def night(self, night):
        play = self.play
        if night["night"] == 0:
            play.until(Phase.MORNING)
            return
        shots = {int(seat): numbers for seat, numbers in night["shots"].items()}
        play.round(shots, NightRound.SHOTS)
        assert play.told(ev.ShotsFixed)[-1].hit == night["hit"]
        for round_, role, key, yes in (
            (NightRound.DON, Role.DON, "don_check", "sheriff"),
            (NightRound.SHERIFF, Role.SHERIFF, "sheriff_check", "mafia"),
        ):
            self.check(round_, role, night.get(key), yes)
        assert play.state.phase is Phase.MORNING

    def check(self, round_, role, check, yes):
        play = self.play
        before = len(play.told(ev.Checked))
        if check is None:
            play.round({}, round_)
            assert len(play.told(ev.Checked)) == before
            return
        seat = play.state.roles.index(role) + 1
        pressed = check.get("pressed", [check.get("target")])
        play.round({seat: pressed}, round_)
        told = [
            (event.seat, event.target, event.positive) for event in play.told(ev.Checked)[before:]
        ]
        answered = [] if check["answer"] is None else [(seat, pressed[0], check["answer"] == yes)]
        assert told == answered

    # ---- day ----

    def day(self, day):
        play = self.play
        play.events.clear()
        play.expire()
        if day.get("farewell_of_the_shot"):
            self.farewell(day["farewell_of_the_shot"])
        if play.state.phase is Phase.OVER:
            return
        assert play.told(ev.DayBegan) == [ev.DayBegan(day["day"], tuple(day["speech_order"]))]
        assert play.state.mistakes_left == day["mistakes_left_true"]
        assert play.state.public_mistakes_left == day["mistakes_left_public"]
        self.speeches(day)
        for ballot in day["ballots"]:
            self.ballot(ballot)
        assert [list(event.leave) for event in play.told(ev.VoteSettled)] == [day["leave"]]
        for farewell in day.get("farewells", []):
            self.farewell(farewell)
        mafia = len(play.state.mafia)
        assert day["living_after"] == {"town": len(play.state.living) - mafia, "mafia": mafia}

    def speeches(self, day):
        play = self.play
        nominations = dict(day["nominations"])
        shouts = day.get("shouts", [])
        while play.state.phase is Phase.SPEECH:
            seat = play.state.floor
            for shout in shouts:
                if shout["during_speech_of"] == seat:
                    play.act(do.Shout(shout["seat"]))
                    play.act(do.Expire(play.clock(1).id))
            if seat in nominations:
                play.act(do.Nominate(seat, nominations[seat]))
            play.act(do.EndFloor(seat))
        silent = [event.seat for event in play.told(ev.SpeechBegan) if event.silent]
        assert silent == day.get("silenced", [])

    def ballot(self, ballot):
        play = self.play
        if ballot["kind"] == "lift":
            closed = play.lift(ballot["yes"])
            assert closed.living == ballot["living"]
            assert bool(closed.top) is ballot["passed"]
        else:
            presses = {int(candidate): seats for candidate, seats in ballot["presses"].items()}
            closed = play.ballot(presses)
            assert list(closed.automatic) == ballot["automatic"]
            assert list(closed.top) == ballot["top"]
        assert closed.kind == ballot["kind"]
        assert list(closed.candidates) == ballot["candidates"]
        decisive = scoring.decisive_votes(play.state.ballots[-1])
        assert list(decisive) == ballot.get("decisive", [])

    def farewell(self, farewell):
        assert self.play.state.floor == farewell["seat"]
        self.play.farewell(farewell["best_move"], farewell["crown"])
        record = self.play.state.farewells[-1]
        assert record.best_move == tuple(farewell["best_move"])
        assert record.crown == farewell["crown"]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_comes_out_as_worked_by_hand(path, a_dealt_game):
    game = json.loads(path.read_text(encoding="utf-8"))
    mode = {Mode.NORMAL: NORMAL, Mode.TURBO: TURBO}[game["mode"]]
    ruleset = replace(mode, **game.get("ruleset", {}))
    roles = tuple(Role(game["roles"][str(seat)]) for seat in range(1, 11))
    play = a_dealt_game(ruleset, roles)
    Golden(play, game).run()
    assert play.state.decided is Winner(game["winner"])
    assert replay(ruleset, play.actions) == play.state
    items = scoring.score(ruleset, play.state.course)
    for seat, expected in game["points"].items():
        came = Counter((item.classic, item.max) for item in items[int(seat)])
        # The technical foul is no ruling of this runner yet.
        worked = Counter(
            (classic, most) for what, classic, most in expected["items"] if "foul" not in what
        )
        del came[0, 0], worked[0, 0]
        assert came == worked, f"seat {seat}"


def test_there_is_a_golden_game():
    assert [path.name for path in GAMES if path.name == "game-1.json"]
