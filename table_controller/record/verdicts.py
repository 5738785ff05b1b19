"""What the record says of fair play: what was decided, and by whom. Pure."""

from collections.abc import Iterable, Iterator

from firmware.words import Words
from table_controller.game import Event
from table_controller.game.events import (
    Disqualified,
    MotionClosed,
    OpponentVictoryGiven,
    TechnicalFoulGiven,
    Withdrawn,
)
from table_controller.wording import offence_name, sanction_name


def verdicts(events: Iterable[Event], words: Words) -> Iterator[str]:
    """Yield a line for everything that was decided in *events*."""
    t = words.gettext
    for event in events:
        match event:
            case MotionClosed(counted=True, sanction=sanction, seat=seat, yes=yes, passed=passed):
                text = t("motion, {sanction} for seat {seat}: for it {yes}; {result}").format(
                    sanction=sanction_name(sanction, words),
                    seat=seat,
                    yes=" ".join(map(str, yes)) or t("nobody"),
                    result=t("carried") if passed else t("not carried"),
                )
                yield text
            case TechnicalFoulGiven(seat=seat, count=count, offence=offence, by_host=by_host):
                by = t("the host") if by_host else t("the table")
                text = t("technical foul {count} for seat {seat}, {offence}: decided by {by}")
                yield text.format(
                    count=count, seat=seat, offence=offence_name(offence, words), by=by
                )
            case Disqualified(seat=seat, offence=offence, by_host=by_host, by_second_foul=second):
                by = t("the host") if by_host else t("the table")
                by = t("the rules, the second technical foul") if second else by
                text = t("seat {seat} disqualified, {offence}: decided by {by}")
                yield text.format(seat=seat, offence=offence_name(offence, words), by=by)
            case Withdrawn(seat=seat):
                yield t("seat {seat} withdrawn without fault by the host").format(seat=seat)
            case OpponentVictoryGiven(seat=seat):
                text = t("the game stopped because of seat {seat}: decided by the table")
                yield text.format(seat=seat)
