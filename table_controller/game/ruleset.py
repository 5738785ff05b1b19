"""The numbers and flags of one rulebook, as data.

Each field says what it means, its unit, what a club may set, and whether the
kit fixes it (then no file changes it) or it is a default. :data:`NORMAL` and
:data:`TURBO` are the two paces; the amounts of points are in ``points.py`` and
how a file changes any of it is in ``rulefile.py``.

Source: RULES.md; turbo has the numbers after the slash.
"""

from typing import Annotated

import msgspec

from table_controller.game.points import Points
from table_controller.game.setting import N_, Setting
from table_controller.game.terms import Term


class Mode(Term):
    """Pace of a game."""

    NORMAL = "normal"
    TURBO = "turbo"


def _cards(meaning: str) -> Setting:
    return Setting(meaning, N_("seats"), 0, 10, fixed=True)


def _time(meaning: str, low: float = 1, high: float = 600, *, fixed: bool = False) -> Setting:
    return Setting(meaning, N_("s"), low, high, fixed=fixed)


class Ruleset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every number and flag that the engine plays by.

    A game's first journal entry holds all of it, so that a later default
    changes no old game. What is decoded is not checked again.
    """

    mode: Mode = Mode.NORMAL

    # ---- the cards ----
    citizens: Annotated[int, _cards(N_("citizens at the table"))] = 6
    sheriffs: Annotated[int, _cards(N_("sheriffs"))] = 1
    mafia: Annotated[int, _cards(N_("mafia without the don"))] = 2
    dons: Annotated[int, _cards(N_("dons"))] = 1

    # ---- the course ----
    look_s: Annotated[float, _time(N_("to look at the card after the deal"))] = 15.0
    nightfall_s: Annotated[float, _time(N_("nightfall: masks on"))] = 10.0
    meeting_s: Annotated[float, _time(N_("the mafia meet in the first night"), fixed=True)] = 60.0
    rest_s: Annotated[float, _time(N_("rest after the meeting"))] = 20.0
    morning_s: Annotated[float, _time(N_("morning: the cards light up together"))] = 5.0
    speech_s: Annotated[float, _time(N_("a speech"), fixed=True)] = 60.0
    silent_s: Annotated[float, _time(N_("a silenced seat's slot to nominate"))] = 15.0
    pick_grace_s: Annotated[
        float, _time(N_("for a nominee list still open at the end of a speech"), 0, 60)
    ] = 3.0
    farewell_s: Annotated[float, _time(N_("a farewell"), fixed=True)] = 60.0
    farewell_picks_s: Annotated[float, _time(N_("for best move and crown after the farewell"))] = (
        15.0
    )
    best_move_max: Annotated[int, Setting(N_("seats in a best move"), N_("seats"), 1, 3)] = 3
    draw_after_idle_nights: Annotated[
        int,
        Setting(N_("nights and days without any departure that make a draw, 0: none"), "", 0, 20),
    ] = 3
    critical_vote_ends_game: Annotated[
        bool, Setting(N_("a town player voted out on a critical day loses the game at once"))
    ] = False

    # ---- shouts and fouls ----
    shout_s: Annotated[float, _time(N_("the floor of a shout"))] = 5.0
    fouls_to_silence: Annotated[
        int, Setting(N_("fouls that take the next speech"), N_("fouls"), 1, 100, fixed=True)
    ] = 3
    few_left_short_speech: Annotated[
        bool, Setting(N_("with few living a short speech instead of silence"))
    ] = False
    few_left: Annotated[int, Setting(N_("how many living are few"), N_("seats"), 0, 10)] = 4
    few_left_speech_s: Annotated[float, _time(N_("that short speech"))] = 30.0

    # ---- the vote ----
    single_leaves_from_day: Annotated[
        int, Setting(N_("first day on which a single nominee leaves"), N_("day"), 1, 20)
    ] = 2
    read_name_s: Annotated[float, _time(N_("reading the list, a name"), 0.1, 60)] = 2.0
    ballot_s: Annotated[float, _time(N_("the call of a candidate"))] = 5.0
    ballot_gap_s: Annotated[float, _time(N_("between two calls"), 0.1, 60)] = 0.5
    roll_call_s: Annotated[
        float, _time(N_("the longest that a ballot waits for an offline seat"), 1, 300)
    ] = 20.0
    tie_speech_s: Annotated[float, _time(N_("a tied candidate's speech"))] = 30.0
    lift_s: Annotated[float, _time(N_("a lift"))] = 5.0
    lift_two_of_four: Annotated[bool, Setting(N_("two tied of four living: a lift is held"))] = True
    lift_three_of_nine: Annotated[
        bool, Setting(N_("three tied of nine living: a lift is held"))
    ] = True

    # ---- the night ----
    call_s: Annotated[float, _time(N_("the call of a number at night"), 0.5, 60)] = 2.5
    call_guard_s: Annotated[
        float, _time(N_("a window opens and closes so long after a call"), 0.1, 10)
    ] = 0.3
    gather_s: Annotated[
        float, _time(N_("for the last answers of a night round, in real time"), 0.5, 30)
    ] = 1.0

    # ---- fair play ----
    away_s: Annotated[
        float, _time(N_("away from the table for longer is an offence"), fixed=True)
    ] = 15.0
    presence_at_night: Annotated[bool, Setting(N_("absence is measured at night too"))] = False
    accusation_s: Annotated[float, _time(N_("for a second seat to confirm an accusation"))] = 5.0
    motion_s: Annotated[float, _time(N_("a motion"))] = 15.0
    motion_share: Annotated[
        tuple[int, int], Setting(N_("more than this part of the voters passes a motion"), "", 1, 10)
    ] = (1, 2)
    opponent_victory_share: Annotated[
        tuple[int, int], Setting(N_("at least this part of the voters stops the game"), "", 1, 10)
    ] = (2, 3)
    technical_fouls_to_disqualify: Annotated[
        int, Setting(N_("technical fouls that disqualify"), N_("fouls"), 1, 100, fixed=True)
    ] = 2
    dq_cancels_vote: Annotated[bool, Setting(N_("a disqualification drops one vote"))] = True

    points: Points = Points()


NORMAL = Ruleset()
TURBO = Ruleset(
    mode=Mode.TURBO,
    look_s=10.0,
    nightfall_s=6.0,
    rest_s=10.0,
    speech_s=25.0,
    silent_s=10.0,
    farewell_s=25.0,
    farewell_picks_s=10.0,
    shout_s=3.0,
    few_left_speech_s=12.0,
    read_name_s=1.0,
    ballot_s=3.0,
    tie_speech_s=15.0,
    lift_s=3.0,
    call_s=2.0,
    motion_s=10.0,
)
"""The quick mode."""

MODES = {Mode.NORMAL: NORMAL, Mode.TURBO: TURBO}
