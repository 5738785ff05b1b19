"""Devices whose kit does not fit the table's: known and told of, but no seat of a game."""

from typing import Final

from firmware.fit import shown
from firmware.words import N_
from table_controller.game import SEATS
from table_controller.host.refusal import Refused
from table_controller.nodes import Node, Nodes

MISFIT: Final = N_("kit {kit}, the table has {own}; update it: mafia-table update")
"""What everybody may read of such a device."""


def misfit_kit(node: Node) -> str:
    """Return the version of the kit of *node*, if that does not fit the table's; else ""."""
    return "" if node.fits else shown(node.version)


def check_kits(nodes: Nodes) -> None:
    """Look at the devices of all seats before a game begins.

    One that is not there is no matter of its kit.

    :raises Refused: if one is there and its kit does not fit.
    """
    found = [(seat, nodes.at(seat)) for seat in SEATS]
    kits = [f"{seat} ({misfit_kit(node)})" for seat, node in found if node.there and not node.fits]
    if kits:
        raise Refused(
            N_(
                "The table has kit {own}, the devices of these seats have another: {seats}. "
                "Update them: mafia-table update"
            ),
            own=nodes.kit,
            seats=", ".join(kits),
        )


def check_kit(nodes: Nodes, user: str) -> None:
    """Look at the device of *user* before it gets a seat.

    :raises Refused: if its kit does not fit.
    """
    node = nodes.by_user[user]
    if not node.fits:
        raise Refused(
            N_(
                "{user} has kit {kit}, the table has {own}: it does not play. "
                "Update it: mafia-table update"
            ),
            user=user,
            kit=misfit_kit(node),
            own=nodes.kit,
        )
