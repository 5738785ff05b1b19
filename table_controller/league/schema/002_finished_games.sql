-- What happened in a finished game, kept once and never changed. It holds no names:
-- those are in the revisions. Without a winner it has no result.
create table game (
    id text primary key,
    table_name text not null,
    day text not null,
    began_utc text not null,
    ended_utc text not null,
    winner text not null,
    kept_utc text not null,
    newest integer not null,
    course text not null
);

create index game_by_time on game (began_utc);

-- Who sat where and what counts, as the club has decided it: the newest holds. Only ever added to.
create table game_revision (
    game_id text not null references game (id),
    number integer not null,
    utc text not null,
    who text not null,
    did text not null,
    why text not null,
    document text not null,
    primary key (game_id, number)
);

-- What ratings count of the newest revision; no rows: the game is in none. Points in hundredths.
create table game_seat (
    game_id text not null references game (id),
    day text not null,
    seat integer not null,
    player_id text references player (id),
    name text not null,
    role text not null,
    team text not null,
    result text not null,
    max integer not null,
    classic integer not null,
    tier text not null,
    hits integer not null,
    shot_n1 integer not null,
    technical_fouls integer not null,
    disqualified integer not null,
    withdrawn integer not null,
    culprit integer not null,
    primary key (game_id, seat)
);

create index game_seat_of_player on game_seat (player_id);

create index game_seat_by_day on game_seat (day);
