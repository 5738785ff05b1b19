"""Keys by which the table updates the nodes over SSH, as the card maker makes them.

The table's card holds the private key and the host keys of its nodes; each node's card
holds the public one, tied to the single program that receives a kit
(firmware/image/receive.py): no shell, no forwarding, no other command.

A node is known by its user (``node-01``), not by its address, so a host key stays right
whatever network the table stands in.

Source: sshd(8) AUTHORIZED_KEYS FILE FORMAT and SSH_KNOWN_HOSTS FILE FORMAT;
ssh_config(5) HostKeyAlias.
"""

from typing import Final, NamedTuple

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

IDENTITY: Final = "id_ed25519"
"""The private key, in the folder ``update`` of the table's card and of /etc/mafia."""

KNOWN_HOSTS: Final = "known_hosts"
"""The nodes' host keys, beside it: whom the table may update."""

RECEIVE: Final = (
    "sudo -n /opt/mafia/current/bin/python -I -m firmware.image.receive $SSH_ORIGINAL_COMMAND"
)
"""What the key may start on a node. The shell takes what was asked for apart into words and
reads nothing else into it; the words are the program's to refuse."""


class KeyPair(NamedTuple):
    """A key as OpenSSH keeps it, for a user or for a host."""

    private: str
    """The file ``id_ed25519``, or ``ed25519_private`` of cloud-init's *ssh_keys*. Secret."""
    public: str
    """One line without its end: ``ssh-ed25519 AAAA... comment``."""


def make_key_pair(comment: str) -> KeyPair:
    """Return a new key; *comment* says in plain words whose it is.

    :raises ValueError: if *comment* is no single word.
    """
    if comment.split() != [comment]:
        raise ValueError(f"comment of a key: expected one word, found {comment!r}")
    key = ed25519.Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.OpenSSH,
        serialization.NoEncryption(),
    )
    public = key.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    return KeyPair(private.decode(), f"{public.decode()} {comment}")


def authorized_keys_line(public: str, *, command: str = RECEIVE) -> str:
    """Return the line, without its end, that lets a key do nothing but start *command*.

    *public* is :attr:`KeyPair.public`. The line is one of ``ssh_authorized_keys`` of the
    nodes' admin user (cloud-init), never of the table's.

    :raises ValueError: if *public* or *command* would make it say anything else.
    """
    if not public.startswith("ssh-ed25519 ") or not public.isprintable():
        raise ValueError(f"public key: expected one line 'ssh-ed25519 ...', found {public[:40]!r}")
    if '"' in command or "\\" in command or not command.isprintable():
        raise ValueError(f"command of a key: no quotes or line ends allowed: {command!r}")
    return f'restrict,command="{command}" {public}'


def known_hosts_line(user: str, public: str) -> str:
    """Return the line, without its end, by which the table knows the host key of *user*.

    :raises ValueError: if *user* is no single word without commas and wildcards.
    """
    if user.split() != [user] or any(each in user for each in ",*?!|#@"):
        raise ValueError(f"known host: expected a user like 'node-01', found {user!r}")
    kind, key, *_ = public.split()
    return f"{user} {kind} {key}"


def known_users(known_hosts: str) -> tuple[str, ...]:
    """Return the users whose host keys a file *known_hosts* holds, each once, in its order."""
    lines = (line.split() for line in known_hosts.splitlines())
    names = (words[0] for words in lines if len(words) >= 3 and words[0][0] not in "#@|")
    return tuple(dict.fromkeys(names))
