"""What the benchmark scripts share: interleaved rounds, process CPU time, one JSON line a claim, a gate.

Absolute times on a shared machine swing by a factor of two; CPU time of ours against the anchor's in the same run swings by
5 to 10 %. So nothing but ratios is claimed, and the gate leaves 15 % of slack.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

GATE_SLACK = 0.85
NUM_ROUNDS = 5
NUM_ROUNDS_QUICK = 3

Contestant = Callable[[], int]
"""Does a piece of work and returns how many items that was."""
Clock = Callable[[], float]


class SkippedError(Exception):
    """The row cannot be measured here; the text says why."""


@dataclass(frozen=True)
class Options:
    """How the script was called."""

    is_quick: bool = False
    is_full: bool = False
    """At the size that the claim names, where the row is smaller by default."""

    @property
    def num_rounds(self) -> int:
        """Rounds that count, after one that warms up."""
        return NUM_ROUNDS_QUICK if self.is_quick else NUM_ROUNDS


@dataclass(frozen=True)
class Claim:
    """One measured claim. ``ratio`` is what has a target."""

    name: str
    metric: str
    ours: float
    anchor: float
    ratio: float
    target: float
    is_at_most: bool = False
    """True when the ratio must not be above the target; False when it must not be below."""

    @property
    def is_ok(self) -> bool:
        """Whether the target is met."""
        return self.ratio <= self.target if self.is_at_most else self.ratio >= self.target

    @property
    def is_gated_out(self) -> bool:
        """Whether the target is missed by more than the slack."""
        return self.ratio > self.target / GATE_SLACK if self.is_at_most else self.ratio < self.target * GATE_SLACK

    def line(self) -> str:
        """The claim as one JSON line."""
        return json.dumps({name: _short(value) for name, value in asdict(self).items()} | {"ok": self.is_ok})


def cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def interleave(contestants: dict[str, Contestant], *, num_rounds: int, clock: Clock = cpu_seconds) -> dict[str, list[float]]:
    """Runs the contestants in turn, one warm-up round and then ``num_rounds``.

    Returns:
        Seconds per item by contestant, one entry a round, so that rounds can be compared pair by pair.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for round_number in range(num_rounds + 1):
        for name, contestant in contestants.items():
            gc.collect()
            start = clock()
            num_items = contestant()
            if round_number > 0:
                seconds[name].append((clock() - start) / num_items)
    return seconds


def speedup(name: str, metric: str, seconds: dict[str, list[float]], *, ours: str, anchor: str, target: float) -> Claim:
    """Claims that ours does an item at least ``target`` times as fast as the anchor: median over the rounds' ratios.

    ``ours`` and ``anchor`` are given in items a second.
    """
    ratios = [slow / fast for slow, fast in zip(seconds[anchor], seconds[ours], strict=True)]
    return Claim(
        name=name,
        metric=metric,
        ours=1 / statistics.median(seconds[ours]),
        anchor=1 / statistics.median(seconds[anchor]),
        ratio=statistics.median(ratios),
        target=target,
    )


def main(measure: Callable[[Options], list[Claim]]) -> None:
    """Runs a script: prints the load average and its claims, and exits with 1 when ``--gate`` is given and one is missed.

    A row that cannot be measured here says so and counts as passed.
    """
    parser = argparse.ArgumentParser(description=sys.modules[measure.__module__].__doc__)
    parser.add_argument("--quick", action="store_true", help="less work, under 20 seconds")
    parser.add_argument("--full", action="store_true", help="the size that the claim names, may take many minutes")
    parser.add_argument(
        "--gate", action="store_true", help=f"exit with 1 when a ratio misses its target by over {1 - GATE_SLACK:.0%}"
    )
    arguments = parser.parse_args()
    sys.stderr.write(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores\n")
    try:
        claims = measure(Options(is_quick=arguments.quick, is_full=arguments.full))
    except SkippedError as reason:
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
        sys.stdout.write(json.dumps({"name": name, "skipped": str(reason)}) + "\n")
        return
    for claim in claims:
        sys.stdout.write(claim.line() + "\n")
    if arguments.gate and any(claim.is_gated_out for claim in claims):
        sys.exit(1)


def _short(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value
