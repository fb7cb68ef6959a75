"""Starts the warm fork server of this host when none answers, and connects to it.

The server (``engine.forkserver``) has torch imported already, so a job starts in milliseconds instead of seconds. One server
a host and home; a lock file settles who starts it. It ends when the process that started it is gone: that is the main process
of the worker, which starts it ahead of the first job (``studio.config.celery``), or whoever finds it dead.

Wire: the client sends one JSON line ``{"workdir": path, "num_threads": n}``; the server answers ``{"pid": n}`` when the child
is forked and later ``{"exit_code": n}`` or ``{"signal": n}``. Closing the connection kills the child.
"""

from __future__ import annotations

import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from studio.common.sockets import socket_path

START_S = 120.0
"""How long torch may take to be imported on a cold disk."""
CONNECT_S = 2.0

_log = logging.getLogger(__name__)
_has_failed = threading.Event()
_servers: list[subprocess.Popen[bytes]] = []
"""Those that this process started."""


def forkserver_connect() -> socket.socket | None:
    """A connection to the server, which is started when needed; None where it cannot be used."""
    if not hasattr(os, "fork") or _has_failed.is_set():
        return None
    path = socket_path(Path(settings.HOME), "forkserver.sock")
    connection = _connected(path)
    if connection is not None:
        return connection
    with _locked(path.with_suffix(".lock")):
        connection = _connected(path) or _started(path)
    if connection is None:
        _has_failed.set()  # asked again by the next worker process, not by each job
        _log.error("the fork server does not start; jobs of this worker pay the import of torch each time")
    return connection


def forkserver_warm() -> None:
    """Starts the server ahead of the first job, without waiting for it."""

    def start() -> None:
        connection = forkserver_connect()
        if connection is not None:
            connection.close()

    threading.Thread(target=start, name="forkserver-start", daemon=True).start()


def engine_environment(num_threads: int) -> dict[str, str]:
    """What an engine process inherits: no address and no secret of the platform.

    Threads that wait for one another spin briefly, then sleep. Where they spin as long as they would by themselves while others
    have the cores, small steps take ten times as long; where they sleep at once, steps on idle cores take a third longer.
    """
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MODELYARD_", "DJANGO_", "CELERY_"))}
    own = {"OMP_NUM_THREADS": str(num_threads), "GOMP_SPINCOUNT": "3000", "PYTHONUNBUFFERED": "1"}
    return {**inherited, **own}


def _connected(path: Path) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_S)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        return None
    return connection


def _started(path: Path) -> socket.socket | None:
    """Starts the server and waits until it answers."""
    path.unlink(missing_ok=True)
    with path.with_suffix(".log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "engine.forkserver", str(path), str(os.getpid())],
            cwd=settings.REPOSITORY_DIR,
            env=engine_environment(1),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C in a terminal is for the platform, which then ends the server
        )
    _servers.append(process)
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        connection = _connected(path)
        if connection is not None:
            return connection
        if process.poll() is not None:
            _log.error("the fork server ended with %s; see %s", process.returncode, path.with_suffix(".log"))
            return None
        time.sleep(0.02)
    process.kill()
    process.wait()
    return None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    import fcntl  # noqa: PLC0415 - not there on Windows, where this is not reached

    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
