"""Single objects with their pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pyarrow as pa

from runtime.run_lengths import runs_bounds
from studio.predictions.answers import Scores, StoredAnnotations

_SIDES = ("x", "y", "width", "height")
_OBJECT = pa.struct(
    [
        ("label", pa.string()),
        ("score", pa.float64()),
        ("box", pa.struct([(name, pa.int32()) for name in _SIDES])),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("counts", pa.string()),
    ]
)


class Instances:
    """See ``AnswerColumns``."""

    has_scores: ClassVar[bool] = False

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """The best object in short, how many there are, and all of them: the box around its pixels, and run lengths."""
        del scores, labels
        best = [each[0] if each else {} for each in annotations]
        objects = [[{**one, "box": _box(one["counts"], one["height"])} for one in each] for each in annotations]
        return [
            ("predicted", pa.array([each.get("label") for each in best], pa.string())),
            ("score", pa.array([each.get("score") for each in best], pa.float64())),
            ("num_objects", pa.array([len(each) for each in annotations], pa.int32())),
            ("objects", pa.array(objects, pa.list_(_OBJECT))),
        ]


def _box(counts: str, height: int) -> dict[str, int] | None:
    bounds = runs_bounds(counts, height=height)
    return dict(zip(_SIDES, bounds, strict=True)) if bounds else None


KIND = Instances()
