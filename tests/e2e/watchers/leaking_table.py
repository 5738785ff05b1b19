"""The table's program as a child of the test: with roles exchanged, and leaks put in on purpose.

``FOLDER EXCHANGE LEAKS run ...``: into FOLDER go the rules of its web server; EXCHANGE is
``3:4,2:6`` or empty, LEAKS are names of :data:`LEAKS` with commas between. Without both it is the
table as it is.
"""

import json
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import msgspec

from firmware.wire import CUE_SIZE, AskKind, Cue, Public, TopicKind, encode
from table_controller import deal
from table_controller.asking import Asking
from table_controller.game import Role, actions
from table_controller.game.views import PublicPhase, public_view, seat_view
from table_controller.host.notices import Notices
from table_controller.host.sentence import Sentence
from table_controller.playing import Playing
from table_controller.scoreboard.serve import Server
from table_controller.show import Show

SECRET = SimpleNamespace(state=None, notices=None)
"""What a leak knows: the state of the game; and what the host is told."""

LATE_S = 0.05

ASKED_AGAIN = "asked-again"
"""A file that says that something was."""


def around(owner, name, wrap):
    """Put *wrap*, which is called with what was there first, in the place of a function."""
    was = getattr(owner, name)
    setattr(owner, name, lambda *words, **more: wrap(was, *words, **more))


def holder(role):
    """Return the seat that was dealt *role*; 0 before the deal."""
    state = SECRET.state
    return state.roles.index(role) + 1 if state is not None and state.roles else 0


def is_night():
    return SECRET.state is not None and public_view(SECRET.state).phase is PublicPhase.NIGHT


def retained_message():
    """A public topic keeps where the sheriff sits."""

    def wrap(was, show, events, state):
        was(show, events, state)
        body = msgspec.Raw(msgspec.json.encode({"event": "hint", "seat": holder(Role.SHERIFF)}))
        show._publish_public(TopicKind.EVENT, Public("hint", body), retain=True)

    around(Show, "events", wrap)


def cue_to_another():
    """A spare is shown the mafia's meeting as a mafioso is."""

    def wrap(was, show, node, state, public):
        content, key = was(show, node, state, public)
        if node.user == "node-11" and state is not None and holder(Role.SHERIFF):
            spied = seat_view(state, holder(Role.SHERIFF))
            content = msgspec.structs.replace(content, lines=(*content.lines, str(spied.seat)))
            key = (content, key)
        return content, key

    around(Show, "_content", wrap)


def board():
    """The board marks a seat by its role."""

    def wrap(was, show, public):
        made = was(show, public)
        seats = tuple(
            msgspec.structs.replace(seat, meaning="*")
            if seat.seat == holder(Role.SHERIFF)
            else seat
            for seat in made.seats
        )
        return msgspec.structs.replace(made, seats=seats)

    around(Show, "_board", wrap)


def header():
    """A header of every page is reckoned from the whole state, as a version of it might be."""

    def wrap(was, server, app, *words, **more):
        @app.after_request
        def tag(answer):
            answer.headers["ETag"] = f'"{holder(Role.SHERIFF)}"'
            return answer

        was(server, app, *words, **more)

    around(Server, "__init__", wrap)


def size_of_a_cue():
    """By night one cue is a byte longer."""

    def wrap(was, show, user, cue: Cue):
        if is_night() and user == show.nodes.at(holder(Role.SHERIFF) or 1).user:
            payload = encode(cue, CUE_SIZE) + b" "
            show.link.publish(show.topics.of(TopicKind.CUE, user), payload, qos=1, retain=False)
        else:
            was(show, user, cue)

    around(Show, "_publish_cue", wrap)


def answer_at_once():
    """By night the sheriff's press is answered, by a cue like any other."""

    def wrap(was, playing, action, *words, **more):
        was(playing, action, *words, **more)
        if isinstance(action, actions.PressAtNight) and action.seat == holder(Role.SHERIFF):
            playing._show.node(playing._show.nodes.at(action.seat), playing.state)

    around(Playing, "act", wrap)


def late_cue():
    """By night the sheriff's cue comes a little later than the others."""

    def wrap(was, show, user, cue):
        if is_night() and user == show.nodes.at(holder(Role.SHERIFF) or 1).user:
            threading.Timer(LATE_S, was, (show, user, cue)).start()
        else:
            was(show, user, cue)

    around(Show, "_publish_cue", wrap)


def notice():
    """The host is told who came to know something."""

    def wrap(was, playing, action, *words, **more):
        if isinstance(action, actions.Deal):
            told = f"The sheriff sits at {action.roles.index(Role.SHERIFF) + 1}"
            SECRET.notices.record(Sentence(told), "")
        was(playing, action, *words, **more)

    def keep(was, notices, *words, **more):
        was(notices, *words, **more)
        SECRET.notices = notices

    around(Notices, "__init__", keep)
    around(Playing, "act", wrap)


def host_header():
    """A header of the host's pages alone tells of the night."""

    def wrap(was, server, app, *words, **more):
        from flask import request

        @app.after_request
        def tag(answer):
            if request.path == "/host":
                answer.headers["X-Step"] = str(len(repr(SECRET.state and SECRET.state.nights)))
            return answer

        was(server, app, *words, **more)

    around(Server, "__init__", wrap)


LEAKS = {
    leak.__name__: leak
    for leak in (
        retained_message,
        cue_to_another,
        board,
        header,
        size_of_a_cue,
        answer_at_once,
        late_cue,
        notice,
        host_header,
    )
}


def exchange(one, other):
    """Let two seats have each other's roles."""

    def wrap(was, seed):
        dealt = list(was(seed))
        dealt[one - 1], dealt[other - 1] = dealt[other - 1], dealt[one - 1]
        return tuple(dealt)

    around(deal, "roles", wrap)


def tell_rules(folder):
    """Write down what the web server serves."""

    def wrap(was, server, app, *words, **more):
        rules = [{"rule": r.rule, "methods": sorted(r.methods)} for r in app.url_map.iter_rules()]
        (folder / "rules.json").write_text(json.dumps(rules))
        was(server, app, *words, **more)

    around(Server, "__init__", wrap)


def tell_of_what_is_asked_again(folder):
    """Leave a file when a node was so slow that the table asks it again."""

    def wrap(was, asking, *words):
        ask = asking._show.ask
        if ask is not None and ask.kind is AskKind.ROLL_CALL and asking.unanswered():
            (folder / ASKED_AGAIN).touch()
        was(asking, *words)

    around(Asking, "again", wrap)


def know_the_state():
    """Keep the state of the game for the leaks."""

    def wrap(was, playing, state, *words, **more):
        SECRET.state = state
        was(playing, state, *words, **more)

    around(Playing, "_take_effect", wrap)


def main():
    folder, exchanged, leaks = sys.argv[1:4]
    del sys.argv[1:4]
    know_the_state()
    for name in filter(None, leaks.split(",")):
        LEAKS[name]()
    for pair in filter(None, exchanged.split(",")):
        exchange(*map(int, pair.split(":")))
    tell_rules(Path(folder))
    tell_of_what_is_asked_again(Path(folder))
    # Imported when everything is in its place.
    from table_controller.__main__ import main as run

    run()
