"""A node and its table's broker, in a process of their own: ``first_evening.py FOLDER``.

The node has nothing but its card, which says ``mafia.local``. Prints a line for each thing
that the link tells, and ends when it is linked. What the clock says and where names are
looked up is for who starts it: test_first_evening.py.
"""

import os
import queue
import sys
from pathlib import Path

from firmware.broker import Broker
from firmware.certificates import Authority
from firmware.clock import SystemClock
from firmware.link import Linked, LinkSettings
from firmware.mosquitto import Mosquitto
from firmware.wire import Topics

HOST = "mafia.local"
PATIENCE_S = 30.0
REAL = 2038
"""A clock of a later year is the node's alone."""


def main(folder):
    inbox = queue.SimpleQueue()
    tls = Authority.make().equip(folder, HOST)
    clock = SystemClock()
    print("clock", clock.wall().year, flush=True)
    if clock.wall().year > REAL:
        # faketime takes a broker's patience to the future with its clock.
        os.environ.pop("LD_PRELOAD")
    with Mosquitto(folder, "evening", {"node-01": "secret"}, tls=tls) as broker:
        settings = LinkSettings(HOST, broker.tls_port, "node-01", "secret", tls.ca)
        with Broker(settings, Topics("evening"), clock, inbox.put) as link:
            while True:
                told = inbox.get(timeout=PATIENCE_S)
                if isinstance(told, Linked):
                    print("linked", link.linked, flush=True)
                    return
                print("unlinked", told.reason, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
