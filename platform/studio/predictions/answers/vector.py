"""A vector: one column with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from studio.predictions.answers import Scores, StoredAnnotations


class Vectors:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The numbers of the vector, apart by spaces: as text, so that a CSV holds them too."""
        del scores, labels
        texts = [" ".join(map(str, each[0]["values"])) if each else None for each in annotations]
        return [("vector", pa.array(texts, pa.string()))]


KIND = Vectors()
