"""Explains the answer to one item: by how much a label's score falls when a part of the item is taken out.

It needs nothing of a model but its scores, so every model is asked the same way (Zeiler and Fergus 2014, "Visualizing and
Understanding Convolutional Networks"). What counts only together with something else is not found: parts are taken out alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .annotations import SCORE_DIGITS, Bounds
from .errors import AnswerInvalidError, ArgumentInvalidError

if TYPE_CHECKING:
    from .predictor import Predictor

LEAST_FALL = 1e-4
"""Where no part moves the score by as much, none of them counts: the rest is noise."""


@dataclass(frozen=True)
class ExplainCall:
    """What a caller sent to have an answer explained."""

    body: bytes
    content_type: str
    query: Mapping[str, str]
    thresholds: Mapping[str, float] | None
    """Lowest score by label, which decide what the model says; None takes the model's own."""


def item_explain(
    predictor: Predictor,
    data: bytes,
    *,
    label: str | None = None,
    box: Bounds | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Explains the answer to one item; runs in any thread.

    Args:
        predictor: the model.
        data: the item as a dataset keeps it.
        label: whose score is explained; None takes the one that the model says.
        box: of an object in pixels of the picture, where a model finds objects; None takes the surest one.
        thresholds: lowest score by label, which decide what it says; None takes the model's own.

    Returns:
        ``label``, its ``score`` for the whole item, 0..1, an object's ``box``, and what the kind of items says of its parts.

    Raises:
        NotExplainedError: such answers or items are not explained, or there is nothing in this one.
        ArgumentInvalidError, AnswerInvalidError: the model does not know the label; a score is no number.
        RuntimeFault: the item cannot be read.
    """
    decoded = predictor.decode(data)
    if label is not None and label not in predictor.labels:
        raise ArgumentInvalidError(f"the model does not know the label {label!r}")
    lowest = predictor.thresholds if thresholds is None else thresholds
    answer = predictor.predict(decoded)
    subject = predictor.answers.subject(answer, decoded, label=label, box=box, thresholds=lowest)

    def score(answer: NDArray[np.float32]) -> float:
        if not np.isfinite(found := subject.score(answer)):
            raise AnswerInvalidError
        return found

    parts = predictor.items.explain(data, lambda each: score(predictor.predict(each)), subject.box)
    place = {} if subject.box is None else {"box": subject.box}
    return {"label": subject.label, "score": round(score(answer), SCORE_DIGITS), **place, **parts}


def box_of(value: object) -> Bounds | None:
    """Where an object lies, as a caller says it: ``x,y,width,height`` or a list of the four, in pixels of the picture.

    Raises:
        ArgumentInvalidError: it is neither, or a number is infinite, or a side has no length.
    """
    if value is None:
        return None
    sides = value.split(",") if isinstance(value, str) else value
    try:
        x, y, width, height = (float(side) for side in sides)  # type: ignore[attr-defined]  # whatever cannot be gone through
    except (TypeError, ValueError) as error:
        raise ArgumentInvalidError("box must be x,y,width,height in pixels of the picture") from error
    if not np.isfinite([x, y, width, height]).all() or width <= 0 or height <= 0:
        raise ArgumentInvalidError("box must have finite numbers, and a width and height above 0")
    return {"x": x, "y": y, "width": width, "height": height}
