"""All cards of a club: what is on each, what a second run changes, who is shut out."""

import base64
import datetime
import hashlib
import json
import shutil

import msgspec
import pytest

from firmware import pin as pins
from firmware.card import link_settings, read_seat_card, read_table_card
from firmware.errors import CardError
from firmware.image import answers as told
from firmware.image import club as clubs
from firmware.image import kit, make_cards, places, sheet
from firmware.image.answers import Answers, Given
from firmware.image.broker_conf import hashed
from firmware.image.club import Club

NOW = datetime.datetime(2026, 12, 1, tzinfo=datetime.UTC)
WIFI = "correct horse battery"
PIN = "20252026"
ANSWERS = Answers(network="wifi", ssid="Клуб", nodes=3)


class Maker:
    """Makes the cards of one club again and again."""

    def __init__(self, folder):
        self.folder = folder
        self.club = Club(folder / clubs.FOLDER)

    def make(self, answers=ANSWERS, **given):
        make_cards.take_over(self.club, answers, Given(**given))
        changed = make_cards.make(self.folder, answers, self.club, NOW)
        return {card.user: card.files for card in changed if card.how != "same"}

    def files(self):
        """Return path -> (content, time of the last change) of all cards."""
        return {
            path.relative_to(self.folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and clubs.FOLDER not in path.parts
        }

    def card(self, user):
        return self.folder / user / make_cards.CARD


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    maker = Maker(tmp_path_factory.mktemp("club"))
    maker.make(wifi_password=WIFI, pin=PIN)
    return maker


@pytest.fixture
def maker(made, tmp_path):
    """The same club in a folder of its own."""
    shutil.copytree(made.folder, tmp_path / "club", dirs_exist_ok=True)
    return Maker(tmp_path / "club")


# ---- what is on a card ----


def test_every_card_is_one_that_its_program_reads(made):
    table = read_table_card(made.card("table") / "kit.toml")
    assert (table.link.host, table.link.port) == ("127.0.0.1", 1883)
    assert table.scoreboard.bind == "127.0.0.1"
    assert table.scoreboard.names == ("mafia.local",)
    assert table.data_dir == "/var/lib/mafia"
    for user in ANSWERS.users:
        seat = read_seat_card(made.card(user) / "kit.toml")
        assert seat.user == user
        link = link_settings(seat)
        assert (link.host, link.port) == ("mafia.local", 8883)
        assert link.password == made.club.password(user)
        assert link.ca.read_bytes() == (made.club.folder / "ca.crt").read_bytes()


def test_a_table_in_its_own_network_is_found_by_its_fixed_address(tmp_path):
    maker = Maker(tmp_path)
    maker.make(Answers(nodes=1))
    assert read_seat_card(maker.card("node-01") / "kit.toml").link.host == "10.42.0.1"
    names = read_table_card(maker.card("table") / "kit.toml").scoreboard.names
    assert set(names) == {"10.42.0.1", "mafia.local"}


def test_the_hosts_pin_is_on_the_tables_card_as_a_hash(made):
    card = read_table_card(made.card("table") / "kit.toml")
    assert pins.matches(PIN, card.scoreboard.pin_hash)


def test_a_table_card_has_all_that_is_settled(made):
    card = read_table_card(made.card("table") / "kit.toml")
    placed = {str(each.path) for each in places.identity(made.card("table"), card)}
    assert {
        "/etc/mafia/kit.toml",
        "/etc/mafia/table.password",
        "/etc/mosquitto/mafia/broker.users",
        "/etc/mosquitto/mafia/broker.key",
        "/var/lib/mafia/web/ca.key",
        "/etc/mafia/update/id_ed25519",
        "/etc/mafia/update/known_hosts",
    } <= placed


def test_every_password_opens_the_broker_and_no_other(made):
    lines = (made.card("table") / "broker.users").read_text().splitlines()
    users = dict(line.split(":", 1) for line in lines)
    assert users.keys() == {"table", *ANSWERS.users}
    for user, kept in users.items():
        _, _, rounds, rest = kept.split("$", 3)
        salt, _ = rest.split("$")
        word = (made.card(user) / f"{user}.password").read_text().strip()
        assert kept == hashed(word, base64.b64decode(salt), int(rounds))


def test_nothing_is_on_a_card_but_its_own(made):
    """The authority's key, the PIN, the Wi-Fi's password, and the secrets of the others."""
    words = {user: made.club.password(user) for user in ("table", *ANSWERS.users)}
    keys = {user: made.club.host_key(user).private for user in words}
    authority = (made.club.folder / "ca.key").read_text()
    for user in words:
        content = b"".join(
            path.read_bytes() for path in (made.folder / user).rglob("*") if path.is_file()
        ).decode()
        assert words[user] in content
        assert json.dumps(keys[user])[1:-1] in content
        others = [each for each in words if each != user]
        foreign = [words[each] for each in others]
        foreign += [json.dumps(keys[each])[1:-1] for each in others]
        for secret in (authority, authority.splitlines()[1], WIFI, PIN, *foreign):
            assert secret not in content


# ---- again ----


def test_the_same_answers_change_not_a_byte_and_not_a_time(maker):
    before = maker.files()
    assert maker.make() == {}
    assert Maker(maker.folder).make() == {}
    assert maker.files() == before


def test_another_wifi_password_changes_the_network_of_each_card_and_nothing_else(maker):
    changed = maker.make(wifi_password="another one of it")
    assert changed == dict.fromkeys(("table", *ANSWERS.users), ("meta-data", "network-config"))


def test_another_pin_changes_the_tables_card_only(maker):
    assert maker.make(pin="11112222") == {"table": ("mafia/card/kit.toml",)}


def test_a_fourth_seat_changes_what_the_table_knows_and_no_other_seat(maker):
    changed = maker.make(msgspec.structs.replace(ANSWERS, nodes=4))
    assert changed.keys() == {"table", "node-04"}
    assert changed["table"] == ("mafia/card/broker.users", "mafia/card/update/known_hosts")


def test_a_lost_card_is_made_again_without_touching_the_others(maker):
    lost = (maker.card("node-02") / "node-02.password").read_text()
    before = maker.files()
    maker.club.renew("node-02")
    changed = maker.make()
    assert changed.keys() == {"table", "node-02"}
    assert changed["table"] == ("mafia/card/broker.users", "mafia/card/update/known_hosts")
    assert "mafia/card/node-02.password" in changed["node-02"]
    assert lost != (maker.card("node-02") / "node-02.password").read_text()
    for path, file in maker.files().items():
        if path.split("/")[0] in ("node-01", "node-03"):
            assert file == before[path]


def test_a_node_that_is_revoked_has_no_card_and_is_known_to_nobody_until_it_is_made_again(maker):
    maker.club.revoke("node-02")
    assert maker.make().keys() == {"table"}
    assert not (maker.folder / "node-02").exists()
    for name in ("broker.users", "update/known_hosts"):
        lines = (maker.card("table") / name).read_text()
        assert "node-02" not in lines
        assert "node-03" in lines
    assert maker.make() == {}
    maker.club.renew("node-02")
    assert maker.make().keys() == {"table", "node-02"}


def test_only_a_change_of_who_a_card_is_needs_no_new_card():
    def change(how, *files):
        return make_cards.Changed("table", how, files)

    assert change("changed", "mafia/card/broker.users").only_identity
    assert not change("changed", "mafia/card/broker.users", "user-data").only_identity
    assert not change("new", "mafia/card/broker.users").only_identity


def test_the_kit_is_shared_by_all_cards_and_older_files_of_it_go(maker):
    source = maker.folder / make_cards.KITS / "pi5"
    kit.write(source / "VERSION", b"0.1.0\npi5\n")
    kit.write(source / "install.sh", b"true\n")
    kit.write(source / "wheels/a.whl", b"1")
    kit.seal(source)
    maker.make()
    place = maker.folder / "node-01" / make_cards.KIT
    assert kit.faults(place) == []
    assert (place / "wheels/a.whl").samefile(source / "wheels/a.whl")
    (source / "wheels/a.whl").unlink()
    kit.write(source / "wheels/b.whl", b"2")
    kit.seal(source)
    maker.make()
    assert kit.faults(place) == []


# ---- the sheet ----


def test_the_sheet_has_the_pin_a_label_for_each_card_and_codes_and_is_private(made):
    path = sheet.write_sheet(made.folder, ANSWERS, made.club)
    text = path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    for wanted in ("2025 2026", WIFI, "http://mafia.local/", "https://mafia.local/host"):
        assert wanted in text
    for user in ("table", *ANSWERS.users):
        assert f"<li>{user}</li>" in text
    assert text.count("<svg") == 3
    assert "src=" not in text
    digest = hashlib.sha256(path.read_bytes()).digest()
    sheet.write_sheet(made.folder, ANSWERS, made.club)
    assert hashlib.sha256(path.read_bytes()).digest() == digest


def test_a_name_of_a_club_is_text_on_the_sheet_and_nothing_else(made):
    answers = msgspec.structs.replace(ANSWERS, club="<b>&\"'")
    text = sheet.write_sheet(made.folder, answers, made.club).read_text()
    assert "&lt;b&gt;&amp;" in text


@pytest.mark.parametrize("language", ["en", "ru", "de"])
def test_the_sheet_speaks_the_clubs_language(made, language):
    answers = msgspec.structs.replace(ANSWERS, language=language)
    text = sheet.write_sheet(made.folder, answers, made.club).read_text()
    pin = {"en": "Host&#x27;s PIN", "ru": "PIN ведущего", "de": "PIN der Spielleitung"}
    assert pin[language] in text
    assert f'lang="{language}"' in text


def test_a_scanned_wifi_keeps_every_character():
    assert sheet.wifi_code('a;b:"c"', "p\\,w", hidden=True) == (
        r"WIFI:T:WPA;S:a\;b\:\"c\";P:p\\\,w;H:true;;"
    )
    assert sheet.wifi_code("open", "", hidden=False) == "WIFI:S:open;;"


# ---- answers ----


def written(folder, text):
    path = folder / "answers.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_answers_are_read_and_written_without_their_secrets(tmp_path):
    path = written(tmp_path, 'club = "A"\nnodes = 12\n[secrets]\npin = "12345678"\n')
    answers, given = told.read(path)
    assert (answers.club, answers.nodes, given.pin) == ("A", 12, "12345678")
    told.save(tmp_path, answers)
    assert told.read(path) == (answers, Given())
    assert "12345678" not in path.read_text()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("nodes = 13", "nodes = 13: expected 1 to 12"),
        ('seats = "x"', "seats: unknown: expected club,"),
        ('network = "lan"', 'network = \'lan\': expected "hotspot", "wifi", "cable"'),
        ('country = "de"', "country = 'de': expected two capital letters"),
        ('table_board = "pi3"', 'table_board = \'pi3\': expected "pi5", "pi4"'),
        ('network = "wifi"', "ssid: missing"),
        ("[secrets]\npin = 12345678", "secrets.pin = (kept secret)"),
        ('secrets = "12345678"', "secrets = (kept secret)"),
        ("club = ", "not TOML"),
        ('[secrets]\npin = "12345678" x', "not TOML"),
    ],
)
def test_a_wrong_answer_is_named_with_what_is_allowed_and_no_secret(tmp_path, text, wanted):
    with pytest.raises(CardError) as caught:
        told.read(written(tmp_path, text))
    assert wanted in str(caught.value)
    assert "12345678" not in str(caught.value)


@pytest.mark.parametrize("given", [{"pin": "99"}, {"wifi_password": "short"}])
def test_a_secret_that_cannot_be_one_is_refused_without_being_told(tmp_path, given):
    with pytest.raises(CardError) as caught:
        make_cards.take_over(Club(tmp_path), ANSWERS, Given(**given))
    assert next(iter(given.values())) not in str(caught.value)


def test_who_brings_a_key_needs_no_password(tmp_path):
    answers = msgspec.structs.replace(ANSWERS, ssh_key="ssh-ed25519 AAAA me")
    club = Club(tmp_path)
    make_cards.take_over(club, answers, Given())
    assert club.login_hash() is None
    make_cards.take_over(club, ANSWERS, Given())
    assert club.login_hash().startswith("$7$")
