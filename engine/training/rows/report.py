"""What only a model of tables reports: which models went into it, what each column does, and what single answers depend on.

All of it asks the graph that is shipped, of validation rows, which the model was not trained on; where it was, importance and
single rows are taken from test, if there are any. It takes a part of the training time and no more: a slow model is
asked less.

Shapes: N rows, C columns, K answers of a row.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import Split
from automl.contracts.report import ColumnEffect, ModelScore, PartialDependence, RowShap, TableReport
from engine.artefact.rows import RowSession
from engine.job import Job
from engine.table import dependence, shap
from engine.table.importance import Importance, affordable, importance
from engine.table.missing_rows import CautiousModel
from engine.table.shap import RowContributions, explain
from engine.table.table import RowEnsemble, RowModel, Table
from engine.tasks import task_part
from engine.training.rows.data import PreparedRows

_TIME_SHARE, _LEAST_S, _MOST_S = 0.15, 3.0, 20.0
"""Of the time that the fit took."""
_IMPORTANCE, _SHAP, _DEPENDENCE = 0.4, 0.4, 0.2
"""Of the time for all of it."""
_MAX_SHAP_NUMBERS = 200_000
"""Rows times columns times answers: what a page can load."""
_LEAST_CURVES, _MAX_CURVES, _MAX_CURVE_NUMBERS = 3, 12, 60_000
_SPEED_ROWS = 500


@dataclass(frozen=True)
class _Budget:
    """Seconds for each part, and how fast the graph is."""

    total_s: float
    rows_per_s: float

    def seconds(self, share: float) -> float:
        return self.total_s * share


def table_report(
    session: RowSession,
    model: RowModel,
    prepared: PreparedRows,
    answers_NK: NDArray[np.float32],
    *,
    is_learned: bool,
    fit_seconds: float,
    job: Job,
    at: float,
) -> TableReport:
    """Computes the report of a table's model.

    Args:
        session: the graph.
        model: that was fitted; the models of an ensemble are the leaderboard.
        prepared: what it was trained on.
        answers_NK: to all validation rows, of the graph or of models that had not seen them.
        is_learned: whether the model has learned the rows of validation too; those of test are asked then, if there are any.
        fit_seconds: that the fit took.
        job: whose events and control to use.
        at: share of the whole job that is done; the rest is this.

    Raises:
        StoppedError: the job was asked to stop.
    """

    def progress(begin: float, end: float) -> Callable[[float], None]:
        def report(share: float) -> None:
            job.control.raise_if_stopped()
            job.progress("evaluate", at + (1.0 - at) * (begin + (end - begin) * share))

        return report

    budget = _Budget(_seconds(fit_seconds, job), _rows_per_s(session, prepared.table(Split.VALIDATION)))
    unseen = Split.TEST if is_learned and len(prepared.rows[Split.TEST]) else Split.VALIDATION
    weighed = _importance(
        session,
        prepared,
        unseen,
        seconds=budget.seconds(_IMPORTANCE),
        rows_per_s=budget.rows_per_s,
        seed=job.spec.seed,
        on_progress=progress(0.0, _IMPORTANCE),
    )
    explained, places = _explained(
        session, prepared, unseen, budget, seed=job.spec.seed, on_progress=progress(_IMPORTANCE, _IMPORTANCE + _SHAP)
    )
    mean_abs_C = np.abs(explained.values_RCK).sum(axis=2).mean(axis=0)
    names = tuple(column.name for column in prepared.columns)
    order = sorted(range(len(names)), key=lambda place: (-weighed.mean_C[place], -mean_abs_C[place]))
    return TableReport(
        columns=names,
        base=tuple(explained.base_K.tolist()),
        models=leaderboard(model, prepared, answers_NK, fit_seconds=fit_seconds, rows_per_s=budget.rows_per_s),
        effects=tuple(
            ColumnEffect(
                column=names[place],
                importance=float(weighed.mean_C[place]),
                importance_std=float(weighed.std_C[place]),
                mean_abs_shap=float(mean_abs_C[place]),
            )
            for place in order
        ),
        shap_rows=_shap_rows(prepared, unseen, explained, places),
        dependence=_curves(session, prepared, order, budget, progress(_IMPORTANCE + _SHAP, 1.0)),
        background=tuple(_cells(prepared, Split.TRAIN, place) for place in background_rows(prepared).tolist()),
    )


def leaderboard(
    model: RowModel, prepared: PreparedRows, answers_NK: NDArray[np.float32], *, fit_seconds: float, rows_per_s: float
) -> tuple[ModelScore, ...]:
    """The models that were tried for the one that is shipped, as it lists them itself, else this one."""
    judged = model.model if isinstance(model, CautiousModel) else model
    if isinstance(judged, RowEnsemble):
        return tuple(judged.models)
    value = _objective(prepared, answers_NK, prepared.targets[Split.VALIDATION])
    one = ModelScore(
        name=prepared.family.title.en,
        family=prepared.family.name,
        params=prepared.params,
        value=value,
        fit_seconds=fit_seconds,
        rows_per_s=rows_per_s,
        weight=1.0,
    )
    return (one,)


def background_rows(prepared: PreparedRows) -> NDArray[np.int64]:
    """Places of training rows that stand for the others, evenly along the target, in an order whose beginnings do so too."""
    targets_N = prepared.targets[Split.TRAIN]
    order_N = np.argsort(targets_N, kind="stable")
    places = np.unique(np.linspace(0, len(order_N) - 1, min(len(order_N), shap.NUM_BACKGROUND) + 2)[1:-1].astype(np.int64))
    return np.random.default_rng(0).permutation(order_N[places])


def _seconds(fit_seconds: float, job: Job) -> float:
    seconds = float(np.clip(_TIME_SHARE * fit_seconds, _LEAST_S, _MOST_S))
    left_s = job.control.left_s
    return seconds if left_s is None else min(seconds, max(0.5, 0.8 * left_s))


def _rows_per_s(session: RowSession, table: Table) -> float:
    few = table.take(slice(0, _SPEED_ROWS))
    session.run(few)
    started_s = time.perf_counter()
    session.run(few)
    return len(few) / max(1e-9, time.perf_counter() - started_s)


def _objective(prepared: PreparedRows, answers_NK: NDArray, targets_N: NDArray) -> float:
    metric = prepared.task.objective(prepared.options)
    return float(task_part(prepared.task.name, "metrics").metrics(answers_NK, targets_N, prepared.labels)[metric.name])


def _importance(
    session: RowSession,
    prepared: PreparedRows,
    split: Split,
    *,
    seconds: float,
    rows_per_s: float,
    seed: int,
    on_progress: Callable[[float], None],
) -> Importance:
    table, targets_N = prepared.table(split), prepared.targets[split]
    most, num_shuffles = affordable(seconds, rows_per_s=rows_per_s, num_columns=len(prepared.columns))
    places = _evenly(len(table), most)
    sign = 1.0 if prepared.task.objective(prepared.options).is_higher_better else -1.0
    few_N = targets_N[places]
    return importance(
        session.run,
        table.take(places),
        lambda answers_NK: sign * _objective(prepared, answers_NK, few_N),
        num_shuffles=num_shuffles,
        seed=seed,
        on_progress=on_progress,
    )


def _explained(
    session: RowSession,
    prepared: PreparedRows,
    split: Split,
    budget: _Budget,
    *,
    seed: int,
    on_progress: Callable[[float], None],
) -> tuple[RowContributions, NDArray[np.int64]]:
    table = prepared.table(split)
    numbers = len(prepared.columns) * max(1, len(prepared.labels))
    places = _evenly(len(table), int(np.clip(_MAX_SHAP_NUMBERS // numbers, 5, shap.NUM_ROWS)))
    places = np.random.default_rng(seed).permutation(places)  # the beginning stands for all where time is short
    explained = explain(
        session.run,
        table.take(places),
        prepared.table(Split.TRAIN).take(background_rows(prepared)),
        budget_s=budget.seconds(_SHAP),
        seed=seed,
        on_progress=on_progress,
    )
    return explained, places


def _shap_rows(
    prepared: PreparedRows, split: Split, explained: RowContributions, places: NDArray[np.int64]
) -> tuple[RowShap, ...]:
    own = prepared.rows[split].rows
    found = []
    for values_CK, place in zip(explained.values_RCK, places.tolist(), strict=False):
        cells = own.cells_of(place)
        found.append(
            RowShap(
                item=str(own.items[place]),
                cells=tuple(cells.get(column.name, "") for column in prepared.columns),
                values=tuple(tuple(float(f"{value:.8g}") for value in values_K) for values_K in values_CK),
            )
        )
    return tuple(found)


def _curves(
    session: RowSession, prepared: PreparedRows, order: Sequence[int], budget: _Budget, on_progress: Callable[[float], None]
) -> tuple[PartialDependence, ...]:
    numbers = dependence.NUM_CELLS * max(1, len(prepared.labels))
    num_curves = int(np.clip(_MAX_CURVE_NUMBERS // numbers, _LEAST_CURVES, _MAX_CURVES))
    seconds = budget.seconds(_DEPENDENCE)
    each = int(seconds * budget.rows_per_s / (num_curves * dependence.NUM_CELLS))
    table = prepared.table(Split.TRAIN)
    rows = prepared.table(Split.VALIDATION)
    rows = rows.take(_evenly(len(rows), int(np.clip(each, dependence.MIN_ROWS, dependence.MAX_ROWS))))
    ends_s = time.monotonic() + seconds
    found: list[PartialDependence] = []
    for place in order:
        if len(found) == num_curves or (len(found) >= _LEAST_CURVES and time.monotonic() > ends_s):
            break
        on_progress(len(found) / num_curves)
        curve = dependence.partial_dependence(session.run, table, place, rows=rows)
        if curve is not None:
            found.append(curve)
    return tuple(found)


def _cells(prepared: PreparedRows, split: Split, place: int) -> dict[str, str]:
    return prepared.rows[split].rows.cells_of(place)


def _evenly(num_rows: int, most: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, num_rows - 1, min(num_rows, most)).astype(np.int64))
