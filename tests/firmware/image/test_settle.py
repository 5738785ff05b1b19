"""Where a card's identity goes, whose it is then, and what is gone; on a system in a folder.

As a whole, with the system's own users: test_install_on_debian.py.
"""

import os
import pwd
import shutil
from pathlib import Path

import msgspec
import pytest

from firmware.errors import BoardError, CardError
from firmware.image import places
from firmware.image.settle import WAITS, enable, forget, place_all, read_card, settle

ME = pwd.getpwuid(os.geteuid()).pw_name
PRIVATE = {
    "/etc/mafia": ("root", 0o755),
    "/etc/mafia/ca.crt": ("root", 0o644),
    "/etc/mafia/table.password": ("mafia-table", 0o600),
    "/etc/mafia/kit.toml": ("mafia-table", 0o600),
    "/etc/mafia/update": ("root", 0o700),
    "/etc/mafia/update/id_ed25519": ("root", 0o600),
    "/etc/mafia/update/known_hosts": ("root", 0o600),
    "/etc/mosquitto/mafia": ("mosquitto", 0o700),
    "/etc/mosquitto/mafia/ca.crt": ("mosquitto", 0o600),
    "/etc/mosquitto/mafia/broker.crt": ("mosquitto", 0o600),
    "/etc/mosquitto/mafia/broker.key": ("mosquitto", 0o600),
    "/etc/mosquitto/mafia/broker.users": ("mosquitto", 0o600),
    "/var/lib/mafia": ("mafia-table", 0o700),
    "/var/lib/mafia/web": ("mafia-table", 0o700),
    "/var/lib/mafia/web/ca.crt": ("mafia-table", 0o600),
    "/var/lib/mafia/web/ca.key": ("mafia-table", 0o600),
    "/var/lib/mafia/web/web.pem": ("mafia-table", 0o600),
}
"""All that a table's card brings: whose it is, and who may read it."""


@pytest.fixture
def maker(card_maker):
    return card_maker()


@pytest.fixture
def table(maker, tmp_path):
    return maker.table(tmp_path / "mafia" / "card")


@pytest.fixture
def seat(maker, tmp_path):
    return maker.seat(tmp_path / "mafia" / "card")


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A system whose every user is the one who runs the tests."""
    real = pwd.getpwnam
    monkeypatch.setattr(pwd, "getpwnam", lambda name: real(ME))
    return tmp_path / "root"


def rights(placed):
    return {str(each.path): (each.owner, each.mode) for each in placed}


def snapshot(root):
    return {
        str(path.relative_to(root)): (path.stat().st_mode, path.is_file() and path.read_bytes())
        for path in root.rglob("*")
    }


def test_each_program_reads_its_own_identity_and_nobody_elses(table):
    assert rights(places.identity(table, read_card(table))) == PRIVATE


def test_a_seats_card_is_the_seats_and_its_eyes_have_none(seat):
    assert rights(places.identity(seat, read_card(seat))) == {
        "/etc/mafia": ("root", 0o755),
        "/etc/mafia/ca.crt": ("root", 0o644),
        "/etc/mafia/node-03.password": ("mafia-seat", 0o600),
        "/etc/mafia/kit.toml": ("mafia-seat", 0o600),
    }


def test_the_card_itself_is_the_last_to_be_there(table):
    assert places.identity(table, read_card(table))[-1].path.name == "kit.toml"


def test_recordings_of_the_club_are_the_programs_own(table):
    (table / "voice" / "ru").mkdir(parents=True)
    (table / "voice" / "ru" / "night.wav").write_bytes(b"RIFF")
    placed = rights(places.identity(table, read_card(table)))
    assert {path: placed[path] for path in placed if "voice" in path} == {
        "/etc/mafia/voice": ("mafia-table", 0o700),
        "/etc/mafia/voice/ru": ("mafia-table", 0o700),
        "/etc/mafia/voice/ru/night.wav": ("mafia-table", 0o600),
    }


def test_the_kits_own_files_hold_no_secret_and_are_roots(table):
    own = places.machine(read_card(table))
    readable = [each for each in own if each.mode & 0o044]
    assert {each.owner for each in readable} == {"root"}
    words = b"".join(each.content for each in readable if each.content)
    assert b"correct horse" not in words
    assert b"$7$" not in words
    assert b"PRIVATE KEY" not in words


def test_each_kind_has_its_own_units_and_eyes_start_where_there_are_any(maker, tmp_path):
    table = read_card(maker.table(tmp_path / "t"))
    seat = read_card(maker.seat(tmp_path / "s"))
    seeing = read_card(maker.seat(tmp_path / "e", eyes=True))
    assert "mafia-eyes.service" in places.own_units(seat)
    assert "mafia-eyes.service" not in places.started_units(seat)
    assert "mafia-eyes.service" in places.started_units(seeing)
    assert not {"mafia-seat.service", "mafia-eyes.service"} & {*places.own_units(table)}
    assert {"mosquitto.service", "nginx.service", "mafia-table.service"} <= {
        *places.started_units(table)
    }
    units = {each.path.name for each in places.machine(table)}
    assert {*places.own_units(table)} <= units


def test_twice_changes_nothing(table, root):
    assert list(settle(table, root))
    before = snapshot(root)
    assert list(settle(table, root)) == []
    forget(table)
    assert list(settle(table, root)) == []
    assert list(settle(None, root)) == []
    assert snapshot(root) == before


def test_a_changed_list_of_users_is_taken_over_and_nothing_else(maker, table, root):
    list(settle(table, root))
    forget(table)
    del maker.users["node-03"]
    maker.table(table)
    taken = [path for path in settle(table, root) if "/mosquitto/" in path]
    assert "/etc/mosquitto/mafia/broker.users" in taken
    users = (root / "etc/mosquitto/mafia/broker.users").read_text()
    assert [line.split(":")[0] for line in users.splitlines()] == ["table"]


def test_pages_that_the_table_has_renewed_stay_as_long_as_the_same_authority_signs(
    maker, table, root
):
    list(settle(table, root))
    web = root / "var/lib/mafia/web/web.pem"
    web.write_text("renewed")
    assert list(settle(table, root)) == []
    assert web.read_text() == "renewed"
    maker.table(table)
    assert "/var/lib/mafia/web/web.pem" in list(settle(table, root))


def test_the_password_of_a_node_that_this_card_was_before_goes(maker, tmp_path, root):
    list(settle(maker.seat(tmp_path / "three"), root))
    maker.users["node-04"] = "another"
    list(settle(maker.seat(tmp_path / "four", "node-04"), root))
    assert {path.name for path in (root / "etc/mafia").iterdir()} == {
        *("ca.crt", "kit.toml", "node-04.password")
    }


def test_modes_that_somebody_has_changed_are_put_right(seat, root):
    list(settle(seat, root))
    password = root / "etc/mafia/node-03.password"
    password.chmod(0o644)
    assert list(settle(seat, root)) == ["/etc/mafia/node-03.password"]
    assert password.stat().st_mode & 0o777 == 0o600


def test_a_link_in_a_files_place_is_replaced_and_what_it_leads_to_stays(seat, root, tmp_path):
    victim = tmp_path / "shadow"
    victim.write_text("root's")
    (root / "etc/mafia").mkdir(parents=True)
    (root / "etc/mafia/kit.toml").symlink_to(victim)
    list(settle(seat, root))
    assert victim.read_text() == "root's"
    assert not (root / "etc/mafia/kit.toml").is_symlink()


def break_toml(table):
    text = (table / "kit.toml").read_text()
    (table / "kit.toml").write_text(text.replace("1883", "0"))


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (break_toml, "link.port = 0: expected 1 to 65535"),
        (lambda table: (table / "broker.key").unlink(), "no broker.key in it: make the table's"),
        (lambda table: (table / "pages" / "ca.crt").unlink(), "no pages/ca.crt in it"),
        (lambda table: (table / "table.password").unlink(), "table.password"),
    ],
)
def test_a_wrong_card_is_named_and_nothing_is_changed(table, root, break_it, said):
    break_it(table)
    with pytest.raises(CardError, match=said):
        list(settle(table, root))
    assert not root.exists()


def test_without_any_card_the_missing_file_is_named(root):
    with pytest.raises(CardError, match=r"etc/mafia/kit\.toml: No such file"):
        list(settle(None, root))


def test_a_card_of_another_kind_wants_the_image_written_anew(maker, table, tmp_path, root):
    list(settle(table, root))
    before = snapshot(root)
    with pytest.raises(CardError, match="a seat's, but this system was a table's"):
        list(settle(maker.seat(tmp_path / "other"), root))
    assert snapshot(root) == before


def test_a_missing_user_is_named(tmp_path):
    nobody = msgspec.structs.replace(places.users(), owner="nobody-of-the-kit")
    with pytest.raises(BoardError, match="no user nobody-of-the-kit"):
        list(place_all([nobody], tmp_path))


def test_what_is_forgotten_is_overwritten_first_and_leaves_no_folder(table, monkeypatch):
    secret = table / "table.password"
    kept = table.parent / "same-file"
    os.link(secret, kept)
    order = []
    unlink = Path.unlink
    monkeypatch.setattr(
        Path, "unlink", lambda path, **how: (order.append(path), unlink(path, **how))
    )
    forget(table)
    assert not table.exists()
    assert b"correct horse" not in kept.read_bytes()
    assert len(kept.read_bytes()) == len("correct horse")
    assert order[0] == table / "kit.toml"


def test_a_folder_that_was_being_forgotten_is_no_new_card(table, root):
    list(settle(table, root))
    (table / "kit.toml").unlink()
    (table / "broker.users").write_bytes(b"\x00overwritten")
    assert list(settle(table, root)) == []


@pytest.mark.skipif(not shutil.which("systemctl"), reason="no systemd here")
def test_systemd_starts_what_the_card_needs_and_nothing_that_it_has_not(maker, tmp_path):
    # Offline, on a system whose units are empty files.
    root = tmp_path / "root"
    units = root / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    seeing = read_card(maker.seat(tmp_path / "e", eyes=True))
    for unit in {*places.started_units(seeing), WAITS}:
        (units / unit).write_text("[Install]\nWantedBy=multi-user.target\n")
    wanted = root / "etc/systemd/system/multi-user.target.wants"
    assert "enable mafia-eyes.service" in list(enable(seeing, root))
    assert {path.name for path in wanted.iterdir()} == {*places.started_units(seeing)}
    (wanted / WAITS).symlink_to(units / WAITS)
    assert list(enable(read_card(maker.seat(tmp_path / "s")), root)) == [
        f"disable {WAITS}",
        "disable mafia-eyes.service",
    ]
    assert {path.name for path in wanted.iterdir()} == {*places.started_units(seeing)} - {
        "mafia-eyes.service"
    }
