"""Counters of the server in Prometheus' text format, and in OpenMetrics for whoever asks for it.

Only the event loop writes them, so they need no lock.
"""

from __future__ import annotations

import contextlib
import json
import os
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
NO_DEPLOYMENT = ""
"""Label of a call that was refused before a deployment was found."""
PLAIN_TYPE = "text/plain; version=0.0.4; charset=utf-8"
OPEN_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"


class Histogram:
    """How long the calls of one deployment took."""

    __slots__ = ("counts", "num_items", "total_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0
        self.num_items = 0


class Metrics:
    """Calls by deployment and status, items, and latency."""

    def __init__(self) -> None:
        self._calls: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._latency: defaultdict[str, Histogram] = defaultdict(Histogram)

    def count(self, deployment: str, status: int, seconds: float, num_items: int) -> None:
        """Counts one call."""
        self._calls[deployment, status] += 1
        histogram = self._latency[deployment]
        histogram.counts[bisect_left(BOUNDS_S, seconds)] += 1
        histogram.total_s += seconds
        histogram.num_items += num_items

    def state(self) -> dict[str, Any]:
        """All counts, to write down."""
        return {
            "calls": [[d, status, count] for (d, status), count in self._calls.items()],
            "latency": [[d, each.counts, each.total_s, each.num_items] for d, each in self._latency.items()],
        }

    def add(self, state: Mapping[str, Any]) -> None:
        """Adds counts that were written down."""
        for deployment, status, count in state["calls"]:
            self._calls[deployment, status] += count
        for deployment, counts, total_s, num_items in state["latency"]:
            histogram = self._latency[deployment]
            histogram.counts = [one + other for one, other in zip(histogram.counts, counts, strict=True)]
            histogram.total_s += total_s
            histogram.num_items += num_items

    def text(
        self,
        *,
        num_inputs_dropped: int,
        shadows_dropped: Mapping[str, int],
        backends: Collection[tuple[str, str, str]] = (),
        is_open: bool = False,
    ) -> str:
        """Renders everything.

        Args:
            num_inputs_dropped: inputs that the log could not keep.
            shadows_dropped: by deployment, calls that its shadow was not asked about.
            backends: deployment, model, and what runs it.
            is_open: as OpenMetrics, which names a counter without ``_total`` and has an end.
        """
        latencies = sorted(self._latency.items())
        calls = [f'{{deployment="{d}",status="{status}"}} {count}' for (d, status), count in sorted(self._calls.items())]
        items = [f'{{deployment="{d}"}} {histogram.num_items}' for d, histogram in latencies]
        lines = _counter("modelyard_calls", "Calls answered.", calls, is_open=is_open)
        lines += _counter("modelyard_items", "Pictures, texts and rows answered.", items, is_open=is_open)
        lines += _counter("modelyard_pictures", "The same as modelyard_items_total; goes in 0.2.", items, is_open=is_open)
        lines += ["# HELP modelyard_call_seconds Time of a call inside the server.", "# TYPE modelyard_call_seconds histogram"]
        for deployment, histogram in latencies:
            lines += _histogram_lines(deployment, histogram)
        dropped = "Inputs not kept because too many waited to be written."
        lines += _counter("modelyard_inputs_dropped", dropped, [f" {num_inputs_dropped}"], is_open=is_open)
        shadows = [f'{{deployment="{d}"}} {count}' for d, count in sorted(shadows_dropped.items())]
        lines += _counter("modelyard_shadow_calls_dropped", "Calls too many for a shadow.", shadows, is_open=is_open)
        lines += ["# HELP modelyard_backend What runs a model.", "# TYPE modelyard_backend gauge"]
        lines += [f'modelyard_backend{{deployment="{d}",model="{m}",backend="{b}"}} 1' for d, m, b in sorted(backends)]
        return "\n".join([*lines, "# EOF"] if is_open else lines) + "\n"


class SharedCounts:
    """What several processes behind one port have counted together: each leaves its counts in a folder.

    A scrape misses what the others counted since they wrote last, and nothing of a process that has ended.
    """

    WRITE_EVERY_S = 1.0

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, metrics: Metrics) -> None:
        """Leaves this process's counts."""
        file = self._folder / f"{os.getpid()}.json"
        partial = file.with_suffix(".partial")
        partial.write_text(json.dumps(metrics.state()), encoding="utf-8")
        partial.replace(file)

    def all(self, metrics: Metrics) -> Metrics:
        """The counts of all, this process's to the moment."""
        total = Metrics()
        total.add(metrics.state())
        for file in self._folder.glob("*.json"):
            if file.stem != str(os.getpid()):
                with contextlib.suppress(OSError, ValueError):
                    total.add(json.loads(file.read_bytes()))
        return total


def _counter(name: str, description: str, samples: list[str], *, is_open: bool) -> list[str]:
    family = name if is_open else f"{name}_total"
    return [f"# HELP {family} {description}", f"# TYPE {family} counter", *(f"{name}_total{sample}" for sample in samples)]


def _histogram_lines(deployment: str, histogram: Histogram) -> list[str]:
    lines, seen = [], 0
    for bound, count in zip((*BOUNDS_S, "+Inf"), histogram.counts, strict=True):
        seen += count
        lines.append(f'modelyard_call_seconds_bucket{{deployment="{deployment}",le="{bound}"}} {seen}')
    lines.append(f'modelyard_call_seconds_sum{{deployment="{deployment}"}} {histogram.total_s:.6f}')
    lines.append(f'modelyard_call_seconds_count{{deployment="{deployment}"}} {seen}')
    return lines
