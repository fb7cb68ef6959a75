"""Project page, list of projects and summary over a large dataset, whose counts are kept; SQLite and PostgreSQL.

The anchor is counting the same dataset's rows in the same run. Wall time is the median, processor time that of web process and
database. Label Studio 1.23.2 took 173 to 246 ms for a project and 294 to 370 for the list at 100,000 tasks, growing with them.
"""

from __future__ import annotations

import json

from benchmarks._served_project import ServedProject, in_turns, served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET_MS = 10.0
COUNTING = """
import django, json, os, sys, time
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
django.setup()
from studio.datasets.items.counts import counts_counted, counts_of
dataset, times = sys.argv[1], []
for _ in range(3):
    start = time.perf_counter(); counted = counts_counted(dataset); times.append((time.perf_counter() - start) * 1000)
assert counted == counts_of(dataset), "the kept counts are wrong"
print(json.dumps(sorted(times)[1]))
"""


def measure(options: Options) -> list[Claim]:
    """Three calls on each database; the counts are checked against counting."""
    num_items, rounds = options.pick(1_000_000, smoke=100, quick=20_000), options.pick(40, smoke=1)
    return [claim for vendor in vendors(options) for claim in _vendor(vendor, num_items, rounds)]


def _vendor(vendor: str, num_items: int, rounds: int) -> list[Claim]:
    with served_project(vendor, num_items) as large:
        counting_ms = json.loads(large.run("-c", COUNTING, large.dataset))
        calls = {
            "project": f"/projects/{large.project}",
            "list of projects": "/projects",
            "summary": f"/datasets/{large.dataset}/summary",
        }
        used = {name: in_turns([(large, _get(large, path))], rounds)[0] for name, path in calls.items()}
    return [
        Claim(
            "label_project_page",
            f"{clock} ms for the {name}, {vendor}, {num_items} items; counting them takes the other figure",
            ms,
            counting_ms,
            ms,
            TARGET_MS,
            is_at_most=True,
        )
        for name, both in used.items()
        for clock, ms in zip(("wall", "processor"), both, strict=True)
    ]


def _get(where: ServedProject, path: str):
    return lambda: where.call("GET", path)


if __name__ == "__main__":
    main(measure)
