"""Hosts who give orders to the rig's table as their pages do."""

import itertools

import pytest

from table_controller.host.ordering import ConsoleRequest
from table_controller.host.orders import Request


class Desk:
    """Gives orders as a host's page does, with the step of the sheet that it shows."""

    def __init__(self, rig):
        self.rig, self.ids = rig, itertools.count()
        self.step = 0

    def look(self):
        self.rig.advance(0.2)
        self.step = self.rig.sheets.sheet.step

    def order(self, order, id_=None, step=None):
        answers = []
        request = Request(
            id_ or f"{id(self)} {next(self.ids)}", self.step if step is None else step, order
        )
        self.rig.table.take(ConsoleRequest(request, answers.append))
        self.rig.settle()
        (answer,) = answers
        return answer


@pytest.fixture
def host(rig):
    return Desk(rig)


@pytest.fixture
def other(rig):
    """Return a second host."""
    return Desk(rig)
