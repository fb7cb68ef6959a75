"""One number that belongs to the item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from studio.predictions.answers import Scores, StoredAnnotations


class Number:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The number."""
        del scores, labels
        return [("predicted", pa.array([each[0]["value"] if each else None for each in annotations], pa.float64()))]


KIND = Number()
