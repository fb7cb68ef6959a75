"""Says what in one item its answer hangs on: by how much a label's score falls when a part of the item is taken out.

It needs nothing of a model but its scores, so every model is asked the same way (Zeiler and Fergus 2014, "Visualizing and
Understanding Convolutional Networks"). What counts only together with something else is not found: parts are taken out alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .annotations import SCORE_DIGITS
from .errors import AnswerInvalidError, ArgumentInvalidError, NotExplainedError

if TYPE_CHECKING:
    from .items.kind import Decoded
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
    predictor: Predictor, data: bytes, *, label: str | None = None, thresholds: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """Explains the answer to one item; runs in any thread.

    Args:
        predictor: the model.
        data: the item as a dataset keeps it.
        label: whose score is explained; None takes the one that the model says.
        thresholds: lowest score by label, which decide what it says; None takes the model's own.

    Returns:
        ``label``, its ``score`` for the whole item, 0..1, and what the kind of items says of its parts.

    Raises:
        NotExplainedError: the model gives no scores of labels, or reads items that are not explained one by one.
        ArgumentInvalidError: it does not know the label.
        AnswerInvalidError: a score is no number.
        RuntimeFault: the item cannot be read.
    """

    def scores(decoded: Decoded) -> list[float]:
        found = predictor.answers.label_scores(predictor.predict(decoded))
        if found is None:
            raise NotExplainedError
        if not np.isfinite(found).all():
            raise AnswerInvalidError
        return [float(score) for score in found]

    decoded = predictor.decode(data)
    whole = scores(decoded)
    if label is None:
        best, _ = predictor.judge(predictor.predict(decoded), thresholds)
        assert best is not None  # scores have a best one
        label = str(best["label"])
    if label not in predictor.labels:
        raise ArgumentInvalidError(f"the model does not know the label {label!r}")
    place = predictor.labels.index(label)
    parts = predictor.items.explain(data, lambda each: scores(each)[place])
    return {"label": label, "score": round(whole[place], SCORE_DIGITS), **parts}
