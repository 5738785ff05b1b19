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
