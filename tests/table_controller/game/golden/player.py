"""A player of golden games: does what seats and host do, compares what must come out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from table_controller.game import actions as do
from table_controller.game import events as ev
from table_controller.game.model import (
    CountdownKind,
    IllegalAction,
    NightRound,
    Phase,
    Refusal,
    Role,
    Team,
)
from table_controller.game.scoring import decisive_votes
from tests.table_controller.game.golden.host import Host, Told, from_a_seat

ANSWERS = {"sheriff": True, "not the sheriff": False, "mafia": True, "town": False}


class Player(Host):
    """A golden game on its way through the engine."""

    def __init__(self, play: Any, game: Any) -> None:
        super().__init__(play)
        self.game = game
        self.shouts = self.rulings = Told(())
        self.day_began = 0
        self.cut: list[Any] = []
        self.passed: Sequence[str] = ()
        """Gaps that have passed: who shouts there has its floor in what comes next."""

    def run(self) -> None:
        """Play the whole game; what is left undone when it is over is a mistake."""
        days = list(self.game.days)
        for night in self.game.nights:
            assert not self.over, f"night {night.night} never came"
            self.night(night)
            if days and not self.over:
                self.day(days.pop(0))
        if self.play.state.phase is Phase.MORNING:
            self.play.expire(CountdownKind.MORNING)
        assert self.over, f"the game goes on: {self.play.state.phase}"
        assert not days, f"D{days[0].day} never came"
        for day, record in zip(self.game.days, self.play.state.days, strict=False):
            assert day.mistakes_left_true in (None, record.mistakes_left), f"D{day.day}: {record}"

    # ---- night ----

    def night(self, night: Any) -> None:
        play, rulings = self.play, Told(night.rulings)
        play.until(Phase.NIGHTFALL)
        assert play.state.night == night.night
        self._rule(rulings.at("before shots"))
        if self.over:
            pass
        elif night.night == 0:
            play.until(Phase.MORNING)
        else:
            self._shooting_night(night, rulings)
        assert not rulings.left, f"never came: {rulings.left}"

    def _shooting_night(self, night: Any, rulings: Told) -> None:
        roles, living = self.play.state.roles, self.play.state.living
        cover = dict.fromkeys(living, (living[0],))
        shooters = dict.fromkeys(self.play.state.mafia, ())
        presses = cover | shooters | (night.shots or {})
        self._round(NightRound.SHOTS, presses, rulings.at("in shots"))
        if self.over:
            return
        assert self.play.told(ev.ShotsFixed)[-1].hit == night.hit
        for round_, role, check, moments in (
            (NightRound.DON, Role.DON, night.don_check, ("after shots",)),
            (NightRound.SHERIFF, Role.SHERIFF, night.sheriff_check, ()),
        ):
            owner = roles.index(role) + 1
            before = len(self.play.told(ev.Checked))
            numbers = check.numbers if check is not None else ()
            late = rulings.at("after checks") if role is Role.SHERIFF else ()
            self._round(round_, cover | {owner: numbers}, rulings.at(*moments), late)
            if self.over:
                return
            answers = self.play.told(ev.Checked)[before:]
            if check is None or check.answer is None:
                assert answers == []
            else:
                answer = ev.Checked(owner, numbers[0], ANSWERS[check.answer])
                assert answers == [answer]
        assert self.play.state.phase is Phase.MORNING

    def _round(
        self,
        round_: NightRound,
        presses: dict[int, Sequence[int]],
        rulings: Iterable[Any],
        late: Iterable[Any] = (),
    ) -> None:
        """Call a round's numbers, each seat pressing its own; rulings come after the first."""
        play = self.play
        play.until(Phase.CALLING)
        assert play.state.call.round is round_
        for seat, numbers in presses.items():
            called = [number for number in play.state.living if number in numbers]
            # A number is called once, in order of the seats; it can be pressed twice.
            assert list(dict.fromkeys(numbers)) == called, f"seat {seat} cannot press {numbers}"
        while play.state.phase is Phase.CALLING:
            told = play.events[-1]
            if isinstance(told, ev.WindowOpened):
                for seat in sorted(set(presses) & set(play.state.living)):
                    times = list(presses[seat]).count(told.number)
                    play.act(*[do.PressAtNight(seat, told.number)] * times)
                self._rule(rulings)
                rulings = ()
                if self.over:
                    return
            play.expire()
        self._rule(late)
        if not self.over:
            play.expire(CountdownKind.GATHER)

    def _rule(self, rulings: Iterable[Any]) -> None:
        for ruling in rulings:
            self.rule(ruling)

    # ---- day ----

    def day(self, day: Any) -> None:
        self.shouts, self.rulings = Told(day.shouts), Told(day.rulings)
        self.day_began, self.cut = len(self.play.events), []
        self._morning(day)
        if not self.over:
            self._order(day)
            self._speeches(day)
            self._ballots(day)
            self._farewells(day)
        self._evening(day)

    def _today(self, kind: type[Any]) -> list[Any]:
        return [e for e in self.play.events[self.day_began :] if isinstance(e, kind)]

    def _inside(self, moment: str, *gaps: str) -> list[Any]:
        """Do what comes inside of *moment*, after opening what the next gaps vote on.

        :returns: what those gaps hold.
        """
        in_a_ballot = self.play.state.ballot is not None
        coming = self.rulings.at(*gaps, but=lambda each: in_a_ballot and from_a_seat(each))
        self.open(coming)
        self._catch_up()
        # After these gaps nobody can shout any more, or it would cost another round.
        self.shout(self.shouts.at(moment, *{"before speeches", "evening"}.intersection(gaps)))
        for ruling in self.rulings.at(moment):
            if not self.over:
                self.rule(ruling)
        return coming

    def _catch_up(self) -> None:
        """Let those shout who do in the gap that has just passed."""
        self.shout(self.shouts.at(*self.passed))
        self.passed = ()

    def _morning(self, day: Any) -> None:
        play, farewell = self.play, day.farewell_of_the_shot
        if farewell is None:
            coming = self._inside("morning", "before speeches")
            if not self.over:
                play.expire(CountdownKind.MORNING)
                self._readings(day)
                self.gap(coming)
            return
        play.expire(CountdownKind.MORNING)
        self._readings(day)
        self._farewell(
            farewell,
            ("morning", f"farewell {farewell.seat}"),
            (f"after farewell {farewell.seat}", "before speeches"),
        )

    def _readings(self, day: Any) -> None:
        state = self.play.state
        for expected, came in (
            (day.mistakes_left_true, state.mistakes_left),
            (day.mistakes_left_public, state.public_mistakes_left),
        ):
            assert expected in (None, came), f"D{day.day}: mistakes left {came}"

    def _order(self, day: Any) -> None:
        state = self.play.state
        assert state.phase is Phase.SPEECH, f"D{day.day} has no speeches: {state.phase}"
        assert state.day == day.day
        if day.speech_order is not None:
            assert state.order == day.speech_order
        assert set(state.silenced) == set(day.silenced)

    def _speeches(self, day: Any) -> None:
        play, nominations = self.play, dict(day.nominations)
        while play.state.phase is Phase.SPEECH:
            seat = play.state.floor
            if seat in nominations:
                play.act(do.Nominate(seat, nominations.pop(seat)))
            gaps = [f"after speech {seat}"]
            if play.state.to_speak == (seat,):
                gaps.append("before ballot")
            coming = self._inside(f"speech {seat}", *gaps)
            if play.state.phase is Phase.SPEECH and play.state.floor == seat:
                play.act(do.EndFloor(seat))
            self.gap(coming)
            self.passed = gaps
        assert self.over or not nominations, f"never spoke: {nominations}"

    def _ballots(self, day: Any) -> None:
        for number, ballot in enumerate(day.ballots, 1):
            gaps = [f"after ballot {number}"]
            if number == len(day.ballots) and not day.leave:
                gaps.append("evening")
            self._tie_speeches(number - 1)
            self._ballot(day, number, ballot, gaps)
        self._tie_speeches(len(day.ballots))

    def _tie_speeches(self, number: int) -> None:
        play = self.play
        while play.state.phase is Phase.TIE_SPEECH:
            seat = play.state.floor
            coming = self._inside(f"tie speech {seat}", f"after ballot {number}")
            if play.state.phase is Phase.TIE_SPEECH and play.state.floor == seat:
                play.act(do.EndFloor(seat))
            self.gap(coming)

    def _ballot(self, day: Any, number: int, ballot: Any, gaps: Sequence[str]) -> None:
        play = self.play
        assert play.state.ballot is not None, f"D{day.day}: no ballot {number}"
        assert play.state.ballot.kind == ballot.kind
        assert play.state.ballot.candidates == ballot.candidates
        self._catch_up()
        if ballot.kind != "lift":
            play.expire(CountdownKind.READ)
        before = len(play.told(ev.BallotClosed))
        coming = self._windows(number, ballot, gaps)
        if not self.over and play.state.phase is Phase.ROLL_CALL and play.state.motion is None:
            play.act(do.CloseBallot())
        closed = play.told(ev.BallotClosed)[before:]
        self.gap(coming)
        self.passed = gaps
        if closed:
            self._compare(ballot, closed[0])
        else:
            assert self.over or ballot.dropped, f"D{day.day}: ballot {number} was cut"
            self.cut.append(ballot)

    def _windows(self, number: int, ballot: Any, gaps: Sequence[str]) -> list[Any]:
        """Press in the windows of a ballot; the last that is pressed in holds the rest."""
        play, coming = self.play, []
        presses = {0: ballot.yes} if ballot.kind == "lift" else ballot.presses
        pressed = list(ballot.candidates) if ballot.yes is None else [0]
        last = [seat for seat in pressed if presses.get(seat)][-1:] or pressed[-1:]
        began = play.state.ballot.candidates
        for candidate in pressed:
            for seat in presses.get(candidate, ()):
                self._vote(seat, candidate)
            if [candidate] == last:
                coming = self._inside(f"in ballot {number}", *gaps)
                self._inside(ballot.kind)
            open_ = play.state.ballot
            if self.over or open_ is None or open_.candidates != began:
                return coming
            if play.state.phase is Phase.READING:  # Held again.
                return coming
            play.expire()
            if play.state.phase is Phase.BALLOT:
                play.expire(CountdownKind.BALLOT_GAP)
        return coming

    def _vote(self, seat: int, candidate: int) -> None:
        vote = do.Vote(seat, candidate) if candidate else do.VoteLift(seat)
        try:
            self.play.act(vote)
        except IllegalAction as refused:
            # The first press binds; a second is no vote.
            if refused.refusal is not Refusal.ALREADY_VOTED:
                raise

    def _compare(self, ballot: Any, closed: Any) -> None:
        """Compare what must come out of a ballot that was counted."""
        lift = ballot.kind == "lift"
        came = {
            "automatic": closed.automatic,
            "top": closed.top,
            "decisive": decisive_votes(closed),
            "living": closed.living,
            "passed": bool(closed.top),
        }
        for name in ("living", "passed", "decisive") if lift else ("automatic", "top", "decisive"):
            expected = getattr(ballot, name)
            if name in ("decisive", "automatic") and expected is not None:
                expected = tuple(sorted(expected))
            if name == "decisive" or expected is not None:
                assert came[name] == (expected or type(came[name])()), f"{name} of {closed}"

    def _farewells(self, day: Any) -> None:
        for farewell in day.farewells:
            seat, gaps = farewell.seat, [f"after farewell {farewell.seat}"]
            if farewell is day.farewells[-1]:
                gaps.append("evening")
            self._farewell(farewell, (f"farewell {seat}",), gaps)

    def _farewell(self, farewell: Any, moments: Sequence[str], gaps: Sequence[str]) -> None:
        play, seat = self.play, farewell.seat
        assert play.state.phase is Phase.FAREWELL, f"no farewell of {seat}: {play.state.phase}"
        assert play.state.floor == seat
        before = len(play.state.farewells)
        if farewell.best_move is not None:
            play.act(do.GiveBestMove(seat, farewell.best_move))
        if not farewell.void:
            play.act(do.GiveCrown(seat, farewell.crown))
        coming = self._inside(moments[0], *gaps)
        self.passed = gaps
        for moment in moments[1:]:
            self._inside(moment)
        self._catch_up()
        while not self.over and play.state.farewell is not None and play.state.floor == seat:
            play.act(do.EndFloor(seat))
        self.gap(coming)
        records = play.state.farewells[before:]
        if farewell.void:
            assert not [r for r in records if r.seat == seat and (r.best_move or r.crown)]
        else:
            assert [(r.seat, r.best_move, r.crown) for r in records] == [
                (seat, farewell.best_move, farewell.crown)
            ]

    def _evening(self, day: Any) -> None:
        play = self.play
        assert self.over or play.state.phase is Phase.NIGHTFALL, f"not evening: {play.state.phase}"
        assert not self.rulings.left, f"never came: {self.rulings.left}"
        assert not self.shouts.left, f"never came: {self.shouts.left}"
        for ballot in day.ballots:
            dropped = ballot in self.cut or day.day in play.state.dropped
            assert dropped or not ballot.dropped, f"D{day.day}: not dropped: {ballot}"
        settled = [event.leave for event in self._today(ev.VoteSettled)]
        assert settled in ([day.leave], [] if day.leave == () else [()]), f"leave: {settled}"
        if day.living_after is not None:
            cards = Counter(play.state.roles[seat - 1].team for seat in play.state.living)
            came = {"town": cards[Team.TOWN], "mafia": cards[Team.MAFIA]}
            assert came == day.living_after, f"D{day.day}: living after it: {came}"
