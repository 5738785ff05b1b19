"""Cards' folders, as the card maker writes them."""

import datetime

import pytest

from firmware import card as cards
from firmware.card import LinkCard, PartsCard, SeatCard, TableCard
from firmware.certificates import Authority
from firmware.image.broker_conf import hashed
from firmware.image.update_keys import make_key_pair

NOW = datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)
HOSTS = ("mafia.local", "127.0.0.1")
PASSWORDS = {"table": "correct horse", "node-03": "battery staple"}


class CardMaker:
    """Makes the folder ``card`` of each device of one club."""

    def __init__(self):
        self.authority = Authority.make()
        self.users = dict(PASSWORDS)

    def table(self, folder, **told):
        """Make the table's; *told* are keys of its kit.toml."""
        folder.mkdir(parents=True, exist_ok=True)
        card = TableCard(
            table="club",
            link=LinkCard("127.0.0.1", 1883, password_file="table.password"),
            data_dir="/var/lib/mafia",
            lights=False,
            **told,
        )
        self._common(folder, card)
        self.authority.equip(folder, *HOSTS)
        (folder / "broker.users").write_text(
            "".join(f"{user}:{hashed(word)}\n" for user, word in self.users.items())
        )
        (folder / "pages").mkdir(exist_ok=True)
        self.authority.delegate(folder / "pages", NOW, *HOSTS)
        (folder / "update").mkdir(exist_ok=True)
        (folder / "update" / "id_ed25519").write_text(make_key_pair("table").private)
        (folder / "update" / "known_hosts").write_text("node-03 ssh-ed25519 AAAA\n")
        return folder

    def seat(self, folder, user="node-03", **parts):
        """Make a seat's; *parts* are what is built in."""
        folder.mkdir(parents=True, exist_ok=True)
        link = LinkCard("127.0.0.1", 8883, password_file=f"{user}.password", ca="ca.crt")
        self._common(folder, SeatCard(table="club", user=user, link=link, parts=PartsCard(**parts)))
        self.authority.equip(folder, *HOSTS)
        for name in ("broker.crt", "broker.key"):
            (folder / name).unlink()
        return folder

    def _common(self, folder, card):
        cards.save(folder / "kit.toml", card)
        (folder / f"{card.user}.password").write_text(self.users[card.user])
        (folder / "._kit.toml").write_bytes(b"what a Mac leaves")


@pytest.fixture(scope="session")
def card_maker():
    return CardMaker
