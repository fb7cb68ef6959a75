"""One process tree for one machine: starts the platform's processes, restarts what dies, ends all of them cleanly.

Each child leads a session of its own, so that Ctrl-C in the terminal reaches the supervisor alone and the order of the ending
is ours. On Linux a child also gets SIGTERM from the kernel when the supervisor itself is killed, and a process whose parent is
gone (the fork server of a killed worker) becomes the supervisor's, so that none is left when it ends. Why not a process manager
from the registry: those found expect their own configuration files and do not end children when they are killed themselves.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psutil

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ENDING_S = 15.0
ORPHAN_ENDING_S = 8.0
"""Above what the fork server takes to end its jobs."""
ERRAND_ENDING_S = 3.0
# A child that dies this often in a row, each time within QUICK_S, will not come back by itself.
MOST_QUICK_DEATHS = 5
QUICK_S = 10.0


_started: set[int] = set()
"""Ids of the processes that this one started itself; the others among its children are adopted."""


def _end_with_parent() -> None:
    """Runs in the child before exec: asks the kernel for SIGTERM when the supervisor is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def _start(
    command: Sequence[str], folder: Path, output: IO[bytes] | None, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        preexec_fn=_end_with_parent,  # noqa: PLW1509 - the supervisor has one thread
    )
    _started.add(process.pid)
    return process


@dataclass
class Service:
    """One long-running process of the platform."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    is_ready: Callable[[], bool] = lambda: True
    """Asked repeatedly after the start; must not block for long."""
    is_needed_to_end: bool = False
    """Whether the others end only while it is there, as workers do with their broker."""


@dataclass
class _Child:
    service: Service
    process: subprocess.Popen[bytes]
    started_at: float
    num_quick_deaths: int = 0


@contextlib.contextmanager
def short_process(command: Sequence[str], folder: Path, output: IO[bytes] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A command that ends by itself, and at the latest with the context: it and all it started."""
    process = _start(command, folder, output)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ERRAND_ENDING_S)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class ServiceFailedError(Exception):
    """A service did not come up, or died too often; the message holds the end of its log."""


class Supervisor:
    """Keeps services running until it is stopped."""

    def __init__(self, *, folder: Path, logs: Path, report: Callable[[str], None]) -> None:
        self._folder = folder
        self._logs = logs
        self._report = report
        self._children: list[_Child] = []
        self._adopts = False
        logs.mkdir(parents=True, exist_ok=True)

    def start(self, service: Service, *, timeout_s: float = 60.0) -> None:
        """Starts a service and waits until it is ready.

        Raises:
            ServiceFailedError: it ended, or was not ready in time.
        """
        child = _Child(service, self._spawn(service), time.monotonic())
        self._children.append(child)
        deadline = time.monotonic() + timeout_s
        while not service.is_ready():
            if child.process.poll() is not None or time.monotonic() > deadline:
                raise ServiceFailedError(f"{service.name} did not start:\n{self.log_tail(service.name)}")
            time.sleep(0.05)

    def watch(self) -> None:
        """Restarts children that ended.

        Raises:
            ServiceFailedError: one of them dies again and again.
        """
        for child in self._children:
            status = child.process.poll()
            if status is None:
                continue
            now = time.monotonic()
            child.num_quick_deaths = child.num_quick_deaths + 1 if now - child.started_at < QUICK_S else 1
            name = child.service.name
            if child.num_quick_deaths >= MOST_QUICK_DEATHS:
                raise ServiceFailedError(f"{name} ended {child.num_quick_deaths} times in a row:\n{self.log_tail(name)}")
            self._report(f"{name} ended with status {status}; starting it again")
            child.process, child.started_at = self._spawn(child.service), now
        self._reap_orphans()

    def stop(self) -> None:
        """Ends all children in reverse order of their start; what does not end in time is killed with its whole session.

        Descendants that outlived their own parents are ended last.
        """
        for is_needed in (False, True):
            self._end([child for child in reversed(self._children) if child.service.is_needed_to_end == is_needed])
        self._children.clear()
        self._end_orphans()

    @staticmethod
    def _end(children: Sequence[_Child]) -> None:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                child.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + ENDING_S
        for child in children:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(max(0.1, deadline - time.monotonic()))
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.wait()

    def adopt_orphans(self) -> None:
        """Makes this process, for the rest of its life, the parent of all descendants whose own parent is gone (Linux)."""
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
            self._adopts = True

    def _reap_orphans(self) -> None:
        """Takes note of the ends of adopted processes, which would stay as zombies."""
        while self._adopts:
            with contextlib.suppress(ChildProcessError):
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None and ended.si_pid not in _started:
                    os.waitpid(ended.si_pid, 0)
                    continue
            return

    def _end_orphans(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL) if self._adopts else ():
            left = psutil.Process().children(recursive=True)
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.send_signal(number)
            psutil.wait_procs(left, timeout=ORPHAN_ENDING_S)

    def log_tail(self, name: str, num_lines: int = 15) -> str:
        """The end of a service's log."""
        path = self._logs / f"{name}.log"
        return "\n".join(path.read_text(errors="replace").splitlines()[-num_lines:]) if path.exists() else ""

    def _spawn(self, service: Service) -> subprocess.Popen[bytes]:
        path = self._logs / f"{service.name}.log"
        with path.open("ab") as log:
            return _start(service.command, self._folder, log, service.environment)
