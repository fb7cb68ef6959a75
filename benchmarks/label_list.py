"""A page of 30 items of a large dataset: first, middle, last, and by every kind of filter; on SQLite and PostgreSQL.

The anchor is the same page of a dataset of 1,000 items, in turns with the large one. Time is what the caller waits, the
median; a busy machine doubles it, so read the ratio too. Label Studio 1.23.2 took 69 to 100 ms at 100,000 tasks.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable

from benchmarks._room import VENDORS, Room, room
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


def measure(options: Options) -> list[Claim]:
    """Three places by ten filters, each asked in turns of the small and the large dataset."""
    num_items = 20_000 if options.is_quick else 1_000_000
    return [claim for vendor in VENDORS for claim in _vendor(vendor, num_items, num=7 if options.is_quick else 25)]


def _vendor(vendor: str, num_items: int, num: int) -> list[Claim]:
    with room(vendor, 1000) as small, room(vendor, num_items) as large:
        waits = {}
        for name, wanted in FILTERS.items():
            for place, share in (("first", 0.0), ("middle", 0.5), ("last", 0.999)):
                calls = [_call(small, wanted, int(1000 * share)), _call(large, wanted, int(num_items * share))]
                waits[name, place] = _in_turns(calls, num)
        for (name, place), (few, many) in waits.items():
            sys.stderr.write(f"{vendor} {name}, {place}: {few:.1f} ms of 1000, {many:.1f} ms of {num_items}\n")
    few, many = (statistics.median(pair[side] for pair in waits.values()) for side in (0, 1))
    metric = f"ms that a page of 30 takes, {vendor}, {num_items} items, {len(waits)} filters and places, median"
    return [
        Claim("label_list", metric, many, few, many, TARGET_MS, is_at_most=True),
        Claim("label_list", f"{metric}, against 1000 items", many, few, many / few, TARGET_RATIO, is_at_most=True),
    ]


def _call(where: Room, wanted: dict[str, object], first: int) -> Callable[[], object]:
    query = {**wanted, "limit": 30, "start": f"itm_01m{first:023d}"}
    return lambda: where.call("GET", f"/datasets/{where.dataset}/items", params=query)


def _in_turns(calls: list[Callable[[], object]], num: int) -> tuple[float, float]:
    times: list[list[float]] = [[], []]
    for _ in range(num):
        for side, call in enumerate(calls):
            times[side].append(Room.wait_ms(call))
    few, many = (statistics.median(one[2:]) for one in times)
    return few, many


if __name__ == "__main__":
    main(measure)
