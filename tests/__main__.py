"""``make test``: the rings of tests, two at a time where each keeps one core busy, and one line of the whole at the end.

The studio and labelling suites run twice: on the embedded default (SQLite, files) and on what production uses (PostgreSQL, S3).
Rings that start whole platforms run alone, after the others.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLOSING = re.compile(r"(\d+) (passed|failed|skipped|error)")


@dataclass(frozen=True)
class Ring:
    """One run of a test program."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    is_alone: bool = False
    """Whether nothing else may run meanwhile: it starts platforms, which take every core they get."""

    @property
    def title(self) -> str:
        return f"=== {self.name} ==="


@dataclass(frozen=True)
class Outcome:
    """What a ring said, and whether it broke."""

    ring: Ring
    status: int
    lines: list[str]
    wall_s: float

    @property
    def closing(self) -> str:
        return f"--- {self.ring.name}: {self.wall_s:.0f} s, status {self.status}"


def pytest(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *arguments)


# What touches neither database nor store says the same on any of them; blobs meets both stores by itself.
SAME_EVERYWHERE = (
    *(f"tests/studio/test_{name}.py" for name in ("blobs", "doctor", "env", "frontend", "jobs_forkserver")),
    *(f"tests/studio/test_{name}.py" for name in ("memory", "supervisor", "text")),
    *(f"tests/studio/datasets/test_{name}.py" for name in ("bad_input", "mysql_source", "sources")),
    *(f"tests/labeling/test_{name}.py" for name in ("agreement", "consensus", "merge", "pure")),
    *(f"tests/labeling/formats/test_{name}.py" for name in ("arbitrary", "broken", "peers", "round_trip")),
    *(f"tests/labeling/assist/test_{name}.py" for name in ("head", "strategies")),
)
AGAIN = [f"--ignore={name}" for name in SAME_EVERYWHERE]

RINGS = (
    Ring("packages", pytest("tests/automl", "tests/engine", "tests/exporters", "tests/benchmarks")),
    Ring("platform, embedded", pytest("tests/studio", "tests/labeling")),
    Ring("platform, production", pytest("tests/studio", "tests/labeling", *AGAIN), {"MODELYARD_TEST_SERVICES": "production"}),
    Ring("contracts", pytest("tests/contracts")),
    Ring("front end", (sys.executable, "manage.py", "npm", "test")),
    Ring("architecture", pytest("tests/architecture")),
    Ring("journeys", pytest("tests/journeys", "tests/client"), is_alone=True),
    # A browser, a platform and a machine that others share: what failed is tried once more, and named at the end as unsteady.
    Ring("browser", pytest("--reruns", "1", "-rR", "tests/e2e"), is_alone=True),
)
SIDE_BY_SIDE = min(2, os.cpu_count() or 1)


def main(wanted: list[str]) -> int:
    """Runs the rings named (all by default); 1 when one of them failed."""
    rings = [ring for ring in RINGS if not wanted or any(word in ring.name for word in wanted)]
    shared = [ring for ring in rings if not ring.is_alone]
    outcomes = side_by_side(shared) if len(shared) > 1 else [run(ring) for ring in shared]
    outcomes += [run(ring) for ring in rings if ring.is_alone]

    totals = {"passed": 0, "failed": 0, "skipped": 0}
    for outcome in outcomes:
        for number, word in CLOSING.findall(_closing_line(outcome.lines)):
            totals["failed" if word == "error" else word] += int(number)
    broken = [outcome.ring.name for outcome in outcomes if outcome.status]
    print("\nBroken: " + ", ".join(broken) if broken else "\nAll rings passed.")
    print(f"{totals['passed']} passed, {max(totals['failed'], len(broken))} failed, {totals['skipped']} skipped")
    return 1 if broken else 0


def run(ring: Ring, *, is_quiet: bool = False) -> Outcome:
    """One ring, its lines shown as they come unless they are to be shown later."""
    if not is_quiet:
        print(f"\n{ring.title}", flush=True)
    started = time.monotonic()
    environment = {**os.environ, "OMP_NUM_THREADS": "1", **ring.environment}
    lines = []
    with subprocess.Popen(
        ring.command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        for line in process.stdout or ():
            lines.append(line)
            if not is_quiet:
                print(line, end="", flush=True)
    outcome = Outcome(ring, process.returncode, lines, time.monotonic() - started)
    if not is_quiet:
        print(outcome.closing, flush=True)
    return outcome


def side_by_side(rings: list[Ring]) -> list[Outcome]:
    """Rings two at a time; each is shown whole when it ends."""
    print(f"Two at a time, shown as they end: {', '.join(ring.name for ring in rings)}", flush=True)
    outcomes = []
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for ended in as_completed([pool.submit(run, ring, is_quiet=True) for ring in rings]):
            outcome = ended.result()
            print(f"\n{outcome.ring.title}\n{''.join(outcome.lines)}{outcome.closing}", flush=True)
            outcomes.append(outcome)
    return outcomes


def _closing_line(lines: list[str]) -> str:
    """The last line that counts tests: pytest's, or vitest's ``Tests  12 passed``."""
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    counted = [line for line in plain if CLOSING.search(line) and not line.lstrip().startswith("Test Files")]
    return counted[-1] if counted else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
