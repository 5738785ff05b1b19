"""What the page of rules says of roles, words of the game, and conduct.

Source: RULES.md, head, and 2.
"""

from typing import NamedTuple

from markupsafe import Markup

from firmware.press import SHOUT_HOLD_S
from firmware.words import Words
from table_controller.game import Role, Ruleset
from table_controller.game.terms import Offence, Sanction, Team
from table_controller.scoreboard.pages.marked import Marked, decimal
from table_controller.scoreboard.pages.rules_texts import Chapter, Pen
from table_controller.wording import offence_name, role_name, sanction_name


class RoleCard(NamedTuple):
    """A role as the page shows it."""

    name: str
    team: Team
    number: Markup
    line: str


def roles(ruleset: Ruleset, words: Words) -> tuple[RoleCard, ...]:
    """Return the four roles."""
    t = words.gettext
    counts = Marked(ruleset, words)
    told = {
        Role.CITIZEN: ("citizens", t("Knows nobody. Listens, talks, votes.")),
        Role.SHERIFF: (
            "sheriffs",
            t("Of the town. Each night asks about one player: mafia or not?"),
        ),
        Role.MAFIA: ("mafia", t("Knows its mates. By night they shoot together.")),
        Role.DON: (
            "dons",
            t("Leads the mafia and shoots with them. Each night asks: is this the sheriff?"),
        ),
    }
    return tuple(
        RoleCard(role_name(role, words), role.team, counts[key], line)
        for role, (key, line) in told.items()
    )


def conduct(ruleset: Ruleset, words: Words) -> tuple[Chapter, ...]:
    """Return the chapters on fair play."""
    pen = Pen(ruleset, words)
    return (_presence(pen), _motions(pen, words), _sanctions(pen))


def _presence(pen: Pen) -> Chapter:
    t = pen.t
    by_night = (
        t("By night it is measured too, and told in the morning{presence_at_night}.")
        if pen.ruleset.presence_at_night
        else t("By night nobody is watched{presence_at_night}.")
    )
    return Chapter(
        "presence",
        t("Stay at the table"),
        pen.lines(
            t(
                "Away from the table by day for more than {away_s} is an offence. Need a break?"
                " Ask the host for a pause."
            ),
            by_night,
            t("What a camera does not see well counts as unknown, never as away."),
        ),
    )


def _motions(pen: Pen, words: Words) -> Chapter:
    t = pen.t
    hold = f"{decimal(SHOUT_HOLD_S, words.language)}\N{NO-BREAK SPACE}{t('s')}"
    return Chapter(
        "motions",
        t("Grounds and motions"),
        pen.lines(
            t(
                "Grounds come from a camera (an empty chair, the forbidden gesture), from the "
                "host, or from two players. They are never a penalty: the table decides."
            ),
            t(
                "To accuse somebody, hold SHOUT for {hold} outside your own speech, and choose "
                "seat and offence. A second player confirms it by VOTE within {accusation_s}; "
                "you can try it once a day."
            ).replace("{hold}", hold),
            t(
                "Each grounds are voted on in the next gap: everybody living but the accused "
                "has {motion_s} to press VOTE for the sanction. It takes more than "
                "{motion_share} of them; no press is a no."
            ),
            t("The host can also rule a technical foul or a disqualification directly."),
        ),
    )


def _sanctions(pen: Pen) -> Chapter:
    t = pen.t
    cancels = (
        t(
            "One vote is dropped for it, today's or, if that is decided, "
            "tomorrow's{dq_cancels_vote}."
        )
        if pen.ruleset.dq_cancels_vote
        else t("No vote is dropped for it: the seat is struck from the list{dq_cancels_vote}.")
    )
    return Chapter(
        "sanctions",
        t("Sanctions"),
        pen.lines(
            t(
                "A technical foul costs points. So many in one game are a disqualification: "
                "{technical_fouls_to_disqualify}."
            ),
            t("Who is disqualified leaves at once, without a farewell."),
            cancels,
            t(
                "The host alone can ask to stop the game (Opponent Victory). With at least "
                "{opponent_victory_share} of the votes the culprit's team loses at once."
            ),
            t("Who must leave without fault is withdrawn by the host, and loses no points for it."),
            t(
                "Afterwards the club can bar a player, for a time or for good. Everybody can "
                "appeal in private: if the appeal is upheld, points and bar go, the result "
                "stays."
            ),
        ),
    )


def offences(words: Words) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (sanction, its offences), the lighter first."""
    return tuple(
        (
            sanction_name(sanction, words),
            tuple(offence_name(each, words) for each in Offence if each.sanction is sanction),
        )
        for sanction in (Sanction.TECHNICAL_FOUL, Sanction.DISQUALIFICATION)
    )


def terms(words: Words) -> tuple[tuple[str, str], ...]:
    """Return (word, meaning): what players say."""
    t = words.gettext
    return (
        (t("N0, D1, N1"), t("The night of acquaintance, the first day, the first shooting night.")),
        (t("Foul"), t("What a shout costs. Only speeches can be lost by it.")),
        (t("Technical foul"), t("A sanction for conduct. It has nothing to do with fouls.")),
        (t("Nominee"), t("Who stands on the day's list for the vote.")),
        (t("Revote"), t("Another vote, among those tied.")),
        (t("The lift"), t("The question whether all those tied leave together.")),
        (
            t("Decisive vote"),
            t(
                "Without it the one who left would not have been alone at the top: only at a "
                "margin of one."
            ),
        ),
        (t("Automatic vote"), t("A missing vote, counted against the last candidate.")),
        (t("Miss"), t("A night in which the mafia's shots do not meet.")),
        (t("Self-shot"), t("The mafia shoot one of their own. It is a hit like any other.")),
        (t("Check"), t("What don and sheriff ask by night.")),
        (t("Best move"), t("Whom one takes for mafia, named in the farewell.")),
        (t("Crown"), t("Praise from one who leaves, for one who stays.")),
        (t("Parity"), t("As many mafia as town: the mafia have won.")),
        (
            t("Right to a mistake"),
            t("How many of its own the town can still vote out. At 0 the game is critical."),
        ),
        (t("Opponent Victory"), t("The game is stopped, and the culprit's team loses.")),
    )


def kin(words: Words) -> Chapter:
    """Return what Werewolf has to do with it. Source: WORDS.md."""
    t = words.gettext
    return Chapter(
        "werewolf",
        t("Mafia and Werewolf"),
        (
            Markup.escape(
                t(
                    "They are one game. Dimitry Davidoff thought it up in Moscow in 1986 as "
                    "Mafia; in 1997 Andrew Plotkin gave it a new setting, a village and its "
                    "werewolves. The mafia are the wolves there, the town the villagers."
                )
            ),
            Markup.escape(
                t(
                    "At this table Mafia is played as a sport: sheriff and don instead of seer "
                    "and witch, ten players, strict times, an open vote, roles hidden to the "
                    "end, and points for how well one has played."
                )
            ),
        ),
    )
