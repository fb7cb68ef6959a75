"""A label for each pixel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from runtime.run_lengths import runs_unpack
from studio.predictions.answers import Scores, StoredAnnotations

_AREA = pa.struct(
    [
        ("label", pa.string()),
        ("score", pa.float64()),
        ("fraction", pa.float64()),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("counts", pa.string()),
    ]
)


class Masks:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The largest area in short, how many labels hold a pixel, and all areas: share of the picture and run lengths."""
        del scores, labels
        best = [each[0] if each else {} for each in annotations]
        masks = [[{**one, "fraction": _fraction(one["counts"])} for one in each] for each in annotations]
        return [
            ("predicted", pa.array([each.get("label") for each in best], pa.string())),
            ("score", pa.array([each.get("score") for each in best], pa.float64())),
            ("num_labels", pa.array([len(each) for each in annotations], pa.int32())),
            ("masks", pa.array(masks, pa.list_(_AREA))),
        ]


def _fraction(counts: str) -> float:
    """How much of its picture a mask covers, 0..1."""
    runs = runs_unpack(counts)
    return round(sum(runs[1::2]) / sum(runs), 6)


KIND = Masks()
