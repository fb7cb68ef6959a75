"""Collects messages from the server's log: counts and latency of the calls, and inputs if the platform asks for them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .files import json_read, json_write
from .outbox import Outbox

KEEP_READ_S = 2 * 3600
"""Age at which a log file that was read is deleted: it gets no more lines."""


class Usage:
    """Reads the log from where it stopped, even if the agent was killed."""

    def __init__(self, log: Path, state: Path, outbox: Outbox) -> None:
        self._log = log
        self._state_file = state
        self._outbox = outbox

    def collect(self, *, sends_inputs: bool) -> None:
        """Puts new calls into the outbox.

        The name of an entry follows from where reading began. So an agent that is killed between writing an entry and noting
        how far it read writes the same entry again, perhaps with later calls in it, before anything is sent.
        """
        state = json_read(self._state_file)
        series = str(state.get("series") or f"{time.time_ns():x}")
        offsets: dict[str, int] = state.get("offsets", {})
        number = int(state.get("number", 0))
        calls: list[dict[str, Any]] = []
        read = dict(offsets)
        for path in sorted(self._log.glob("log/*/*.jsonl")):
            for end, line in _lines(path, offsets.get(path.name, 0)):
                calls.append(line)
                read[path.name] = end
        if calls:
            name = f"{number:012d}"
            self._outbox.put("usage", name, {"id": f"{series}-{name}", **_counted(calls)})
            for call in calls:
                self._input(call, name, sends_inputs=sends_inputs)
            number += 1
        json_write(self._state_file, {"series": series, "number": number, "offsets": self._tidied(read)})

    def _input(self, call: dict[str, Any], name: str, *, sends_inputs: bool) -> None:
        sha256 = call.get("input")
        if not sha256:
            return
        path = self._log / "inputs" / str(sha256)
        try:
            data = path.read_bytes()
        except OSError:
            return  # sent before: the same input may be asked about twice
        if sends_inputs:
            name = f"{name}-{str(sha256)[:16]}"
            about = {key: call.get(key) for key in ("at", "artefact", "held", "uncertainty")}
            self._outbox.put("item", name, {"id": str(sha256), **about}, data)
        path.unlink(missing_ok=True)

    def _tidied(self, offsets: dict[str, int]) -> dict[str, int]:
        """Deletes log files that were read and are over."""
        left: dict[str, int] = {}
        for path in self._log.glob("log/*/*.jsonl"):
            is_read = offsets.get(path.name, 0) >= path.stat().st_size
            if is_read and time.time() - path.stat().st_mtime > KEEP_READ_S:
                path.unlink()
            elif path.name in offsets:
                left[path.name] = offsets[path.name]
        return left


def _lines(path: Path, offset: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Whole lines that are calls, each with where the next one begins."""
    with path.open("rb") as file:
        file.seek(offset)
        for raw in file:
            if not raw.endswith(b"\n"):
                return
            offset += len(raw)
            try:
                line = json.loads(raw)
            except ValueError:
                continue
            if isinstance(line, dict) and "status" in line:
                yield offset, line


def _counted(calls: Sequence[dict[str, Any]]) -> dict[str, Any]:
    latencies = sorted(float(call["latency_ms"]) for call in calls if call["status"] == 200)
    times = sorted(str(call["at"]) for call in calls)
    return {
        "begins_at": times[0],
        "ends_at": times[-1],
        "model": calls[-1]["artefact"],
        "num_calls": len(calls),
        "num_failed": sum(call["status"] >= 400 for call in calls),
        "p50_ms": _percentile(latencies, 50),
        "p95_ms": _percentile(latencies, 95),
        "p99_ms": _percentile(latencies, 99),
    }


def _percentile(ordered: Sequence[float], percent: int) -> float | None:
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else None
