"""Any number of labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from studio.predictions.answers import Scores, StoredAnnotations, score_columns


class LabelScores:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = True

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The labels as a list, and the score of each."""
        predicted = [[one["label"] for one in each] if found else None for each, found in zip(annotations, scores, strict=True)]
        return [("predicted", pa.array(predicted, pa.list_(pa.string()))), *score_columns(scores, labels)]


KIND = LabelScores()
