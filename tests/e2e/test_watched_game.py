"""One table played twice: as it was dealt, and with roles and night actions exchanged.

Nobody who watches may be able to tell the two games apart before the end: not a node, not
a phone on the LAN, not somebody who sees the sizes and times of what is on the air, not
the host. And every watcher finds what is let out on purpose.
"""

import pytest

from firmware.mosquitto import find_mosquitto
from table_controller.game import Role
from tests.e2e.watchers.course import DON, EXCHANGED, MAFIA, ROLES, SHERIFF, Watched
from tests.e2e.watchers.node import BESIDE, SPARE
from tests.e2e.watchers.plain import differences
from tests.e2e.watchers.relay import late

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(find_mosquitto() is None, reason="sudo apt install mosquitto"),
]

WATCHERS = ("node", "lan", "relay", "host", "room")

FIRST_MORNING = ("morning", 2)
"""Until there a game is played in which something leaks: it has had both kinds of night."""

TRIES = 3
"""Games until one in which the machine did not stand still."""


@pytest.fixture(scope="module")
def play(director_class, seed_of):
    """Plays games that are watched: ``play(exchanged, leaks=..., until=...)``."""
    seed = seed_of(ROLES)

    def play(exchanged=(), **how):
        for _ in range(TRIES):
            watched = Watched(director_class, seed, exchanged=exchanged, **how)
            if not watched.disturbed:
                break
        return watched

    return play


@pytest.fixture(scope="module")
def twins(play):
    """A whole game as it was dealt, and the one with the exchanges."""
    return play(), play(EXCHANGED)


@pytest.fixture(scope="module")
def leaking(play):
    """Returns twins that both leak in these ways; only the sheriff and a citizen are exchanged."""
    played = {}

    def leaking(*leaks):
        if leaks not in played:
            played[leaks] = [
                play(pairs, leaks=leaks, until=FIRST_MORNING) for pairs in ((), EXCHANGED[:1])
            ]
        return played[leaks]

    return leaking


def told(twins, watcher):
    """Return where the recordings of *watcher* differ, by channel."""
    one, other = (getattr(each, watcher) for each in twins)
    return {channel: rest for channel, *rest in differences(one, other)}


# ---- nothing gets out ----


@pytest.mark.parametrize("watcher", WATCHERS)
def test_no_watcher_can_tell_a_game_from_its_twin(twins, watcher):
    assert told(twins, watcher) == {}


def test_no_seat_is_later_by_night_for_its_role(twins):
    one, other = twins
    assert late(one.moments, other.moments) == {}


def test_the_twins_were_whole_games_and_had_other_roles(twins):
    one, other = (
        {seat["seat"]: Role(seat["role"]) for seat in each.end["seats"]} for each in twins
    )
    assert one == ROLES
    assert {seat for seat in ROLES if one[seat] is not other[seat]} == {
        seat for pair in EXCHANGED for seat in pair
    }
    assert {SHERIFF, DON} <= {seat for pair in EXCHANGED for seat in pair}
    assert len(MAFIA) == 2
    assert [each.end["winner"] for each in twins] == ["mafia", "mafia"]
    # What the game had in public: nights, votes, a lift, a pause by night, farewells.
    phrases = {phrase for phrase, _ in twins[0].room["voice"]}
    assert {"shot", "lift", "paused", "resumed", "leaves", "crown", "foul"} <= phrases
    assert not phrases & {"mafia_wins", "town_wins", "draw"}


def test_everything_was_watched(twins):
    for each in twins:
        assert not each.disturbed
        assert sum(topic.endswith("/cue") for topic, _ in each.node[SPARE]) > 60
        assert sum(topic.endswith("/cue") for topic, _ in each.node[BESIDE]) > 80
        assert sum("/public/" in topic for topic, _ in each.node[SPARE]) > 80
        assert {"/", "/state", "/events", "/static/table.js"} <= each.lan.keys()
        assert {"/host", "/host/login"} <= each.host.keys()
        assert len(each.lan["/events"]) > 60
        assert all(len(each.lan[path]) > 100 for path in ("/state", "/healthz"))
        assert all(len(answers) > 10 for path, answers in each.lan.items() if "." not in path)
        assert len(each.host["/host/state"]) > 100
        assert len(each.host["/host/events by night"]) >= 3
        # Two nights of three rounds of all who live, each called at all ten seats.
        assert len(each.relay["node-03 by night"]) > 40
        assert (("ack", "answer"), ("ack", "cue")) in each.relay["node-03 by night"]
        assert {each.relay[f"node-{n:02d} calls"][0] for n in range(1, 11)} == {1}


# ---- what is let out on purpose is found ----

ALONE = ("retained_message",)
"""What the board lets out is in a public message too."""
ONE_EACH = ("board", "size_of_a_cue", "notice")
EXCHANGED_BY_NIGHT = {"node-03 by night", "node-04 by night"}
"""Where it has to be found. That nothing differs without a leak is held above; here a busy
machine may make a health message elsewhere longer."""

MORE = ("cue_to_another", "header", "answer_at_once", "host_header")


def test_a_node_finds_a_retained_public_message(leaking):
    _, one, other = told(leaking(*ALONE), "node")[SPARE]
    assert one[0] == other[0]
    assert one[0].endswith("/public/event")
    assert (one[1][1]["kind"], one[1][1]["body"]["seat"]) == ("hint", 3)


def test_a_node_finds_a_cue_that_tells_of_another_seat(leaking):
    _, one, other = told(leaking(*MORE), "node")[SPARE]
    assert one[0] == other[0]
    assert one[0].endswith("/cue")


def test_the_lan_finds_what_the_board_tells(leaking):
    found = told(leaking(*ONE_EACH), "lan")
    assert {"/state", "/events"} <= found.keys()


def test_the_lan_finds_what_a_header_tells(leaking):
    found = told(leaking(*MORE), "lan")
    assert {"/", "/state"} <= found.keys()
    _, one, other = found["/"]
    assert one[2] == other[2], "the page itself is the same"
    assert {name for name, _ in {*one[1]} ^ {*other[1]}} == {"Etag"}


def test_somebody_on_the_air_finds_the_size_of_a_cue(leaking):
    found = told(leaking(*ONE_EACH), "relay")
    assert found.keys() >= EXCHANGED_BY_NIGHT


def test_somebody_on_the_air_finds_an_answer_at_once_by_night(leaking):
    found = told(leaking(*MORE), "relay")
    assert found.keys() >= EXCHANGED_BY_NIGHT


def test_somebody_on_the_air_finds_a_cue_that_comes_late(leaking):
    twins = leaking("late_cue")
    assert late(*(each.moments for each in twins)).keys() == {"node-03 cue", "node-04 cue"}
    # Sizes and order tell nothing here.
    assert told(twins, "relay") == {}


def test_the_host_finds_a_notice_that_tells(leaking):
    found = told(leaking(*ONE_EACH), "host")
    assert "/host/events" in found
    _, one, other = found["/host/state"]
    assert b"The sheriff sits at 3" in one[2]
    assert b"The sheriff sits at 4" in other[2]


def test_the_host_finds_a_header_of_its_own_pages(leaking):
    found = told(leaking(*MORE), "host")["/host"]
    assert found
