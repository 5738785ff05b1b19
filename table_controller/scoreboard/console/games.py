"""``/host/games``: finished games; one is kept at once, or corrected, and a correction undone."""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Flask, Response, request
from werkzeug.wrappers import Response as AnyResponse

from firmware.errors import JournalError
from firmware.words import N_, Words
from table_controller.league import League, Refused
from table_controller.league.games import KeptGame, Seen
from table_controller.league.games_keeper import Keeper
from table_controller.league.wording import revised
from table_controller.record.finished import points_of
from table_controller.scoreboard.console.forms import Form, Pages, typed
from table_controller.scoreboard.pages.games.numbers import points
from table_controller.wording import role_name, winner_name

_AMOUNT: Final = re.compile(r"([+\-\N{MINUS SIGN}]?)(\d{1,4})(?:[.,](\d{1,2}))?")

BY: Final = ("newest", "why", "by")
"""What each of the forms has: which revision was seen, why, and who."""


class Keeping(NamedTuple):
    """How the game that was played last gets into the league when the host says so."""

    keeper: Keeper
    ended: Callable[[], str]
    """Tells its name; "": it goes on, or can be taken up again."""


def add_games(app: Flask, league: League, keeping: Keeping | None, pages: Pages) -> None:
    """Give *app* these pages."""
    base = f"{pages.prefix}/games"
    games = league.games

    @app.get(base)
    def club_games() -> Response:
        return show_all()

    @app.post(f"{base}/keep")
    def keep_game() -> AnyResponse:
        """Keep the game that is over, as the form names it."""
        name = typed("game")["game"]
        try:
            if keeping is None or not name or name != keeping.ended():
                raise Refused("game", N_("This game is not over, or can be taken up again."))
            keeping.keeper.keep(name)
        except Refused as why:
            return show_all(409, pages.refused({}, why))
        except (JournalError, ValueError) as error:
            text = pages.words.gettext("The record of this game cannot be read: {error}")
            return show_all(409, Form({}, {"game": text.format(error=error)}))
        return pages.back("club_games", "kept")

    def show_all(status: int = 200, form: Form | None = None) -> Response:
        words = pages.words
        found = games.list(before=request.args.get("before", "")[:64])
        ended = keeping.ended() if keeping else ""
        return pages.show(
            "games_kept.html",
            status,
            ended="" if ended and games.kept([ended]) else ended,
            games=[(each, winner_name(each.winner, words)) for each in found],
            older=found[-1].game if found and games.list(before=found[-1].game, limit=1) else "",
            form=form or Form(),
        )

    @app.get(f"{base}/<game>")
    def one_game(game: str) -> Response:
        return show_one(game)

    @app.post(f"{base}/<game>/seat")
    def correct_seat(game: str) -> AnyResponse:
        """Let another player have had a seat."""

        def correct(values: dict[str, str]) -> None:
            games.seat(_seen(game, values), _number(values["seat"]), values["who"])

        return corrected(game, "seat", correct, "seat", "who")

    @app.post(f"{base}/<game>/points")
    def correct_points(game: str) -> AnyResponse:
        """Set the points of a seat, or with two empty fields let it have what it has played."""

        def correct(values: dict[str, str]) -> None:
            amounts = None
            if values["max"].strip() or values["classic"].strip():
                amounts = (_hundredths("classic", values), _hundredths("max", values))
            games.set_points(_seen(game, values), _number(values["seat"]), amounts)

        return corrected(game, "points", correct, "seat", "max", "classic")

    @app.post(f"{base}/<game>/rated")
    def correct_rated(game: str) -> AnyResponse:
        """Strike the game from the ratings, or put it back."""

        def correct(values: dict[str, str]) -> None:
            games.strike(_seen(game, values), struck=values["struck"] == "yes")

        return corrected(game, "rated", correct, "struck")

    @app.post(f"{base}/<game>/back")
    def go_back(game: str) -> AnyResponse:
        """Let the game be again as an older revision has it."""

        def correct(values: dict[str, str]) -> None:
            games.go_back(_seen(game, values), _number(values["revision"]))

        return corrected(game, "back", correct, "revision")

    def corrected(
        game: str, form: str, correct: Callable[[dict[str, str]], None], *fields: str
    ) -> AnyResponse:
        values = typed(*BY, *fields)
        try:
            correct(values)
        except Refused as why:
            field = "who" if why.field == "name" else why.field
            return show_one(game, 422, form, Form(values, {field: why.said(pages.words)}))
        return pages.back("one_game", "corrected", game=game)

    def show_one(
        id_: str, status: int = 200, which: str = "", form: Form | None = None
    ) -> Response:
        found, words = games.get(id_), pages.words
        if found is None:
            return pages.show("nobody.html", 404)
        history = games.history(id_)
        return pages.show(
            "game_kept.html",
            status,
            kept=found,
            result=winner_name(found.game.winner, words),
            seats=_seats(found, words),
            history=[(each, revised(each.did, words)) for each in history],
            forms={which: form or Form()},
            fault=form.faults.get("game", "") if form else "",
        )


class _SeatLine(NamedTuple):
    seat: int
    player: str
    name: str
    role: str
    max: str
    """"": the game has no result."""
    classic: str
    why: str
    """Of points that were set by hand."""
    freed: bool
    """An appeal was upheld."""


def _seats(found: KeptGame, words: Words) -> list[_SeatLine]:
    amounts = points_of(found.game, found.corrections)
    why = {each.seat: each.why for each in found.corrections.by_hand}
    lines = []
    for each in found.game.seats:
        classic, most = "", ""
        if each.seat in amounts:
            classic, most = (points(amount, words.language) for amount in amounts[each.seat])
        name = each.name or words.gettext("without a name")
        freed = each.seat in found.corrections.removed
        lines.append(
            _SeatLine(
                each.seat, each.player, name, role_name(each.role, words), most, classic,
                why.get(each.seat, ""), freed,
            )
        )  # fmt: skip
    return lines


def _seen(game: str, values: dict[str, str]) -> Seen:
    return Seen(game, _number(values["newest"]), values["by"], values["why"])


def _number(text: str) -> int:
    """Return a small number of a form; 0, which is never one, for anything else."""
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0


def _hundredths(field: str, values: dict[str, str]) -> int:
    """Return points as they are typed, 1.35 or 1,35, in hundredths.

    :raises Refused: if they are none.
    """
    found = _AMOUNT.fullmatch(values[field].strip())
    if found is None:
        raise Refused(field, N_("expected points, as 1.35"))
    sign, whole, part = found.groups()
    amount = int(whole) * 100 + int((part or "0").ljust(2, "0"))
    return amount if sign in ("", "+") else -amount
