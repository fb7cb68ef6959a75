"""A number. Shapes: N items, M items asked about, D features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import Ridge

from engine.advice.learner import Answers, Learner, Rows, Style

_PENALTIES = (1.0, 10.0, 100.0)
_ROUNDS, _LEAVES, _LEAST_IN_LEAF, _RATE = 80, 8, 5, 0.1
_NUM_STRATA = 10


class Number:
    """See ``AnswersKind``; targets are numbers ``_N``, and there are no labels."""

    def learners(self, styles: Sequence[Style]) -> Sequence[Learner]:
        """See ``AnswersKind``."""
        return [
            Learner(style, 1.0 / penalty)
            for style in styles
            for penalty in (_PENALTIES if style == "linear" else _PENALTIES[:1])
        ]

    def answers(
        self, learner: Learner, rows_ND: Rows, targets: NDArray[np.float64], queries_MD: Rows, num_labels: int
    ) -> Answers:
        """See ``AnswersKind``."""
        del num_labels
        mean, spread = float(targets.mean()), float(targets.std()) or 1.0
        head = _trees() if learner.style == "trees" else Ridge(alpha=1.0 / learner.strength)
        head.fit(rows_ND, (targets - mean) / spread)
        answers_M: Answers = np.asarray(head.predict(queries_MD), dtype=np.float64) * spread + mean
        return answers_M[:, None]

    def loss(self, answers_NL: Answers, targets: NDArray[np.float64]) -> float:
        """See ``AnswersKind``: the mean squared error."""
        return float(((answers_NL[:, 0] - targets) ** 2).mean())

    def strata(self, targets: NDArray[np.float64]) -> NDArray[np.int64]:
        """See ``AnswersKind``: tenths of the range of ranks."""
        ranks_N = targets.argsort(kind="stable").argsort(kind="stable")
        return np.asarray(ranks_N * _NUM_STRATA // max(1, len(targets)), dtype=np.int64)

    def carriers(self, targets: NDArray[np.float64], label: int) -> NDArray[np.bool_]:
        """See ``AnswersKind``: there are no labels.

        Raises:
            LookupError: always.
        """
        raise LookupError(f"a number has no label {label} of {len(targets)} items")

    def f1(self, answers_NL: Answers, targets: NDArray[np.float64], label: int) -> float:
        """See ``AnswersKind``: there are no labels.

        Raises:
            LookupError: always.
        """
        raise LookupError(f"a number has no label {label} of {len(answers_NL)} of {len(targets)} items")


def _trees() -> HistGradientBoostingRegressor:
    return HistGradientBoostingRegressor(
        max_iter=_ROUNDS,
        max_leaf_nodes=_LEAVES,
        min_samples_leaf=_LEAST_IN_LEAF,
        learning_rate=_RATE,
        early_stopping=False,
        random_state=0,
    )


KIND = Number()
