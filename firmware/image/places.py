"""Where on a card's system each of the kit's files lies, whose it is and who may read it.

Pure: from a card's folder and from the kit's own files come lists of :class:`Placed`;
settle.py puts them there.

A program reads its own identity and nobody else's: the card and its password belong
to the program's user, the broker's key and list of passwords to the broker's, the keys
of updates to root. The eyes have no card.
"""

import html
import importlib.metadata
import string
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from firmware.card import CardConfig, SeatCard, TableCard
from firmware.certificates import WEB, Tls
from firmware.errors import CardError
from firmware.image import broker_conf, nginx_conf

ETC: Final = PurePosixPath("/etc/mafia")
KIT_TOML: Final = "kit.toml"
BROKER: Final = PurePosixPath("/etc/mosquitto/mafia")
"""The broker's own, who reads it again with its own rights only (SIGHUP)."""
SYSTEMD: Final = PurePosixPath("/etc/systemd")
NGINX: Final = PurePosixPath("/etc/nginx/conf.d/mafia.conf")
DEFAULT_SITE: Final = PurePosixPath("/etc/nginx/sites-enabled/default")
"""Debian's; it listens where the kit does."""

AVAHI: Final = PurePosixPath("/etc/avahi/services/mafia.service")
POWERSAVE: Final = PurePosixPath("/etc/NetworkManager/conf.d/90-mafia.conf")
RULES: Final = PurePosixPath("/etc/polkit-1/rules.d")
BOOT_MOUNT: Final = "boot-firmware.mount.d/mafia.conf"

PAGES: Final = "pages"
"""Of the card's folder: what signs for the table's pages, as in Authority.delegate."""
SIGNER: Final = "ca.crt"
"""Of the pages."""
OF_A_TABLE: Final = (
    *("ca.crt", "broker.crt", "broker.key", "broker.users"),
    *(f"{PAGES}/{name}" for name in ("ca.key", SIGNER, WEB)),
)
"""What a table's card has beside its kit.toml."""

PRIVATE: Final = 0o600
PUBLIC: Final = 0o644
PROGRAM: Final = 0o755

HERE: Final = Path(__file__).parent


class Placed(msgspec.Struct, frozen=True):
    """A file, or with *content* None a folder, as it has to be."""

    path: PurePosixPath
    content: bytes | None
    owner: str = "root"
    mode: int = PUBLIC

    def __repr__(self) -> str:
        return f"Placed({str(self.path)!r}, {self.owner}, {self.mode:o})"


def program_user(card: CardConfig) -> str:
    """Return the user of the program that reads *card*."""
    return f"mafia-{card.kind}"


def web_folder(card: TableCard) -> PurePosixPath:
    """Return where the table has the certificate of its pages. Source: web_certificate.py."""
    return PurePosixPath(card.data_dir) / "web"


def identity(source: Path, card: CardConfig, pages: bytes | None = None) -> list[Placed]:
    """Return where the files of the card's folder *source* go; kit.toml is the last.

    *pages* is the certificate of who signs for the pages already: if it is this card's,
    the pages stay as they are, since the table may have renewed them.

    :raises CardError: if a file is missing in *source*.
    """
    _complete(source, card)
    user = program_user(card)
    placed = [_folder(ETC, mode=PROGRAM)]
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        name, content = PurePosixPath(file.relative_to(source)), file.read_bytes()
        if any(part.startswith(".") for part in name.parts):
            continue  # what a Mac leaves on every card
        match name.parts:
            case ("kit.toml",):
                pass
            case ("ca.crt",):
                placed.append(Placed(ETC / name, content))
                if isinstance(card, TableCard):
                    placed.append(_folder(BROKER, "mosquitto"))
                    placed.append(Placed(BROKER / name, content, "mosquitto", PRIVATE))
            case ("broker.crt" | "broker.key" | "broker.users",):
                placed.append(_folder(BROKER, "mosquitto"))
                placed.append(Placed(BROKER / name, content, "mosquitto", PRIVATE))
            case ("pages", single) if isinstance(card, TableCard):
                if pages != (source / PAGES / SIGNER).read_bytes():
                    web = web_folder(card)
                    placed += [_folder(web.parent, user), _folder(web, user)]
                    placed.append(Placed(web / single, content, user, PRIVATE))
            case ("update", _):
                placed.append(_folder(ETC / "update"))
                placed.append(Placed(ETC / name, content, mode=PRIVATE))
            case _:
                # The password; recordings and the like.
                placed += [_folder(ETC / each, user) for each in list(name.parents)[-2::-1]]
                placed.append(Placed(ETC / name, content, user, PRIVATE))
    placed.append(Placed(ETC / KIT_TOML, (source / KIT_TOML).read_bytes(), user, PRIVATE))
    return list(dict.fromkeys(placed))


def machine(card: CardConfig, here: Path = HERE) -> list[Placed]:
    """Return the kit's own files of the system of *card*, from the kit in *here*."""

    def taken(name: str, path: PurePosixPath, mode: int = PUBLIC) -> Placed:
        return Placed(path, (here / name).read_bytes(), mode=mode)

    placed = [
        taken("systemd/journald.conf.d/mafia.conf", SYSTEMD / "journald.conf.d/mafia.conf"),
        taken(f"systemd/{BOOT_MOUNT}", SYSTEMD / "system" / BOOT_MOUNT),
        taken("network/powersave.conf", POWERSAVE),
        *(taken(f"systemd/{unit}", SYSTEMD / "system" / unit) for unit in own_units(card)),
    ]
    if isinstance(card, SeatCard):
        return placed
    dropin = "mafia.conf"
    for daemon in ("mosquitto", "nginx"):
        name = f"{daemon}.service.d/{dropin}"
        placed.append(taken(f"systemd/{name}", SYSTEMD / "system" / name))
    for right in ("poweroff", "hotspot"):
        name = f"mafia-{right}.rules"
        placed.append(taken(f"systemd/{name}", RULES / f"50-{name}"))
    placed.append(taken("mafia.nft", PurePosixPath("/etc/mosquitto/mafia.nft")))
    return [*placed, *_broker(card), *_nginx(card), _avahi(card, here)]


def _complete(source: Path, card: CardConfig) -> None:
    if isinstance(card, SeatCard):
        return
    for name in OF_A_TABLE:
        if not (source / name).is_file():
            raise CardError(f"{source}: no {name} in it: make the table's card again")


def users(here: Path = HERE) -> Placed:
    """Return the file that names the users of the kit's programs."""
    content = (here / "systemd/sysusers.d/mafia.conf").read_bytes()
    return Placed(PurePosixPath("/usr/lib/sysusers.d/mafia.conf"), content)


def own_units(card: CardConfig) -> tuple[str, ...]:
    """Return the units that the kit brings to the system of *card*."""
    if isinstance(card, SeatCard):
        return ("mafia-firstboot.service", "mafia-seat.service", "mafia-eyes.service")
    return ("mafia-firstboot.service", "mafia-table.service", "mafia-hotspot.service")


def started_units(card: CardConfig) -> tuple[str, ...]:
    """Return the units that start with the system of *card*."""
    always = ("avahi-daemon.service", "mafia-firstboot.service")
    if isinstance(card, TableCard):
        # The hotspot's finds out by itself whether there is one.
        daemons = ("mosquitto.service", "nginx.service")
        return (*always, *daemons, "mafia-hotspot.service", "mafia-table.service")
    return (*always, "mafia-seat.service", *(["mafia-eyes.service"] if card.parts.eyes else []))


def _broker(card: TableCard) -> list[Placed]:
    files = Tls(*(Path(BROKER / name) for name in ("ca.crt", "broker.crt", "broker.key")))
    acl, hashes = BROKER / "mosquitto.acl", BROKER / "broker.users"
    text = broker_conf.configuration(Path(acl), Path(hashes), files)
    return [
        _folder(BROKER, "mosquitto"),
        Placed(acl, broker_conf.rights(card.table).encode(), "mosquitto", PRIVATE),
        Placed(PurePosixPath("/etc/mosquitto/conf.d/mafia.conf"), text.encode()),
    ]


def _nginx(card: TableCard) -> list[Placed]:
    certificate = Path(web_folder(card) / WEB)
    text = nginx_conf.configuration(certificate, app_port=card.scoreboard.port)
    return [Placed(NGINX, text.encode())]


def _avahi(card: TableCard, here: Path) -> Placed:
    """Return what tells the local network which table is here."""
    template = string.Template((here / "network/mafia.service").read_text("utf-8"))
    version = importlib.metadata.version("mafia-table-kit")
    told = {"table": card.table, "version": version, "tls_port": str(broker_conf.TLS_PORT)}
    text = template.substitute({key: html.escape(value) for key, value in told.items()})
    return Placed(AVAHI, text.encode())


def _folder(path: PurePosixPath, owner: str = "root", mode: int = 0o700) -> Placed:
    return Placed(path, None, owner, mode)
