"""What has happened, and why an order is refused, as sentences."""

from firmware.words import Words
from table_controller.game import Event
from table_controller.orders import ConsoleOrder
from table_controller.refusal import Refused


def tell(event: Event, words: Words) -> str:
    """Return *event* as a sentence; "" for one that is secret or says nothing by itself."""
    return str(event.__struct_config__.tag)


def tell_all(events: tuple[Event, ...], words: Words) -> str:
    """Return what *events* of one moment come to."""
    return " ".join(filter(None, (tell(event, words) for event in events)))


def tell_change(what: Event | ConsoleOrder, words: Words) -> str:
    """Return what happened, or what a host has ordered, as a sentence."""
    return str(what.__struct_config__.tag)


def why(error: Exception, words: Words) -> str:
    """Return why an order is not carried out."""
    return error.told(words) if isinstance(error, Refused) else str(error)
