"""Installs the model that the platform assigned: downloads, checks and watches it, and rolls back a model that fails."""

from __future__ import annotations

import hashlib
import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .files import json_read, json_write
from .platform_api import PlatformApi, RefusedError
from .server import Server

LOAD_TIMEOUT_S = 90.0
"""How long the server may take to load the new model."""
SETTLE_S = 20.0
"""How long it is watched before the update counts as done."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an update was given up, with a stable code."""

    code: str
    detail: str


class UpdateFailedError(Exception):
    """An update failed, with a stable code."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Updates:
    """At most one update at a time."""

    def __init__(self, home: Path, folder: Path, server: Server, *, settle_s: float, on_wait: Callable[[], None]) -> None:
        """Prepares updates of a device.

        Args:
            home: the bundle's folder.
            folder: of the agent's state.
            server: which loads installed models by itself.
            settle_s: how long a new model is watched before the update counts as done.
            on_wait: called several times a second during an update.
        """
        self._home = home
        self._folder = folder
        self._server = server
        self._settle_s = settle_s
        self._on_wait = on_wait
        self._failed_file = folder / "failed.json"
        self._pending_file = folder / "pending.json"

    def failure(self, assigned: Mapping[str, Any] | None) -> Failure | None:
        """Why the update to the assigned model was given up; None if it was not."""
        failed = json_read(self._failed_file)
        if assigned is None or failed.get("attempt") != assigned["attempt"]:
            return None
        return Failure(str(failed["code"]), str(failed["detail"]))

    def recover(self) -> None:
        """After a start: continues to watch an update that was interrupted, as the new model may have caused the crash."""
        pending = json_read(self._pending_file)
        if pending:
            self._watch(pending)

    def advance(self, assigned: Mapping[str, Any], api: PlatformApi) -> None:
        """Installs the assigned model, or records why that failed.

        Raises:
            UnreachableError: the download was interrupted; the part that has arrived is kept.
        """
        try:
            file = self._fetched(assigned, api)
            pending = {name: assigned[name] for name in ("attempt", "model", "attached") if name in assigned}
            json_write(self._pending_file, pending)
            self._installed(file, assigned)
            file.unlink(missing_ok=True)
            self._watch(dict(assigned))
        except RefusedError as error:
            self._give_up(assigned, error.code, str(error))
        except UpdateFailedError as error:
            self._give_up(assigned, error.code, str(error))

    def _fetched(self, assigned: Mapping[str, Any], api: PlatformApi) -> Path:
        file = self._folder / "downloads" / f"{assigned['sha256']}.zip"
        if not file.exists():
            partial = file.with_suffix(".part")
            for left in file.parent.glob("*"):
                if left != partial:
                    left.unlink()
            api.download(str(assigned["path"]), partial)
            with partial.open("rb") as read:
                sha256 = hashlib.file_digest(read, "sha256").hexdigest()
            if sha256 != assigned["sha256"]:
                partial.unlink()
                raise UpdateFailedError("download_damaged", "the file that arrived is not the one that was sent")
            partial.replace(file)
        return file

    def _installed(self, file: Path, assigned: Mapping[str, Any]) -> None:
        allowed = ["--allow-other-labels"] if assigned.get("allows_other_labels") else []
        answer = self._command(str(file), *allowed)
        if "code" in answer:
            file.unlink(missing_ok=True)
            raise UpdateFailedError(str(answer["code"]), str(answer.get("detail", "")))
        self._server.reset_starts()

    def _watch(self, assigned: Mapping[str, Any]) -> None:
        """Waits until the server answers with the new model, and a while longer; rolls back if it does not."""
        self._wait_while(lambda: not self._server.runs(assigned), LOAD_TIMEOUT_S)
        self._wait_while(lambda: self._server.runs(assigned), self._settle_s)
        if self._server.runs(assigned) and not self._server.is_unstable():
            self._pending_file.unlink(missing_ok=True)
            logger.info("%s answers", assigned["model"])
            return
        answer = self._command("--rollback")
        self._server.reset_starts()
        self._give_up(assigned, "model_unstable", f"the server did not run with the new model; back to {answer.get('model')}")

    def _wait_while(self, condition: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while condition() and time.monotonic() < until and not self._server.is_unstable():
            time.sleep(0.2)
            self._on_wait()

    def _give_up(self, assigned: Mapping[str, Any], code: str, detail: str) -> None:
        logger.error("the update to %s was given up: %s: %s", assigned["model"], code, detail)
        json_write(self._failed_file, {"attempt": assigned["attempt"], "code": code, "detail": detail[:500]})
        self._pending_file.unlink(missing_ok=True)

    def _command(self, *arguments: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "server", "update", *arguments]
        done = subprocess.run(command, cwd=self._home, capture_output=True, text=True, encoding="utf-8", check=False)
        try:
            answer = json.loads(done.stdout.strip().rpartition("\n")[2])
        except ValueError:
            answer = {"code": "update_crashed", "detail": (done.stderr or done.stdout)[-500:]}
        return answer if isinstance(answer, dict) else {}
