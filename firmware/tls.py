"""TLS of a node's link: only a broker that the kit's own authority signed for is trusted."""

import ssl
from pathlib import Path

from firmware.errors import LinkError


def context(ca: Path) -> ssl.SSLContext:
    """Return what trusts the authority of *ca* and nobody else.

    :raises LinkError: if *ca* cannot be read or is no certificate.
    """
    try:
        trusting = ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise LinkError(f"certificate {ca}: {error}") from error
    trusting.minimum_version = ssl.TLSVersion.TLSv1_2
    trusting.verify_flags |= ssl.VERIFY_X509_STRICT  # as Python 3.13 does by itself
    trusting.sslsocket_class = _Socket
    return trusting


class _Socket(ssl.SSLSocket):
    """Closes itself if its handshake fails; paho would leave that to the collector."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise
