"""Time that a study of a table takes over its time limit, alone and beside processes that take the cores.

A study as the start form makes it, with a time limit: from its start to the model that is shipped. The row is about waiting, so
it uses the wall clock. ``busy`` processes do nothing but count; there is one a core.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks._platform import walking
from benchmarks._tables import cut, load, small, studied
from benchmarks.harness import Claim, Options, main

TARGET = 1.10
TABLES = ("wa_churn", "hotel_rates")


def measure(options: Options) -> list[Claim]:
    """A claim each budget, quiet and with busy neighbours: the most of the tables."""
    budgets = options.pick((15.0, 60.0), smoke=(2.0,), quick=(15.0,))
    crowds = options.pick((0, os.cpu_count() or 1), smoke=(0,))
    claims = []
    with tempfile.TemporaryDirectory() as scratch, walking() as walk:
        folder = Path(scratch)
        names = options.pick(TABLES, smoke=(), quick=TABLES[:1])
        parts = [cut(table, 0, folder) for table in load(names, folder)] if names else [small(folder)]
        if not options.is_smoke:
            studied(walk, parts[0], 0, budgets[0])  # loads what is loaded once
        for num_busy in crowds:
            for budget_s in budgets:
                with busy(num_busy):
                    used = {table.name: studied(walk, table, 0, budget_s).fit_s for table in parts}
                sys.stderr.write(f"{num_busy} busy, {budget_s:g} s asked: {used}\n")
                most = max(used.values())
                metric = f"time used over time asked, {budget_s:g} s, {num_busy} busy processes on {os.cpu_count()} cores"
                claims.append(Claim("budget", metric, most, budget_s, most / budget_s, TARGET, is_at_most=True))
    return claims


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many processes that take all the time that they get."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_count, daemon=True) for _ in range(number)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _count() -> None:
    number = 0
    while True:
        number += 1


if __name__ == "__main__":
    main(measure)
