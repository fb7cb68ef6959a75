"""The agent of a device: each round collects usage, uploads it, reports the device's state and installs the assigned model."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import VERSION
from .files import json_read, json_write
from .outbox import MAX_BYTES, Outbox
from .platform_api import PlatformApi, RefusedError, UnreachableError
from .server import Server
from .updates import SETTLE_S, Updates
from .usage import Usage

POLL_S = 10.0
COLLECT_S = 60.0
MAX_POLL_S = 300.0
STATE_DIR = "device"
DEVICE_FILE = "device.json"
SETTINGS_FILE = "settings.json"
REMOVED = frozenset({401, 404})

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How to start the server: options of the agent's command line."""

    host: str
    port: int
    others: tuple[str, ...]


class Agent:
    """Runs until ``stop`` is called."""

    def __init__(
        self, home: Path, options: ServerOptions, *, max_outbox_bytes: int = MAX_BYTES, settle_s: float = SETTLE_S
    ) -> None:
        self._state = home / STATE_DIR
        self._options = options
        joined = json_read(self._state / DEVICE_FILE)
        self._api = PlatformApi(joined["url"], joined["key"]) if joined else None
        self._settings = json_read(self._state / SETTINGS_FILE)
        self._outbox = Outbox(self._state / "outbox", max_bytes=max_outbox_bytes)
        self._usage = Usage(self._state / "log", self._state / "usage.json", self._outbox)
        self._server = Server(home, self._state / "server.json", self._arguments(), port=options.port)
        self._updates = Updates(home, self._state, self._server, settle_s=settle_s, on_wait=self._show_updating)
        self._stopping = threading.Event()
        self._collected_at = 0.0
        self._beaten_at = 0.0

    def run(self) -> None:
        """Runs the server and, if the device has joined a platform, reports to it."""
        self._server.start()
        try:
            self._updates.recover()
            while not self._stopping.is_set():
                try:
                    self.step()
                except OSError:
                    # The edge of a round: a full disk must not end the agent, which may free it in the next one.
                    logger.exception("a round failed")
                self._stopping.wait(min(MAX_POLL_S, max(1.0, float(self._settings.get("poll_s") or POLL_S))))
        finally:
            self._server.stop()

    def stop(self) -> None:
        """Ends ``run`` after the current round."""
        self._stopping.set()

    def step(self) -> None:
        """One round. What cannot be sent stays in the outbox for the next."""
        now = time.monotonic()
        if now - self._collected_at >= float(self._settings.get("collect_s") or COLLECT_S):
            self._usage.collect(sends_inputs=bool(self._settings.get("sends_inputs")))
            self._collected_at = now
        if self._api is None:
            return
        try:
            assigned = self._beat(self._api)
            self._send(self._api)
            if assigned is not None and not self._server.runs(assigned) and not self._updates.failure(assigned):
                self._report(self._api, assigned, "updating")
                self._updates.advance(assigned, self._api)
                self._beat(self._api)
        except UnreachableError as error:
            logger.warning("the platform cannot be reached, %d entries wait: %s", len(self._outbox), error)
        except RefusedError as error:
            if error.status not in REMOVED:
                raise
            logger.warning("the platform does not know this device any more; it goes on serving: %s", error)

    def _beat(self, api: PlatformApi) -> dict[str, Any] | None:
        assigned = self._settings.get("assigned")
        failure = self._updates.failure(assigned)
        answer = self._report(api, assigned, "failed" if failure else "serving" if self._server.model else "starting")
        settings = {name: answer.get(name) for name in ("assigned", "sends_inputs", "poll_s", "collect_s")}
        if settings != self._settings:
            self._settings = settings
            json_write(self._state / SETTINGS_FILE, settings)
            self._server.restart(self._arguments())
        return settings["assigned"]

    def _show_updating(self) -> None:
        if self._api is not None and time.monotonic() - self._beaten_at > POLL_S:
            try:
                self._report(self._api, self._settings.get("assigned"), "updating")
            except (UnreachableError, RefusedError) as error:
                logger.warning("the platform does not hear of the update: %s", error)

    def _report(self, api: PlatformApi, assigned: Mapping[str, Any] | None, state: str) -> dict[str, Any]:
        failure = self._updates.failure(assigned)
        self._beaten_at = time.monotonic()
        return api.beat(
            {
                "version": VERSION,
                "state": state,
                "model": self._server.model,
                "attached": self._server.attached,
                "backend": self._server.backend,
                "memory_mib": self._server.memory_mib(),
                "num_restarts": self._server.num_restarts,
                "num_waiting": len(self._outbox),
                "num_dropped": self._outbox.dropped,
                "attempt": assigned["attempt"] if assigned else None,
                "error": {"code": failure.code, "detail": failure.detail} if failure else None,
            }
        )

    def _send(self, api: PlatformApi) -> None:
        for entry in self._outbox.entries():
            try:
                if entry.kind == "item":
                    api.item(entry.about, entry.data)
                else:
                    api.usage(entry.about)
            except RefusedError as error:
                if error.status in REMOVED:
                    raise
                logger.warning("the platform does not take %s: %s", entry.path.name, error)
                self._outbox.drop(entry)
            else:
                self._outbox.remove(entry)

    def _arguments(self) -> list[str]:
        keep = "uncertain" if self._settings.get("sends_inputs") else "none"
        log = ["--log", str(self._state / "log"), "--keep-inputs", keep, "--min-uncertainty", "0.3"]
        return ["--host", self._options.host, *log, *self._options.others]
