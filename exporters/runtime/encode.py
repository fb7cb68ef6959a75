"""Turns the graph's scores into annotations: a prediction is an annotation with a score, best first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from .errors import AnswerInvalidError

DEFAULT_TOP = 5
SCORE_DIGITS = 6
"""Finer than any tolerance; a longer tail is noise of the last float bit."""


class ClassAnnotation(TypedDict):
    """The primitive ``class`` with a score."""

    kind: Literal["class"]
    label: str
    score: float


class BoxAnnotation(TypedDict):
    """The primitive ``box`` with a score: pixels of the file's picture, origin top left."""

    kind: Literal["box"]
    label: str
    x: float
    y: float
    width: float
    height: float
    score: float


class ValueAnnotation(TypedDict):
    """The primitive ``value``: a number that belongs to the item, in the unit of what was learned."""

    kind: Literal["value"]
    value: float


Annotation = ClassAnnotation | BoxAnnotation | ValueAnnotation


def annotations_encode(
    scores: NDArray[np.float32],
    labels: Sequence[str],
    *,
    top: int = DEFAULT_TOP,
    threshold: float | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> list[ClassAnnotation]:
    """Says which labels hold, best first.

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


def value_encode(answer: NDArray[np.float32]) -> ValueAnnotation:
    """The one number of an answer, with as many digits as tell it from its neighbours in float32.

    Raises:
        AnswerInvalidError: it is infinite or no number.
    """
    number = answer[0]
    if not np.isfinite(number):
        raise AnswerInvalidError(f"the model answers {number}")
    return {"kind": "value", "value": float(str(number))}


def scores_best(values: Sequence[float], labels: Sequence[str]) -> dict[str, object]:
    """The label with the highest score, whether or not it passes a threshold."""
    best = max(values)
    return {"label": labels[values.index(best)], "score": round(best, SCORE_DIGITS)}


def scores_uncertainty(
    values: Sequence[float], labels: Sequence[str], *, is_exclusive: bool, thresholds: Mapping[str, float]
) -> float:
    """How unsure the model is, 0..1.

    With exclusive labels, one minus the distance of the best two scores. With labels that stand by themselves, how near the
    nearest score comes to its threshold.
    """
    if is_exclusive:
        # Two passes rather than a sort: with a thousand labels that is 0.1 ms less.
        first, others = max(values), list(values)
        others.remove(first)
        return round(1.0 - (first - max(others, default=0.0)), 4)
    return border_nearness(zip(labels, values, strict=True), thresholds)


def border_nearness(scored: Iterable[tuple[str, float]], thresholds: Mapping[str, float]) -> float:
    """How near the nearest score comes to its label's threshold: 1 on it, 0 when there is no score."""
    nearest = 0.0
    for label, score in scored:
        border = thresholds.get(label, 0.5)
        nearest = max(nearest, 1.0 - abs(score - border) / max(border, 1.0 - border))
    return round(nearest, 4)
