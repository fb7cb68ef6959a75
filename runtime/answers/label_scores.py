"""Scores of labels that stand by themselves: any number of them may hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..annotations import ClassAnnotation, border_nearness
from ._scores import Scores, scores_encode
from .kind import Item, Thresholds


class LabelScores(Scores):
    """Scores each of which has a threshold of its own."""

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> float:
        """How near the nearest score comes to its threshold."""
        return border_nearness(zip(self.labels, answer.tolist(), strict=True), thresholds)

    def hold(self, answer: NDArray[np.float32], item: Item, thresholds: Thresholds) -> list[ClassAnnotation]:
        """All labels that pass their thresholds."""
        del item
        return scores_encode(answer, self.labels, top=len(self.labels), thresholds=thresholds)


KIND = LabelScores
