"""The host reads out: the lines when no voice speaks, and the calls that wait for a tap.

With calls *by hand* the candidate or the number that comes next is called when
the host taps; its window runs from then as it always does. What is waited for
depends on the call alone, so a night is as long as the host makes it, whoever
presses or lives.
"""

import math
from collections.abc import Callable
from typing import Final

import msgspec

from firmware.clock import Clock
from firmware.words import N_, Words
from table_controller.game import Countdown, CountdownKind, GameState, actions
from table_controller.game.terms import BallotKind, NightRound
from table_controller.host import orders
from table_controller.host.notices import Notices
from table_controller.host.ordering import Ordering
from table_controller.host.refusal import Refused
from table_controller.host.sheet import Line, Sheet, VoiceState
from table_controller.playing import Playing
from table_controller.show import Show
from table_controller.voice.phrasebook import Phrase, phrase
from table_controller.voice.phrases import Silent
from table_controller.voice.settings import KeptVoice, VoiceSettings

TOGETHER_S: Final = 0.1
"""What is said within this is one line."""

ASLEEP_S: Final = 120.0
"""A call that waits longer pauses the game; the next ones come by themselves until a tap."""


_NEXT_LINE: Final = orders.NextLine.__struct_config__.tag


def next_call(state: GameState, words: Words) -> tuple[Phrase, ...]:
    """Return what is called when the main clock of *state* runs out; empty: nothing is."""
    clock, call, ballot = state.clock, state.call, state.ballot
    match clock.kind if clock is not None else None:
        case CountdownKind.NIGHTFALL if state.night > 0:
            return _round(NightRound.SHOTS, state, words)
        case CountdownKind.WINDOW if call is not None and call.called < len(call.numbers):
            return (phrase(words, "number", call.numbers[call.called]),)
        case CountdownKind.GATHER if call is not None and call.round is not NightRound.SHERIFF:
            shots = call.round is NightRound.SHOTS
            return _round(NightRound.DON if shots else NightRound.SHERIFF, state, words)
        case CountdownKind.READ | CountdownKind.BALLOT_GAP if ballot is not None:
            if ballot.kind is BallotKind.LIFT:
                return (phrase(words, "lift"),)
            return (phrase(words, "candidate", ballot.candidates[ballot.called]),)
    return ()


def _round(round_: NightRound, state: GameState, words: Words) -> tuple[Phrase, ...]:
    return phrase(words, f"round_{round_}"), phrase(words, "number", state.living[0])


class ReadingOut:
    """A :class:`Voice` around the table's own, which keeps what was said last as a line.

    *by_hand*: the club's host always reads out. Else it is so while the voice
    fails and *watched* says that a host is looking.
    """

    def __init__(
        self,
        clock: Clock,
        playing: Playing,
        show: Show,
        notices: Notices,
        kept: KeptVoice,
        *,
        by_hand: bool = False,
        watched: Callable[[], bool] = lambda: False,
    ) -> None:
        self._clock = clock
        self._playing = playing
        self._show = show
        self._notices = notices
        self._kept = kept
        self._watched = watched
        self._voice = show.voice
        self._chosen: bool | None = True if by_hand else None
        """What the card or the host says; None: as the voice fails."""
        self._failing = False
        """The voice fails, and a host has looked since."""
        self._asleep = False
        """Nobody has tapped in time."""
        self._waits_since: tuple[int, float] | None = None
        """The countdown that waits for a tap, and since when."""
        self._said: list[str] = []
        self._said_s = -math.inf
        self._lines = 0
        self._told = ""
        self.settings: VoiceSettings = kept.read()
        self._tune()
        show.voice = self
        show.countdowns.waits = self._is_by_hand

    # ---- the voice ----

    @property
    def fault(self) -> str:
        """Why the voice is not heard; ``""`` while it speaks, or is not wanted."""
        return self._voice.fault

    def say(self, phrase: Phrase) -> None:
        """Say it, and keep it as a line with all that is said in the same moment."""
        self._voice.say(phrase)
        now_s = self._clock.now_s()
        if now_s > self._said_s + TOGETHER_S:
            self._said, self._said_s = [], now_s
            self._lines += 1
        self._said.append(phrase.text)

    def night(self, *, on: bool) -> None:
        """Pass it on."""
        self._voice.night(on=on)

    def tune(self, *, volume: int, music: bool) -> None:
        """Pass it on."""
        self._voice.tune(volume=volume, music=music)

    def close(self) -> None:
        """Pass it on."""
        self._voice.close()

    # ---- what the host sees ----

    @property
    def speaks(self) -> bool:
        """Tell whether there is a voice to be heard."""
        return not isinstance(self._voice, Silent) and not self._voice.fault

    @property
    def by_hand(self) -> bool:
        """Tell whether calls wait for the host."""
        if self._show.countdowns.stepping or self._asleep:
            return False
        return self._failing if self._chosen is None else self._chosen

    @property
    def waits(self) -> bool:
        """Tell whether a call waits for the host's tap now."""
        return self._waits_since is not None

    def line(self) -> Line | None:
        """Return what is to be read out: the call that waits, else what came last."""
        state = self._playing.state
        if state is not None and self._waits_since is not None:
            text = " ".join(each.text for each in next_call(state, self._show.words))
            return Line(f"call-{self._waits_since[0]}", text)
        if self.speaks or not self._said:
            return None
        return Line(f"line-{self._lines}", " ".join(self._said))

    def state(self) -> VoiceState:
        """Return how the voice is."""
        settings = self.settings
        return VoiceState(
            on=self.speaks,
            fault=self._voice.fault,
            volume=settings.volume,
            music=settings.music,
            by_hand=self.by_hand,
        )

    def add(self, sheet: Sheet) -> Sheet:
        """Return *sheet* with line and voice, and the tap first while a call waits for it."""
        orders_now, next_ = sheet.orders, sheet.next
        if self.waits:
            next_ = (orders.NextLine(), *next_)
        else:
            orders_now = tuple(each for each in orders_now if each != _NEXT_LINE)
        return msgspec.structs.replace(
            sheet, line=self.line(), voice=self.state(), orders=orders_now, next=next_
        )

    # ---- the loop ----

    def look(self, now_s: float) -> None:
        """Follow voice, hosts and calls; pause a game that nobody calls for."""
        self._follow_fault()
        clock = self._awaited()
        if clock is None or self._show.countdowns.left_s(clock.id, now_s) > 0:
            self._waits_since = None
            return
        if self._waits_since is None or self._waits_since[0] != clock.id:
            self._waits_since = (clock.id, now_s)
        if now_s >= self._waits_since[1] + ASLEEP_S:
            self._waits_since, self._asleep = None, True
            self._notices.unread(ASLEEP_S)
            self._playing.act(actions.Pause(), now_s)

    def due_s(self, now_s: float) -> float:
        """Return when :meth:`look` has something to do; infinity: not before news come."""
        if self._waits_since is not None:
            return self._waits_since[1] + ASLEEP_S
        clock = self._awaited()
        return math.inf if clock is None else now_s + self._show.countdowns.left_s(clock.id, now_s)

    def _follow_fault(self) -> None:
        fault = self._voice.fault
        if fault != self._told:
            if fault:
                self._notices.voice_fails(fault)
            else:
                self._notices.voice_back()
            self._told = fault
        # A host who looks away for a moment still reads: only the voice ends it.
        self._failing = bool(fault) and (self._failing or self._watched())

    def _awaited(self) -> Countdown | None:
        """Return the countdown at whose end the host is waited for."""
        state = self._playing.state
        clock = state.clock if state is not None else None
        return clock if clock is not None and self._is_by_hand(clock) else None

    def _is_by_hand(self, countdown: Countdown) -> bool:
        state = self._playing.state
        return (
            self.by_hand
            and state is not None
            and self._playing.runs
            and state.clock is not None
            and state.clock.id == countdown.id
            and bool(next_call(state, self._show.words))
        )

    # ---- the host's orders ----

    def serve(self, ordering: Ordering) -> None:
        """Carry out what hosts order of the voice."""
        ordering.serve(orders.NextLine, lambda order: self.next_line())
        ordering.serve(orders.ReadOut, lambda order: self.read_out(on=order.on))
        ordering.serve(orders.Volume, lambda order: self.volume(order.percent))
        ordering.serve(orders.Music, lambda order: self.music(on=order.on))

    def next_line(self) -> None:
        """Call what waits.

        :raises Refused: if nothing does.
        """
        self.look(self._clock.now_s())
        if self._waits_since is None:
            raise Refused(N_("Nothing waits to be called."))
        self._playing.act(actions.Expire(self._waits_since[0]), self._clock.now_s())
        self._waits_since = None

    def read_out(self, *, on: bool) -> None:
        """Let calls wait for the host from now on, or come by themselves."""
        self._chosen, self._asleep = on, False

    def volume(self, percent: int) -> None:
        """Speak that loud from now on, and after a restart.

        :raises Refused: if it is not 0-100.
        """
        if not 0 <= percent <= 100:
            raise Refused(N_("Volume is 0 to 100."))
        self._set(VoiceSettings(percent, self.settings.music))

    def music(self, *, on: bool) -> None:
        """Play music at night from now on, and after a restart, or none."""
        self._set(VoiceSettings(self.settings.volume, on))

    def _set(self, settings: VoiceSettings) -> None:
        self.settings = settings
        self._kept.save(settings)
        self._tune()

    def _tune(self) -> None:
        self.tune(volume=self.settings.volume, music=self.settings.music)
