"""Time that an automatic fit takes over the time that it was given, alone and beside processes that take the cores.

The row is about waiting, so it uses the wall clock. ``busy`` processes do nothing but count; there is one a core.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from benchmarks._tables import cut, fitted, load
from benchmarks.harness import Claim, Options, main

TARGET = 1.10
_BUDGETS_S = {False: (5.0, 15.0), True: (5.0,)}
_TABLES = ("wa_churn", "hotel_rates")


def measure(options: Options) -> list[Claim]:
    """A claim each budget, quiet and with busy neighbours: the most of the tables."""
    torch.set_num_threads(1)
    claims = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        tables = load(_TABLES[:1] if options.is_quick else _TABLES, folder)
        cuts = {table.name: cut(table, 0, folder) for table in tables}
        fitted(tables[0], cuts[tables[0].name], "table_ensemble", 0, 2.0, budget_s=2)  # loads what is loaded once
        for num_busy in (0, os.cpu_count() or 1):
            for budget_s in _BUDGETS_S[options.is_quick]:
                with busy(num_busy):
                    used = [
                        fitted(table, cuts[table.name], "table_ensemble", 0, budget_s, budget_s=round(budget_s))[0].fit_s
                        for table in tables
                    ]
                said = f"time used over time asked, {budget_s:g} s, {num_busy} busy processes on {os.cpu_count()} cores"
                claims.append(Claim("budget", said, max(used), budget_s, max(used) / budget_s, TARGET, is_at_most=True))
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
