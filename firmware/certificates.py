"""The kit's own certificate authority and what it signs: the TLS of the link.

A table has no internet and a Pi no clock of its own: it may start in 1970, and a
certificate that ran out would end a club's evening. So these hold at any time; a
card that was lost gets another password, and a kit that was lost another authority.

The authority's key signs when cards are made. It is never written to a card.

Source: RFC 5280 4.1.2.5 (no well-defined expiration), 4.2.1 (extensions that a
strict check, as of Python 3.13, asks for).
"""

import datetime
import ipaddress
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

PUBLIC: Final = 0o644
"""Mode of a certificate, which is no secret."""


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
        is_authority = x509.BasicConstraints(ca=True, path_length=0)
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

    def equip(self, folder: Path, *hosts: str) -> Tls:
        """Write what a broker needs into *folder*; *hosts* are the names it is called by.

        Each is a DNS name or an IP address, as on the nodes' cards.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
        certificate = (
            _unsigned(_name("broker"), self._certificate.subject, key.public_key())
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage("digital_signature"), critical=True)
            .add_extension(server, critical=False)
            .add_extension(x509.SubjectAlternativeName(map(_host, hosts)), critical=False)
            .add_extension(signer, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        files = Tls(folder / "ca.crt", folder / "broker.crt", folder / "broker.key")
        _write_public(files.ca, self._certificate)
        _write_public(files.cert, certificate)
        write_private(files.key, _pem(key))
        return files


def _unsigned(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    identifier = x509.SubjectKeyIdentifier.from_public_key(key)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(HOLDS_FROM)
        .not_valid_after(HOLDS_UNTIL)
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


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def _write_public(path: Path, certificate: x509.Certificate) -> None:
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    path.chmod(PUBLIC)
