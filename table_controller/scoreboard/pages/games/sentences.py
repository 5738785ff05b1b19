"""What the record tells of single events, in whole sentences; only of a game that is over."""

from collections.abc import Sequence
from typing import Final

from firmware.words import N_, Words
from table_controller.game import Role, Winner
from table_controller.game import events as ev
from table_controller.game.scoring import decisive_votes
from table_controller.game.terms import BallotKind, Cause, NightRound, Source
from table_controller.scoreboard.pages.games.numbers import seats as listed
from table_controller.wording import offence_name, sanction_name, winner_name


def met(roles: Sequence[Role], words: Words) -> str:
    """Return who met in the night of acquaintance."""
    mafia = [seat for seat, role in enumerate(roles, start=1) if role is Role.MAFIA]
    don = roles.index(Role.DON) + 1
    return words.gettext("The mafia met: seats {seats} and the don, seat {don}.").format(
        seats=", ".join(map(str, mafia)), don=don
    )


def shots(event: ev.ShotsFixed, roles: Sequence[Role], words: Words) -> list[str]:
    """Return who shot at whom, and whether it was a hit."""
    t, by_target = words.gettext, dict[int | None, list[int]]()
    for seat, target in event.shots:
        by_target.setdefault(target, []).append(seat)
    lines = []
    for target, who in by_target.items():
        if target is None:
            text = words.ngettext(
                "Seat {seats} made no shot.", "Seats {seats} made no shot.", len(who)
            )
        else:
            text = words.ngettext(
                "Seat {seats} shot at seat {target}.",
                "Seats {seats} shot at seat {target}.",
                len(who),
            )
        lines.append(text.format(seats=listed(who, words), target=target))
    if event.hit is None:
        lines.append(t("A miss."))
    elif roles[event.hit - 1].team == "mafia":
        lines.append(t("A hit, a self-shot: seat {seat}.").format(seat=event.hit))
    else:
        lines.append(t("A hit: seat {seat}.").format(seat=event.hit))
    return lines


def check(event: ev.Checked, roles: Sequence[Role], words: Words) -> str:
    """Return what the don or the sheriff has learned."""
    if roles[event.seat - 1] is Role.DON:
        text = (
            N_("The don checked seat {target}: the sheriff.")
            if event.positive
            else N_("The don checked seat {target}: not the sheriff.")
        )
    elif event.positive:
        text = N_("The sheriff checked seat {target}: mafia.")
    else:
        text = N_("The sheriff checked seat {target}: not mafia.")
    return words.gettext(text).format(target=event.target)


NO_CHECK: Final = {
    Role.DON: N_("The don checked nobody."),
    Role.SHERIFF: N_("The sheriff checked nobody."),
}

CALLED_AGAIN: Final = {
    NightRound.SHOTS: N_("The round of shots was called again from its start."),
    NightRound.DON: N_("The don's round was called again from its start."),
    NightRound.SHERIFF: N_("The sheriff's round was called again from its start."),
}


def farewell(
    seat: int, move: Sequence[int] | None, crown: int | None, mafia: frozenset[int], words: Words
) -> str:
    """Return what *seat* gave in its farewell; *mafia* are all who were dealt one of its cards."""
    t = words.gettext
    if not move:
        told = t("Farewell of seat {seat}: no best move").format(seat=seat)
    else:
        hits = len(mafia.intersection(move))
        told = words.ngettext(
            "Farewell of seat {seat}: best move {seats}, {hits} of them mafia",
            "Farewell of seat {seat}: best move {seats}, {hits} of them mafia",
            hits,
        ).format(seat=seat, seats=listed(move, words), hits=hits)
    if crown is not None:
        told += t("; the crown to seat {target}").format(target=crown)
    return told + "."


# ---- the vote ----

KINDS: Final = {
    BallotKind.VOTE: N_("Vote"),
    BallotKind.REVOTE: N_("Revote"),
}


def ballot(event: ev.BallotClosed, words: Words) -> str:
    """Return who voted against whom, and what came of it."""
    t = words.gettext
    if event.kind is BallotKind.LIFT:
        return _lift(event, words)
    parts = []
    for candidate in event.candidates:
        who = [seat for seat, against in event.votes if against == candidate]
        text = words.ngettext(
            "against {candidate}: {count} vote ({seats})",
            "against {candidate}: {count} votes ({seats})",
            len(who),
        )
        parts.append(
            text.format(candidate=candidate, count=len(who), seats=", ".join(map(str, who)))
            if who
            else t("against {candidate}: none").format(candidate=candidate)
        )
    told = f"{t(KINDS[event.kind])}: {'; '.join(parts)}."
    if event.automatic:
        told += " " + t("Not pressed, so automatic: {seats}.").format(
            seats=listed(event.automatic, words)
        )
    if len(event.top) > 1:
        told += " " + t("A tie: {seats}.").format(seats=listed(event.top, words))
    return told + _decisive(event, words)


def _lift(event: ev.BallotClosed, words: Words) -> str:
    t, yes = words.gettext, len(event.votes)
    told = t("Lift of {candidates}: {yes} of {living} for it ({seats}), {needed} needed.").format(
        candidates=listed(event.candidates, words),
        yes=yes,
        living=event.living,
        seats=", ".join(str(seat) for seat, _ in event.votes) or t("nobody"),
        needed=event.living // 2 + 1,
    )
    told += " " + (t("It passed.") if event.top else t("It did not pass."))
    return told + _decisive(event, words)


def _decisive(event: ev.BallotClosed, words: Words) -> str:
    decisive = decisive_votes(event)
    if not decisive:
        return ""
    return " " + words.gettext("Decisive: {seats}.").format(seats=listed(decisive, words))


def settled(event: ev.VoteSettled, *, lift: bool, nominees: int, words: Words) -> str:
    """Return who left by the day's vote; *nominees* is how many stood on the list."""
    if event.single:
        text = N_("Seat {seats}, the only nominee, left without a vote.")
        return words.gettext(text).format(seats=event.leave[0])
    if not event.leave:
        text = (
            N_("Nobody left.")
            if nominees > 1
            else N_("One nominee on the first day: no vote, nobody left.")
            if nominees
            else N_("Nobody was nominated: no vote.")
        )
        return words.gettext(text)
    if lift:
        return words.gettext("Seats {seats} left together.").format(
            seats=listed(event.leave, words)
        )
    return words.gettext("Seat {seat} left.").format(seat=event.leave[0])


CAUSES: Final = {
    Cause.VOTE: N_("voted out"),
    Cause.LIFT: N_("out by lift"),
    Cause.SINGLE: N_("only nominee"),
    Cause.SHOT: N_("shot at night"),
    Cause.DISQUALIFIED: N_("disqualified"),
    Cause.WITHDRAWN: N_("withdrawn"),
}
"""How a seat left."""


# ---- fair play ----

_SOURCES: Final = {
    Source.PRESENCE: N_("seen by its camera"),
    Source.GESTURE: N_("seen by its camera"),
    Source.HOST: N_("opened by the host"),
}


def grounds(event: ev.GroundsOpened, words: Words) -> str:
    """Return what there are grounds for, and who has brought them."""
    t = words.gettext
    if event.source is Source.SEAT:
        source = t("said by seat {by}, confirmed by seat {second}").format(
            by=event.by, second=event.confirmed_by
        )
    else:
        source = t(_SOURCES[event.source])
    return t("Grounds against seat {seat}: {offence} ({source}).").format(
        seat=event.seat, offence=offence_name(event.offence, words), source=source
    )


def motion(event: ev.MotionClosed, voters: int, needed: int, words: Words) -> str:
    """Return how the table voted on a sanction."""
    t, name = words.gettext, sanction_name(event.sanction, words)
    if not event.counted:
        return t("The motion on seat {seat} ({sanction}) is closed: the host has ruled.").format(
            seat=event.seat, sanction=name
        )
    told = t(
        "Motion on seat {seat} ({sanction}): {yes} of {voters} for it ({seats}), {needed} needed."
    )
    told = told.format(
        seat=event.seat,
        sanction=name,
        yes=len(event.yes),
        voters=voters,
        seats=", ".join(map(str, event.yes)) or t("nobody"),
        needed=needed,
    )
    return told + " " + (t("It passed.") if event.passed else t("It did not pass."))


def technical_foul(event: ev.TechnicalFoulGiven, words: Words) -> str:
    """Return who got a technical foul, for what, and who decided."""
    t = words.gettext
    text = (
        N_("Technical foul {count} for seat {seat}: {offence}. Decided by the host.")
        if event.by_host
        else N_("Technical foul {count} for seat {seat}: {offence}. Decided by the table.")
    )
    told = t(text).format(
        count=event.count, seat=event.seat, offence=offence_name(event.offence, words)
    )
    return told + (" " + t("The result stood: it costs no points.") if event.after_decision else "")


def disqualified(event: ev.Disqualified, words: Words) -> str:
    """Return who was disqualified, for what, and who decided."""
    t = words.gettext
    if event.by_second_foul:
        text = N_("Seat {seat} is disqualified: the second technical foul.")
    elif event.by_host:
        text = N_("Seat {seat} is disqualified: {offence}. Decided by the host.")
    else:
        text = N_("Seat {seat} is disqualified: {offence}. Decided by the table.")
    told = t(text).format(seat=event.seat, offence=offence_name(event.offence, words))
    return told + (" " + t("The result stood: it costs no points.") if event.after_decision else "")


def stopped(event: ev.OpponentVictoryGiven, words: Words) -> str:
    """Return for whose sake the game was stopped."""
    t = words.gettext
    if event.after_decision:
        return t(
            "The game was stopped over seat {seat} (Opponent Victory); the result stood."
        ).format(seat=event.seat)
    return t("The game was stopped over seat {seat} (Opponent Victory): its team loses.").format(
        seat=event.seat
    )


def decided(winner: Winner, words: Words) -> str:
    """Return what the game came to at this moment."""
    return words.gettext("With this the game is decided: {winner}.").format(
        winner=winner_name(winner, words)
    )


# ---- the host's hand ----


def nomination_corrected(event: ev.NominationCorrected, words: Words) -> str:
    """Return how the host changed a nomination."""
    if event.nominee is None:
        text = N_("The host took back the nomination by seat {speaker}.")
    else:
        text = N_("The host changed the nomination by seat {speaker} to seat {nominee}.")
    return words.gettext(text).format(speaker=event.speaker, nominee=event.nominee)


def countdown_changed(event: ev.CountdownChanged, words: Words) -> str:
    """Return how the host changed a clock."""
    text = (
        N_("The host gave a clock {seconds:g} s more.")
        if event.by_s > 0
        else N_("The host took {seconds:g} s off a clock.")
    )
    return words.gettext(text).format(seconds=abs(event.by_s))


def vote_corrected(event: ev.VoteCorrected, words: Words) -> str:
    """Return how the host changed a vote."""
    if event.candidate is None:
        text = N_("The host took away the vote of seat {seat}.")
    elif event.candidate:
        text = N_("The host entered the vote of seat {seat}: against {candidate}.")
    else:
        text = N_("The host entered the vote of seat {seat}: for it.")
    return words.gettext(text).format(seat=event.seat, candidate=event.candidate)


PLAIN: Final[dict[type[ev.Event], tuple[str, str]]] = {
    ev.ShotAnnounced: ("shot", N_("Seat {seat} was shot in the night.")),
    ev.MissAnnounced: ("miss", N_("Nobody was shot in the night.")),
    ev.NominationStood: ("nominee", N_("Seat {seat} nominated seat {nominee}.")),
    ev.ShoutBegan: ("foul", N_("Seat {seat} shouted: foul {fouls}.")),
    ev.FoulGiven: ("foul", N_("The host entered a shout of seat {seat}: foul {fouls}.")),
    ev.FoulTakenBack: ("foul", N_("The host took back a foul of seat {seat}; it has {fouls}.")),
    ev.AccusationLapsed: ("fair", N_("Nobody confirmed what seat {by} said.")),
    ev.Withdrawn: ("sanction", N_("The host let seat {seat} leave without fault.")),
    ev.VoteDropped: ("fair", N_("The vote of day {day} is dropped.")),
    ev.NomineeStruck: ("fair", N_("Seat {seat} is off the list.")),
    ev.GameVoided: ("end", N_("The host ended the game without a result.")),
}
"""(mark, sentence) of events whose fields fill the blanks."""
