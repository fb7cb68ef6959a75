"""An engine process seen from outside: forked from the warm server, or spawned where there is none."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from django.conf import settings

from studio.jobs.forkserver import engine_environment, forkserver_connect
from studio.jobs.workdir import LOG_FILE

FORK_S = 30.0
KILL_S = 5.0


@dataclass(frozen=True)
class Exit:
    """How a process ended; both None when the server that watched it is gone."""

    code: int | None = None
    signal: int | None = None

    @property
    def text(self) -> str:
        """For people: the signal by name."""
        if self.signal is not None:
            try:
                return f"signal {signal.Signals(self.signal).name}"
            except ValueError:
                return f"signal {self.signal}"
        return "loss of the process that watched it" if self.code is None else f"exit status {self.code}"


class Child(Protocol):
    """A running engine process."""

    def wait(self, timeout_s: float) -> Exit | None:
        """How it ended, or None when it still runs after the time."""

    def kill(self) -> None:
        """Ends it by force; nothing happens when it has ended."""


class ForkedChild:
    """A child of the fork server; the connection is its life."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""
        self._pid: int | None = None
        self._exit: Exit | None = None

    def start(self, workdir: Path, num_threads: int) -> bool:
        """Asks for the child; False when the server does not fork one in time."""
        request = json.dumps({"workdir": str(workdir), "num_threads": num_threads}) + "\n"
        try:
            self._connection.sendall(request.encode())
        except OSError:
            self._connection.close()
            return False
        line = self._line(FORK_S)
        if line is None or "pid" not in line:
            self._connection.close()
            return False
        self._pid = int(line["pid"])
        return True

    def wait(self, timeout_s: float) -> Exit | None:
        """Waits for the server's line."""
        deadline = time.monotonic() + timeout_s
        while self._exit is None and (left := deadline - time.monotonic()) >= 0:
            line = self._line(left)
            if line is None:
                return self._exit
            if "exit_code" in line:
                self._exit = Exit(code=int(line["exit_code"]))
            elif "signal" in line:
                self._exit = Exit(signal=int(line["signal"]))
        return self._exit

    def kill(self) -> None:
        """Kills the child and waits until the server has seen it gone: its directory must be free for the next attempt."""
        if self._exit is None and self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            self.wait(KILL_S)
        self._connection.close()
        self._exit = self._exit or Exit(signal=int(signal.SIGKILL))

    def _line(self, timeout_s: float) -> dict[str, int | str] | None:
        while b"\n" not in self._rest:
            readable, _, _ = select.select([self._connection], [], [], timeout_s)
            if not readable:
                return None
            try:
                piece = self._connection.recv(4096)
            except OSError:
                piece = b""
            if not piece:
                self._exit = Exit()
                return None
            self._rest += piece
        line, self._rest = self._rest.split(b"\n", 1)
        parsed: dict[str, int | str] = json.loads(line)
        return parsed


class SpawnedChild:
    """``python -m engine.run WORKDIR`` as a child of this process."""

    def __init__(self, workdir: Path, num_threads: int) -> None:
        with (workdir / LOG_FILE).open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "engine.run", str(workdir), str(os.getpid())],
                cwd=settings.REPOSITORY_DIR,
                env=engine_environment(num_threads),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self, timeout_s: float) -> Exit | None:
        """Waits for the process."""
        try:
            status = self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return None
        return Exit(signal=-status) if status < 0 else Exit(code=status)

    def kill(self) -> None:
        """Kills the process."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


def child_start(workdir: Path, *, num_threads: int) -> Child:
    """Starts the engine on a working directory."""
    connection = forkserver_connect()
    if connection is not None:
        child = ForkedChild(connection)
        if child.start(workdir, num_threads):
            return child
    return SpawnedChild(workdir, num_threads)
