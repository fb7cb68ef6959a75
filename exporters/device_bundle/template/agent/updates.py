"""Brings the model that the platform assigned: fetched, checked, tried, and taken back where it does not hold."""

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

TAKE_OVER_S = 90.0
"""How long the server may take to load the new model."""
SETTLE_S = 20.0
"""How long it is watched before the update counts as done."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an update was given up."""

    code: str
    detail: str


class UpdateFailedError(Exception):
    """Says why, with a stable code."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class Updates:
    """At most one update at a time."""

    def __init__(self, home: Path, folder: Path, server: Server, *, settle_s: float, on_wait: Callable[[], None]) -> None:
        """Looks at a device.

        Args:
            home: the bundle's folder.
            folder: of the agent's state.
            server: that takes models over.
            settle_s: how long a new model is watched before the update counts as done.
            on_wait: called again and again meanwhile.
        """
        self._home = home
        self._folder = folder
        self._server = server
        self._settle_s = settle_s
        self._on_wait = on_wait
        self._failed_file = folder / "failed.json"
        self._shown_file = folder / "pending.json"

    def failure(self, assigned: Mapping[str, Any] | None) -> Failure | None:
        """Why what is wanted was given up; None where it was not."""
        failed = json_read(self._failed_file)
        if assigned is None or failed.get("attempt") != assigned["attempt"]:
            return None
        return Failure(str(failed["code"]), str(failed["detail"]))

    def recover(self) -> None:
        """After a start: an update whose watch was cut off goes on being watched from here, as a crash may be its doing."""
        pending = json_read(self._shown_file)
        if pending:
            self._watch(pending)

    def advance(self, assigned: Mapping[str, Any], api: PlatformApi) -> None:
        """Installs what is wanted, or notes why it cannot be.

        Raises:
            UnreachableError: the file could not be fetched whole; what has arrived is kept.
        """
        try:
            file = self._fetched(assigned, api)
            json_write(self._shown_file, {"attempt": assigned["attempt"], "model": assigned["model"]})
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
        self._server.forgive()

    def _watch(self, assigned: Mapping[str, Any]) -> None:
        """Waits until the server answers with the new model, and a little longer; goes back where it does not."""
        self._wait_while(lambda: self._server.model != assigned["model"], TAKE_OVER_S)
        self._wait_while(lambda: self._server.model == assigned["model"], self._settle_s)
        if self._server.model == assigned["model"] and not self._server.is_unstable():
            self._shown_file.unlink(missing_ok=True)
            logger.info("%s answers", assigned["model"])
            return
        answer = self._command("--rollback")
        self._server.forgive()
        self._give_up(assigned, "model_unstable", f"the server did not run with the new model; back to {answer.get('model')}")

    def _wait_while(self, condition: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while condition() and time.monotonic() < until and not self._server.is_unstable():
            time.sleep(0.2)
            self._on_wait()

    def _give_up(self, assigned: Mapping[str, Any], code: str, detail: str) -> None:
        logger.error("the update to %s was given up: %s: %s", assigned["model"], code, detail)
        json_write(self._failed_file, {"attempt": assigned["attempt"], "code": code, "detail": detail[:500]})
        self._shown_file.unlink(missing_ok=True)

    def _command(self, *arguments: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "server", "update", *arguments]
        done = subprocess.run(command, cwd=self._home, capture_output=True, text=True, encoding="utf-8", check=False)
        try:
            answer = json.loads(done.stdout.strip().rpartition("\n")[2])
        except ValueError:
            answer = {"code": "update_crashed", "detail": (done.stderr or done.stdout)[-500:]}
        return answer if isinstance(answer, dict) else {}
