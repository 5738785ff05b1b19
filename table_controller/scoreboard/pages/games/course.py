"""The course of a finished game, night by night and day by day, in words. Pure."""

import copy
import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from firmware.words import Words
from table_controller.game import SEATS, Role, Team, actions, motions
from table_controller.game import events as ev
from table_controller.game.outcome import mistakes_left
from table_controller.game.terms import BallotKind, NightRound
from table_controller.record.finished import Deed, FinishedGame
from table_controller.scoreboard.pages.games import numbers
from table_controller.scoreboard.pages.games import sentences as say
from table_controller.wording import offence_name


class Line(NamedTuple):
    """A sentence of the record."""

    mark: str
    """What it is about; a class of the style sheet."""
    text: str
    undone: bool = False
    """The host has taken it back."""


class Chapter:
    """A night or a day."""

    def __init__(self, key: str, utc: str) -> None:
        self.key = key
        """``N0``, ``D1`` ..."""
        self.utc = utc
        self.lines: list[Line] = []
        self.reading: int | None = None
        """Of the right to a mistake, at dawn; None: by night, or no dawn came."""
        self.town = self.mafia = 0
        """Living after what leaves at dawn, or at nightfall."""
        self.pauses: list[float] = []
        """Seconds."""
        self.ended_clocks = 0
        """Clocks that the host has let be over."""

    @property
    def by_night(self) -> bool:
        """Tell a night from a day."""
        return self.key[0] == "N"

    @property
    def number(self) -> int:
        """Return which night or day it is."""
        return int(self.key[1:])


def course(game: FinishedGame, words: Words) -> list[Chapter]:
    """Return the chapters of *game*; none if it ended before the first night."""
    narrator = _Narrator(game, words)
    undone = list(game.undone)
    for number in range(len(game.deeds) + 1):
        while undone and undone[0].after == number:
            _take_back(narrator, undone.pop(0).deeds, words)
        if number < len(game.deeds):
            narrator.take(game.deeds[number])
    return narrator.chapters


def _take_back(narrator: "_Narrator", deeds: Iterable[Deed], words: Words) -> None:
    """Tell what was undone, without believing it."""
    if not narrator.chapters:
        return
    aside = copy.deepcopy(narrator)
    before = len(aside.chapters[-1].lines)
    for deed in deeds:
        aside.take(deed)
    told = aside.chapters[len(narrator.chapters) - 1 :]
    lines = [line for chapter in told for line in chapter.lines][before:]
    t, real = words.gettext, narrator.chapters[-1].lines
    real += [line._replace(undone=True) for line in lines]
    real.append(Line("host", t("The host went back: what is struck out here counts for nothing.")))


class _Narrator:
    """Tells the deeds of one game in order."""

    def __init__(self, game: FinishedGame, words: Words) -> None:
        self._words, self._ruleset = words, game.ruleset
        self._roles: tuple[Role, ...] = tuple(seat.role for seat in game.seats)
        self.mafia = frozenset(seat.seat for seat in game.seats if seat.role.team is Team.MAFIA)
        self.living = set(SEATS)
        self.chapters: list[Chapter] = []
        self._utc = ""
        self._paused_at = ""
        self._rounds: set[NightRound] = set()
        """Called this night."""
        self._checked: set[int] = set()
        """Who has checked this night."""
        self._farewell: tuple[int, tuple[int, ...], int | None] | None = None
        """Seat, best move and crown of the open farewell."""
        self._nominees = 0
        self._lift = False

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Narrator":
        """Copy what changes; words and roles do not."""
        twin = copy.copy(self)
        for name in ("living", "chapters", "_rounds", "_checked"):
            setattr(twin, name, copy.deepcopy(getattr(self, name), memo))
        return twin

    def take(self, deed: Deed) -> None:
        """Tell one deed."""
        self._utc = deed.utc
        dawn = False
        for event in deed.events:
            dawn |= isinstance(event, ev.ShotAnnounced | ev.MissAnnounced)
            dawn |= isinstance(event, ev.DayBegan) and event.day == 1
            if told := _TELL.get(type(event)):
                told(self, event)
            elif plain := say.PLAIN.get(type(event)):
                self._plain(event, *plain)
        if self.chapters and isinstance(deed.action, actions.EndCountdown):
            self.chapters[-1].ended_clocks += 1
        if dawn:
            self._read()

    def _read(self) -> None:
        """Take the reading of the right to a mistake. Source: RULES 1.14."""
        town, mafia = len(self.living - self.mafia), len(self.living & self.mafia)
        chapter = self.chapters[-1]
        chapter.town, chapter.mafia = town, mafia
        chapter.reading = mistakes_left(town, mafia)

    def _say(self, mark: str, text: str) -> None:
        if self.chapters:
            self.chapters[-1].lines.append(Line(mark, text))

    def _plain(self, event: Any, mark: str, text: str) -> None:
        fields = {name: getattr(event, name) for name in event.__struct_fields__}
        self._say(mark, self._words.gettext(text).format(**fields))

    # ---- the course ----

    def night_fell(self, event: ev.NightFell) -> None:
        self._cut_farewell()
        self._rounds, self._checked = set(), set()
        chapter = Chapter(f"N{event.night}", self._utc)
        chapter.mafia = len(self.living & self.mafia)
        chapter.town = len(self.living) - chapter.mafia
        self.chapters.append(chapter)
        if event.night == 0 and self._roles:
            self._say("mafia", say.met(self._roles, self._words))

    def round_began(self, event: ev.RoundBegan) -> None:
        if event.round in self._rounds:
            self._say("host", self._words.gettext(say.CALLED_AGAIN[event.round]))
        self._rounds.add(event.round)

    def shots_fixed(self, event: ev.ShotsFixed) -> None:
        *shots, result = say.shots(event, self._roles, self._words)
        for line in shots:
            self._say("mafia", line)
        self._say("miss" if event.hit is None else "shot", result)

    def checked(self, event: ev.Checked) -> None:
        self._checked.add(event.seat)
        self._say("check", say.check(event, self._roles, self._words))

    def morning_came(self, event: ev.MorningCame) -> None:
        for role, text in say.NO_CHECK.items():
            seat = self._roles.index(role) + 1
            if event.day > 1 and seat in self.living and seat not in self._checked:
                self._say("check", self._words.gettext(text))
        self.chapters.append(Chapter(f"D{event.day}", self._utc))
        self._nominees, self._lift = 0, False

    def day_began(self, event: ev.DayBegan) -> None:
        self._cut_farewell()
        order = ", ".join(map(str, event.order))
        self._say("speech", self._words.gettext("Speeches in order: {seats}.").format(seats=order))

    def speech_began(self, event: ev.SpeechBegan) -> None:
        if event.silent:
            text = self._words.gettext("Seat {seat} was silent, for its fouls.")
            self._say("foul", text.format(seat=event.seat))

    def list_read(self, event: ev.ListRead) -> None:
        self._nominees = max(self._nominees, len(event.candidates))

    def nomination_stood(self, event: ev.NominationStood) -> None:
        self._nominees += 1
        self._plain(event, *say.PLAIN[ev.NominationStood])

    def ballot_closed(self, event: ev.BallotClosed) -> None:
        self._lift = event.kind is BallotKind.LIFT
        self._say("vote", say.ballot(event, self._words))

    def vote_settled(self, event: ev.VoteSettled) -> None:
        text = say.settled(event, lift=self._lift, nominees=self._nominees, words=self._words)
        self._say("out" if event.leave else "vote", text)

    def seat_left(self, event: ev.SeatLeft) -> None:
        self.living.discard(event.seat)

    def paused(self, event: ev.Paused) -> None:
        self._paused_at = self._utc

    def resumed(self, event: ev.Resumed) -> None:
        if self.chapters and self._paused_at:
            from_, to = map(datetime.datetime.fromisoformat, (self._paused_at, self._utc))
            self.chapters[-1].pauses.append((to - from_).total_seconds())

    def decided(self, event: ev.GameDecided) -> None:
        self._say("end", say.decided(event.winner, self._words))

    # ---- the farewell ----

    def farewell_began(self, event: ev.FarewellBegan) -> None:
        self._farewell = (event.seat, (), None)

    def best_move(self, event: ev.BestMoveGiven) -> None:
        if self._farewell is not None:
            seat, _, crown = self._farewell
            self._farewell = (seat, event.suspects, crown)

    def crown(self, event: ev.CrownGiven) -> None:
        if self._farewell is not None:
            seat, move, _ = self._farewell
            self._farewell = (seat, move, event.target)

    def farewell_ended(self, event: ev.FarewellEnded) -> None:
        self._cut_farewell()

    def _cut_farewell(self) -> None:
        if self._farewell is not None:
            self._say("farewell", say.farewell(*self._farewell, self.mafia, self._words))
            self._farewell = None

    # ---- fair play ----

    def grounds_opened(self, event: ev.GroundsOpened) -> None:
        self._say("fair", say.grounds(event, self._words))

    def accused(self, event: ev.AccusationMade) -> None:
        text = self._words.gettext("Seat {by} accused seat {seat}: {offence}.")
        offence = offence_name(event.offence, self._words)
        self._say("fair", text.format(by=event.by, seat=event.seat, offence=offence))

    def motion_closed(self, event: ev.MotionClosed) -> None:
        voters = len(self.living - {event.seat})
        needed = motions.needed_of(voters, event.sanction, self._ruleset)
        self._say("motion", say.motion(event, voters, needed, self._words))

    def technical_foul(self, event: ev.TechnicalFoulGiven) -> None:
        self._say("sanction", say.technical_foul(event, self._words))

    def disqualified(self, event: ev.Disqualified) -> None:
        self._say("sanction", say.disqualified(event, self._words))

    def stopped(self, event: ev.OpponentVictoryGiven) -> None:
        self._say("sanction", say.stopped(event, self._words))

    def countdown_changed(self, event: ev.CountdownChanged) -> None:
        self._say("host", say.countdown_changed(event, self._words))

    def nomination_corrected(self, event: ev.NominationCorrected) -> None:
        self._say("host", say.nomination_corrected(event, self._words))

    def vote_corrected(self, event: ev.VoteCorrected) -> None:
        self._say("host", say.vote_corrected(event, self._words))


_TELL: Final[dict[type[ev.Event], Callable[[_Narrator, Any], None]]] = {
    ev.NightFell: _Narrator.night_fell,
    ev.RoundBegan: _Narrator.round_began,
    ev.ShotsFixed: _Narrator.shots_fixed,
    ev.Checked: _Narrator.checked,
    ev.MorningCame: _Narrator.morning_came,
    ev.DayBegan: _Narrator.day_began,
    ev.SpeechBegan: _Narrator.speech_began,
    ev.ListRead: _Narrator.list_read,
    ev.NominationStood: _Narrator.nomination_stood,
    ev.BallotClosed: _Narrator.ballot_closed,
    ev.VoteSettled: _Narrator.vote_settled,
    ev.SeatLeft: _Narrator.seat_left,
    ev.Paused: _Narrator.paused,
    ev.Resumed: _Narrator.resumed,
    ev.GameDecided: _Narrator.decided,
    ev.FarewellBegan: _Narrator.farewell_began,
    ev.BestMoveGiven: _Narrator.best_move,
    ev.CrownGiven: _Narrator.crown,
    ev.FarewellEnded: _Narrator.farewell_ended,
    ev.GroundsOpened: _Narrator.grounds_opened,
    ev.AccusationMade: _Narrator.accused,
    ev.MotionClosed: _Narrator.motion_closed,
    ev.TechnicalFoulGiven: _Narrator.technical_foul,
    ev.Disqualified: _Narrator.disqualified,
    ev.OpponentVictoryGiven: _Narrator.stopped,
    ev.CountdownChanged: _Narrator.countdown_changed,
    ev.NominationCorrected: _Narrator.nomination_corrected,
    ev.VoteCorrected: _Narrator.vote_corrected,
}
"""Events with a sentence of their own; those of ``sentences.PLAIN`` have one without them."""


def headline(chapter: Chapter, words: Words) -> str:
    """Return the name of *chapter*."""
    t = words.gettext
    if chapter.key == "N0":
        return t("Night of acquaintance")
    if chapter.by_night:
        return t("Night {night}").format(night=chapter.number)
    return t("Day {day}").format(day=chapter.number)


def footnotes(chapter: Chapter, words: Words) -> Iterator[str]:
    """Yield what the host did to the clocks of *chapter*."""
    if chapter.pauses:
        count, spent = len(chapter.pauses), numbers.minutes(sum(chapter.pauses))
        yield words.ngettext(
            "{count} pause, {minutes} min in all.", "{count} pauses, {minutes} min in all.", count
        ).format(count=count, minutes=spent)
    if chapter.ended_clocks:
        yield words.ngettext(
            "The host ended {count} clock early.",
            "The host ended {count} clocks early.",
            chapter.ended_clocks,
        ).format(count=chapter.ended_clocks)
