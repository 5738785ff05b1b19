"""A club's kit as its card maker keeps it: the authority, passwords, keys.

All of it lies in one private folder, each secret in a file of its own, and is made when
it is first asked for. So the same answers give the same cards, byte for byte, and a card
that was lost is made anew by taking away what was its own.
"""

import datetime
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware.certificates import WEB, Authority, web_ends
from firmware.errors import CardError
from firmware.image import broker_conf, login
from firmware.image.cloud_init import HostKey
from firmware.image.update_keys import make_key_pair
from firmware.private import write_private

FOLDER: Final = "secrets"
"""In the club's folder."""

REVOKED: Final = "revoked"
"""Names, a line each, of the nodes whose cards are no longer let in."""

WIFI, LOGIN, PIN = "wifi.password", "login.password", "host.pin"
SALTED: Final = ".hash"
"""Of a password: the hash that is on the cards; a new salt would change them."""

LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""Of passwords that somebody types: none is taken for another."""

BROKER: Final = ("ca.crt", "broker.crt", "broker.key")
PAGES: Final = ("ca.crt", "ca.key", WEB)
RENEW: Final = datetime.timedelta(days=400)
"""Cards that are made again with less left get a new certificate of their pages."""


class Club:
    """The secrets of one club, in *folder*, which only its owner reads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.authority = Authority.kept(folder)

    # ---- passwords ----

    def password(self, user: str) -> str:
        """Return the password of *user* at the broker."""
        return self._kept(f"{user}.password", broker_conf.new_password)

    def broker_user(self, user: str) -> str:
        """Return the line of *user* in the broker's list of passwords."""
        password = self.password(user)
        return f"{user}:{self._salted(f'{user}.password', password, broker_conf.hashed)}"

    def chosen(self, name: str, given: str, make: Callable[[], str]) -> str:
        """Return the secret *name*: as *given*, else as it was, else as *make* makes it."""
        if given:
            self._write(name, given)
        return self._kept(name, make)

    def known(self, name: str) -> str:
        """Return the secret *name*; "" if there is none."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def login_hash(self) -> str | None:
        """Return what the password of the user of every Pi is on its card; None: it has none."""
        password = self.known(LOGIN)
        return self._salted(LOGIN, password, login.hashed) if password else None

    def pin_hash(self, hashed: Callable[[str], str]) -> str:
        """Return what the host's PIN is on the table's card."""
        return self._salted(PIN, self.known(PIN), hashed)

    # ---- keys ----

    def host_key(self, user: str) -> HostKey:
        """Return the SSH identity of the card of *user*."""
        return HostKey(*self._key_pair(f"{user}.ssh", user))

    def update_key(self) -> HostKey:
        """Return the key by which the table updates its nodes."""
        return HostKey(*self._key_pair("update.ssh", "mafia-table-update"))

    def broker_files(self, *hosts: str) -> dict[str, bytes]:
        """Return the broker's certificate and key, by name; *hosts* are what it is called."""
        place = self._for_hosts("broker", hosts)
        if not all((place / name).is_file() for name in BROKER):
            self.authority.equip(place, *hosts)
        return {name: (place / name).read_bytes() for name in BROKER}

    def pages_files(self, now: datetime.datetime, *hosts: str) -> dict[str, bytes]:
        """Return what signs for the table's pages, and what it has signed, by name."""
        place = self._for_hosts("pages", hosts)
        ends = web_ends(place)
        if ends is None or ends - now < RENEW:
            self.authority.delegate(place, now, *hosts)
        return {name: (place / name).read_bytes() for name in PAGES}

    # ---- lost and revoked ----

    @property
    def revoked(self) -> tuple[str, ...]:
        """The nodes that are no longer let in."""
        return tuple(self.known(REVOKED).split())

    def revoke(self, user: str) -> None:
        """Let the card of *user* in no longer."""
        self._forget(user)
        self._write(REVOKED, "".join(f"{each}\n" for each in sorted({*self.revoked, user})))

    def renew(self, user: str) -> None:
        """Let another card of *user* in, and the one before no longer."""
        self._forget(user)
        others = [each for each in self.revoked if each != user]
        self._write(REVOKED, "".join(f"{each}\n" for each in others))

    def _forget(self, user: str) -> None:
        for path in self.folder.glob(f"{user}.*"):
            path.unlink()

    # ---- files ----

    def _kept(self, name: str, make: Callable[[], str]) -> str:
        if not self.known(name):
            self._write(name, make())
        return self.known(name)

    def _salted(self, name: str, password: str, hashed: Callable[[str], str]) -> str:
        """Return the hash of *password*, which is kept as long as the password is."""
        file = name + SALTED
        said, _, salted = self.known(file).partition("\n")
        if said != password:
            salted = hashed(password)
            self._write(file, f"{password}\n{salted}")
        return salted

    def _key_pair(self, name: str, comment: str) -> tuple[str, str]:
        private, public = self.known(name), self.known(f"{name}.pub")
        if not private or not public:
            private, public = make_key_pair(comment)
            self._write(f"{name}.pub", public)
            self._write(name, private)
        return private, public

    def _for_hosts(self, name: str, hosts: tuple[str, ...]) -> Path:
        """Return the folder *name*, empty if what was in it was made for other *hosts*."""
        place = self.folder / name
        said = " ".join(hosts)
        if self.known(f"{name}.hosts") != said:
            shutil.rmtree(place, ignore_errors=True)
            self._write(f"{name}.hosts", said)
        place.mkdir(mode=0o700, exist_ok=True)
        return place

    def _write(self, name: str, content: str) -> None:
        if self.known(name) != content:
            write_private(self.folder / name, content)


def new_password(groups: int = 4) -> str:
    """Return a password that somebody can type: *groups* of four letters, 20 bits each."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(groups))


def check_wifi(password: str) -> str:
    """Return *password* if it can be one of a Wi-Fi; "" is an open network.

    :raises CardError: if it cannot; without the password in the text.
    """
    if password and not 8 <= len(password.encode()) <= 64:
        raise CardError("secrets.wifi_password: expected 8 to 63 characters")
    return password
