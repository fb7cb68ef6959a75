"""Several labels an item, each by itself. Shapes: N items, M items asked about, D features, L labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.advice.answers.class_scores import KIND as ONE_LABEL
from engine.advice.heads import class_scores, f1_of
from engine.advice.learner import Answers, Learner, Rows, Style

_HALF = 0.5


class LabelScores:
    """See ``AnswersKind``; targets are zeros and ones ``_NL``."""

    def learners(self, styles: Sequence[Style]) -> Sequence[Learner]:
        """See ``AnswersKind``."""
        return ONE_LABEL.learners(styles)

    def answers(
        self, learner: Learner, rows_ND: Rows, targets: NDArray[np.float32], queries_MD: Rows, num_labels: int
    ) -> Answers:
        """See ``AnswersKind``."""
        carried_NL = targets.astype(np.int64)
        by_label = [class_scores(learner, rows_ND, carried_N, queries_MD, 2)[:, 1] for carried_N in carried_NL.T]
        return np.stack(by_label, axis=1)

    def loss(self, answers_NL: Answers, targets: NDArray[np.float32]) -> float:
        """See ``AnswersKind``: the mean of the labels' log losses."""
        scores_NL = np.clip(answers_NL, 1e-7, 1.0 - 1e-7)
        return float(-np.where(targets > _HALF, np.log(scores_NL), np.log1p(-scores_NL)).mean())

    def strata(self, targets: NDArray[np.float32]) -> NDArray[np.int64]:
        """See ``AnswersKind``: by the rarest label that an item carries, and those with none together."""
        rarity_L = np.where(targets.sum(axis=0) > 0, targets.sum(axis=0), np.inf)
        seldom_N = np.where(targets > _HALF, -rarity_L, -np.inf).argmax(axis=1)
        return np.where(targets.max(axis=1) > _HALF, seldom_N, targets.shape[1])

    def carriers(self, targets: NDArray[np.float32], label: int) -> NDArray[np.bool_]:
        """See ``AnswersKind``."""
        return targets[:, label] > _HALF

    def f1(self, answers_NL: Answers, targets: NDArray[np.float32], label: int) -> float:
        """See ``AnswersKind``."""
        return f1_of(answers_NL[:, label] >= _HALF, targets[:, label] > _HALF)


KIND = LabelScores()
