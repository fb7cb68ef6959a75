"""Counters of the server in Prometheus' text format. Only the event loop writes them, so they need no lock."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
NO_DEPLOYMENT = ""
"""Label of a call that was refused before a deployment was found."""


class Histogram:
    """How long the calls of one deployment took."""

    __slots__ = ("counts", "num_pictures", "total_s")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        self.total_s = 0.0
        self.num_pictures = 0


class Metrics:
    """Calls by deployment and status, pictures, and latency."""

    def __init__(self) -> None:
        self._calls: defaultdict[tuple[str, int], int] = defaultdict(int)
        self._latency: defaultdict[str, Histogram] = defaultdict(Histogram)

    def count(self, deployment: str, status: int, seconds: float, num_pictures: int) -> None:
        """Counts one call."""
        self._calls[deployment, status] += 1
        histogram = self._latency[deployment]
        histogram.counts[bisect_left(BOUNDS_S, seconds)] += 1
        histogram.total_s += seconds
        histogram.num_pictures += num_pictures

    def text(self, *, num_inputs_dropped: int) -> str:
        """Renders everything."""
        lines = ["# HELP modelyard_calls_total Calls answered.", "# TYPE modelyard_calls_total counter"]
        for (deployment, status), count in sorted(self._calls.items()):
            lines.append(f'modelyard_calls_total{{deployment="{deployment}",status="{status}"}} {count}')
        lines += ["# HELP modelyard_pictures_total Pictures answered.", "# TYPE modelyard_pictures_total counter"]
        lines += [f'modelyard_pictures_total{{deployment="{d}"}} {h.num_pictures}' for d, h in sorted(self._latency.items())]
        lines += ["# HELP modelyard_call_seconds Time of a call inside the server.", "# TYPE modelyard_call_seconds histogram"]
        for deployment, histogram in sorted(self._latency.items()):
            lines += _histogram_lines(deployment, histogram)
        lines += [
            "# HELP modelyard_inputs_dropped_total Inputs not kept because too many waited to be written.",
            "# TYPE modelyard_inputs_dropped_total counter",
            f"modelyard_inputs_dropped_total {num_inputs_dropped}",
        ]
        return "\n".join(lines) + "\n"


def _histogram_lines(deployment: str, histogram: Histogram) -> list[str]:
    lines, seen = [], 0
    for bound, count in zip((*BOUNDS_S, "+Inf"), histogram.counts, strict=True):
        seen += count
        lines.append(f'modelyard_call_seconds_bucket{{deployment="{deployment}",le="{bound}"}} {seen}')
    lines.append(f'modelyard_call_seconds_sum{{deployment="{deployment}"}} {histogram.total_s:.6f}')
    lines.append(f'modelyard_call_seconds_count{{deployment="{deployment}"}} {seen}')
    return lines
