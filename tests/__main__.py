"""``make test``: the rings of tests one after another, cheapest first, and one line of the whole at the end.

The studio and labelling suites run twice: on the embedded default (SQLite, files) and on what production uses (PostgreSQL, S3).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
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


def pytest(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *arguments)


# What touches neither database nor store says the same on any of them; blobs meets both stores by itself.
SAME_EVERYWHERE = (
    *(f"tests/studio/test_{name}.py" for name in ("blobs", "doctor", "env", "frontend", "jobs_forkserver")),
    *(f"tests/studio/test_{name}.py" for name in ("memory", "supervisor", "text")),
    *(f"tests/studio/datasets/test_{name}.py" for name in ("bad_input", "sources")),
    *(f"tests/labeling/test_{name}.py" for name in ("agreement", "consensus", "merge", "pure")),
    *(f"tests/labeling/formats/test_{name}.py" for name in ("broken", "peers", "round_trip")),
    *(f"tests/labeling/assist/test_{name}.py" for name in ("head", "strategies")),
)
AGAIN = [f"--ignore={name}" for name in SAME_EVERYWHERE]

RINGS = (
    Ring("architecture", pytest("tests/architecture")),
    Ring("contracts", pytest("tests/contracts")),
    Ring("packages", pytest("tests/automl", "tests/engine", "tests/exporters", "tests/benchmarks")),
    Ring("platform, embedded", pytest("tests/studio", "tests/labeling")),
    Ring("platform, production", pytest("tests/studio", "tests/labeling", *AGAIN), {"MODELYARD_TEST_SERVICES": "production"}),
    Ring("front end", (sys.executable, "manage.py", "npm", "test")),
    Ring("journeys", pytest("tests/journeys", "tests/client")),
    # A browser, a platform and a machine that others share: what failed is tried once more, and named at the end as unsteady.
    Ring("browser", pytest("--reruns", "1", "-rR", "tests/e2e")),
)


def main(wanted: list[str]) -> int:
    """Runs the rings named (all by default); 1 when one of them failed."""
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    broken = []
    for ring in RINGS:
        if wanted and not any(word in ring.name for word in wanted):
            continue
        print(f"\n=== {ring.name} ===", flush=True)
        started = time.monotonic()
        environment = {**os.environ, "OMP_NUM_THREADS": "1", **ring.environment}
        with subprocess.Popen(ring.command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            lines = []
            for line in process.stdout or ():
                print(line, end="", flush=True)
                lines.append(line)
        for number, word in CLOSING.findall(_closing_line(lines)):
            totals["failed" if word == "error" else word] += int(number)
        if process.returncode:
            broken.append(ring.name)
        print(f"--- {ring.name}: {time.monotonic() - started:.0f} s, status {process.returncode}", flush=True)
    print("\nBroken: " + ", ".join(broken) if broken else "\nAll rings passed.")
    print(f"{totals['passed']} passed, {max(totals['failed'], len(broken))} failed, {totals['skipped']} skipped")
    return 1 if broken else 0


def _closing_line(lines: list[str]) -> str:
    """The last line that counts tests: pytest's, or vitest's ``Tests  12 passed``."""
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    counted = [line for line in plain if CLOSING.search(line) and not line.lstrip().startswith("Test Files")]
    return counted[-1] if counted else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
