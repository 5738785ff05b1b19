"""Public symptom: a timer's answer tells who is alive and what they are (lykoss/lykos #376)."""

import itertools

import msgspec

from firmware.fakes import FakeClock
from table_controller import deal
from table_controller.game import Phase, Role, actions
from table_controller.game.model import Offence, Sanction

OUT = 5
"""The seat that is dead in the night, each time with another role."""


NIGHTFALL = ("voice", "night")


def seed_with(role):
    """Return the first seed that gives the seat *role*."""
    return next(
        seed for seed in itertools.count() if deal.roles(deal.rehearsal_seed(seed))[OUT - 1] is role
    )


def night(rig_class, folder, role):
    """Play a night without the seat; return all that comes out of the table, with its moment."""
    rig = rig_class(folder, FakeClock(), seed=seed_with(role))
    rig.to_first_day()
    rule = actions.Rule(Sanction.DISQUALIFICATION, OUT, Offence.THREATS)
    rig.table.playing.act(rule, rig.now_s)
    assert OUT not in rig.state.living
    told = []

    def note(*what):
        told.append((rig.now_s, *what))

    publish, say, light = rig.broker.take, rig.room.say, rig.bulbs.set

    def publish_and_note(link, topic, payload, qos, retain):
        # Of a cue its size only. Of a board the game: who sits where is another deal's, too.
        public = None
        if topic.endswith("/public/view"):
            public = msgspec.json.decode(payload)["body"]["game"]
        note(topic, len(payload), public)
        return publish(link, topic, payload, qos, retain)

    def say_and_note(phrase):
        note("voice", phrase.name, phrase.number)
        say(phrase)

    def light_and_note(values):
        note("lights", tuple(values))
        light(values)

    rig.broker.take, rig.room.say, rig.bulbs.set = publish_and_note, say_and_note, light_and_note
    while rig.phase is Phase.SPEECH:
        rig.end_floor(rig.state.floor)
    # Everybody's cover, in each round.
    rounds = set()
    while rig.phase is not Phase.MORNING:
        if rig.state.call is not None and rig.state.call.round not in rounds:
            rounds.add(rig.state.call.round)
            rig.press(1, 3, 9)
        rig.advance(0.5)
    rig.table.playing.close()
    rig.journals.close()
    began_s, at = next((each[0], n) for n, each in enumerate(told) if each[1:3] == NIGHTFALL)
    return [(round(each[0] - began_s, 6), *each[1:]) for each in told[at:]]


def test_night_lasts_the_same_with_a_dead_don_or_sheriff(rig, tmp_path):
    nights = [
        night(type(rig), tmp_path / role / "journal", role)
        for role in (Role.CITIZEN, Role.DON, Role.SHERIFF)
    ]
    assert nights[1] == nights[0]
    assert nights[2] == nights[0]
    # Three rounds of nine who live, each called in the room.
    assert len([each for each in nights[0] if each[1:3] == ("voice", "number")]) == 3 * 9
    assert nights[0][-1][0] > 60
