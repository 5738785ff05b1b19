"""The kit's authority, looked at by openssl as by a node: strictly, and at any time."""

import datetime
import ssl
import stat
import subprocess

import pytest

from firmware.certificates import Authority
from firmware.errors import KitError

TIMES = {
    "a Pi without a clock that has just started": datetime.datetime(1970, 1, 1, 0, 0, 1),
    "today": datetime.datetime.now(),
    "in a lifetime": datetime.datetime(2099, 1, 1),
}


def verify(tls, *options, ca=None, at=TIMES["today"]):
    """Return openssl's verdict on a broker's certificate; "" if it is fine."""
    moment = str(int(at.replace(tzinfo=datetime.UTC).timestamp()))
    words = ("-x509_strict", "-purpose", "sslserver", "-attime", moment, *options)
    asked = subprocess.run(
        ["openssl", "verify", "-CAfile", ca or tls.ca, *words, tls.cert],
        capture_output=True, text=True,
    )  # fmt: skip
    return asked.stderr if asked.returncode else ""


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("at", TIMES.values(), ids=TIMES)
def test_a_certificate_holds_at_any_time(tmp_path, at):
    assert verify(Authority.make().equip(tmp_path, "mafia.local"), at=at) == ""


def test_it_holds_for_each_name_of_the_broker_and_no_other(tmp_path):
    tls = Authority.make().equip(tmp_path, "mafia.local", "10.42.0.1", "fd00::1")
    for option, name in (
        ("-verify_hostname", "mafia.local"),
        ("-verify_ip", "10.42.0.1"),
        ("-verify_ip", "fd00::1"),
    ):
        assert verify(tls, option, name) == ""
    assert "hostname mismatch" in verify(tls, "-verify_hostname", "other.local").lower()
    assert "ip address mismatch" in verify(tls, "-verify_ip", "10.42.0.2").lower()


def test_it_signs_for_a_broker_only(tmp_path):
    tls = Authority.make().equip(tmp_path, "mafia.local")
    assert "purpose" in verify(tls, "-purpose", "sslclient")
    below = tls._replace(ca=tls.cert)
    assert verify(below) != "", "a broker's certificate is no authority"


def test_another_authority_is_not_this_one(tmp_path):
    (tmp_path / "other").mkdir()
    tls = Authority.make().equip(tmp_path, "mafia.local")
    other = Authority.make().equip(tmp_path / "other", "mafia.local")
    assert verify(tls, ca=other.ca) != ""


def test_only_keys_are_secret_and_the_authoritys_own_is_not_given_away(tmp_path):
    for name in ("ca.crt", "broker.crt", "broker.key"):
        (tmp_path / name).touch(0o666)
    tls = Authority.make().equip(tmp_path, "mafia.local")
    assert {file.name: mode(file) for file in tmp_path.iterdir()} == {
        "ca.crt": 0o644,
        "broker.crt": 0o644,
        "broker.key": 0o600,
    }
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.cert, tls.key)
    with pytest.raises(ssl.SSLError, match="MISMATCH"):
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.ca, tls.key)


def test_an_authority_that_is_kept_signs_again_and_its_key_is_its_owners_alone(tmp_path):
    kept, first, second = (tmp_path / name for name in ("kept", "first", "second"))
    for folder in (kept, first, second):
        folder.mkdir()
    before = Authority.kept(kept).equip(first, "mafia.local")
    after = Authority.kept(kept).equip(second, "10.0.0.7")
    assert {file.name: mode(file) for file in kept.iterdir()} == {"ca.crt": 0o644, "ca.key": 0o600}
    assert verify(after, "-verify_ip", "10.0.0.7", ca=before.ca) == ""


def lose_key(folder):
    (folder / "ca.key").unlink()


def lose_certificate(folder):
    (folder / "ca.crt").unlink()


def mix_two(folder):
    (folder / "other").mkdir()
    Authority.kept(folder / "other")
    (folder / "other" / "ca.key").rename(folder / "ca.key")


def write_nonsense(folder):
    (folder / "ca.key").write_text("nonsense")


@pytest.mark.parametrize("damage", [lose_key, lose_certificate, mix_two, write_nonsense])
def test_half_an_authority_is_refused_and_never_silently_made_anew(tmp_path, damage):
    Authority.kept(tmp_path)
    damage(tmp_path)
    with pytest.raises(KitError, match=r"ca\.key"):
        Authority.kept(tmp_path)
