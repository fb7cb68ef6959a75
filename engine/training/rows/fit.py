"""Fits a family to the rows of training, and once more to those of training and validation.

What validation is kept for (when to stop, how strong a penalty, how many neighbours) is found by a first model, which also
tells how well such a model does: the report of validation is its answers. The model that is shipped has learned the same way
from the rows of both, by the family's ``refit``; test it has not seen. An ensemble does so by itself.

Shapes: M rows of validation, K answers of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.models import family_part
from engine.models.shared.rows import joined, with_validation
from engine.table.missing_rows import cautious
from engine.table.table import FitNeeds, RowEnsemble, RowModel, RowTask
from engine.training.rows.outliers import InlierTask, without_outliers

_FIRST_SHARE = 0.5
"""Of the time, where there is a limit: learning all rows takes about as long as finding out how."""


@dataclass(frozen=True)
class ShippedModel:
    """The model that is shipped."""

    model: RowModel
    held_back_MK: NDArray[np.float32] | None
    """Where it has learned validation too: answers to its rows by models that had not seen them; else None."""
    needs: FitNeeds | None = None
    """As of ``RowEnsemble``."""


def learn(task: RowTask, family: str) -> ShippedModel:
    """Fits a family to a task; the model learns validation too where the parameter ``learns_validation`` says so.

    What is shipped says less of rows with more missing cells than any that it learned from (``missing_rows``).

    Raises:
        NoColumnsError: there is nothing to learn from.
        EngineError: what else the family raises.
    """
    inliers = without_outliers(task)
    learned = _learned(inliers, task, family)
    return replace(learned, model=cautious(learned.model, joined(inliers.task.train, inliers.task.validation)))


def _learned(inliers: InlierTask, task: RowTask, family: str) -> ShippedModel:
    part = family_part(family, "fit")
    refit = getattr(part, "refit", None)
    if refit is None or not task.params.get("learns_validation") or not len(inliers.task.validation):
        model: RowModel = part.fit(inliers.task)
        if not isinstance(model, RowEnsemble):
            return ShippedModel(model, None)
        return ShippedModel(model, _whole(model.held_back_answers, model, task, inliers), model.needs)
    deadline = inliers.task.deadline
    first = replace(inliers.task, deadline=deadline.part(_FIRST_SHARE), report=_part_of(task.report, 0.0, _FIRST_SHARE))
    judged: RowModel = part.fit(first)
    if inliers.task.deadline.left_s <= 0.0:
        return ShippedModel(judged, None)
    second = replace(with_validation(inliers.task), report=_part_of(task.report, _FIRST_SHARE, 1.0))
    again: RowModel | None = refit(second, (judged,))
    return ShippedModel(judged, None) if again is None else ShippedModel(again, judged.answers(task.validation))


def _whole(
    held_back_NK: NDArray[np.float32] | None, model: RowModel, task: RowTask, known: InlierTask
) -> NDArray[np.float32] | None:
    """Answers to all rows of validation, of those left out too, which no model has seen."""
    if held_back_NK is None:
        return None
    held_back_MK = np.empty((len(task.validation), held_back_NK.shape[1]), np.float32)
    held_back_MK[known.is_inlier_M] = held_back_NK
    held_back_MK[~known.is_inlier_M] = model.answers(task.validation.take(np.flatnonzero(~known.is_inlier_M)))
    return held_back_MK


def _part_of(report: Callable[[float, Mapping[str, float]], None], begin: float, end: float) -> Callable[..., None]:
    return lambda fraction, values: report(begin + (end - begin) * fraction, values)
