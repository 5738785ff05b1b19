"""What the page of rules says of the course of a game, with the numbers in force.

Source: RULES.md 1. A number is a ``{key}`` of the ruleset, and comes with its mark.
"""

from typing import NamedTuple

from markupsafe import Markup

from firmware.words import Words
from table_controller.game import Ruleset
from table_controller.scoreboard.pages.marked import Marked


class Chapter(NamedTuple):
    """One heading of the page with what stands below it."""

    name: str
    """The anchor."""
    heading: str
    lines: tuple[Markup, ...]


class Pen:
    """Writes lines of rules: texts of the catalogue with the numbers of *ruleset*."""

    def __init__(self, ruleset: Ruleset, words: Words) -> None:
        self.ruleset = ruleset
        self.t = words.gettext
        self._marked = Marked(ruleset, words)

    def lines(self, *texts: str) -> tuple[Markup, ...]:
        """Return *texts* with their numbers filled in."""
        return tuple(Markup(text).format_map(self._marked) for text in texts)  # noqa: S704


def course(ruleset: Ruleset, words: Words) -> tuple[Chapter, ...]:
    """Return the chapters on how a game goes, in its order."""
    pen = Pen(ruleset, words)
    return (
        _deal(pen),
        _first_night(pen),
        _speeches(pen),
        _shouts(pen),
        _vote(pen),
        _tie(pen),
        _farewell(pen),
        _night(pen),
        _morning(pen),
        _end(pen),
    )


def _deal(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "deal",
        t("The deal"),
        pen.lines(
            t(
                "Seats are drawn at random. Sit down where a screen shows your name, and press"
                " VOTE."
            ),
            t(
                "When all ten have pressed, the roles are dealt at random. You have {look_s} to"
                " look at your card."
            ),
            t("By day you can look again: hold VOTE. Nobody else ever sees your card."),
            t(
                "The scoreboard shows a fingerprint of the deal before it, and what it was made"
                " of after the game: so anybody can check that it was honest."
            ),
        ),
    )


def _first_night(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "meeting",
        t("The mafia meets"),
        pen.lines(
            t("Night falls, and everybody has {nightfall_s} to put the mask on."),
            t(
                "The mafia wake for {meeting_s} and see each other, this once and never again. "
                "Silently, by fingers, they settle whom they will shoot in which night. The don"
                " leads."
            ),
            t("Then all sleep for {rest_s}, until the morning."),
        ),
    )


def _speeches(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "speeches",
        t("Speeches"),
        pen.lines(
            t(
                "Everybody living speaks for {speech_s}, in the order of the seats. Seat 1 "
                "opens the first day, on every later day the next living seat does."
            ),
            t("Done early? Hold SHOUT."),
            t(
                "In your own speech you can nominate one player for the vote, also yourself. "
                "Until the speech ends you can change it or take it back; a list that is still "
                "open then stays for {pick_grace_s}."
            ),
        ),
    )


def _shouts(pen: Pen) -> Chapter:
    t = pen.t
    few = (
        t(
            "With {few_left} living or fewer there is a short speech of {few_left_speech_s} "
            "instead of the silence{few_left_short_speech}."
        )
        if pen.ruleset.few_left_short_speech
        else t("It is the same when only few are left{few_left_short_speech}.")
    )
    return Chapter(
        "shouts",
        t("Shouts and fouls"),
        pen.lines(
            t(
                "Something to say now? Press SHOUT: you have the floor for {shout_s}, the "
                "speaker's clock stands meanwhile, and you get a foul."
            ),
            t(
                "Each {fouls_to_silence} fouls cost your next speech, and nothing else ever "
                "follows from fouls."
            ),
            t(
                "Who has lost a speech has {silent_s} to nominate in silence, and keeps the "
                "vote, the tie speech and the farewell."
            ),
            few,
        ),
    )


def _vote(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "vote",
        t("The vote"),
        pen.lines(
            t(
                "The list is read out, {read_name_s} a name. Then the candidates are called in "
                "its order, {ballot_s} each, with {ballot_gap_s} between. Press VOTE while the "
                "one is called who should leave."
            ),
            t(
                "Everybody has one vote, the first press binds. Candidates vote too, even "
                "against themselves. Nobody abstains: a missing vote counts against the last "
                "candidate."
            ),
            t("How the vote stands is hidden until it is over. Most votes: that player leaves."),
            t(
                "Nobody nominated: night falls. One alone leaves without a vote, from day "
                "{single_leaves_from_day} on; before it nobody leaves."
            ),
            t(
                "A device that is offline when the vote closes is waited for, {roll_call_s} at "
                "most."
            ),
        ),
    )


def _tie(pen: Pen) -> Chapter:
    t = pen.t
    two = (
        t("With two tied of four living the lift is held{lift_two_of_four}.")
        if pen.ruleset.lift_two_of_four
        else t("With two tied of four living there is no lift: all stay{lift_two_of_four}.")
    )
    three = (
        t("With three tied of nine living the lift is held{lift_three_of_nine}.")
        if pen.ruleset.lift_three_of_nine
        else t("With three tied of nine living there is no lift: all stay{lift_three_of_nine}.")
    )
    return Chapter(
        "tie",
        t("A tie"),
        pen.lines(
            t(
                "Those tied speak again, {tie_speech_s} each; then there is a revote among "
                "them. Fewer are tied: the same again. The same ones are tied: the lift."
            ),
            t(
                "In the lift you have {lift_s} to press VOTE if all of them should leave. It "
                "takes more than half of the living; no press is a no."
            ),
            two,
            three,
            t("When the whole table is tied there is no lift, and night falls."),
        ),
    )


def _farewell(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "farewell",
        t("Farewell"),
        pen.lines(
            t(
                "Who leaves by vote, lift or shot has {farewell_s} for last words, then "
                "{farewell_picks_s} to choose in silence:"
            ),
            t(
                "the best move, players taken for mafia, {best_move_max} at most. A wrong name "
                "costs nothing;"
            ),
            t("and the crown, for one player who stays in the game. It is worth no points."),
        ),
    )


def _night(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "night",
        t("The night"),
        pen.lines(
            t(
                "Masks on, eyes closed until morning. There are always three rounds: shots, the"
                " don's check, the sheriff's check. In each the numbers of all living seats are"
                " called, {call_s} each."
            ),
            t(
                "In every round everybody presses VOTE once, at any number. Only the press of "
                "whoever's round it is means something, all others are cover: so nobody hears "
                "who acts."
            ),
            t(
                "A press counts from {call_guard_s} after a number's call begins until "
                "{call_guard_s} after the next one's."
            ),
            t(
                "Shots: if all living mafia press at the same number, that player is shot, "
                "their own mates too. Different numbers, or one who does not shoot: a miss, and "
                "nobody dies."
            ),
            t(
                "The don asks whether a player is the sheriff, the sheriff whether a player is "
                "mafia; the don is. The first press counts. Who was shot this night still gets "
                "the answer."
            ),
        ),
    )


def _morning(pen: Pen) -> Chapter:
    t = pen.t
    return Chapter(
        "morning",
        t("The morning"),
        pen.lines(
            t(
                "Masks off. For {morning_s} all cards light up together: that is when don and "
                "sheriff read their answers."
            ),
            t(
                "Then the table hears who was shot, or that it was a miss, and never a role. "
                "The farewell of the shot comes first, then the day."
            ),
        ),
    )


def _end(pen: Pen) -> Chapter:
    t = pen.t
    draw = (
        t(
            "A draw: so many nights and days in a row without anybody leaving: "
            "{draw_after_idle_nights}."
        )
        if pen.ruleset.draw_after_idle_nights
        else t(
            "There is no draw, however many nights nobody leaves (limit: {draw_after_idle_nights})."
        )
    )
    critical = (
        t(
            "On a critical day, a town player voted out loses the town the game at "
            "once{critical_vote_ends_game}."
        )
        if pen.ruleset.critical_vote_ends_game
        else t(
            "Being critical decides nothing by itself: a miss in the night can still save the "
            "town{critical_vote_ends_game}."
        )
    )
    return Chapter(
        "end",
        t("How it ends"),
        pen.lines(
            t("The town wins when no mafia is left."),
            t("The mafia win as soon as they are as many as the town: parity."),
            draw,
            t(
                "It is looked at in the morning before the farewell, when a vote or a lift has "
                "taken effect, and after a disqualification by day."
            ),
            t("Until the last farewell is over nothing shows that the game is decided."),
            t(
                "The right to a mistake is how many of its own the town can still vote out "
                "before the mafia win. At 0 the game is critical."
            ),
            critical,
        ),
    )
