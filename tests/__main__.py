"""``make test``: every ring of tests, and at the end what was slow, what was unsteady, and one line of the whole.

``python -m tests contracts embedded`` runs the rings and parts named; ``--since main`` what a change can have broken.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from tests.support import once
from tests.support.rings import RINGS, Ring
from tests.support.since import UnknownRevisionError, reach_of, remember
from tests.support.tally import Tally

ROOT = Path(__file__).resolve().parents[1]
ANSI = re.compile(r"\x1b\[[0-9;]*m")
"""What colours a line of a terminal."""
CLOSING = re.compile(r"(\d+) (passed|failed|skipped|error)")
NUM_SLOWEST = 10
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""Set in some containers: each of hundreds of processes would compile what the one before it has compiled."""
NO_TESTS = 5
"""How pytest ends when it found none."""


@dataclass(frozen=True)
class Outcome:
    """What a ring said, and whether it broke."""

    ring: Ring
    status: int
    lines: list[str]
    wall_s: float
    cpu_s: float
    tally: Tally = field(default_factory=Tally)

    @property
    def failures(self) -> list[tuple[str, str]]:
        """Tests that failed, each with the first line of its error: pytest's from the tally, vitest's from what it printed."""
        plain = [ANSI.sub("", line).strip() for line in self.lines]
        printed = [(line.removeprefix("FAIL").strip(), error) for line, error in pairwise(plain) if line.startswith("FAIL ")]
        return [*self.tally.failed.items(), *dict(printed).items()]

    @property
    def counts(self) -> dict[str, int]:
        """Tests by how they ended."""
        totals = {"passed": 0, "failed": 0, "skipped": 0}
        for number, word in CLOSING.findall(_closing_line(self.lines)):
            totals["failed" if word == "error" else word] += int(number)
        return totals


def main(arguments: list[str]) -> int:
    """Runs what was asked for (all by default); 1 when something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__)
    parser.add_argument("words", nargs="*", help="rings or parts of rings, by a word of their name")
    parser.add_argument("--since", metavar="REVISION", help="only what changes since then can have broken, within two minutes")
    asked = parser.parse_args(arguments)
    if asked.since:
        try:
            reach = reach_of(asked.since)
        except UnknownRevisionError as error:
            parser.error(str(error))
        print(reach.explained(), flush=True)
        rings = reach.rings()
    else:
        rings = [part for ring in RINGS if (part := ring.of(asked.words))]
    if not rings:
        parser.error(f"nothing is called {' or '.join(asked.words)}; there are {', '.join(_names())}")
    once.folder_open()
    with services(rings), tempfile.TemporaryDirectory(prefix="modelyard-tally-") as folder:
        return conclude(in_lanes(rings, Path(folder)))


def _names() -> list[str]:
    return [name for ring in RINGS for name in (ring.parts or {ring.name: ()})]


@contextmanager
def services(rings: list[Ring]) -> Iterator[None]:
    """PostgreSQL and S3 for as long as the run lasts, if a ring wants them: one for all its processes."""
    from tests.support import services

    with ExitStack() as stack:
        if any(ring.environment.get("MODELYARD_TEST_SERVICES") == "production" for ring in rings):
            os.environ["MODELYARD_TEST_POSTGRES"] = stack.enter_context(services.postgres())
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="modelyard-s3-")))
            os.environ["MODELYARD_TEST_S3"] = " ".join(stack.enter_context(services.seaweed(folder)))
        yield


def in_lanes(rings: list[Ring], folder: Path) -> list[Outcome]:
    """What computes beside what waits; within a lane one after the other."""
    lanes = [lane for gives_way in (False, True) if (lane := [ring for ring in rings if ring.gives_way is gives_way])]
    with ThreadPoolExecutor(len(lanes)) as pool:
        walks = [pool.submit(lambda lane: [run(ring, folder) for ring in lane], lane) for lane in lanes]
        return [outcome for walk in walks for outcome in walk.result()]


def run(ring: Ring, folder: Path) -> Outcome:
    """One ring, its lines shown as they come, each with the ring's name before it."""
    print(f"=== {ring.name}: {' '.join(ring.arguments)}", flush=True)
    started, tally, lines = time.monotonic(), folder / f"{ring.name}.json", []
    environment = {
        **{name: value for name, value in os.environ.items() if name != NO_BYTECODE},
        "PYTHONUNBUFFERED": "1",
        "MODELYARD_TEST_TALLY": str(tally),
        **ring.environment,
    }
    with subprocess.Popen(
        ring.arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            lines.append(line)
            print(f"{ring.name} | {line}", end="", flush=True)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    code = process.returncode
    if code == NO_TESTS and ring.may_be_empty:
        code = 0
    wall_s, cpu_s = time.monotonic() - started, used.ru_utime + used.ru_stime
    print(f"--- {ring.name}: {wall_s:.0f} s, {cpu_s:.0f} s of a core, status {code}", flush=True)
    return Outcome(ring, code, lines, wall_s, cpu_s, Tally.read(tally))


def conclude(outcomes: list[Outcome]) -> int:
    """Says what was slow, what passed only at a second try and what broke; the line that counts is the last."""
    seconds = [(s, name, outcome) for outcome in outcomes for name, s in outcome.tally.seconds.items()]
    print(f"\nThe {NUM_SLOWEST} slowest tests:")
    for s, name, outcome in sorted(seconds, key=lambda each: -each[0])[:NUM_SLOWEST]:
        print(f"{s:7.1f} s  {name} ({outcome.ring.name})")
    remember(_by_module(outcomes))
    unsteady = [(name, reason) for outcome in outcomes for name, reason in outcome.tally.unsteady.items()]
    print("\nUnsteady, passed only at a second try:" if unsteady else "\nUnsteady: none.")
    for name, reason in unsteady:
        print(f"  {name}\n    at first: {reason}")
    broken = [outcome.ring.name for outcome in outcomes if outcome.status]
    print("\nBroken: " + ", ".join(broken) if broken else "\nAll rings passed.")
    for name, reason in (failure for outcome in outcomes for failure in outcome.failures):
        print(f"  {name}\n    {reason}")
    totals = {word: sum(outcome.counts[word] for outcome in outcomes) for word in ("passed", "failed", "skipped")}
    print(f"{totals['passed']} passed, {max(totals['failed'], len(broken))} failed, {totals['skipped']} skipped")
    return 1 if broken else 0


def _by_module(outcomes: list[Outcome]) -> dict[str, float]:
    """Seconds by file, of files that ran whole; a module of both databases is as long as its longer run."""
    found: dict[str, float] = {}
    for outcome in outcomes:
        if outcome.ring.may_be_empty:
            continue
        sums: dict[str, float] = defaultdict(float)
        for name, seconds in outcome.tally.seconds.items():
            sums[name.split("::")[0]] += seconds
        for name in {name.split("::")[0] for name in outcome.tally.late}:
            del sums[name]
        found |= {name: round(max(seconds, found.get(name, 0.0)), 2) for name, seconds in sums.items()}
    return found


def _closing_line(lines: list[str]) -> str:
    """The last line that counts tests: pytest's, or vitest's ``Tests  12 passed``."""
    plain = [ANSI.sub("", line) for line in lines]
    counted = [line for line in plain if CLOSING.search(line) and not line.lstrip().startswith("Test Files")]
    return counted[-1] if counted else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
