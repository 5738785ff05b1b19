"""``/host/appeals``: appeals taken down, decided, and their history; for the host alone."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from flask import Flask, Response
from werkzeug.wrappers import Response as AnyResponse

from firmware.words import N_, Words
from table_controller.game.terms import Offence
from table_controller.league import Appeal, Case, League, Refused, Verdict
from table_controller.league.wording import did_name, until, verdict_name
from table_controller.record.offenders import Offender
from table_controller.scoreboard.console.forms import Form, Pages, typed
from table_controller.wording import offence_name


class Choice(NamedTuple):
    """Something that can be appealed against."""

    key: str
    """What the form sends for it."""
    label: str
    case: Case


def add_appeals(
    app: Flask, league: League, offenders: Callable[[], Sequence[Offender]], pages: Pages
) -> None:
    """Give *app* these pages; *offenders* tells of the last finished games."""
    base = f"{pages.prefix}/appeals"
    appeals = league.appeals

    @app.get(base)
    def club_appeals() -> Response:
        words = pages.words
        return pages.show(
            "appeals.html",
            appeals=[
                (each, verdict_name(each.state, words), _offence(each, words))
                for each in appeals.all()
            ],
        )

    @app.get(f"{base}/new")
    def new_appeal() -> Response:
        return form_page(Form())

    @app.post(f"{base}/new")
    def take_appeal() -> AnyResponse:
        values = typed("case", "text", "by")
        by_key = {each.key: each.case for each in choices()}
        try:
            if values["case"] not in by_key:
                raise Refused("case", N_("Choose what the appeal is against."))
            made = appeals.take(by_key[values["case"]], text=values["text"], by=values["by"])
        except Refused as why:
            return form_page(pages.refused(values, why), 422)
        return pages.back("one_appeal", "taken", appeal=made.id)

    @app.get(f"{base}/<appeal>")
    def one_appeal(appeal: str) -> Response:
        return show_one(appeal)

    @app.post(f"{base}/<appeal>/note")
    def note_appeal(appeal: str) -> AnyResponse:
        values = typed("text", "by")
        try:
            appeals.note(appeal, text=values["text"], by=values["by"])
        except Refused as why:
            return show_one(appeal, 422, note=pages.refused(values, why))
        return pages.back("one_appeal", "noted", appeal=appeal)

    @app.post(f"{base}/<appeal>/decide")
    def decide_appeal(appeal: str) -> AnyResponse:
        values = typed("verdict", "text", "by")
        try:
            if values["verdict"] not in (Verdict.UPHELD, Verdict.REJECTED):
                raise Refused("verdict", N_("expected upheld or rejected"))
            verdict = Verdict(values["verdict"])
            appeals.decide(appeal, verdict, reasons=values["text"], by=values["by"])
        except Refused as why:
            return show_one(appeal, 422, decide=pages.refused(values, why))
        return pages.back("one_appeal", "decided", appeal=appeal)

    def show_one(
        id_: str, status: int = 200, note: Form | None = None, decide: Form | None = None
    ) -> Response:
        words = pages.words
        try:
            found = appeals.get(id_)
        except Refused:
            return pages.show("nobody.html", 404)
        return pages.show(
            "appeal.html",
            status,
            appeal=found,
            is_open=found.state is Verdict.OPEN,
            state=verdict_name(found.state, words),
            offence=_offence(found, words),
            history=[(each, did_name(each.did, words)) for each in found.history],
            note=note or Form(),
            decide=decide or Form(),
        )

    def form_page(form: Form, status: int = 200) -> Response:
        return pages.show("appeal_new.html", status, form=form, choices=choices())

    def choices() -> list[Choice]:
        """Return what can be appealed against and is not yet."""
        words, today = pages.words, league.today()
        text = words.gettext("{name}: {offence}, seat {seat}, game {game}")
        taken = {
            (each.game, each.seat, each.bar if not each.game else "")
            for each in appeals.all()
            if each.state is not Verdict.REJECTED
        }
        found = {
            (each.game, each.seat, ""): Choice(
                f"{each.game}/{each.seat}",
                text.format(
                    name=each.name,
                    offence=offence_name(each.offence, words),
                    seat=each.seat,
                    game=each.game,
                ),
                Case(each.player or each.name, each.game, each.seat, each.offence.value),
            )
            for each in offenders()
        }
        for bar in league.bars.all():
            about = (bar.game, bar.seat, "") if bar.game else ("", 0, bar.id)
            if bar.holds(today) and about not in found:
                label = words.gettext("{name}: barred {until}")
                label = label.format(name=bar.name, until=until(bar, words))
                found[about] = Choice(bar.id, label, Case(bar=bar.id))
        return [choice for about, choice in found.items() if about not in taken]


def _offence(found: Appeal, words: Words) -> str:
    offence = next((each for each in Offence if each.value == found.offence), None)
    return offence_name(offence, words) if offence else ""
