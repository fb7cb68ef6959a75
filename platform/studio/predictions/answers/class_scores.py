"""One label of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from studio.predictions.answers import Scores, StoredAnnotations, score_columns


class ClassScores:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = True

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The label, its score, and the score of each label."""
        best = [each[0] if each else {} for each in annotations]
        return [
            ("predicted", pa.array([each.get("label") for each in best], pa.string())),
            ("score", pa.array([each.get("score") for each in best], pa.float64())),
            *score_columns(scores, labels),
        ]


KIND = ClassScores()
