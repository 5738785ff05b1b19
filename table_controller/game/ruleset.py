"""The numbers of one rulebook, as data.

Source: RULES.md. Numbers for the normal mode; :data:`TURBO` holds those after
the slash. Seconds are named ``_s``.
"""

import enum

import msgspec


class Mode(enum.StrEnum):
    """Pace of a game."""

    NORMAL = "normal"
    TURBO = "turbo"


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every number and flag that the engine plays by (No. 1: section 1 and the wins)."""

    mode: Mode = Mode.NORMAL
    look_s: float = 15.0
    nightfall_s: float = 10.0
    meeting_s: float = 60.0
    """Fixed, in turbo too."""
    rest_s: float = 20.0
    speech_s: float = 60.0
    """Fixed."""
    silent_s: float = 15.0
    pick_grace_s: float = 3.0
    shout_s: float = 5.0
    fouls_to_silence: int = 3
    """Fixed."""
    few_left_short_speech: bool = False
    few_left_speech_s: float = 30.0
    read_name_s: float = 2.0
    ballot_s: float = 5.0
    ballot_gap_s: float = 0.5
    roll_call_s: float = 20.0
    tie_speech_s: float = 30.0
    lift_s: float = 5.0
    lift_two_of_four: bool = True
    lift_three_of_nine: bool = True
    farewell_s: float = 60.0
    """Fixed."""
    farewell_picks_s: float = 15.0
    call_s: float = 2.5
    call_guard_s: float = 0.3
    gather_s: float = 1.0
    """Real time at the end of a night round for the last answers."""
    morning_s: float = 5.0
    draw_after_idle_nights: int = 3
    critical_vote_ends_game: bool = False
    win_town: tuple[int, int] = (100, 135)
    """(Classic, Max) in hundredths. Fixed."""
    win_mafia: tuple[int, int] = (100, 85)
    """(Classic, Max) in hundredths. Fixed."""


NORMAL = Ruleset()
TURBO = Ruleset(
    mode=Mode.TURBO,
    look_s=10.0,
    nightfall_s=6.0,
    rest_s=10.0,
    speech_s=25.0,
    silent_s=10.0,
    shout_s=3.0,
    few_left_speech_s=12.0,
    read_name_s=1.0,
    ballot_s=3.0,
    tie_speech_s=15.0,
    lift_s=3.0,
    farewell_s=25.0,
    farewell_picks_s=10.0,
    call_s=2.0,
)
"""The quick mode. Source: the numbers after the slash in RULES.md."""
