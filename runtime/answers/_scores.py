"""What the two kinds of scores share: a score a label, 0..1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, Bounds, ClassAnnotation
from ..errors import NotExplainedError
from ..schemas import SCORE, object_of
from .kind import Item, Subject, Thresholds

DEFAULT_TOP = 5
MISSING_LABEL = 1.0
"""Difference that counts for a label which only one side knows, or whose score is no number."""


class Scores:
    """A score for each label."""

    default_top: ClassVar[int] = DEFAULT_TOP
    is_averaged: ClassVar[bool] = True
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)

    def check(self, answer: NDArray[np.float32]) -> None:
        """See ``Answers``."""
        if answer.shape != (len(self.labels),):
            raise ValueError(f"the model answers in shape {answer.shape} for {len(self.labels)} labels")

    def encode(
        self, answer: NDArray[np.float32], item: Item, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[ClassAnnotation]:
        """See ``Answers``."""
        del item
        return scores_encode(answer, self.labels, top=top, threshold=threshold, thresholds=thresholds)

    def best(self, answer: NDArray[np.float32], thresholds: Thresholds) -> dict[str, object]:
        """See ``Answers``."""
        del thresholds
        values = answer.tolist()
        best = max(values)
        return {"label": self.labels[values.index(best)], "score": round(best, SCORE_DIGITS)}

    def label_scores(self, answer: NDArray[np.float32]) -> NDArray[np.float32]:
        """The score of each label for the item as a whole, 0..1."""
        return answer

    def subject(
        self, answer: NDArray[np.float32], item: Item, *, label: str | None, box: Bounds | None, thresholds: Thresholds
    ) -> Subject:
        """See ``Answers``: the score of a label."""
        del item
        if box is not None:
            raise NotExplainedError("this model answers for the item as a whole: leave the box out")
        name = str(self.best(answer, thresholds)["label"]) if label is None else label
        place = self.labels.index(name)
        return Subject(name, lambda other: float(self.label_scores(other)[place]))

    @staticmethod
    def disagreement(mine: Sequence[ClassAnnotation], other: Sequence[ClassAnnotation]) -> float:
        """The fraction of their labels that only one of them predicts."""
        ours, theirs = ({annotation["label"] for annotation in each} for each in (mine, other))
        return 1.0 - len(ours & theirs) / len(ours | theirs) if ours or theirs else 0.0

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], item: Item) -> float:
        """See ``Answers``."""
        del item
        score_of = dict(zip(expected["labels"], expected["scores"], strict=True))
        if score_of.keys() != set(self.labels):
            return MISSING_LABEL
        apart_L = np.abs(answer - np.array([score_of[label] for label in self.labels]))  # noqa: N806 - its shape
        return float(np.nan_to_num(apart_L, nan=MISSING_LABEL).max())

    @staticmethod
    def easydl(annotation: ClassAnnotation) -> dict[str, object]:
        """See ``Answers``."""
        return {"name": annotation["label"], "score": annotation["score"]}

    @staticmethod
    def easydl_cells(annotation: ClassAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: annotation["label"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        return object_of({"kind": {"const": "class"}, "label": label, "score": SCORE})


def scores_encode(
    scores: NDArray[np.float32],
    labels: Sequence[str],
    *,
    top: int = DEFAULT_TOP,
    threshold: float | None = None,
    thresholds: Thresholds | None = None,
) -> list[ClassAnnotation]:
    """Annotations of the labels that reach their thresholds, best first.

    Args:
        scores: one a label, 0..1.
        labels: names in the order of the scores.
        top: at most so many annotations.
        threshold: lowest score for every label; None takes ``thresholds``.
        thresholds: lowest score by label; a label that is absent has none.
    """
    lowest = thresholds or {}
    found: list[ClassAnnotation] = []
    for index in scores.argsort(kind="stable")[::-1].tolist():
        label = labels[index]
        score = min(1.0, max(0.0, round(float(scores[index]), SCORE_DIGITS)))
        if score < (lowest.get(label, 0.0) if threshold is None else threshold):
            continue
        found.append({"kind": "class", "label": label, "score": score})
        if len(found) == top:
            break
    return found
