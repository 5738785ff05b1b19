"""The folders of a club's cards: one for the table, one for each node.

What a folder holds is copied onto the boot partition of that card::

    user-data network-config meta-data mafia.txt    for the operating system: cloud_init.py
    mafia/card/    who it is: kit.toml, its password, certificates; places.py puts them away
    mafia/kit/     what it is installed from, the same on every card of a board: kit.py

All of it is made of the answers and of what the club keeps, so that making it again
changes nothing: only files with another content are written.
"""

import datetime
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from firmware import pin as pins
from firmware.card import CardConfig, SeatCard, TableCard, render
from firmware.card_parts import LinkCard, PartsCard, ScoreboardCard
from firmware.errors import CardError
from firmware.image import broker_conf
from firmware.image import club as clubs
from firmware.image import kit as kits
from firmware.image.answers import Answers, Given
from firmware.image.cloud_init import Machine, write_boot_files
from firmware.image.club import Club
from firmware.image.netplan import TABLE_ADDRESS, Cable, Hotspot, Wifi
from firmware.image.nginx_conf import APP_PORT
from firmware.image.update_keys import (
    IDENTITY,
    KNOWN_HOSTS,
    authorized_keys_line,
    known_hosts_line,
)
from firmware.private import write_private

TABLE: Final = "table"
DATA: Final = "/var/lib/mafia"
CARD: Final = Path("mafia/card")
KIT: Final = Path("mafia/kit")
KITS: Final = "kits"
"""In the club's folder: a kit for each board, whose files the cards' folders share."""

USER: Final = re.compile(r"table|node-(0[1-9]|1[0-2])")


class Changed(msgspec.Struct, frozen=True):
    """A card of this run."""

    user: str
    how: str
    """``new``, ``changed`` or ``same``."""
    files: tuple[str, ...] = ()
    """What is another than before, below the card's folder; of the kit only its VERSION."""

    @property
    def only_identity(self) -> bool:
        """A card that is in use already takes this without being written again."""
        return self.how == "changed" and all(
            file.startswith(CARD.as_posix()) for file in self.files
        )


def take_over(club: Club, answers: Answers, given: Given) -> None:
    """Keep the secrets that were *given*, and make those that *answers* want.

    :raises CardError: if one of them cannot be what it is for; without it in the text.
    """
    if answers.network == "wifi":
        club.chosen(clubs.WIFI, clubs.check_wifi(given.wifi_password), str)
    elif answers.network == "hotspot":
        password = clubs.check_wifi(given.wifi_password)
        club.chosen(clubs.WIFI, password, lambda: clubs.new_password(3))
    # Who brings a key needs no password.
    made = str if answers.ssh_key else clubs.new_password
    club.chosen(clubs.LOGIN, given.password, made)
    if given.pin:
        try:
            pins.hashed(given.pin)
        except ValueError as error:
            raise CardError(f"secrets.pin: {error}") from None
    club.chosen(clubs.PIN, given.pin, pins.new_pin)


def make(
    folder: Path,
    answers: Answers,
    club: Club,
    now: datetime.datetime,
    report: Callable[[str, int, int], None] = lambda user, done, whole: None,
) -> list[Changed]:
    """Make all cards' folders in *folder*; return what became of each.

    A node that is revoked has none. *report* hears of each card and how many are done. The kits
    in :data:`KITS` go along, as far as they are there. *now* begins certificates of pages.

    :raises KitError: if an answer cannot be on a card, or *folder* cannot be written.
    """
    wanted = [TABLE, *(user for user in answers.users if user not in club.revoked)]
    changed = []
    for done, user in enumerate(wanted):
        report(user, done, len(wanted))
        with tempfile.TemporaryDirectory(prefix=".card-", dir=folder) as scratch:
            fresh = Path(scratch)
            _fill(fresh, user, answers, club, now)
            changed.append(_put(fresh, folder / user, user))
        _share_kit(folder, user, answers)
    report("", len(wanted), len(wanted))
    for path in sorted(folder.iterdir()):
        if path.is_dir() and USER.fullmatch(path.name) and path.name not in wanted:
            shutil.rmtree(path)
    return changed


def network(answers: Answers, password: str) -> Wifi | Cable | Hotspot:
    """Return the network of all cards."""
    match answers.network:
        case "wifi":
            return Wifi(answers.ssid, password, hidden=answers.hidden)
        case "hotspot":
            return Hotspot(answers.wifi_name, password)
        case "cable":
            return Cable()


def hosts(answers: Answers) -> tuple[str, ...]:
    """Return what the table is called by nodes and phones; the first is what cards say."""
    name = f"{answers.hostname}.local"
    return (TABLE_ADDRESS, name) if answers.network == "hotspot" else (name,)


def identity(user: str, answers: Answers, club: Club, now: datetime.datetime) -> dict[str, bytes]:
    """Return what a card says of who it is, by its name in ``mafia/card``."""
    link = {"password_file": f"{user}.password", "ca": "ca.crt"}
    files = {f"{user}.password": club.password(user).encode() + b"\n"}
    broker = club.broker_files(*hosts(answers))
    if user != TABLE:
        card: CardConfig = SeatCard(
            table=answers.table,
            user=user,
            link=LinkCard(hosts(answers)[0], broker_conf.TLS_PORT, **link),
            language=answers.language,
            parts=PartsCard(eyes=answers.eyes, screen=answers.screen, switch=answers.switch),
        )
        return files | {"ca.crt": broker["ca.crt"], "kit.toml": render(card).encode()}
    card = TableCard(
        table=answers.table,
        link=LinkCard(broker_conf.LOOPBACK, broker_conf.PORT, password_file=link["password_file"]),
        language=answers.language,
        data_dir=DATA,
        voice=answers.voice,
        lights=answers.lights,
        scoreboard=ScoreboardCard(
            bind=broker_conf.LOOPBACK,  # nginx stands before it
            port=APP_PORT,
            names=tuple(dict.fromkeys((f"{answers.hostname}.local", *hosts(answers)))),
            pin_hash=club.pin_hash(pins.hashed),
        ),
    )
    nodes = [each for each in answers.users if each not in club.revoked]
    lines = [club.broker_user(each) for each in (TABLE, *nodes)]
    known = [known_hosts_line(each, club.host_key(each).public) for each in nodes]
    pages = club.pages_files(now, *hosts(answers))
    return (
        files
        | broker
        | {f"pages/{name}": content for name, content in pages.items()}
        | {
            "broker.users": _lines(lines),
            f"update/{IDENTITY}": club.update_key().private.encode(),
            f"update/{KNOWN_HOSTS}": _lines(known),
            "kit.toml": render(card).encode(),
        }
    )


def _fill(fresh: Path, user: str, answers: Answers, club: Club, now: datetime.datetime) -> None:
    keys = [answers.ssh_key] if answers.ssh_key else []
    if user != TABLE:
        keys.append(authorized_keys_line(club.update_key().public))
    machine = Machine(
        hostname=answers.hostname if user == TABLE else f"{answers.hostname}-{user}",
        kind="table" if user == TABLE else "seat",
        network=network(answers, club.known(clubs.WIFI)),
        country=answers.country,
        time_zone=answers.time_zone,
        language=answers.language,
        password_hash=club.login_hash(),
        ssh_keys=tuple(keys),
        host_key=club.host_key(user),
        screen=answers.screen != "none",
        board=answers.table_board if user == TABLE else answers.seat_board,
    )
    write_boot_files(fresh, machine)
    for name, content in identity(user, answers, club, now).items():
        path = fresh / CARD / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _put(fresh: Path, card: Path, user: str) -> Changed:
    """Bring *card* to what *fresh* holds, but for the kit; return what was another."""
    new = not card.exists()
    card.mkdir(mode=0o700, exist_ok=True)
    wanted = dict(_files(fresh))
    there = {name: path for name, path in _files(card) if not name.startswith(f"{KIT.as_posix()}/")}
    differ = []
    for name, path in wanted.items():
        content = path.read_text(encoding="utf-8")
        if name in there and there[name].read_bytes() == content.encode():
            continue
        differ.append(name)
        (card / name).parent.mkdir(parents=True, exist_ok=True)
        write_private(card / name, content)
    for name in there.keys() - wanted.keys():
        differ.append(name)
        there[name].unlink()
    how = "new" if new else "changed" if differ else "same"
    return Changed(user, how, tuple(sorted(differ)))


def _share_kit(folder: Path, user: str, answers: Answers) -> None:
    """Let the card's folder have the files of its board's kit, on the disk once if it can be."""
    board = answers.table_board if user == TABLE else answers.seat_board
    kit, place = folder / KITS / board, folder / user / KIT
    if not (kit / kits.SUMS).is_file():
        return
    wanted = {kits.SUMS, *(name for name, _ in kits.files(kit))}
    for name in wanted:
        source, path = kit / name, place / name
        if path.exists() and (path.samefile(source) or path.read_bytes() == source.read_bytes()):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        try:
            os.link(source, path)
        except OSError:
            shutil.copyfile(source, path)
    for name, path in _files(place):
        if name not in wanted:
            path.unlink()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def needed_kits(folder: Path, answers: Answers) -> Mapping[str, Path]:
    """Return the kit of each board that the cards need, by its name."""
    return {board: folder / KITS / board for board in answers.boards}
