"""Weighs what was trained, and makes the model that is shipped of it, with its leaderboard.

Shapes: H rows held back, M models, O columns of an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from automl.contracts.report import ModelScore
from engine.errors import EngineError
from engine.models.table_ensemble.family import FAMILY
from engine.models.table_ensemble.model import Ensemble
from engine.models.table_ensemble.selection import HeldBackScores, select
from engine.models.table_ensemble.trainer import TrainedMember
from engine.table.table import RowTask

ROWS_PER_S = 60_000.0
"""Up to this speed of the shipped graph on one core, time costs a model nothing; the target is 50,000, this an estimate."""
FEW_ROWS, FEW_ROWS_PER_S = 2_000, 4_000.0
"""Up to so many rows to learn from, this speed is enough, and bags stay whole: they gain most on small tables."""
_JUDGING_ROWS = 20_000
"""Rows by which weights are chosen, evenly drawn where there are more."""


class NothingTrainedError(EngineError):
    """Every member failed."""

    code = "nothing_trained"
    hint = "Look at the warnings of the job: each says why a model could not be trained."


def target_rows_per_s(num_rows: int) -> float:
    """How fast a model of so many rows should answer."""
    return FEW_ROWS_PER_S if num_rows <= FEW_ROWS else ROWS_PER_S


@dataclass(frozen=True)
class JudgedMembers:
    """Members, and the targets of the rows that they were judged by."""

    trained: tuple[TrainedMember, ...]
    targets_H: NDArray
    num_validation: int = 0
    """Rows of validation that were trained on, the last of H."""
    rows_per_s: float = ROWS_PER_S
    """Up to this speed time costs a model nothing."""

    def weights(self) -> NDArray[np.float64]:
        """Of the members, of whose bags one model is enough (see ``speed_up``); they add up to one.

        Without rows to judge by the first has all.
        """
        if not len(self.targets_H):
            return np.eye(len(self.trained))[0]
        places = np.unique(np.linspace(0, len(self.targets_H) - 1, min(len(self.targets_H), _JUDGING_ROWS)).astype(np.int64))
        scores = HeldBackScores.of([each.held_back_HO[places] for each in self.trained], self.targets_H[places])
        seconds_M = np.array([each.part_seconds for each in self.trained])
        return select(scores, seconds_M, rows_per_s=self.rows_per_s)


def mixed(
    judged: JudgedMembers, weights_M: NDArray[np.float64], task: RowTask, warnings: Sequence[tuple[str, str]] = ()
) -> Ensemble:
    """The ensemble that is shipped, with its leaderboard.

    Args:
        judged: the members as they are shipped, and by what they were judged.
        weights_M: of the members.
        task: of the ensemble.
        warnings: codes and messages of members that failed; raised if all did.

    Raises:
        NothingTrainedError: there is no member.
    """
    if not judged.trained:
        raise NothingTrainedError("No model could be trained: " + "; ".join(message for _, message in warnings))
    places = np.flatnonzero(weights_M)
    scores = [_score(each, float(weight), judged.targets_H) for each, weight in zip(judged.trained, weights_M, strict=True)]
    mixed_HO = np.tensordot(weights_M, np.stack([each.held_back_HO for each in judged.trained]), axes=1).astype(np.float32)
    whole = ModelScore(
        name=FAMILY.title.en,
        family=FAMILY.name,
        params=task.params,
        value=objective(mixed_HO, judged.targets_H),
        fit_seconds=sum(each.fit_seconds for each in judged.trained),
        rows_per_s=1.0 / max(sum(judged.trained[place].seconds_per_row for place in places), 1e-9),
        weight=1.0,
    )
    scores.sort(key=lambda score: score.value, reverse=task.num_labels > 0)
    return Ensemble(
        members=tuple(judged.trained[place].model for place in places),
        weights=tuple(float(weights_M[place]) for place in places),
        models=(whole, *scores),
        held_back_answers=mixed_HO[-judged.num_validation :] if judged.num_validation else None,
    )


def _score(trained: TrainedMember, weight: float, targets_H: NDArray) -> ModelScore:
    return ModelScore(
        name=trained.member.name,
        family=trained.member.family,
        params=trained.member.params,
        value=objective(trained.held_back_HO, targets_H),
        fit_seconds=trained.fit_seconds,
        rows_per_s=1.0 / max(trained.seconds_per_row, 1e-9),
        weight=weight,
    )


def objective(answers_HO: NDArray[np.float32], targets_H: NDArray) -> float:
    """The task's objective: area under the ROC curve, averaged over labels (Hanley and McNeil 1982), or RMSE."""
    if not len(targets_H):
        return 0.0
    if answers_HO.shape[1] == 1:
        return float(np.sqrt(np.square(answers_HO[:, 0] - targets_H).mean()))
    areas = []
    for label in range(answers_HO.shape[1]):
        is_label_H = targets_H == label
        num_others = int((~is_label_H).sum())
        if 0 < num_others < len(targets_H):
            others = np.sort(answers_HO[~is_label_H, label])
            own = answers_HO[is_label_H, label]
            below = np.searchsorted(others, own, side="left") + np.searchsorted(others, own, side="right")
            areas.append(float(below.mean()) / (2 * num_others))
    return float(np.mean(areas)) if areas else 0.5
