"""The worlds of the link's contract: a broker in memory, and a real one."""

import contextlib

import msgspec
import pytest

from firmware.broker import Broker
from firmware.clock import SystemClock
from firmware.fakes import FakeBroker, nodes_and_table
from firmware.link import Linked, Retained
from firmware.wire import Status, TopicKind, encode


class World:
    """A broker with the kit's rights, and what can happen to it and its links."""

    online = encode(Status(online=True, boot="12345678"))
    will = encode(Status(online=False, boot="12345678"))
    farewell = encode(Status(online=False, boot="12345678", version="left"))

    def __init__(self, clock, topics, new_inbox, stack):
        self.clock, self.topics, self.root = clock, topics, topics.root
        self.new_inbox, self.stack = new_inbox, stack

    def now_s(self):
        return self.clock.now_s()

    def up(self, user, *subscriptions, **options):
        """Enter a link of *user* and wait until it is up."""
        link, inbox = self.link(user, *subscriptions, **options)
        self.stack.enter_context(link)
        inbox.an(Linked)
        return link, inbox

    def node(self, user="node-01", *subscriptions, **ends):
        """Enter a node with its cue, its will and its farewell."""
        ends.setdefault("will", Retained(self.status(user), self.will))
        ends.setdefault("farewell", Retained(self.status(user), self.farewell))
        return self.up(user, f"{self.root}/down/{user}/#", *subscriptions, **ends)

    def table(self, *subscriptions):
        """Enter the table; there can be one of a user, so it listens and speaks."""
        return self.up("table", f"{self.root}/up/#", *subscriptions)

    def said(self, user="node-01"):
        return self.topics.of(TopicKind.SAID, user)

    def status(self, user="node-01"):
        return self.topics.of(TopicKind.STATUS, user)

    def cue(self, user="node-01"):
        return self.topics.of(TopicKind.CUE, user)


class FakeWorld(World):
    def __init__(self, clock, topics, new_inbox, stack):
        super().__init__(clock, topics, new_inbox, stack)
        self.broker = FakeBroker(clock, nodes_and_table(topics))
        self.lose, self.restore = self.broker.lose, self.broker.restore
        self.stop, self.start, self.hang = self.broker.stop, self.broker.start, self.broker.hang

    def pass_time(self):
        self.clock.advance(0.001)

    def recover(self):
        pass

    def link(self, user, *subscriptions, put=None, **ends):
        inbox = self.new_inbox()
        put = put or inbox.put
        link = self.broker.link(user, self.topics, put, subscriptions=subscriptions, **ends)
        return link, inbox


class RealWorld(World):
    def __init__(self, mosquitto, new_cable, topics, new_inbox, stack):
        super().__init__(SystemClock(), topics, new_inbox, stack)
        self.mosquitto, self.new_cable, self.cables = mosquitto, new_cable, {}
        self.stop, self.start, self.recover = mosquitto.kill, mosquitto.start, mosquitto.thaw

    def pass_time(self):
        pass

    def lose(self, user):
        self.cables[user].cut()

    def restore(self, user):
        self.cables[user].mend()

    def hang(self, user):
        self.mosquitto.freeze()

    def link(self, user, *subscriptions, put=None, **ends):
        inbox = self.new_inbox()
        settings = self.mosquitto.settings(user)
        if user not in self.cables:
            self.cables[user] = self.new_cable(settings.port)
        settings = msgspec.structs.replace(settings, port=self.cables[user].port)
        put = put or inbox.put
        link = Broker(settings, self.topics, self.clock, put, subscriptions=subscriptions, **ends)
        return link, inbox


@pytest.fixture(params=["in memory", "mosquitto"])
def world(request, topics, new_inbox):
    with contextlib.ExitStack() as stack:
        if request.param == "mosquitto":
            mosquitto, new_cable = map(request.getfixturevalue, ("mosquitto", "new_cable"))
            yield RealWorld(mosquitto, new_cable, topics, new_inbox, stack)
        else:
            yield FakeWorld(request.getfixturevalue("clock"), topics, new_inbox, stack)
