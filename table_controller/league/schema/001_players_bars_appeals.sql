-- Ids are made by the program, times are ISO 8601 texts: the same in SQLite and PostgreSQL.
create table schema_version (
    version integer primary key,
    file text not null,
    applied_utc text not null
);

create table player (
    id text primary key,
    name text not null,
    name_key text not null unique,
    nick text not null,
    nick_key text not null,
    club text not null,
    created_utc text not null
);

-- The last ten of the table; without player_id a guest.
create table sitting (
    place integer primary key,
    player_id text references player (id),
    name text not null
);

-- From first_day to last_day, both included; without last_day for good.
create table bar (
    id text primary key,
    player_id text not null references player (id),
    first_day text not null,
    last_day text,
    reason text not null,
    game text not null,
    seat integer not null,
    offence text not null,
    decided_by text not null,
    made_utc text not null,
    lifted_utc text not null,
    lifted_by text not null,
    lifted_why text not null
);

create index bar_of_player on bar (player_id);

create table appeal (
    id text primary key,
    player_id text references player (id),
    name text not null,
    game text not null,
    seat integer not null,
    offence text not null,
    bar_id text references bar (id),
    state text not null,
    made_utc text not null
);

-- Only ever added to.
create table appeal_entry (
    appeal_id text not null references appeal (id),
    number integer not null,
    utc text not null,
    who text not null,
    did text not null,
    text text not null,
    primary key (appeal_id, number)
);
