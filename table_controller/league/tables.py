"""The tables as the queries name them; ``schema/`` makes them."""

from typing import Final

from sqlalchemy import Column, Integer, MetaData, Table, Text

_all: Final = MetaData()

schema_version: Final = Table(
    "schema_version",
    _all,
    Column("version", Integer, primary_key=True),
    Column("file", Text),
    Column("applied_utc", Text),
)

player: Final = Table(
    "player",
    _all,
    Column("id", Text, primary_key=True),
    Column("name", Text),
    Column("name_key", Text),
    Column("nick", Text),
    Column("nick_key", Text),
    Column("club", Text),
    Column("created_utc", Text),
)

sitting: Final = Table(
    "sitting",
    _all,
    Column("place", Integer, primary_key=True),
    Column("player_id", Text),
    Column("name", Text),
)

bar: Final = Table(
    "bar",
    _all,
    Column("id", Text, primary_key=True),
    Column("player_id", Text),
    Column("first_day", Text),
    Column("last_day", Text),
    Column("reason", Text),
    Column("game", Text),
    Column("seat", Integer),
    Column("offence", Text),
    Column("decided_by", Text),
    Column("made_utc", Text),
    Column("lifted_utc", Text),
    Column("lifted_by", Text),
    Column("lifted_why", Text),
)

appeal: Final = Table(
    "appeal",
    _all,
    Column("id", Text, primary_key=True),
    Column("player_id", Text),
    Column("name", Text),
    Column("game", Text),
    Column("seat", Integer),
    Column("offence", Text),
    Column("bar_id", Text),
    Column("state", Text),
    Column("made_utc", Text),
)

appeal_entry: Final = Table(
    "appeal_entry",
    _all,
    Column("appeal_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("utc", Text),
    Column("who", Text),
    Column("did", Text),
    Column("text", Text),
)

game: Final = Table(
    "game",
    _all,
    Column("id", Text, primary_key=True),
    Column("table_name", Text),
    Column("day", Text),
    Column("began_utc", Text),
    Column("ended_utc", Text),
    Column("winner", Text),
    Column("kept_utc", Text),
    Column("newest", Integer),
    Column("course", Text),
)

game_revision: Final = Table(
    "game_revision",
    _all,
    Column("game_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("utc", Text),
    Column("who", Text),
    Column("did", Text),
    Column("why", Text),
    Column("document", Text),
)

game_seat: Final = Table(
    "game_seat",
    _all,
    Column("game_id", Text, primary_key=True),
    Column("day", Text),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Text),
    Column("name", Text),
    Column("role", Text),
    Column("team", Text),
    Column("result", Text),
    Column("max", Integer),
    Column("classic", Integer),
    Column("tier", Text),
    Column("hits", Integer),
    Column("shot_n1", Integer),
    Column("technical_fouls", Integer),
    Column("disqualified", Integer),
    Column("withdrawn", Integer),
    Column("culprit", Integer),
)

everything: Final = tuple(each for each in _all.tables.values() if each is not schema_version)
"""All that a league holds; a table stands after those that it refers to."""
