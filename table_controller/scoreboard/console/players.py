"""``/host/players``: find, add and change players, read in a file, say who sits at the table."""

from typing import Final

from flask import Flask, Response, request
from werkzeug.wrappers import Response as AnyResponse

from firmware.words import N_
from table_controller.league import Barred, Entry, League, Person, Refused
from table_controller.league.names import key
from table_controller.league.player_file import ENCODINGS, FileFault, read_players
from table_controller.league.wording import until
from table_controller.scoreboard.console.forms import Form, Pages, typed

UPLOAD_MAX: Final = 61 * 1024
"""Bytes of an upload, the rest of its form included: a thousand players. More goes by
``mafia-table players import``; the web server takes 64 KiB from whoever asks."""

SHOWN_MAX: Final = 100
"""Players that a page lists."""


def add_players(app: Flask, league: League, pages: Pages) -> None:
    """Give *app* these pages."""
    base = f"{pages.prefix}/players"
    players = league.players

    def show(status: int = 200, said: str = "", **forms: object) -> Response:
        part = request.args.get("q", "")[:80]
        found, today = league.find(part), league.today()
        held = {id_: until(bar, pages.words) for id_, bar in league.bars.held(today).items()}
        ten = players.last_ten()
        return pages.show(
            "players.html", status, part=part, found=found[:SHOWN_MAX],
            more=len(found) - SHOWN_MAX, held=held, ten=ten,
            at_table={person.id for person in ten}, forms=forms, said=said,
        )  # fmt: skip

    @app.get(base)
    def club_players() -> Response:
        return show()

    @app.post(f"{base}/add")
    def add_player() -> AnyResponse:
        values = typed("name", "nick", "club")
        try:
            players.add(Entry(**values))
        except Refused as why:
            return show(422, add=pages.refused(values, why))
        return pages.back("club_players", "added")

    @app.post(f"{base}/import")
    def import_players() -> Response:
        file, encoding = request.files.get("file"), request.form.get("encoding", "")
        if encoding not in ENCODINGS:
            encoding = "utf-8"
        entries, faults = read_players(file.read() if file else b"", encoding)
        told = _faults(faults, pages)
        if not entries:
            return show(422, file=told)
        taken = players.take(entries)
        text = pages.words.gettext("{added} added, {changed} changed, {known} known already")
        said = text.format(added=taken.added, changed=taken.changed, known=taken.known)
        return show(said=said, file=told, partly=True)

    @app.post(f"{base}/seat")
    def seat_player() -> AnyResponse:
        """Add a player by id, or a guest by name, to those at the table."""
        values = typed("who")
        try:
            who = players.person(values["who"])
            bar = league.bars.of(who.id, league.today()) if who.id else None
            if bar is not None:
                raise Barred(bar)
            players.keep_ten((*players.last_ten(), who))
        except Refused as why:
            return show(422, guest=Form(values, {"who": why.said(pages.words)}))
        return pages.back("club_players", "seated")

    @app.post(f"{base}/unseat")
    def unseat_player() -> AnyResponse:
        """Take somebody, by id or a guest by name, from those at the table."""
        who = request.form.get("who", "")
        players.keep_ten([each for each in players.last_ten() if _handle(each) != who])
        return pages.back("club_players", "unseated")

    @app.get(f"{base}/<player>")
    def one_player(player: str) -> Response:
        return show_one(player)

    @app.post(f"{base}/<player>")
    def change_player(player: str) -> AnyResponse:
        values = typed("name", "nick", "club")
        try:
            players.change(player, Entry(**values))
        except Refused as why:
            return show_one(player, 422, pages.refused(values, why))
        return pages.back("one_player", "changed", player=player)

    @app.post(f"{base}/<player>/anonymise")
    def anonymise_player(player: str) -> AnyResponse:
        """Take a player's name away for good; the form has it typed once more."""
        values = typed("name")
        try:
            known = players.get(player)
            if key(values["name"]) != key(known.name):
                raise Refused("name", N_("expected {name}: it cannot be undone"), name=known.name)
            league.anonymise(known.id)
        except Refused as why:
            return show_one(player, 422, gone=pages.refused(values, why))
        return pages.back("club_players", "anonymised")

    def show_one(
        id_: str, status: int = 200, form: Form | None = None, gone: Form | None = None
    ) -> Response:
        try:
            player = players.get(id_)
        except Refused:
            return pages.show("nobody.html", 404)
        bars = [(bar, until(bar, pages.words)) for bar in league.bars.all(player.id)]
        form = form or Form({"name": player.name, "nick": player.nick, "club": player.club})
        return pages.show(
            "player.html", status, player=player, bars=bars, form=form, gone=gone or Form()
        )


def _handle(who: Person) -> str:
    return who.id or who.name


def _faults(faults: list[FileFault], pages: Pages) -> list[str]:
    return [fault.said(pages.words) for fault in faults]
