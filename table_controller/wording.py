"""Roles, results, sanctions and hands in the players' words, and the lines of a card."""

from typing import Final

from firmware.wire import GestureName
from firmware.words import N_, Words
from table_controller.game import Role, Winner
from table_controller.game.model import Offence, Sanction
from table_controller.game.rulefile import Standing
from table_controller.game.views import Card, CardFact

CARD_LINES: Final = 6
"""Lines of every card: the role and up to five nights' answers."""


OFFENCES: Final = {
    Offence.INSULTS: N_("Insults"),
    Offence.AGGRESSIVE_GESTURES: N_("Aggressive gestures"),
    Offence.BETS: N_("Offering bets"),
    Offence.RELIGION: N_("Appeals to religion"),
    Offence.FOREIGN_LANGUAGE: N_("Unknown language"),
    Offence.OBSCENITY: N_("Obscenity at players"),
    Offence.OUTSIDE_ARGUMENTS: N_("Outside arguments"),
    Offence.FORBIDDEN_GESTURE: N_("Forbidden gesture"),
    Offence.AWAY: N_("Away over 15 s"),
    Offence.MESSAGES: N_("Messages to players"),
    Offence.THREATS: N_("Threats"),
    Offence.NUDITY: N_("Nudity"),
}
"""The offences in the players' words. Source: RULES 2.5."""


def card_lines(card: Card | None, words: Words) -> tuple[str, ...]:
    """Return a card's lines, always :data:`CARD_LINES`; none for a blank card."""
    if card is None:
        return ()
    lines = [role_name(card.role, words)]
    lines += [fact_line(fact, card.role, words) for fact in card.facts[-(CARD_LINES - 1) :]]
    return tuple(lines + [""] * (CARD_LINES - len(lines)))


def fact_line(fact: CardFact, role: Role, words: Words) -> str:
    """Return what a check by *role* has answered."""
    t = words.gettext
    asked = role_name(Role.SHERIFF, words) if role is Role.DON else t("mafia")
    answer = asked if fact.positive else t("not {what}").format(what=asked)
    return t("N{night}: {seat} {answer}").format(night=fact.night, seat=fact.target, answer=answer)


def role_name(role: Role, words: Words) -> str:
    """Return the role in the players' words."""
    t = words.gettext
    return {
        Role.CITIZEN: t("citizen"),
        Role.SHERIFF: t("sheriff"),
        Role.MAFIA: t("mafia"),
        Role.DON: t("don"),
    }[role]


def standing_word(standing: Standing, words: Words) -> str:
    """Return *standing* in a word."""
    t = words.gettext
    return {
        Standing.FIXED: t("fixed"),
        Standing.DEFAULT: t("default"),
        Standing.CHANGED: t("changed"),
    }[standing]


def sanction_name(sanction: Sanction, words: Words) -> str:
    """Return the sanction in the players' words."""
    t = words.gettext
    return {
        Sanction.TECHNICAL_FOUL: t("Technical foul"),
        Sanction.DISQUALIFICATION: t("Disqualification"),
        Sanction.OPPONENT_VICTORY: t("Opponent Victory"),
    }[sanction]


def offence_name(offence: Offence, words: Words) -> str:
    """Return the offence in the players' words, short enough for a line of a seat's list."""
    return words.gettext(OFFENCES[offence])


def winner_name(winner: Winner | None, words: Words) -> str:
    """Return how the game ended, in the players' words."""
    t = words.gettext
    return {
        Winner.TOWN: t("The town wins"),
        Winner.MAFIA: t("The mafia wins"),
        Winner.DRAW: t("A draw"),
        None: t("No result"),
    }[winner]


def gesture_meaning(name: GestureName, words: Words) -> str:
    """Return what a hand says in the game's language of hands; "" for a number. Source: RULES 3."""
    t = words.gettext
    return {
        GestureName.THUMB_UP: t("town"),
        GestureName.THUMB_DOWN: t("mafia"),
        GestureName.OK: t("sheriff"),
        GestureName.HOOK: t("question"),
        GestureName.FIST: t("I vote"),
        GestureName.OPEN_PALM: t("stop"),
        GestureName.PISTOL: t("a shot"),
    }.get(name, "")
