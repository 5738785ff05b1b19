"""A PostgreSQL of our own: a private cluster on a free port, gone with the tests."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

USER = "mafia"


def program(name: str) -> str | None:
    """Return where PostgreSQL's *name* is: Debian keeps it off the PATH."""
    there = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(there[-1]) if there else shutil.which(name)


def missing() -> str:
    """Return why there can be no cluster; "": nothing keeps it."""
    if program("initdb") is None:
        return "PostgreSQL is not installed: apt-get install postgresql"
    return ""


class Cluster:
    """The server; *port* and *password* let :data:`USER` in."""

    def __init__(self) -> None:
        # Not pytest's own folder: the server's user has to come in, and sockets have short names.
        self.folder = Path(tempfile.mkdtemp(prefix="mafia-postgres-"))
        self.password = secrets.token_urlsafe(12)
        self._shared = ""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._as_user = ["setpriv", "--pdeathsig", "INT"]
        if os.geteuid() == 0:
            # PostgreSQL refuses to run as root.
            shutil.chown(self.folder, "postgres", "postgres")
            self._as_user += ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
        secret = self.folder / "password"
        secret.write_text(self.password)
        secret.chmod(0o644)
        subprocess.run(
            [
                *self._as_user, str(program("initdb")), "--no-sync", "--username", USER,
                "--pgdata", str(self.folder / "data"), "--encoding=UTF8", "--locale=C.UTF-8",
                "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={secret}",
            ],
            check=True, capture_output=True, cwd=self.folder,
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start the server; it answers when this returns."""
        self.server = subprocess.Popen(
            [
                *self._as_user, str(program("postgres")), "-D", str(self.folder / "data"),
                "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
                "-c", f"unix_socket_directories={self.folder}", "-c", "shared_buffers=16MB",
            ],
            stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        assert self.server.stderr is not None
        told = []
        for line in self.server.stderr:
            told.append(line)
            if "ready to accept connections" in line:
                break
        else:
            raise AssertionError("".join(told))
        # So that it can go on telling.
        self._drain = threading.Thread(target=self.server.stderr.read)
        self._drain.start()

    def stop(self) -> None:
        """Stop the server at once, whoever is connected."""
        self.server.send_signal(signal.SIGINT)
        self.server.wait(30)
        self._drain.join(30)
        assert self.server.stderr is not None
        self.server.stderr.close()

    def children(self) -> list[int]:
        """Return the processes of the server, its own first."""
        pid = self.server.pid
        told = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [pid, *map(int, told.split())]

    def remove(self) -> None:
        """Stop the server and remove all of it."""
        self.stop()
        shutil.rmtree(self.folder)

    def do(self, *statements: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run *statements* as the server's owner; return the rows of the last one."""
        import psycopg

        with psycopg.connect(
            host=str(self.folder), port=self.port, user=USER, dbname=database, autocommit=True
        ) as db:
            for each in statements:
                found = db.execute(each.encode())
            return found.fetchall() if found.description else []

    def new(self, how: str = "locale_provider icu icu_locale 'de-DE' locale 'C'") -> str:
        """Make an empty database, which sorts as a German club's does; return its URL."""
        name = f"club_{secrets.token_hex(4)}"
        self.do(f"create database {name} template template0 {how}")
        return self.url(name)

    def emptied(self) -> str:
        """Return the URL of one such database that all tests share, empty now."""
        if not self._shared:
            self._shared = self.new()
        self.do(
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()",
            "drop schema public cascade",
            "create schema public",
            database=self._shared.rpartition("/")[2],
        )
        return self._shared

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://{USER}:{self.password}@127.0.0.1:{self.port}/{name}"
