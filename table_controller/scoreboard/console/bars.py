"""``/host/bars``: who is barred, who may be after the last games, and lifting."""

import datetime
from collections.abc import Callable, Sequence
from typing import Final

from flask import Flask, Response, request
from werkzeug.wrappers import Response as AnyResponse

from firmware.words import N_
from table_controller.game.terms import Offence
from table_controller.league import Bar, League, Refused, Verdict
from table_controller.league.names import key
from table_controller.league.wording import until
from table_controller.record.offenders import Offender
from table_controller.scoreboard.console.forms import Form, Pages, typed
from table_controller.wording import offence_name

USUAL: Final = datetime.timedelta(days=28)
"""How long a bar for a time is, unless another day is chosen."""

FIELDS: Final = ("who", "game", "seat", "offence", "time", "last_day", "reason", "decided_by")


def add_bars(
    app: Flask, league: League, offenders: Callable[[], Sequence[Offender]], pages: Pages
) -> None:
    """Give *app* these pages; *offenders* tells of the last finished games."""
    base = f"{pages.prefix}/bars"

    @app.get(base)
    def club_bars() -> Response:
        words, today = pages.words, league.today()
        every = league.bars.all()
        return pages.show(
            "bars.html",
            held=[(bar, until(bar, words)) for bar in every if bar.holds(today)],
            past=[(bar, until(bar, words)) for bar in every if not bar.holds(today)],
            offenders=[
                (each, offence_name(each.offence, words))
                for each in may_be_barred(league, offenders())
            ],
        )

    @app.get(f"{base}/new")
    def new_bar() -> Response:
        """Show the form, filled in for ``?who=``, or ``?game=&seat=`` of an offender."""
        found = _offender(offenders(), request.args.get("game"), request.args.get("seat"))
        values = {
            "who": request.args.get("who", ""),
            "time": "until",
            "last_day": (league.today() + USUAL).isoformat(),
        }
        if found is not None:
            values |= {
                "who": found.name,
                "game": found.game,
                "seat": str(found.seat),
                "offence": found.offence.value,
                "reason": offence_name(found.offence, pages.words),
            }
        return form_page(Form(values))

    @app.post(f"{base}/new")
    def put_bar() -> AnyResponse:
        values = typed(*FIELDS)
        try:
            day = _last_day(values)
            found = _settled(league, offenders(), values)
            league.bars.put(
                values["who"],
                league.today(),
                last_day=day,
                reason=values["reason"],
                decided_by=values["decided_by"],
                game=found.game if found else "",
                seat=found.seat if found else 0,
                offence=_offence(values["offence"]),
            )
        except Refused as why:
            field = "who" if why.field == "name" else why.field
            return form_page(Form(values, {field: why.said(pages.words)}), 422)
        return pages.back("club_bars", "barred")

    @app.get(f"{base}/<bar>")
    def one_bar(bar: str) -> Response:
        return show_one(bar)

    @app.post(f"{base}/<bar>")
    def lift_bar(bar: str) -> AnyResponse:
        values = typed("decided_by", "reason")
        if _bar(league, bar) is None:
            return pages.show("nobody.html", 404)
        try:
            league.bars.lift(bar, by=values["decided_by"], why=values["reason"])
        except Refused as why:
            return show_one(bar, 422, pages.refused(values, why))
        return pages.back("one_bar", "lifted", bar=bar)

    def show_one(id_: str, status: int = 200, form: Form | None = None) -> Response:
        found = _bar(league, id_)
        if found is None:
            return pages.show("nobody.html", 404)
        words = pages.words
        offence = _offence(found.offence)
        return pages.show(
            "bar.html",
            status,
            bar=found,
            until=until(found, words),
            offence=offence_name(offence, words) if offence else "",
            form=form or Form(),
        )

    def form_page(form: Form, status: int = 200) -> Response:
        words = pages.words
        try:
            name = league.players.person(form.values.get("who", "")).name
        except Refused:
            name = form.values.get("who", "")
        form = Form({**form.values, "who": name}, form.faults)
        offences = [(each.value, offence_name(each, words)) for each in Offence]
        today = league.today().isoformat()
        return pages.show("bar_new.html", status, form=form, offences=offences, today=today)


def may_be_barred(league: League, found: Sequence[Offender]) -> list[Offender]:
    """Return those of *found* who have no bar of that game, nor an appeal that was upheld."""
    barred = {(bar.game, bar.seat) for bar in league.bars.all()}
    upheld = {
        (each.game, each.seat) for each in league.appeals.all() if each.state is Verdict.UPHELD
    }
    return [each for each in found if (each.game, each.seat) not in barred | upheld]


def _bar(league: League, id_: str) -> Bar | None:
    return next((bar for bar in league.bars.all() if bar.id == id_), None)


def _offender(found: Sequence[Offender], game: str | None, seat: str | None) -> Offender | None:
    return next((each for each in found if each.game == game and str(each.seat) == seat), None)


def _settled(league: League, found: Sequence[Offender], values: dict[str, str]) -> Offender | None:
    """Return the seat of a finished game that a form names; None: it names none.

    :raises Refused: if it has nothing to answer for, or another player sat there.
    """
    if not values["game"] and not values["seat"]:
        return None
    offender = _offender(found, values["game"], values["seat"])
    if offender is None:
        raise Refused("game", N_("That is no seat of a finished game."))
    who = league.players.person(values["who"])
    same = who.id == offender.player if offender.player else key(who.name) == key(offender.name)
    if not same:
        raise Refused("who", N_("expected {name}, who had that seat"), name=offender.name)
    return offender


def _offence(value: str) -> Offence | None:
    return next((each for each in Offence if each.value == value), None)


def _last_day(values: dict[str, str]) -> datetime.date | None:
    if values["time"] == "good":
        return None
    try:
        return datetime.date.fromisoformat(values["last_day"])
    except ValueError:
        raise Refused("last_day", N_("expected a day, as 2027-01-31")) from None
