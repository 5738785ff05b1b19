"""The rows of the table of points and their amounts, as data.

An amount is (Classic, Max) in integer hundredths.

Source: RULES 4.
"""

from typing import Annotated

import msgspec

from table_controller.game.setting import N_, Setting

Amounts = tuple[int, int]
"""(Classic, Max) in hundredths."""

LIMIT = 1000
"""No row may give or take more."""


def _row(meaning: str, *, fixed: bool = False) -> Setting:
    return Setting(meaning, N_("hundredths"), -LIMIT, LIMIT, fixed)


class Points(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each row gives; only the rows of a win are fixed.

    No row is there for what never counts: a NO in a lift, a self-vote, the
    leaving of a single nominee, a crown, a self-shot, a foul, the best move of
    the mafia.
    """

    win_town: Annotated[Amounts, _row(N_("win of the town"), fixed=True)] = (100, 135)
    win_mafia: Annotated[Amounts, _row(N_("win of the mafia"), fixed=True)] = (100, 85)
    loss: Annotated[Amounts, _row(N_("loss"))] = (0, 0)
    draw: Annotated[Amounts, _row(N_("draw"))] = (0, 0)

    vote_mafia: Annotated[Amounts, _row(N_("vote by town against mafia"))] = (10, 15)
    vote_mafia_decisive: Annotated[Amounts, _row(N_("the same, decisive"))] = (20, 30)
    vote_citizen: Annotated[Amounts, _row(N_("vote by town against a citizen"))] = (-5, -5)
    vote_citizen_decisive: Annotated[Amounts, _row(N_("the same, decisive"))] = (-15, -15)
    vote_sheriff: Annotated[Amounts, _row(N_("vote by town against the sheriff"))] = (-10, -10)
    vote_sheriff_decisive: Annotated[Amounts, _row(N_("the same, decisive"))] = (-20, -20)
    vote_town: Annotated[Amounts, _row(N_("vote by mafia against town"))] = (10, 10)
    vote_town_decisive: Annotated[Amounts, _row(N_("the same, decisive"))] = (20, 20)
    vote_mate: Annotated[Amounts, _row(N_("vote by mafia against mafia"))] = (-5, -10)
    vote_mate_decisive: Annotated[Amounts, _row(N_("the same, decisive"))] = (-10, -20)

    best_move_a1: Annotated[Amounts, _row(N_("best move after a shot in N1, 1 mafia"))] = (15, 20)
    best_move_a2: Annotated[Amounts, _row(N_("the same, 2 mafia"))] = (40, 50)
    best_move_a3: Annotated[Amounts, _row(N_("the same, 3 mafia"))] = (65, 80)
    best_move_b1: Annotated[Amounts, _row(N_("best move otherwise, 1 mafia"))] = (5, 10)
    best_move_b2: Annotated[Amounts, _row(N_("the same, 2 mafia"))] = (15, 20)
    best_move_b3: Annotated[Amounts, _row(N_("the same, 3 mafia"))] = (30, 40)

    sheriff_finds_n1: Annotated[Amounts, _row(N_("sheriff finds mafia in N1"))] = (15, 20)
    sheriff_finds_n2: Annotated[Amounts, _row(N_("the same in N2"))] = (5, 10)
    don_finds_n1: Annotated[Amounts, _row(N_("don finds the sheriff in N1"))] = (10, 10)
    don_finds_n2: Annotated[Amounts, _row(N_("the same in N2"))] = (5, 5)
    sheriff_shot_n1: Annotated[Amounts, _row(N_("to the don: sheriff shot in N1"))] = (15, 15)
    miss: Annotated[Amounts, _row(N_("a miss, for each who shot elsewhere"))] = (-10, -20)

    technical_foul: Annotated[Amounts, _row(N_("technical foul"))] = (-10, -10)
    disqualification: Annotated[Amounts, _row(N_("disqualification"))] = (-50, -50)
    opponent_victory: Annotated[Amounts, _row(N_("culprit of an Opponent Victory"))] = (-70, -70)
