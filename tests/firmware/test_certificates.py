"""The kit's authority, looked at by openssl as by a node: strictly, and at any time."""

import contextlib
import datetime
import ssl
import stat
import subprocess

import pytest

from firmware import tls
from firmware.certificates import WEB, Authority, Tls, renew_web, web_ends
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


# ---- the pages' certificate ----

MADE = datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
APPLE_MAX = 825 * DAY
"""Of what a phone accepts; both ends count."""


@pytest.fixture
def pages(tmp_path):
    """The pages' folder of a card that was made at MADE, as openssl is asked about it."""
    kit, folder = tmp_path / "kit", tmp_path / "web"
    kit.mkdir()
    folder.mkdir()
    authority = Authority.kept(kit)
    authority.delegate(folder, MADE, "mafia.local", "10.42.0.1")
    return Tls(kit / "ca.crt", folder / WEB, folder / WEB)


def chained(pages, *options, at=MADE):
    """Return openssl's verdict, with what the server sends besides its own certificate."""
    return verify(pages, "-untrusted", pages.cert, *options, at=at.replace(tzinfo=None))


def dates(pages):
    with ssl_peer(pages) as told:
        return [
            datetime.datetime.strptime(told[end], "%b %d %H:%M:%S %Y %Z").replace(
                tzinfo=datetime.UTC
            )
            for end in ("notBefore", "notAfter")
        ]


@contextlib.contextmanager
def ssl_peer(pages, name="mafia.local"):
    """Yield what a client gets to know of a server with these files that it is to trust."""
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), tls.context(pages.ca)
    server.load_cert_chain(pages.cert, pages.key)
    here, there = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(here, there, server_hostname=name)
    other = server.wrap_bio(there, here, server_side=True)
    for _ in range(4):
        for side in (one, other):
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()
    yield one.getpeercert()


def test_a_phone_is_shown_no_certificate_that_it_finds_too_long(pages):
    begins, ends = dates(pages)
    assert ends - begins + datetime.timedelta(seconds=1) <= APPLE_MAX
    assert begins <= MADE - 30 * DAY, "a TV's clock may be behind"
    assert ends >= MADE + 730 * DAY, "two years are some hundred evenings"
    assert web_ends(pages.cert.parent) == ends


def test_the_pages_certificate_is_trusted_for_the_tables_names_by_who_trusts_the_kit(pages):
    for option, name in (("-verify_hostname", "mafia.local"), ("-verify_ip", "10.42.0.1")):
        assert chained(pages, option, name) == ""
    assert "hostname mismatch" in chained(pages, "-verify_hostname", "club.example").lower()
    with ssl_peer(pages) as told:
        assert ("DNS", "mafia.local") in told["subjectAltName"]


@pytest.mark.parametrize(
    "hosts", [("bank.example",), ("mafia.local", "8.8.8.8"), ("fd00::1",), ("local",)]
)
def test_what_signs_on_a_card_is_believed_for_no_other_name(pages, tmp_path, hosts):
    stolen = Authority.kept(pages.cert.parent)
    (tmp_path / "thief").mkdir()
    made = stolen.equip(tmp_path / "thief", *hosts)
    false = pages._replace(cert=made.cert)
    verdict = verify(false, "-untrusted", pages.cert.parent / "ca.crt")
    assert "permitted subtree violation" in verdict


@pytest.mark.parametrize("hosts", [("mafia.local",), ("10.42.0.1",)])
def test_of_a_kind_that_a_table_has_no_name_of_none_is_believed(tmp_path, hosts):
    kit, folder, thief = (tmp_path / name for name in ("kit", "web", "thief"))
    for each in (kit, folder, thief):
        each.mkdir()
    Authority.kept(kit).delegate(folder, MADE, *hosts)
    whole = Tls(kit / "ca.crt", folder / WEB, folder / WEB)
    assert chained(whole) == ""
    (other,) = {"mafia.local", "10.42.0.1"} - {*hosts}
    made = Authority.kept(folder).equip(thief, other)
    assert "subtree violation" in verify(
        Tls(kit / "ca.crt", made.cert, made.key), "-untrusted", folder / "ca.crt"
    )


@pytest.mark.parametrize(
    ("days", "anew"), [(0, False), (480, False), (495, True), (765, True), (5000, True)]
)
def test_it_is_renewed_when_less_than_a_third_is_left(pages, days, anew):
    folder, before = pages.cert.parent, pages.cert.read_bytes()
    now = MADE + days * DAY
    assert renew_web(folder, now) is anew
    assert (pages.cert.read_bytes() != before) is anew
    assert chained(pages, at=now) == ""
    assert not renew_web(folder, now)


def test_a_clock_that_starts_in_the_past_renews_nothing(pages):
    assert not renew_web(pages.cert.parent, datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC))
    assert chained(pages) == ""


def test_one_that_was_lost_is_made_again_though_the_clock_is_in_the_past(pages):
    pages.cert.write_text("half a fi")
    assert web_ends(pages.cert.parent) is None
    assert renew_web(pages.cert.parent, datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC))
    assert chained(pages) == ""
    assert {mode(file) for file in pages.cert.parent.iterdir()} == {0o600}


def test_a_card_without_an_authority_for_pages_gets_none(tmp_path):
    assert not renew_web(tmp_path, MADE)
    assert list(tmp_path.iterdir()) == []
