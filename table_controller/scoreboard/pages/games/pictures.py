"""Two pictures of a finished game: who lived how long, and who voted against whom. Pure.

What is drawn where, in units of the drawing; the templates make SVG of it.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from firmware.words import Words
from table_controller.game import SEATS, Cause, Role, Team
from table_controller.game import events as ev
from table_controller.game.terms import BallotKind
from table_controller.record.finished import FinishedGame
from table_controller.scoreboard.pages.games.course import Chapter
from table_controller.scoreboard.pages.games.numbers import when
from table_controller.scoreboard.pages.games.votes import Column

ROW: Final = 26
"""Height of a seat's row."""
HEAD: Final = 40
"""Height of the names of the columns."""
NAMES: Final = 44
"""Width of the seats' numbers and roles."""
STEP: Final = 46
"""Width of a day, a night, a ballot."""
LEAST: Final = 6
"""Columns that a picture has room for: a page's width would blow up one of a single ballot."""

TEAM: Final = {Team.TOWN: "town", Team.MAFIA: "mafia"}
ROLE_SIGNS: Final = {Role.CITIZEN: "", Role.SHERIFF: "★", Role.MAFIA: "◆", Role.DON: "♛"}
"""A shape for each role, so that no colour is needed."""

CAUSE_SIGNS: Final = {
    Cause.SHOT: "✕",
    Cause.VOTE: "▼",
    Cause.LIFT: "▲",
    Cause.SINGLE: "▼",
    Cause.DISQUALIFIED: "■",
    Cause.WITHDRAWN: "○",
}


class Text(NamedTuple):
    """A word or a sign; its middle is at *x*, its line at *y*."""

    x: float
    y: float
    text: str
    look: str = ""


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    look: str = ""


class Picture(NamedTuple):
    """What is drawn, the boxes first."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    texts: tuple[Text, ...]


def _width(columns: int) -> float:
    return NAMES + max(LEAST, columns) * STEP + 8


def _middle(seat: int) -> float:
    return HEAD + (seat - 0.5) * ROW


def _seats(game: FinishedGame) -> list[Text]:
    texts = []
    for seat in game.seats:
        y, team = _middle(seat.seat) + 5, TEAM[seat.role.team]
        texts.append(Text(14, y, str(seat.seat), "seat"))
        if sign := ROLE_SIGNS[seat.role]:
            texts.append(Text(33, y, sign, team))
    return texts


# ---- lives ----


def lives(game: FinishedGame, chapters: Sequence[Chapter], words: Words) -> Picture:
    """Return a row for each seat, as long as it lived, over the nights and days.

    In it shots and checks by night, fouls by day, and how the seat left; below it the
    living and the right to a mistake of each dawn.
    """
    column = {chapter.key: number for number, chapter in enumerate(chapters)}
    boxes, texts = list[Box](), _seats(game)
    bottom = HEAD + len(SEATS) * ROW
    for chapter in chapters:
        x = NAMES + column[chapter.key] * STEP
        if chapter.by_night:
            boxes.append(Box(x, 22, STEP, bottom - 22, "night"))
        texts.append(Text(x + STEP / 2, 34, when(chapter.key, words), "head"))
        if chapter.reading is not None:
            middle = x + STEP / 2
            texts.append(Text(middle, bottom + 20, f"{chapter.town}–{chapter.mafia}", "count"))
            texts.append(Text(middle, bottom + 42, str(chapter.reading), "reading"))
    ends = _ends(game, column)
    for seat in game.seats:
        until = ends.get(seat.seat, (len(chapters) * STEP, ""))[0]
        y = _middle(seat.seat)
        boxes.append(Box(NAMES, y - 8, until, 16, f"life {TEAM[seat.role.team]}"))
        if seat.seat in ends:
            texts.append(Text(NAMES + until, y + 5, ends[seat.seat][1], "end"))
    texts += _deeds(game, column)
    return Picture(_width(len(chapters)), bottom + 52, tuple(boxes), tuple(texts))


def _ends(game: FinishedGame, column: dict[str, int]) -> dict[int, tuple[float, str]]:
    """Return how long each seat's life is drawn that ended, and the sign of its end."""
    found, at = dict[int, tuple[float, str]](), 0
    for event in game.events():
        if isinstance(event, ev.MorningCame):
            at = column[f"D{event.day}"]
        elif isinstance(event, ev.SeatLeft):
            shot = event.cause is Cause.SHOT
            # Who is shot leaves at dawn, of the night that is over; else late in the day.
            until = (at - 0.5 if shot else at + 0.75) * STEP
            found[event.seat] = (until, CAUSE_SIGNS[event.cause])
    return found


def _deeds(game: FinishedGame, column: dict[str, int]) -> list[Text]:
    """Return shots, checks and fouls, each in its seat's row."""
    texts, at, night = list[Text](), 0, True
    fouls: dict[tuple[int, int], int] = {}
    for event in game.events():
        match event:
            case ev.NightFell():
                at, night = column[f"N{event.night}"], True
            case ev.MorningCame():
                at, night = column[f"D{event.day}"], False
            case ev.ShotsFixed():
                for seat, target in event.shots:
                    x = NAMES + (at + 0.27) * STEP
                    shot = f"→{target}" if target is not None else "→–"
                    texts.append(Text(x, _middle(seat) + 4, shot, "deed"))
            case ev.Checked():
                x = NAMES + (at + 0.75) * STEP
                texts.append(Text(x, _middle(event.seat) + 4, f"?{event.target}", "deed"))
            case ev.ShoutBegan() | ev.FoulGiven() if not night:
                fouls[event.seat, at] = fouls.get((event.seat, at), 0) + 1
            case ev.FoulTakenBack() if fouls.get((event.seat, at)):
                fouls[event.seat, at] -= 1
            case ev.TechnicalFoulGiven():
                x = NAMES + (at + 0.5) * STEP
                texts.append(Text(x, _middle(event.seat) + 4, "T", "technical"))
    for (seat, day), count in fouls.items():
        if count:
            x = NAMES + (day + 0.35) * STEP
            dots = "•" * count if count < 4 else f"•{count}"
            texts.append(Text(x, _middle(seat) + 4, dots, "deed"))
    return texts


# ---- votes ----


def ballots(game: FinishedGame, columns: Sequence[Column], words: Words) -> Picture:
    """Return a row for each seat and a column for each ballot: against whom it voted."""
    boxes, texts = list[Box](), _seats(game)
    for number, (ballot, cells) in enumerate(columns):
        left = NAMES + number * STEP
        texts.append(Text(left + STEP / 2, 16, when(f"D{ballot.day}", words), "head"))
        sign = {BallotKind.VOTE: "", BallotKind.REVOTE: "↻", BallotKind.LIFT: "▲"}[ballot.kind]
        targets = " ".join(map(str, ballot.top)) or "–"
        texts.append(Text(left + STEP / 2, 33, f"{sign} {targets}".strip(), "small"))
        for seat, cell in zip(SEATS, cells, strict=True):
            if not cell.voted:
                continue
            look = "no"
            if cell.target:
                look = TEAM[game.seats[cell.target - 1].role.team]
            elif cell.yes:
                look = "yes"
            look += " automatic" * cell.automatic + " decisive" * cell.decisive
            y = HEAD + (seat - 1) * ROW
            boxes.append(Box(left + 3, y + 2, STEP - 6, ROW - 4, f"cell {look}"))
            said = str(cell.target) if cell.target else "+" if cell.yes else "–"
            said += "!" * cell.decisive + "°" * cell.automatic
            texts.append(Text(left + STEP / 2, y + ROW / 2 + 5, said, f"vote {look}"))
    bottom = HEAD + len(SEATS) * ROW
    return Picture(_width(len(columns)), bottom + 8, tuple(boxes), tuple(texts))
