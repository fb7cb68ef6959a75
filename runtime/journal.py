"""The prediction log: JSON lines and kept inputs, written in batches by a thread of its own.

A request only appends to a queue. Lines land in ``log/<deployment>/<yyyymmddhh>.<pid>.jsonl`` in whole lines, kept pictures in
``inputs/<sha256>`` before the line that names them.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .annotations import Annotation
from .responses import json_bytes

FLUSH_EVERY_S = 0.25
SECONDS_PER_HOUR = 3600
MAX_HELD_BYTES = 64 << 20
"""Pictures that may wait to be written; beyond it they are dropped and counted, the lines stay."""
MAX_TOP = 64
"""Best answers that a line names; of a request with more rows the first ones."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Entry:
    """One call."""

    deployment: str
    artefact: str
    """Which model answered."""
    id: str
    at: float
    key: str | None
    status: int
    code: str | None
    """Of the error, when there was one."""
    latency_ms: float
    top: list[dict[str, object] | None]
    """The best label of each item, with its score, or its number."""
    uncertainty: list[float | None]
    """Of each item; None where a number is predicted."""
    kept_inputs: list[bytes | None]
    """The inputs to keep, in order; None where one is not kept."""
    predicted: list[Sequence[Annotation]]
    """Predictions of each input that pass the thresholds."""
    is_pinned: bool = False
    """Whether the caller named the model."""
    fallback: tuple[str, str] | None = None
    """The model that was chosen and failed, and with which code."""

    def line(self, inputs: list[str | None]) -> dict[str, Any]:
        """What the log says, with the names of the kept inputs."""
        return _line(self, inputs)


@dataclass(slots=True)
class ShadowEntry:
    """What a shadow answered to an answered call."""

    deployment: str
    artefact: str
    """The shadow."""
    id: str
    """Of the call."""
    at: float
    code: str | None
    """Of the error, when it failed."""
    latency_ms: float
    top: list[dict[str, object] | None]
    """The best label of each item, with its score, or its number."""
    uncertainty: list[float | None]
    disagreement: float | None
    """The largest of any item, 0..1; None when it failed."""
    place: int
    """Of the item with the largest."""
    kept_inputs: list[bytes | None]
    """That item, where the two disagree and the deployment keeps inputs."""
    predicted: Sequence[Annotation]
    """Predictions of the model that answered, of the same item."""

    def line(self, inputs: list[str | None]) -> dict[str, Any]:
        """What the log says, with the name of the kept input."""
        line = {
            "shadow_of": self.id,
            "artefact": self.artefact,
            "at": datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds"),
            "latency_ms": self.latency_ms,
            "top": self.top[:MAX_TOP],
            "uncertainty": max((score for score in self.uncertainty if score is not None), default=None),
            "disagreement": self.disagreement,
            "place": self.place,
        }
        if self.code is not None:
            line["code"] = self.code
        if inputs and inputs[0] is not None:
            line["input"], line["held"] = inputs[0], self.predicted
        return line


@dataclass(slots=True)
class FactsEntry:
    """Where the facts of the first item of an answered call fall."""

    deployment: str
    artefact: str
    """Which model answered; its reference says what the bins are."""
    id: str
    """Of the call."""
    at: float
    bins: list[int]
    kept_inputs: list[bytes | None] = field(default_factory=list)
    """Nothing."""

    def line(self, inputs: list[str | None]) -> dict[str, Any]:
        """What the log says."""
        del inputs
        at = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds")
        return {"facts_of": self.id, "artefact": self.artefact, "at": at, "bins": self.bins}


AnyEntry = Entry | ShadowEntry | FactsEntry


class Journal:
    """Writes entries below a folder."""

    def __init__(self, folder: Path) -> None:
        self.num_inputs_dropped = 0
        self._folder = folder
        self._pid = os.getpid()
        self._waiting: deque[AnyEntry] = deque()
        self._lock = threading.Lock()
        self._num_bytes_accepted = 0
        self._num_bytes_written = 0  # by one thread only
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        """Starts to write."""
        self._thread.start()

    def stop(self) -> None:
        """Writes what waits, then ends."""
        self._stopping.set()
        self._thread.join()

    def add(self, entry: AnyEntry) -> None:
        """Takes an entry; costs no disk. Those of shadows and of facts come from threads of their own."""
        if entry.kept_inputs:
            num_bytes = sum(len(picture) for picture in entry.kept_inputs if picture)
            with self._lock:
                if self._num_bytes_accepted - self._num_bytes_written + num_bytes > MAX_HELD_BYTES:
                    self.num_inputs_dropped += sum(picture is not None for picture in entry.kept_inputs)
                    entry.kept_inputs = []
                else:
                    self._num_bytes_accepted += num_bytes
        self._waiting.append(entry)

    def _run(self) -> None:
        while not self._stopping.wait(FLUSH_EVERY_S):
            self._flush()
        self._flush()

    def _flush(self) -> None:
        batches: dict[tuple[str, int], list[bytes]] = {}
        for _ in range(len(self._waiting)):
            entry = self._waiting.popleft()
            try:
                line = json_bytes(entry.line(self._keep_inputs(entry))) + b"\n"
            except Exception:
                # The edge of the thread: one call's line must not cost the lines of all later ones.
                logger.exception("a log line of %s is lost", entry.deployment)
                continue
            batches.setdefault((entry.deployment, int(entry.at) // SECONDS_PER_HOUR), []).append(line)
        for (deployment, hour), batch in batches.items():
            name = time.strftime("%Y%m%d%H", time.gmtime(hour * SECONDS_PER_HOUR))
            self._append(self._folder / "log" / deployment / f"{name}.{self._pid}.jsonl", batch)

    def _append(self, path: Path, batch: list[bytes]) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                file.write(b"".join(batch))
        except OSError:
            logger.exception("%d log lines of %s are lost", len(batch), path.parent.name)

    def _keep_inputs(self, entry: AnyEntry) -> list[str | None]:
        names: list[str | None] = []
        for picture in entry.kept_inputs:
            if picture is None:
                names.append(None)
                continue
            names.append(self._keep(picture))
            self._num_bytes_written += len(picture)
        return names

    def _keep(self, picture: bytes) -> str | None:
        name = hashlib.sha256(picture).hexdigest()
        path = self._folder / "inputs" / name
        try:
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                partial = path.with_name(f"{name}.{self._pid}.partial")
                partial.write_bytes(picture)
                partial.replace(path)
        except OSError:
            logger.exception("an input of the log could not be kept")
            return None
        return name


def _line(entry: Entry, inputs: list[str | None]) -> dict[str, Any]:
    uncertainty = max((score for score in entry.uncertainty if score is not None), default=None)
    line: dict[str, Any] = {
        "id": entry.id,
        "artefact": entry.artefact,
        "at": datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds"),
        "key": entry.key,
        "status": entry.status,
        "latency_ms": entry.latency_ms,
        "num_pictures": len(entry.top),
        "top": entry.top[:MAX_TOP],
        "uncertainty": uncertainty,
    }
    if entry.code is not None:
        line["code"] = entry.code
    if entry.is_pinned:
        line["pinned"] = True
    if entry.fallback is not None:
        line["fallback_from"], line["fallback_code"] = entry.fallback
    named = [
        (score or 0.0, place)
        for place, (score, name) in enumerate(zip(entry.uncertainty, inputs, strict=False))
        if name is not None
    ]
    if named:
        least_sure = max(named)[1]
        line["input"], line["held"] = inputs[least_sure], entry.predicted[least_sure]
        if len(inputs) > 1:
            line["inputs"] = inputs if len(inputs) <= MAX_TOP else [name for name in inputs if name is not None]
    return line
