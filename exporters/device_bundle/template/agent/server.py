"""The watchdog: restarts a server that has ended, and ends one that no longer answers."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .files import json_read, json_write

CHECK_EVERY_S = 1.0
HEALTH_TIMEOUT_S = 5.0
MAX_FAILED_CHECKS = 5
"""Health checks in a row without an answer, after which a server that had answered is ended."""
START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 35.0
MAX_WAIT_S = 30.0
UNSTABLE_STARTS = 3
UNSTABLE_WITHIN_S = 120.0
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Without the environment's proxy, which cannot reach ports of this machine."""

logger = logging.getLogger(__name__)


class Server:
    """The bundle's server, a process that outlives an agent that is killed; the next agent finds it by its process id."""

    def __init__(self, home: Path, state: Path, arguments: Sequence[str], *, port: int) -> None:
        self._home = home
        self._state_file = state
        self._arguments = list(arguments)
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._starts: list[float] = []
        self._started_at = 0.0
        self._num_failed_checks = 0
        self._has_answered = False
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
        self.health: dict[str, Any] = {}
        """Its last health answer; empty when it does not answer."""
        self.num_restarts = 0

    def start(self) -> None:
        """Starts the watchdog, which starts the server."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the watchdog and the server."""
        self._stopping.set()
        self._thread.join()
        self._end()

    def restart(self, arguments: Sequence[str]) -> None:
        """Restarts the server if its arguments have changed."""
        with self._lock:
            if list(arguments) == self._arguments:
                return
            self._arguments = list(arguments)
            self._end()

    @property
    def model(self) -> str:
        """Id of the model that answers; empty when none does."""
        return next(iter(self.health.get("models", {}).values()), "")

    @property
    def attached(self) -> dict[str, Any]:
        """The states of what goes with the model, by kind: a gallery, templates."""
        return next(iter(self.health.get("attached", {}).values()), {})

    def runs(self, assigned: Mapping[str, Any]) -> bool:
        """Whether what is assigned answers: the model, and of what goes with it all that the platform names."""
        attached = assigned.get("attached") or {}
        return self.model == assigned["model"] and all(self.attached.get(kind) == attached[kind] for kind in attached)

    @property
    def backend(self) -> str:
        """Name of the backend that runs the model."""
        return next(iter(self.health.get("backends", {}).values()), "")

    def is_unstable(self) -> bool:
        """Whether it ended several times within a short while."""
        return len([at for at in self._starts if time.monotonic() - at < UNSTABLE_WITHIN_S]) > UNSTABLE_STARTS

    def reset_starts(self) -> None:
        """Forgets earlier restarts: they were those of another model."""
        self._starts.clear()

    def memory_mib(self) -> float | None:
        """Resident memory of the server; None on systems without ``/proc``."""
        try:
            lines = Path(f"/proc/{self._pid()}/status").read_text(encoding="ascii").splitlines()
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))
        except (OSError, StopIteration, ValueError):
            return None

    def _run(self) -> None:
        while not self._stopping.wait(CHECK_EVERY_S if self._has_answered else CHECK_EVERY_S / 4):
            try:
                self._check()
            except Exception:
                # The edge of the thread: a watchdog that ends watches nothing.
                logger.exception("the server could not be checked")

    def _check(self) -> None:
        with self._lock:
            if not self._is_alive():
                self.health = {}
                self._begin()
                return
            self.health = self._health_read()
            if self.health:
                self._num_failed_checks, self._has_answered = 0, True
                return
            self._num_failed_checks += 1
            is_late = not self._has_answered and time.monotonic() - self._started_at > START_TIMEOUT_S
            if is_late or (self._has_answered and self._num_failed_checks >= MAX_FAILED_CHECKS):
                logger.error("the server does not answer any more and is started again")
                self._end()

    def _health_read(self) -> dict[str, Any]:
        try:
            with _DIRECT.open(f"http://127.0.0.1:{self._port}/health", timeout=HEALTH_TIMEOUT_S) as answer:
                answer_json = json.load(answer)
        except (OSError, ValueError):
            return {}
        return answer_json if isinstance(answer_json, dict) else {}

    def _begin(self) -> None:
        wait_s = min(MAX_WAIT_S, 2.0 ** (len(self._starts[-6:]) - 2)) if self.is_unstable() else 0.0
        if self._stopping.wait(wait_s):
            return
        command = [sys.executable, "-m", "server", "--port", str(self._port), *self._arguments]
        self._process = subprocess.Popen(command, cwd=self._home, start_new_session=True)
        json_write(self._state_file, {"pid": self._process.pid})
        self.num_restarts += bool(self._starts)
        self._starts = [*self._starts[-9:], time.monotonic()]
        self._started_at, self._num_failed_checks, self._has_answered = time.monotonic(), 0, False
        logger.info("the server starts as process %d", self._process.pid)

    def _is_alive(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        return _is_server(self._pid(), self._home)

    def _pid(self) -> int:
        return self._process.pid if self._process is not None else int(json_read(self._state_file).get("pid", 0))

    def _end(self) -> None:
        with self._lock:
            pid = self._pid()
            for number in (signal.SIGTERM, signal.SIGKILL):
                if not self._is_alive():
                    break
                os.kill(pid, number)
                until = time.monotonic() + STOP_TIMEOUT_S
                while self._is_alive() and time.monotonic() < until:
                    time.sleep(0.05)
            self.health = {}


def _is_server(pid: int, home: Path) -> bool:
    """Whether a process is the server of this folder: numbers of processes are used again."""
    if pid <= 0:
        return False
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return command[1:3] == [b"-m", b"server"] and Path(f"/proc/{pid}/cwd").resolve() == home.resolve()
    except OSError:
        return False
