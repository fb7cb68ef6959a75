"""Scores of labels that stand by themselves: any number of them may hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..annotations import ClassAnnotation, border_nearness
from ..tensors import BYTES, Tensor, TensorSpec
from ._scores import Scores, scores_encode
from .kind import Item, Thresholds


class LabelScores(Scores):
    """Scores each of which has a threshold of its own."""

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> float:
        """How near the nearest score comes to its threshold."""
        return border_nearness(zip(self.labels, answer.tolist(), strict=True), thresholds)

    def passing(self, answer: NDArray[np.float32], item: Item, thresholds: Thresholds) -> list[ClassAnnotation]:
        """All labels that pass their thresholds."""
        del item
        return scores_encode(answer, self.labels, top=len(self.labels), thresholds=thresholds)

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: the labels that hold, best first, then empty texts."""
        return (TensorSpec("labels", BYTES, tuple(shape)),)

    def tensors(self, answers: NDArray[np.float32], thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        labels_NL = np.full(answers.shape, "", dtype=np.object_)  # noqa: N806 - the suffix is the shape
        for row, answer in zip(labels_NL, answers, strict=True):
            labels = [annotation["label"] for annotation in self.passing(answer, None, thresholds)]
            row[: len(labels)] = labels
        return {"labels": labels_NL}


KIND = LabelScores
