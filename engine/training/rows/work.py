"""Fits a family to the rows of a table, and reports the progress."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

from automl.contracts.dataset import Split
from automl.contracts.report import CurvePoint
from engine.job import EarlyEnd, Job
from engine.table.table import Deadline, RowTask
from engine.training.rows.data import PreparedRows
from engine.training.rows.fit import learn
from engine.training.rows.publish import FittedRows

_LOGGER = logging.getLogger(__name__)
FIT_FROM, FIT_TO = 0.1, 0.8
_CURVE_POINTS = 200
"""Of a learning curve, at most: a booster reports every tree."""
_RESERVED_SHARE, _RESERVED_MOST_S = 0.25, 60.0
"""Of the time that is left, kept for export and report."""
_LEAST_FIT_S = 1.0


class Reporter:
    """Reports a fit between two of its steps, and ends it when that is requested."""

    def __init__(self, job: Job):
        self._job = job
        self._reported_place = -1
        self.curves: list[CurvePoint] = []

    def __call__(self, fraction: float, measured: Mapping[str, float]) -> None:
        """Reports how far the fit is.

        Raises:
            StoppedError: the job was asked to stop.
            OutOfMemoryError: the job uses more memory than it may.
        """
        self._job.control.raise_if_stopped()
        self._job.control.halt()  # looks at the memory; an end that keeps what there is comes by the deadline
        fraction = min(max(fraction, 0.0), 1.0)
        self._job.progress("train", FIT_FROM + (FIT_TO - FIT_FROM) * fraction)
        place = int(fraction * _CURVE_POINTS)
        if not measured or place <= self._reported_place:
            return
        self._reported_place = place
        step = len(self.curves) + 1
        point = CurvePoint(step=step, epoch=float(step), split=Split.VALIDATION, values=dict(measured))
        self.curves.append(point)
        self._job.events.metric(step=step, epoch=point.epoch, split=point.split, values=point.values)


def fit(prepared: PreparedRows, job: Job) -> FittedRows:
    """Lets the family fit to the rows until its time is over.

    Raises:
        StoppedError: the job was asked to stop.
        EngineError: the family cannot learn from the rows, with a code that says why.
    """
    report = Reporter(job)
    report(0.0, {})
    limits = job.spec.limits
    task = RowTask(
        train=prepared.table(Split.TRAIN),
        targets_N=prepared.targets[Split.TRAIN],
        validation=prepared.table(Split.VALIDATION),
        validation_targets_N=prepared.targets[Split.VALIDATION],
        num_labels=len(prepared.labels),
        params=prepared.params,
        max_rows=prepared.size.max_rows,
        deadline=_deadline(job),
        seed=job.spec.seed,
        num_threads=limits.num_threads,
        report=report,
        is_shortened=job.is_shortened,
        warn=job.events.warning,
    )
    name = f"{prepared.family.name} {prepared.size.name}"
    _LOGGER.info("Fitting %s to %d rows of %d columns.", name, len(task.train), len(prepared.columns))
    started_s = time.monotonic()
    learned = learn(task, prepared.family.name)
    seconds = time.monotonic() - started_s
    reason = job.control.halt()
    halt = reason if isinstance(reason, EarlyEnd) else EarlyEnd.TIME_LIMIT if task.deadline.left_s == 0 else None
    return FittedRows(learned.model, learned.held_back_MK, report.curves, seconds, halt, learned.needs)


def _deadline(job: Job) -> Deadline:
    """When the fit must be over so that the job ends in time; at once when somebody asks to finish."""
    left_s = job.control.left_s
    if left_s is not None:
        left_s = max(_LEAST_FIT_S, left_s - min(_RESERVED_MOST_S, _RESERVED_SHARE * left_s))
    return Deadline.after(left_s, lambda: isinstance(job.control.halt(), EarlyEnd))
