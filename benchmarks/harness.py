"""What the benchmark scripts share: interleaved rounds, process CPU time, one JSON line a claim, a gate.

Absolute times on a shared machine swing by a factor of two; CPU time of ours against the anchor's in the same run swings by
5 to 10 %. So nothing but ratios is claimed, and the gate leaves 15 % of slack.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[1]
GATE_SLACK = 0.85
NUM_ROUNDS = 5
NUM_ROUNDS_QUICK = 3

T = TypeVar("T")
Contestant = Callable[[], int]
"""Does a piece of work and returns how many items that was."""
Clock = Callable[[], float]


class SkippedError(Exception):
    """The row cannot be measured here; the text says why."""


class Size(StrEnum):
    """How much work a script does."""

    SMOKE = "smoke"
    """Each step once, in seconds: shows that the script runs, claims nothing."""
    QUICK = "quick"
    USUAL = "usual"
    FULL = "full"
    """What the claim names, where the row is smaller by default."""


class Options:
    """How the script was called."""

    def __init__(self, size: Size = Size.USUAL) -> None:
        """Of a size; no size was picked yet."""
        self.size = size
        self.has_picked = False

    @property
    def is_smoke(self) -> bool:
        """Whether nothing is claimed, so that neither a busy machine nor a missing peer matters."""
        return self.size is Size.SMOKE

    @property
    def num_rounds(self) -> int:
        """Rounds that count, after one that warms up."""
        return {Size.SMOKE: 1, Size.QUICK: NUM_ROUNDS_QUICK}.get(self.size, NUM_ROUNDS)

    def pick(self, usual: T, *, smoke: T, quick: T | None = None, full: T | None = None) -> T:
        """What the row takes at this size; quick and full are as usual where they are not given."""
        self.has_picked = True
        given = {Size.SMOKE: smoke, Size.QUICK: quick, Size.FULL: full}.get(self.size)
        return usual if given is None else given


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
        facts = {name: _short(value) for name, value in asdict(self).items()}
        return json.dumps(facts | {"ok": self.is_ok, "commit": commit(), "load": round(os.getloadavg()[0], 1)})


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


@cache
def commit() -> str:
    """What is measured: the commit's short name, with a plus where files differ from it; "unknown" outside a checkout."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def main(measure: Callable[[Options], list[Claim]], arguments: Sequence[str] | None = None) -> None:
    """Runs a script: prints the load average and its claims, and exits with 1 when ``--gate`` is given and one is missed.

    A row that cannot be measured here says so and counts as passed. With ``--smoke`` no claim is printed, only that the row
    ran; it exits with 2 when the script has no such size.
    """
    parser = argparse.ArgumentParser(description=sys.modules[measure.__module__].__doc__)
    sizes = parser.add_mutually_exclusive_group()
    for size, words in _SIZES.items():
        sizes.add_argument(f"--{size}", action="store_const", dest="size", const=size, default=Size.USUAL, help=words)
    parser.add_argument(
        "--gate", action="store_true", help=f"exit with 1 when a ratio misses its target by over {1 - GATE_SLACK:.0%}"
    )
    parsed = parser.parse_args(arguments)
    name = os.path.splitext(os.path.basename(sys.argv[0]))[0]
    sys.stderr.write(f"load average {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores, commit {commit()}\n")
    options = Options(parsed.size)
    try:
        claims = measure(options)
    except SkippedError as reason:
        sys.stdout.write(json.dumps({"name": name, "skipped": str(reason), "commit": commit()}) + "\n")
        return
    if options.is_smoke:
        _smoked(name, options, claims)
        return
    for claim in claims:
        sys.stdout.write(claim.line() + "\n")
    if parsed.gate and any(claim.is_gated_out for claim in claims):
        sys.exit(1)


_SIZES = {
    Size.SMOKE: "each step once, in seconds: shows that the script runs, and claims nothing",
    Size.QUICK: "less work, under 20 seconds",
    Size.FULL: "the size that the claim names, may take many minutes",
}


def _smoked(name: str, options: Options, claims: list[Claim]) -> None:
    """Says that the row ran; its figures are looked at only as far as they must be numbers under the row's name."""
    if not options.has_picked:
        sys.stderr.write(f"{name} has no size for --smoke: let it ask options.pick(..., smoke=...)\n")
        sys.exit(2)
    figures = [figure for claim in claims for figure in (claim.ours, claim.anchor, claim.ratio)]
    assert claims, "the row measured nothing"
    assert {claim.name for claim in claims} == {name}, f"claims are named {sorted({claim.name for claim in claims})}"
    assert all(map(math.isfinite, figures)), figures
    sys.stdout.write(json.dumps({"name": name, "smoke": "ran", "figures": len(claims), "commit": commit()}) + "\n")


def _short(value: object) -> object:
    return float(f"{value:.4g}") if isinstance(value, float) else value
