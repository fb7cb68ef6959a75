"""Rows to fit families on: made ones with every kind of column, and real ones that come with scikit-learn."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import onnxruntime
from sklearn import datasets

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from engine.models import family_spec
from engine.table.encode import graph_for
from engine.table.table import Deadline, RowTask, Table
from runtime.cells import MISSING_TIME

_WORDS = ("broken", "fine", "late", "lost", "new", "old", "paid", "red", "sent", "slow")
_COLUMNS = (
    RowColumn(name="age", kind=ColumnKind.NUMBER),
    RowColumn(name="income", kind=ColumnKind.NUMBER),
    RowColumn(name="noise", kind=ColumnKind.NUMBER),
    RowColumn(name="opened", kind=ColumnKind.DATETIME),
    RowColumn(name="city", kind=ColumnKind.CATEGORY),
    RowColumn(name="code", kind=ColumnKind.CATEGORY),
    RowColumn(name="note", kind=ColumnKind.TEXT),
)


def mixed_rows(num_rows, *, num_labels, seed=0, with_unseen=False):
    """Rows with missing cells in every column, and what is predicted, which hangs on all columns but the noise.

    Args:
        num_labels: 0 for numbers, which are then positive with a long tail.
        with_unseen: gives some cells values that other rows never have.
    """
    rng = np.random.default_rng(seed)
    age_N, noise_N = rng.normal(40, 12, num_rows), rng.normal(0, 1, num_rows)
    income_N = rng.lognormal(10, 1, num_rows)
    opened_N = rng.integers(1_500_000_000, 1_700_000_000, num_rows)
    city_N, code_N = rng.integers(0, 5, num_rows), rng.integers(0, 60, num_rows)
    words_N2 = rng.integers(0, len(_WORDS), (num_rows, 2))
    score_N = (age_N - 40) / 12 + np.log(income_N) - 10 + city_N / 3 + (code_N % 7) / 5
    score_N += (words_N2 == 0).any(axis=1) * 1.5 + np.sin(opened_N / 86400 / 58) + rng.normal(0, 0.5, num_rows)
    if num_labels:
        targets_N = np.searchsorted(np.quantile(score_N, np.arange(1, num_labels) / num_labels), score_N)
    else:
        targets_N = np.exp(score_N / 2) * 1000

    def holes(share=0.07):
        return rng.random(num_rows) < share

    numbers_NA = np.stack([age_N, income_N, noise_N], axis=1).astype(np.float32)
    numbers_NA[np.stack([holes(), holes(), holes()], axis=1)] = np.nan
    moments_N = np.where(holes(), MISSING_TIME, opened_N)
    cities = np.where(holes(), "", np.array(["Ulm", "Köln", "北京", "Rom", "Oslo"])[city_N]).astype(object)
    codes = np.where(holes(), "", np.char.add("c", code_N.astype(str))).astype(object)
    notes = np.array([f"{_WORDS[first]} and {_WORDS[second]}" for first, second in words_N2], dtype=object)
    notes[holes()] = ""
    if with_unseen:
        cities[holes()], codes[holes()], notes[holes()] = "Atlantis", "c-none", "zzz 未见"
        numbers_NA[holes(), 0] = np.inf  # what is too large for float32
        numbers_NA[holes(), 1] = -3e38
        numbers_NA[holes(), 2] = -np.inf
    table = Table(_COLUMNS, numbers_NA, moments_N[:, None], np.stack([cities, codes], axis=1), notes[:, None])
    return table, targets_N.astype(np.int64 if num_labels else np.float64)


def numbers_table(x_NA):
    """A table of numbers alone."""
    columns = tuple(RowColumn(name=f"x{place}", kind=ColumnKind.NUMBER) for place in range(x_NA.shape[1]))
    nothing = np.empty((len(x_NA), 0))
    return Table(columns, x_NA.astype(np.float32), nothing.astype(np.int64), nothing.astype(object), nothing.astype(object))


def real_rows(name):
    """A data set of scikit-learn: table, targets, number of labels (0 for numbers)."""
    x_NA, targets_N = getattr(datasets, f"load_{name}")(return_X_y=True)
    num_labels = 0 if name == "diabetes" else int(targets_N.max()) + 1
    return numbers_table(x_NA), targets_N.astype(np.int64 if num_labels else np.float64), num_labels


def task_of(family, train, validation, *, num_labels, report=None, deadline=None, params=None, max_rows=None, seed=0):
    """Asks a family for a fit; rows come with their targets."""
    spec = family_spec(family)
    known = {param.name: param.default for param in spec.params}
    assert set(params or {}) <= set(known)
    return RowTask(
        train=train[0],
        targets_N=train[1],
        validation=validation[0],
        validation_targets_N=validation[1],
        num_labels=num_labels,
        params=known | (params or {}),
        max_rows=max_rows or spec.sizes[0].max_rows,
        deadline=deadline or Deadline(math.inf),
        seed=seed,
        num_threads=1,
        report=report or (lambda fraction, values: None),
    )


def mixed_task(family, num_labels, *, num_rows=1500, **given):
    """A fit on made rows."""
    train = mixed_rows(num_rows, num_labels=num_labels, seed=1)
    return task_of(family, train, mixed_rows(400, num_labels=num_labels, seed=2), num_labels=num_labels, **given)


def real_task(family, name, **given):
    """A fit on a real data set, and its held-back rows: task, test table, test targets."""
    table, targets_N, num_labels = real_rows(name)
    train, validation, test = parts(len(table))
    task = task_of(
        family,
        (table.take(train), targets_N[train]),
        (table.take(validation), targets_N[validation]),
        num_labels=num_labels,
        **given,
    )
    return task, table.take(test), targets_N[test]


def parts(num_rows):
    """Rows to train on, to choose by, and to judge by: 60, 15 and 25 of a hundred."""
    order_N = np.random.default_rng(0).permutation(num_rows)
    return np.split(order_N, [int(0.6 * num_rows), int(0.75 * num_rows)])


def graph_of(model, table, *, num_outputs):
    """The model as ONNX."""
    graph = graph_for(table.columns)
    return graph.finish(model.write(graph), name="answers", num_columns=num_outputs)


def graph_answers(model, table, *, num_outputs):
    """What onnxruntime answers with the model's graph."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    onnx_model = graph_of(model, table, num_outputs=num_outputs)
    session = onnxruntime.InferenceSession(onnx_model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, table.feeds())[0]


def without_cells(table):
    """The same rows with every cell missing."""
    return replace(
        table,
        numbers_NA=np.full_like(table.numbers_NA, np.nan),
        datetimes_ND=np.full_like(table.datetimes_ND, MISSING_TIME),
        categories_NC=np.full_like(table.categories_NC, ""),
        texts_NT=np.full_like(table.texts_NT, ""),
    )
