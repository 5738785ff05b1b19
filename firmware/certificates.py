"""The kit's own certificate authority and what it signs: the TLS of link and pages.

**The broker's** certificate is checked by our nodes only. A table has no internet and a
Pi no clock of its own: it may start in 1970, and a certificate that ran out would end a
club's evening. So it holds at any time; a card that was lost gets another password, and
a kit that was lost another authority.

**The pages'** certificate is checked by phones, against their own clock, which is right.
iPhones refuse one that holds for more than 825 days, so it has to be renewed where it
is used. For that the table's card holds an authority below the kit's, which can sign for
the table's own names and nothing else: who steals it has no more than with the broker's
key beside it. The table renews at its start, when less than a third of the time is left;
a clock that is behind renews nothing, and a new one never begins before the card was made.

The kit's authority itself signs when cards are made. Its key is never written to a card.

Source: RFC 5280 4.1.2.5 (no well-defined expiration), 4.2.1 (extensions that a strict
check, as of Python 3.13, asks for), 4.2.1.10 (limits of names). 825 days, also of an
authority that a user has added: Apple HT210176, "Requirements for trusted certificates
in iOS 13 and macOS 10.15".
"""

import datetime
import ipaddress
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from firmware.errors import KitError
from firmware.private import write_private

HOLDS_FROM: Final = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
HOLDS_UNTIL: Final = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)

WEB_HOLDS: Final = datetime.timedelta(days=825, seconds=-1)
"""From the first to the last second of the pages' certificate; both count."""

WEB_BEFORE: Final = datetime.timedelta(days=60)
"""So much of that is past when it is signed: for a TV whose clock is behind."""

WEB: Final = "web.pem"
"""The pages' certificate, what signed it, and its key, in one file: they change at once."""

EVERY_IP: Final = ("0.0.0.0/0", "::/0")

PUBLIC: Final = 0o644
"""Mode of a certificate, which is no secret."""

SERVES: Final = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])


class Tls(NamedTuple):
    """A broker's files: the authority's certificate, its own and its key."""

    ca: Path
    cert: Path
    key: Path


class Authority:
    """Signs the certificates of one kit; only who trusts it is let in and lets others in."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> None:
        self._key = key
        self._certificate = certificate

    @classmethod
    def make(cls) -> Self:
        """Return a new one that is nowhere but in memory."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = _name("Mafia table kit")
        is_authority = x509.BasicConstraints(ca=True, path_length=1)
        certificate = (
            _unsigned(name, name, key.public_key())
            .add_extension(is_authority, critical=True)
            .add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
            .sign(key, hashes.SHA256())
        )
        return cls(key, certificate)

    @classmethod
    def kept(cls, folder: Path) -> Self:
        """Return the one kept in *folder*; if there is none, a new one that is kept from now on.

        :raises KitError: if one of its two files is missing or not what it should be.
        """
        key_file, certificate_file = folder / "ca.key", folder / "ca.crt"
        if not key_file.exists() and not certificate_file.exists():
            made = cls.make()
            write_private(key_file, _pem(made._key))
            _write_public(certificate_file, made._certificate)
            return made
        try:
            key = serialization.load_pem_private_key(key_file.read_bytes(), None)
            certificate = x509.load_pem_x509_certificate(certificate_file.read_bytes())
        except (OSError, ValueError, TypeError) as error:
            raise KitError(f"{folder}: ca.key and ca.crt of the kit: {error}") from error
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise KitError(f"{key_file}: expected an EC key, found another kind")
        if key.public_key() != certificate.public_key():
            raise KitError(f"{folder}: ca.key and ca.crt do not belong together")
        return cls(key, certificate)

    def fingerprint(self) -> str:
        """Return the SHA-256 of its certificate, as phones show it: pairs of digits."""
        return self._certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    def equip(self, folder: Path, *hosts: str) -> Tls:
        """Write what a broker needs into *folder*; *hosts* are the names it is called by.

        Each is a DNS name or an IP address, as on the nodes' cards.
        """
        key, certificate = self._server("broker", map(_host, hosts), HOLDS_FROM, HOLDS_UNTIL)
        files = Tls(folder / "ca.crt", folder / "broker.crt", folder / "broker.key")
        _write_public(files.ca, self._certificate)
        _write_public(files.cert, certificate)
        write_private(files.key, _pem(key))
        return files

    def delegate(self, folder: Path, now: datetime.datetime, *hosts: str) -> None:
        """Write into *folder* of a table's card what signs for its pages at *hosts*; and sign."""
        key = ec.generate_private_key(ec.SECP256R1())
        name, signed_by = _name("Mafia table pages"), self._certificate.subject
        certificate = (
            _unsigned(name, signed_by, key.public_key(), now - WEB_BEFORE)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
            .add_extension(SERVES, critical=False)
            .add_extension(_only([_host(host) for host in hosts]), critical=True)
            .add_extension(self._signer(), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        write_private(folder / "ca.key", _pem(key))
        write_private(folder / "ca.crt", _text(certificate))
        renew_web(folder, now)

    def sign_web(self, now: datetime.datetime) -> str:
        """Return, of an authority that was delegated, a new :data:`WEB`."""
        begins = max(now - WEB_BEFORE, self._certificate.not_valid_before_utc)
        names = self._certificate.extensions.get_extension_for_class(x509.NameConstraints)
        hosts = [_alone(name) for name in names.value.permitted_subtrees or ()]
        key, certificate = self._server("Mafia table", hosts, begins, begins + WEB_HOLDS)
        chain = (certificate, self._certificate)
        return "".join(_text(one) for one in chain) + _pem(key)

    def _server(
        self,
        name: str,
        hosts: Iterable[x509.GeneralName],
        begins: datetime.datetime,
        ends: datetime.datetime,
    ) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
        """Return a new key and its certificate, for a server that is called one of *hosts*."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = (
            _unsigned(_name(name), self._certificate.subject, key.public_key(), begins, ends)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage("digital_signature"), critical=True)
            .add_extension(SERVES, critical=False)
            .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
            .add_extension(self._signer(), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        return key, certificate

    def _signer(self) -> x509.AuthorityKeyIdentifier:
        return x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())


def renew_web(folder: Path, now: datetime.datetime) -> bool:
    """Sign the pages' certificate in *folder* anew if it is time; tell whether it was.

    Without an authority in *folder* there are no pages by TLS, and nothing is done.

    :raises KitError: if the authority is not what it should be.
    :raises OSError: if *folder* cannot be written.
    """
    if not (folder / "ca.crt").exists():
        return False
    ends = web_ends(folder)
    if ends is not None and now < ends - WEB_HOLDS / 3:
        return False
    write_private(folder / WEB, Authority.kept(folder).sign_web(now))
    return True


def web_ends(folder: Path) -> datetime.datetime | None:
    """Return when the pages' certificate in *folder* ends; None: there is none that is whole."""
    try:
        return x509.load_pem_x509_certificates((folder / WEB).read_bytes())[0].not_valid_after_utc
    except (OSError, ValueError):
        return None


def _unsigned(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    begins: datetime.datetime = HOLDS_FROM,
    ends: datetime.datetime = HOLDS_UNTIL,
) -> x509.CertificateBuilder:
    identifier = x509.SubjectKeyIdentifier.from_public_key(key)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(identifier, critical=False)
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _usage(*wanted: str) -> x509.KeyUsage:
    every = (
        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment"),
        *("key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
    )
    return x509.KeyUsage(**{use: use in wanted for use in every})


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _only(hosts: list[x509.GeneralName]) -> x509.NameConstraints:
    """Return that only *hosts* may be signed for, of names and of addresses."""
    names = [host for host in hosts if isinstance(host, x509.DNSName)]
    addresses: list[x509.GeneralName] = [
        x509.IPAddress(ipaddress.ip_network(host.value))
        for host in hosts
        if isinstance(host, x509.IPAddress)
    ]
    # Of a kind that is not named at all everything would be allowed.
    every_ip = [x509.IPAddress(ipaddress.ip_network(every)) for every in EVERY_IP]
    excluded = [*([] if names else [x509.DNSName("")]), *([] if addresses else every_ip)]
    return x509.NameConstraints([*names, *addresses], excluded or None)


def _alone(name: x509.GeneralName) -> x509.GeneralName:
    """Return the one host that the limit *name* allows."""
    if isinstance(name, x509.IPAddress):
        assert isinstance(name.value, ipaddress.IPv4Network | ipaddress.IPv6Network)
        return x509.IPAddress(name.value.network_address)
    return name


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def _text(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _write_public(path: Path, certificate: x509.Certificate) -> None:
    path.write_text(_text(certificate))
    path.chmod(PUBLIC)
