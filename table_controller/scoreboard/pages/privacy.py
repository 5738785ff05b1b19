"""The page of plain words for players: what the camera does, what is kept, how to check it."""

from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Flask, Response

from firmware.words import catalogue
from table_controller.record.backups import KEPT
from table_controller.record.journals import KEPT_ASIDE, KEPT_GAMES
from table_controller.scoreboard.pages.frame import show
from table_controller.scoreboard.words import Translate

LOG_MB: Final = 64
"""What the log may take. Source: systemd/journald.conf.d/mafia.conf, SystemMaxUse."""


class Section(NamedTuple):
    """One heading of the page, its paragraphs, and commands to check them by."""

    heading: str
    lines: tuple[str, ...]
    commands: tuple[str, ...] = ()


def sections(t: Translate) -> tuple[Section, ...]:
    """Return the page's text."""
    return (_camera(t), _secret(t), _kept(t), _check(t))


def _camera(t: Translate) -> Section:
    return Section(
        t("The camera"),
        (
            t(
                "A seat may have a camera. A program on that seat's own small computer looks at"
                " its pictures one after the other, each for a moment, in memory only. None is "
                "stored, none is sent anywhere, nobody can watch."
            ),
            t(
                "It tells the table three things: whether somebody sits there, which hand sign "
                "is shown by day, and whether it sees well. It compares no faces, knows no "
                "names, and listens to nothing."
            ),
            t(
                "The program that sees you has no network at all: the system gives it none. "
                "Words and numbers pass from it to the seat, and never a picture."
            ),
            t(
                "A seat without a camera plays the same game. Whoever wants none covers the "
                "lens, or pulls its cable out: then the table does not know whether the chair "
                "is empty, and says so."
            ),
        ),
    )


def _secret(t: Translate) -> Section:
    return Section(
        t("Your role"),
        (
            t(
                "Only your own hooded screen shows it before the game is over. The host does "
                "not see it, nor what anybody presses at night; no page, download or command "
                "tells it."
            ),
            t(
                "Phones only read this scoreboard. Who has opened it is counted, and not "
                "written down."
            ),
        ),
    )


def _kept(t: Translate) -> Section:
    return Section(
        t("What is kept, and for how long"),
        (
            t(
                "Of each game: the names that the club has entered, the seats, the roles, and "
                "all that was decided, with its time: presses, votes, fouls, checks, an empty "
                "chair, a forbidden sign."
            ),
            t(
                "The table keeps the last {games} games; with each further one the oldest is "
                "deleted, a finished one only once the club's list has it. Besides it keeps the "
                "last {copies} safety copies, made during games, and the last {broken} files that "
                "could not be read."
            ).format(games=KEPT_GAMES, copies=KEPT, broken=KEPT_ASIDE),
            t(
                "A finished game stays in the club's list of games for longer: its course, who "
                "sat where, the roles and the points. Everybody in the club's network can read "
                "that: in the record of the game, in the ratings, and on a page of each player "
                "of the club. Guests have no such page and are in no rating."
            ),
            t(
                "Whoever wants no name there any more tells the host: it is then gone from all "
                "these pages for good, and from the table's own copies as further games are "
                "played. The games and everybody else's points stay as they are. As long as a "
                "bar holds or an appeal is open, the name is needed."
            ),
            t(
                "The club has a list of its players besides, and notes whom it has barred and who "
                "has appealed in private. Only the host reads that. Both lists are in the file "
                "league.db, or on the club's own server, until whoever runs it deletes them."
            ),
            t(
                "The rest is on the table's own memory card, where only the table's program "
                "and who runs the machine can read it. Nothing goes to the internet; the kit "
                "works without."
            ),
            t(
                "The log of faults holds no role, no name and no password. It takes {megabytes}"
                " MB at most; then its oldest lines go."
            ).format(megabytes=LOG_MB),
            t(
                "Whoever runs the table can delete a game: it is one file in the folder "
                "journal, and its copies in backups carry the same name. The host can take a "
                "game out of the ratings."
            ),
        ),
    )


def _check(t: Translate) -> Section:
    return Section(
        t("How to check it"),
        (
            t(
                "Do not take our word for it. Pull the club's internet cable: all goes on. "
                "Cover a lens: the screen of that seat soon says that it sees nothing."
            ),
            t(
                "On a seat, the first command below answers PrivateNetwork=yes, and the second "
                "lists that program's network: a single line, lo, which leads nowhere. On the "
                "table, the third lists what is open to whom, and the fourth checks the deal of"
                " a finished game."
            ),
            t("All programs are open: read them, or ask somebody who can."),
        ),
        (
            "systemctl show mafia-eyes -p PrivateNetwork",
            "sudo nsenter -n -t $(systemctl show mafia-eyes -p MainPID --value) ip -brief link",
            "sudo mafia-table doctor",
            "mafia-table verify-deal record.jsonl",
        ),
    )


def add_privacy(app: Flask, chosen: Callable[[], str]) -> None:
    """Let *app* serve ``/privacy``; *chosen* is the language of a request."""

    @app.get("/privacy")
    def privacy() -> Response:
        spoken = chosen()
        return show("privacy.html", spoken, sections=sections(catalogue(spoken).gettext))
