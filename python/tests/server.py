"""A PostgreSQL server of a test's own: in a temporary folder, on a free port of this machine."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def programs() -> Path | None:
    """The folder of `initdb` and `postgres`."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("postgres")
    if found:
        places.append(Path(found).resolve().parent)
    return next((p for p in places if (p / "initdb").exists() and (p / "postgres").exists()), None)


def _user() -> dict[str, int]:
    """The server refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid}
    raise RuntimeError("there is no user for the server")


class Server:
    """A server that can be stopped and started again."""

    def __init__(self) -> None:
        folder = programs()
        assert folder is not None
        self.programs = folder
        self.folder = Path(tempfile.mkdtemp(prefix="ludex-pg-"))
        self.user = _user()
        if self.user:
            os.chown(self.folder, self.user["user"], self.user["group"])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._run("initdb", "-U", "ludex", "-A", "trust", "--no-sync", "-D", str(self.folder / "data")).wait()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(self.programs / program), *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            extra_groups=[] if self.user else None,
            start_new_session=True,
            **self.user,  # type: ignore[arg-type]
        )

    @property
    def url(self) -> str:
        return f"postgres://ludex@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        self.process = self._run(
            "postgres", "-D", str(self.folder / "data"), "-k", str(self.folder), "-c", "fsync=off",
            "-c", "listen_addresses=127.0.0.1", "-p", str(self.port),
        )  # fmt: skip
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server does not come up")

    def stop(self) -> None:
        """Fast shutdown: connections are ended."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)
            self.process = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
