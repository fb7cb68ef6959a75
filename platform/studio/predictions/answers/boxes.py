"""Boxes around things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from studio.predictions.answers import Scores, StoredAnnotations

_SIDES = ("x", "y", "width", "height")
_BOX = pa.struct([("label", pa.string()), *((name, pa.float64()) for name in ("score", *_SIDES))])


class Boxes:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The best box in short, how many there are, and all of them in pixels of the whole picture."""
        del scores, labels
        best = [each[0] if each else {} for each in annotations]
        boxes = [[{name: one[name] for name in ("label", "score", *_SIDES)} for one in each] for each in annotations]
        return [
            ("predicted", pa.array([each.get("label") for each in best], pa.string())),
            ("score", pa.array([each.get("score") for each in best], pa.float64())),
            ("num_boxes", pa.array([len(each) for each in annotations], pa.int32())),
            ("boxes", pa.array(boxes, pa.list_(_BOX))),
        ]


KIND = Boxes()
