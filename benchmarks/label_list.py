"""A page of 30 items of a large dataset: first, middle, last, and by every kind of filter; on SQLite and PostgreSQL.

The anchor is the same page of a dataset of 1,000 items, in turns with the large one. The caller's wait is shown, the median,
and the processor time of web process and database, since a busy machine stretches the first several times. Label Studio 1.23.2
took 69 to 100 ms at 100,000 tasks.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Callable

from benchmarks._served_project import ServedProject, in_turns, served_project, vendors
from benchmarks.harness import Claim, Options, main

TARGET_MS = 10.0
TARGET_RATIO = 1.5
FILTERS: dict[str, dict[str, object]] = {
    "all": {},
    "state": {"state": "unlabelled"},
    "label": {"label": "label-1"},
    "two labels": {"label": ["label-1", "label-4"]},
    "label and split": {"label": "label-1", "split": "test"},
    "person and split": {"by": "person:usr_1", "split": "train"},
    "finding": {"flag": "dark"},
    "metadata": {"meta": "site=site-3", "state": "annotated"},
    "name": {"q": "7.jpg"},
    "name that nothing has": {"q": "zzz"},
}
CLOCK_TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")


def measure(options: Options) -> list[Claim]:
    """Three places by ten filters, each asked in turns of the small and the large dataset."""
    num_items = options.pick(1_000_000, smoke=2_000, quick=20_000)
    rounds = options.pick(20, smoke=1, quick=10)
    return [claim for vendor in vendors(options) for claim in _vendor(vendor, num_items, rounds)]


def _vendor(vendor: str, num_items: int, rounds: int) -> list[Claim]:
    with served_project(vendor, 1000) as small, served_project(vendor, num_items) as large:
        used = {}
        for name, filters in FILTERS.items():
            for place, share in (("first", 0.0), ("middle", 0.5), ("last", 0.999)):
                contestants = [(one, _call(one, filters, int(num * share))) for one, num in ((small, 1000), (large, num_items))]
                used[name, place] = in_turns(contestants, rounds)
        for (name, place), sides in used.items():
            words = [f"{wait:.1f} ms ({cpu:.1f} of processor)" for wait, cpu in sides]
            sys.stderr.write(f"{vendor} {name}, {place}: {words[0]} of 1000, {words[1]} of {num_items}\n")
    what = f"a page of 30 takes, {vendor}, {num_items} items, median of {len(used)} filters and places"
    claims = []
    for clock, words in enumerate(("wall ms that", "processor ms that")):
        few, many = (statistics.median(sides[side][clock] for sides in used.values()) for side in (0, 1))
        few = max(few, CLOCK_TICK_MS / rounds)  # of few calls the clock of the processor says 0
        claims += [
            Claim("label_list", f"{words} {what}", many, few, many, TARGET_MS, is_at_most=True),
            Claim("label_list", f"{words} {what}, against 1000 items", many, few, many / few, TARGET_RATIO, is_at_most=True),
        ]
    return claims


def _call(where: ServedProject, filters: dict[str, object], first: int) -> Callable[[], object]:
    query = {**filters, "limit": 30, "start": where.item(first)}
    return lambda: where.call("GET", f"/datasets/{where.dataset}/items", params=query)


if __name__ == "__main__":
    main(measure)
