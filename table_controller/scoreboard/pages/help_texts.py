"""The texts of the pages of help, in the players' words."""

from collections.abc import Mapping
from typing import NamedTuple

from firmware.press import SHOUT_HOLD_S, VOTE_HOLD_S
from table_controller.game.corrections import LEAST_LEFT_S
from table_controller.game.ruleset import Ruleset
from table_controller.scoreboard.pages.marked import decimal
from table_controller.scoreboard.words import Translate

Numbers = Mapping[str, str]


class Section(NamedTuple):
    """One heading and what stands under it, a list of short lines."""

    name: str
    """Of the anchor."""
    heading: str
    lines: tuple[str, ...]


def numbers(normal: Ruleset, turbo: Ruleset, language: str) -> dict[str, str]:
    """Return the numbers that the texts name, as "60 / 25" where turbo differs."""
    # Imported late: what the table does stands on what the room sees.
    from table_controller.together import TOGETHER_S

    names = (
        "look_s",
        "speech_s",
        "silent_s",
        "farewell_s",
        "shout_s",
        "ballot_s",
        "tie_speech_s",
        "away_s",
        "accusation_s",
        "fouls_to_silence",
    )
    both = {name: (getattr(normal, name), getattr(turbo, name)) for name in names}
    told = {
        name: " / ".join(decimal(each, language) for each in dict.fromkeys(two))
        for name, two in both.items()
    }
    held = {"vote": VOTE_HOLD_S, "shout": SHOUT_HOLD_S, "start": TOGETHER_S}
    held["least_left_s"] = LEAST_LEFT_S
    return told | {name: decimal(each, language) for name, each in held.items()}


def players(t: Translate, numbers: Numbers) -> tuple[Section, ...]:
    """Return the players' page."""
    return (
        Section(
            "start",
            t("Before the game"),
            _filled(
                numbers,
                t("Sit down where the screen shows your name, and press VOTE."),
                t(
                    "When all ten are ready the cards are dealt. You have {look_s} s to look "
                    "at yours: only your hooded screen shows it."
                ),
                t(
                    "By day, hold VOTE to see your card again. By night it is dark, like "
                    "everybody's."
                ),
            ),
        ),
        Section(
            "buttons",
            t("Two buttons"),
            _filled(
                numbers,
                t("A tap is short. VOTE is held for {vote} s, SHOUT for {shout} s."),
                t(
                    "In a list: tap VOTE for the next line, hold VOTE to choose, tap SHOUT to "
                    "go back."
                ),
                t("In a vote the press counts at once, and the first one binds."),
                t(
                    "All ten hold VOTE for {start} s: the game starts, goes on after a "
                    "pause, or begins anew."
                ),
            ),
        ),
        Section(
            "day",
            t("The day"),
            _filled(
                numbers,
                t(
                    "Each speaks for {speech_s} s. In your speech you may nominate one "
                    "player; hold SHOUT to end early."
                ),
                t(
                    "Who presses SHOUT in another's speech has the floor for {shout_s} s, and "
                    "a foul."
                ),
                t(
                    "Each {fouls_to_silence} fouls cost the next speech: {silent_s} s to "
                    "nominate, in silence. Fouls cost nothing else."
                ),
                t("A tone is heard when 10 s are left, and when the time is over."),
            ),
        ),
        Section(
            "vote",
            t("The vote"),
            _filled(
                numbers,
                t(
                    "The candidates are called one after the other, {ballot_s} s each. Press "
                    "VOTE while the one is called who should leave."
                ),
                t("Nobody abstains: who does not press votes against the last one called."),
                t(
                    "A tie: those tied speak for {tie_speech_s} s, then there is another "
                    "vote; tied again, all vote whether all of them leave."
                ),
                t(
                    "Who leaves has {farewell_s} s, may name up to three suspects (best move) "
                    "and give a crown."
                ),
            ),
        ),
        Section(
            "night",
            t("The night"),
            _filled(
                numbers,
                t(
                    "Masks on. In the first night the mafia meet for a minute and agree by "
                    "fingers whom they will shoot, and in which order."
                ),
                t(
                    "In each later night the numbers are called three times: for the mafia's "
                    "shot, the don's check, the sheriff's check. Press VOTE once in every "
                    "round, at any number: so nobody hears who acts."
                ),
                t(
                    "The mafia hit when all of them press at the same number. Don and sheriff "
                    "ask about the first number they press."
                ),
                t("The answer stands on your card from the morning on."),
            ),
        ),
        Section(
            "fair",
            t("Fair play"),
            _filled(
                numbers,
                t(
                    "Who is away from the table for more than {away_s} s by day, or shows the "
                    "forbidden gesture, gives grounds for a vote of the table. Nobody is "
                    "punished by the machine."
                ),
                t(
                    "You saw something? Hold SHOUT by day, choose seat and offence. When a "
                    "second seat confirms with VOTE within {accusation_s} s, the table votes."
                ),
                t(
                    "A vote on a sanction: press VOTE if you are for it. More than half of "
                    "the voters are needed."
                ),
            ),
        ),
    )


def hosts(t: Translate, numbers: Numbers) -> tuple[Section, ...]:
    """Return the hosts' page."""
    return (
        Section(
            "start",
            t("Start the evening"),
            _filled(
                numbers,
                t(
                    "Switch the table on, then the seats. Open the host's page on your phone "
                    "and type the PIN."
                ),
                t(
                    "Choose the ten players, the rules, and begin: seats and roles are drawn "
                    "at random. Nobody sees a role before the end, and neither do you."
                ),
                t(
                    "Before the first deal all try their buttons and a practice vote. The "
                    "page shows who is missing what; you can skip the rest."
                ),
                t("No phone at hand: all ten hold VOTE for {start} s."),
            ),
        ),
        Section(
            "game",
            t("During a game"),
            _filled(
                numbers,
                t("The table is the referee. The big button on top is the sensible next step."),
                t(
                    "Whatever you did by day can be taken back from the list of steps, as far "
                    "as the last morning."
                ),
                t(
                    "Fouls, nominations and votes can be entered or corrected for a player; a "
                    "clock can be made longer or ended."
                ),
                t(
                    "A speech, picks or a shout can also be made shorter, by day, as long as "
                    "{least_left_s} s of it stay."
                ),
                t(
                    "By night you can pause, go on, and let the round be called again. "
                    "Nothing on your page tells who pressed."
                ),
                t(
                    "After a restart or a lost link the game stands paused: nothing is lost. "
                    "Let it go on from the page, or all hold VOTE."
                ),
            ),
        ),
        Section(
            "voice",
            t("The voice"),
            _filled(
                numbers,
                t(
                    "Set the volume and the music of the night on your page. Music is WAV "
                    "files in the folder that the card names."
                ),
                t(
                    "The club can record its own voice: mafia-table voice list names every "
                    "phrase, mafia-table voice check says what is missing."
                ),
                t(
                    "No voice: your page shows the line to read out, big. While it waits for "
                    "you, tap when you say the number or the candidate: the time runs from "
                    "your tap."
                ),
                t(
                    "If you do not tap for two minutes, the game pauses; then the table calls "
                    "by itself."
                ),
            ),
        ),
        Section(
            "devices",
            t("Devices"),
            _filled(
                numbers,
                t(
                    "A seat that has lost its link keeps its presses. By day its clock "
                    "stands; go on without it, or give the seat a spare device."
                ),
                t(
                    "Identify lights a device up. Placing asks for seat 1, 2 and so on: press "
                    "VOTE on the device that lies there."
                ),
                t("A camera can be switched off for a player; the game is the same without."),
            ),
        ),
        Section(
            "fair",
            t("Fair play"),
            _filled(
                numbers,
                t(
                    "Grounds lead to a vote of the table by themselves. You can open grounds, "
                    "rule a technical foul or a disqualification directly, or let a player "
                    "leave without fault; the record shows who decided."
                ),
                t(
                    "Two technical fouls are a disqualification. Stopping the game for one "
                    "player's fault needs two thirds."
                ),
                t(
                    "Afterwards: bars and appeals are on pages of their own, which nobody "
                    "else sees."
                ),
            ),
        ),
        Section(
            "end",
            t("After a game"),
            _filled(
                numbers,
                t("Rematch seats the same players anew. A game without a result is ended as void."),
                t(
                    "Finished games are kept in the club's list: /host/games keeps the last one "
                    "at once, and corrects seats or points, with your name and why."
                ),
                t(
                    "Records, backups and logs are on the page of files. Switch the table off "
                    "from your page, then the power."
                ),
            ),
        ),
    )


def _filled(numbers: Numbers, *lines: str) -> tuple[str, ...]:
    return tuple(line.format(**numbers) for line in lines)
