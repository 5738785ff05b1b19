"""What happens beside the course of a golden game: rulings, grounds, motions, shouts.

The host acts by day inside of something that runs, or in a gap. A gap lasts no time by
itself, so for a ruling there the host opens grounds that nobody votes for: their motion
keeps the gap open and changes nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from table_controller.game import actions as do
from table_controller.game import countdowns
from table_controller.game import events as ev
from table_controller.game.model import (
    SEATS,
    CountdownKind,
    IllegalAction,
    Offence,
    Phase,
    Refusal,
    Sanction,
    Source,
)

NO_GROUNDS = Offence.OUTSIDE_ARGUMENTS
"""What is held against somebody only to keep a gap open."""


class Told:
    """What one seat or the host is to do at one moment, until it has been done."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.left = list(items)

    def at(self, *moments: str, but: Callable[[Any], bool] = lambda _: False) -> list[Any]:
        """Take what is to be done at these moments, in order, *but* for some of it."""
        due = [item for moment in moments for item in self.left if item.when == moment]
        found = [item for item in due if not but(item)]
        self.left = [item for item in self.left if item not in found]
        return found


class Host:
    """Rulings, grounds, motions and shouts, on a game that is played."""

    def __init__(self, play: Any) -> None:
        self.play = play

    @property
    def over(self) -> bool:
        return self.play.state.phase is Phase.OVER

    def rule(self, ruling: Any) -> None:
        """Let the host rule at once."""
        match ruling.kind:
            case "void":
                self.play.act(do.Void())
            case "withdrawal":
                self.play.act(do.Withdraw(ruling.seat))
            case kind:
                self.play.act(do.Rule(Sanction(kind), ruling.seat, ruling.offence))

    def open(self, rulings: Sequence[Any]) -> None:
        """Open what is voted on in the next gap, and keep the gap open if the host comes first."""
        for ruling in rulings:
            if ruling.kind == "opponent_victory":
                self.play.act(do.PutOpponentVictory(ruling.seat))
            elif ruling.grounds is not None:
                self._open(ruling)
        if rulings and rulings[0].yes is None:
            self._keep_open({ruling.seat for ruling in rulings})

    def _open(self, ruling: Any) -> None:
        play, grounds = self.play, ruling.grounds
        if grounds.source != "seat":
            source = Source(grounds.source)
            wanted = Sanction(ruling.kind)
            play.act(do.OpenGrounds(ruling.seat, ruling.offence, source))
            if ruling.offence.sanction is not wanted:
                play.act(do.OpenGrounds(ruling.seat, ruling.offence, Source.HOST, severe=True))
            return
        play.act(do.Accuse(grounds.seat, ruling.seat, ruling.offence))
        if grounds.confirmed_by is not None:
            play.act(do.ConfirmAccusation(grounds.confirmed_by))
            if ruling.offence.sanction is not Sanction(ruling.kind):
                play.act(do.OpenGrounds(ruling.seat, ruling.offence, Source.HOST, severe=True))
            return
        play.act(do.Expire(self.clock(CountdownKind.ACCUSATION)))
        assert play.told(ev.AccusationLapsed)[-1].by == grounds.seat

    def _keep_open(self, ruled: set[Any]) -> None:
        state = self.play.state
        held = {each.seat for each in state.grounds if each.offence is NO_GROUNDS}
        others = sorted(set(SEATS) - ruled - held - set(state.disqualified))
        self.play.act(do.OpenGrounds(others[0], NO_GROUNDS, Source.HOST))

    def clock(self, kind: CountdownKind) -> int:
        """Return the id of the countdown of *kind*, which must run."""
        (clock,) = [c for c in countdowns(self.play.state) if c.kind is kind and c.runs]
        return int(clock.id)

    def gap(self, rulings: list[Any]) -> None:
        """Play the motions and rulings of a gap in order, until the day goes on."""
        play = self.play
        while not self.over and (rulings or play.state.motion is not None):
            motion = play.state.motion
            if rulings and rulings[0].yes is None:
                assert motion is not None, f"no gap for {rulings[0]}"
                self.rule(rulings.pop(0))
                continue
            if rulings and rulings[0].grounds is not None and not rulings[0].grounds.stand:
                rulings.pop(0)
                continue
            assert motion is not None, f"no motion for {rulings[0]}"
            mine = [r for r in rulings if (r.kind, r.seat) == (motion.sanction, motion.seat)]
            if mine and motion.offence is not NO_GROUNDS:
                play.act(*map(do.VoteMotion, mine[0].yes))
                rulings.remove(mine[0])
            last = len(play.state.grounds)
            if rulings and rulings[0].yes is None:
                self._keep_open({ruling.seat for ruling in rulings} | {motion.seat})
                assert len(play.state.grounds) > last
            self.close_motion()
        assert not rulings, f"never came: {rulings}"

    def close_motion(self) -> None:
        """Let the motion's window pass and count it."""
        self.play.expire(CountdownKind.MOTION)
        self.play.act(do.CloseBallot())

    # ---- shouts ----

    def shout(self, shouts: list[Any]) -> None:
        self._shout_by_the_clock([shout for shout in shouts if shout.presses_s])
        for shout in shouts:
            if not shout.presses_s:
                press = do.GiveFoul if shout.by else do.Shout
                self.play.act(press(shout.seat))
                self._until_quiet()
            if shout.take_back:
                self.play.act(do.TakeBackFoul(shout.seat))

    def _shout_by_the_clock(self, shouts: list[Any]) -> None:
        """Press SHOUT at given seconds; a floor that is open then takes the press in."""
        play, ends_s = self.play, 0.0
        length_s = play.state.ruleset.shout_s
        for at_s, seat in sorted((at_s, s.seat) for s in shouts for at_s in s.presses_s):
            while play.state.shouts and ends_s <= at_s:
                play.act(do.Expire(self.clock(CountdownKind.SHOUT)))
                ends_s += length_s
            if not play.state.shouts:
                ends_s = at_s + length_s
            try:
                play.act(do.Shout(seat))
            except IllegalAction as refused:
                if refused.refusal is not Refusal.SHOUTING:
                    raise
        self._until_quiet()

    def _until_quiet(self) -> None:
        while self.play.state.shouts:
            self.play.act(do.Expire(self.clock(CountdownKind.SHOUT)))


def from_a_seat(ruling: Any) -> bool:
    """Return whether a seat accuses, for which no ballot may be open."""
    return ruling.grounds is not None and ruling.grounds.source == "seat"
