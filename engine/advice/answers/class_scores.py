"""One label an item. Shapes: N items, M items asked about, D features, L labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.advice.heads import STRENGTHS, class_scores, f1_of
from engine.advice.learner import Answers, Learner, Rows, Style


class ClassScores:
    """See ``AnswersKind``; targets are indices ``_N``."""

    def learners(self, styles: Sequence[Style]) -> Sequence[Learner]:
        """See ``AnswersKind``."""
        return [
            Learner(style, strength) for style in styles for strength in (STRENGTHS if style == "linear" else STRENGTHS[:1])
        ]

    def answers(
        self, learner: Learner, rows_ND: Rows, targets: NDArray[np.int64], queries_MD: Rows, num_labels: int
    ) -> Answers:
        """See ``AnswersKind``."""
        return class_scores(learner, rows_ND, targets, queries_MD, num_labels)

    def loss(self, answers_NL: Answers, targets: NDArray[np.int64]) -> float:
        """See ``AnswersKind``: the log loss."""
        return float(-np.log(answers_NL[np.arange(len(targets)), targets]).mean())

    def strata(self, targets: NDArray[np.int64]) -> NDArray[np.int64]:
        """See ``AnswersKind``."""
        return targets

    def carriers(self, targets: NDArray[np.int64], label: int) -> NDArray[np.bool_]:
        """See ``AnswersKind``."""
        return targets == label

    def f1(self, answers_NL: Answers, targets: NDArray[np.int64], label: int) -> float:
        """See ``AnswersKind``."""
        return f1_of(answers_NL.argmax(axis=1) == label, targets == label)


KIND = ClassScores()
