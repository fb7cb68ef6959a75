"""Boxes around things: a detector's rows of x, y, width, height as fractions of the picture, score, index of the label.

They come best first. Rows that hold no box have the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..annotations import BoxAnnotation
from ..schemas import SCORE, object_of
from ._rows import ROW_LENGTH, SAME_OVERLAP, BoxRows, boxes_encode, overlap
from .kind import HasSize, Thresholds


class Boxes(BoxRows):
    """Boxes in pixels of the picture as it was sent, and within it."""

    def check(self, answer: NDArray[np.float32]) -> None:
        """See ``Answers``."""
        if answer.shape[1:] != (ROW_LENGTH,):
            raise ValueError(f"the model answers in shape {answer.shape}, not with rows of {ROW_LENGTH}")

    def encode(
        self, answer: NDArray[np.float32], item: HasSize, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[BoxAnnotation]:
        """See ``Answers``."""
        return boxes_encode(answer, self.labels, item, top=top, threshold=threshold, thresholds=thresholds)

    def passing(self, answer: NDArray[np.float32], item: HasSize, thresholds: Thresholds) -> list[BoxAnnotation]:
        """All boxes that pass their thresholds, at most ``default_top``."""
        return self.encode(answer, item, top=self.default_top, threshold=None, thresholds=thresholds)

    @staticmethod
    def disagreement(mine: Sequence[BoxAnnotation], other: Sequence[BoxAnnotation]) -> float:
        """The fraction of the boxes that find no partner: one of the same label that overlaps them by half."""
        free = list(other)
        for box in mine:
            partners = [each for each in free if each["label"] == box["label"] and _overlap(box, each) >= SAME_OVERLAP]
            if partners:
                free.remove(max(partners, key=lambda each: _overlap(box, each)))
        num_matched = len(other) - len(free)
        return 1.0 - 2 * num_matched / (len(mine) + len(other)) if mine or other else 0.0

    @staticmethod
    def easydl(annotation: BoxAnnotation) -> dict[str, object]:
        """See ``Answers``; the location is in whole pixels."""
        left, upper = round(annotation["x"]), round(annotation["y"])
        right, lower = round(annotation["x"] + annotation["width"]), round(annotation["y"] + annotation["height"])
        location = {"left": left, "top": upper, "width": right - left, "height": lower - upper}
        return {"name": annotation["label"], "score": annotation["score"], "location": location}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        side = {"type": "number", "description": "Pixels of the picture as it was sent, from the top left."}
        sides = dict.fromkeys(("x", "y", "width", "height"), side)
        return object_of({"kind": {"const": "box"}, "label": label, **sides, "score": SCORE})


def _overlap(one: BoxAnnotation, other: BoxAnnotation) -> float:
    return overlap(*([box["x"], box["y"], box["width"], box["height"]] for box in (one, other)))


KIND = Boxes
