"""What the room may know of the devices: how each one is, in words and coarse numbers.

Built from what the nodes tell of themselves, and from nothing that anybody pressed, showed
or did: no presence, no gesture, no counter. From nightfall to morning it stays as it was.
"""

from collections import deque
from statistics import median_low
from typing import Final

from firmware.fit import shown
from firmware.wire import Health
from table_controller.host.drafting import PARTS
from table_controller.nodes import Node, Nodes
from table_controller.scoreboard.pages.posted import Device, Sight

RATES: Final = 6
"""Readings of 10 s whose middle one is shown: a hand raised for a moment is not in it."""

_SIGHTS: Final = {"": Sight.UNKNOWN, "ok": Sight.SEES, "dark": Sight.DARK} | {
    "covered": Sight.COVERED
}


class Devices:
    """The devices of *nodes* for the room."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._rates: dict[str, deque[float]] = {}
        self._heard: dict[str, Health | None] = {}
        self._of_night: set[str] = set()
        """Whose next reading began by night: eyes are quicker while they see a hand."""

    def look(self, *, night: bool) -> tuple[Device, ...]:
        """Return how the devices are, those of the seats first; a spare once it was heard.

        Rates that were measured by *night* are not among those of the day.
        """
        if night:
            self._of_night = {node.user for node in self._nodes}
        devices = [self._device(node, night=night) for node in self._nodes]
        return tuple(
            sorted(
                (
                    each
                    for each, node in zip(devices, self._nodes, strict=True)
                    if _listed(each, node)
                ),
                key=lambda each: (not each.seat, each.seat, each.user),
            )
        )

    def _device(self, node: Node, *, night: bool) -> Device:
        seat = self._nodes.seat_of(node.user)
        health = node.health if node.health and node.health.boot == node.boot else None
        rate = self._rate(node.user, health, night=night)
        if not node.online:
            # What it said last is no longer so, or nothing that could be trusted.
            return Device(
                node.user,
                seat,
                online=node.there,
                version=shown(node.version) if node.version or not node.fits else "",
                table_version="" if node.fits else self._nodes.kit,
            )
        told = health or Health(boot=node.boot, up_s=0.0)
        return Device(
            node.user,
            seat,
            online=True,
            version=shown(node.version) if node.version else "",
            link_ms=_whole(told.link_ms),
            temperature_c=_whole(told.temperature_c),
            throttled=told.throttled,
            fps=_whole(rate),
            sight=self._sight(node, told),
            lacks=tuple(name for part, name in PARTS.items() if part not in node.parts),
        )

    def _rate(self, user: str, health: Health | None, *, night: bool) -> float | None:
        """Return the middle one of the last rates of *user*'s eyes."""
        rates = self._rates.setdefault(user, deque(maxlen=RATES))
        if health is not self._heard.get(user):
            self._heard[user] = health
            if health is None or health.fps is None:
                rates.clear()
            elif user not in self._of_night:
                rates.append(health.fps)
            if not night:
                self._of_night.discard(user)
        return median_low(rates) if rates else None

    def _sight(self, node: Node, told: Health) -> Sight:
        if "eyes" not in node.parts:
            return Sight.NONE
        if self._nodes.camera_off(node):
            return Sight.OFF
        # One that was just switched on has said "off" last.
        return Sight.UNKNOWN if told.eyes == "off" else _SIGHTS.get(told.eyes, Sight.FAILS)


def _listed(device: Device, node: Node) -> bool:
    return bool(device.seat or node.boot)


def _whole(value: float | None) -> int | None:
    return None if value is None else round(value)
