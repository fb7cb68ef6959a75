"""Boxes around things: a detector's rows of x, y, width, height as fractions of the picture, score, index of the label.

They come best first. Rows that hold no box have the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, BoxAnnotation, border_nearness
from ..schemas import SCORE, object_of
from .kind import Thresholds

DEFAULT_TOP = 100
PIXEL_DIGITS = 2
SMALLEST_PX = 0.01
ROW_LENGTH = 6
LOWEST_BOX_SCORE = 0.05
"""Golden boxes from this score on are all compared; of those below, the best few."""
NUM_ALWAYS = 10
"""So many of the best boxes of each side are compared whatever their score: a weak detector has no others."""
LEAST_BOX_SCORE = LOWEST_BOX_SCORE / 50
"""Below it the last digits of a written score would weigh too much."""
MISSING_BOX = 1.0
"""Difference that counts for a box which only one side knows."""
NUM_COMPARED = 1000


class Sized(Protocol):
    """An item that boxes can lie on."""

    @property
    def width_px(self) -> int:
        """Of the picture as it was sent."""

    @property
    def height_px(self) -> int:
        """Of the same."""


class Boxes:
    """Boxes in pixels of the picture as it was sent, and within it."""

    default_top: ClassVar[int] = DEFAULT_TOP
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)

    def check(self, answer: NDArray[np.float32]) -> None:
        """See ``Answers``."""
        if answer.shape[1:] != (ROW_LENGTH,):
            raise ValueError(f"the model answers in shape {answer.shape}, not with rows of {ROW_LENGTH}")

    def encode(
        self, answer: NDArray[np.float32], item: Sized, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[BoxAnnotation]:
        """See ``Answers``."""
        return boxes_encode(answer, self.labels, item, top=top, threshold=threshold, thresholds=thresholds)

    def best(self, answer: NDArray[np.float32], thresholds: Thresholds) -> dict[str, object] | None:
        """The box with the highest score; None when there is none."""
        del thresholds
        held = _held(answer)
        return {"label": self.labels[int(held[0][5])], "score": round(held[0][4], SCORE_DIGITS)} if held else None

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> float:
        """How near the nearest box comes to its threshold."""
        return border_nearness(((self.labels[int(row[5])], row[4]) for row in _held(answer)), thresholds)

    def hold(self, answer: NDArray[np.float32], item: Sized, thresholds: Thresholds) -> list[BoxAnnotation]:
        """All boxes that pass their thresholds, at most ``default_top``."""
        return self.encode(answer, item, top=self.default_top, threshold=None, thresholds=thresholds)

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], item: Sized) -> float:
        """See ``boxes_difference``."""
        rows_D6 = np.array(expected.get("detections", []), dtype=np.float32).reshape(-1, ROW_LENGTH)  # noqa: N806 - its shape
        wanted, given = (
            boxes_encode(rows, self.labels, item, top=NUM_COMPARED, threshold=0.0, thresholds={}) for rows in (rows_D6, answer)
        )
        return boxes_difference(wanted, given, item, most=len(answer))

    @staticmethod
    def easydl(annotation: BoxAnnotation) -> dict[str, object]:
        """See ``Answers``; the location is in whole pixels."""
        left, upper = round(annotation["x"]), round(annotation["y"])
        right, lower = round(annotation["x"] + annotation["width"]), round(annotation["y"] + annotation["height"])
        location = {"left": left, "top": upper, "width": right - left, "height": lower - upper}
        return {"name": annotation["label"], "score": annotation["score"], "location": location}

    @staticmethod
    def easydl_cells(annotation: BoxAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: annotation["label"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        side = {"type": "number", "description": "Pixels of the picture as it was sent, from the top left."}
        sides = dict.fromkeys(("x", "y", "width", "height"), side)
        return object_of({"kind": {"const": "box"}, "label": label, **sides, "score": SCORE})


def boxes_encode(
    rows_D6: NDArray[np.float32],  # noqa: N803 - the suffix is the shape
    labels: Sequence[str],
    picture: Sized,
    *,
    top: int,
    threshold: float | None,
    thresholds: Thresholds,
) -> list[BoxAnnotation]:
    """Says which boxes hold, best first, in pixels of the file's picture and within it.

    Args:
        rows_D6: what the graph answered.
        labels: names by index.
        picture: the one that was looked at.
        top: at most so many boxes.
        threshold: lowest score for every label; None takes ``thresholds``.
        thresholds: lowest score by label; a label that is absent has none.
    """
    found: list[BoxAnnotation] = []
    for x, y, width, height, score, index in _held(rows_D6):
        label = labels[int(index)]
        if score < (thresholds.get(label, 0.0) if threshold is None else threshold):
            continue
        left, right = (min(1.0, max(0.0, side)) * picture.width_px for side in (x, x + width))
        upper, lower = (min(1.0, max(0.0, side)) * picture.height_px for side in (y, y + height))
        found.append(
            {
                "kind": "box",
                "label": label,
                "x": round(left, PIXEL_DIGITS),
                "y": round(upper, PIXEL_DIGITS),
                "width": max(SMALLEST_PX, round(right - left, PIXEL_DIGITS)),
                "height": max(SMALLEST_PX, round(lower - upper, PIXEL_DIGITS)),
                "score": min(1.0, round(score, SCORE_DIGITS)),
            }
        )
        if len(found) == top:
            break
    return found


def boxes_difference(
    expected: Sequence[BoxAnnotation], annotations: Sequence[BoxAnnotation], picture: Sized, *, most: int
) -> float:
    """The largest difference of a score, or of a side as a fraction of the picture, between boxes and their nearest likes.

    The last of several boxes stands where the list was cut, by its length ``most`` or by a low score: which of two equals
    stands there is a matter of rounding, so it is not looked for. Scores below ``LOWEST_BOX_SCORE`` are measured as if they
    stood there.
    """
    ways = ((expected, annotations), (annotations, expected))
    return max((_distance(box, there, picture) for wanted, there in ways for box in _compared(wanted, most)), default=0.0)


def _held(rows_D6: NDArray[np.float32]) -> list[list[float]]:  # noqa: N803 - as above
    held: list[list[float]] = rows_D6[rows_D6[:, 4] > 0].tolist()
    return held


def _compared(boxes: Sequence[BoxAnnotation], most: int) -> list[BoxAnnotation]:
    """Those, best first, that the other side must know."""
    is_last_cut = len(boxes) > 1 and (boxes[-1]["score"] <= LOWEST_BOX_SCORE or len(boxes) == most)
    there = boxes[:-1] if is_last_cut else boxes
    return [box for place, box in enumerate(there) if place < NUM_ALWAYS or box["score"] > LOWEST_BOX_SCORE]


def _distance(box: BoxAnnotation, others: Sequence[BoxAnnotation], picture: Sized) -> float:
    apart = [
        max(
            abs(box["x"] - other["x"]) / picture.width_px,
            abs(box["y"] - other["y"]) / picture.height_px,
            abs(box["width"] - other["width"]) / picture.width_px,
            abs(box["height"] - other["height"]) / picture.height_px,
            _score_distance(box["score"], other["score"]),
        )
        for other in others
        if other["label"] == box["label"]
    ]
    return min(apart, default=MISSING_BOX)


def _score_distance(first: float, second: float) -> float:
    return abs(first - second) * LOWEST_BOX_SCORE / min(max(first, second, LEAST_BOX_SCORE), LOWEST_BOX_SCORE)


KIND = Boxes
