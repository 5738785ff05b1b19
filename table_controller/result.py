"""The result of a game as a table in plain text."""

from firmware.words import Words
from table_controller.scoreboard.board import Board
from table_controller.wording import role_name, winner_name


def result_table(board: Board, words: Words) -> str:
    """Return winner, roles and both scores of a finished game, one line a seat."""
    t = words.gettext
    rows = [(t("seat"), t("player"), t("role"), "Max", "Classic")]
    for seat, around in zip(board.game.seats, board.seats, strict=True):
        rows.append(
            (
                str(seat.seat),
                around.name,
                role_name(seat.role, words) if seat.role else "",
                "" if seat.max is None else f"{seat.max / 100:+.2f}",
                "" if seat.classic is None else f"{seat.classic / 100:+.2f}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([winner_name(board.game.winner, words), *lines])
