"""Rows of x, y, width, height as fractions of the picture, score, index of the label: what answers with boxes begin with.

They come best first. Rows that hold no box have the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, Bounds, BoxAnnotation, MaskAnnotation, border_nearness
from ..errors import NotExplainedError
from ..tensors import BYTES, Tensor, TensorSpec
from .kind import HasSize, Subject, Thresholds

DEFAULT_TOP = 100
PIXEL_DIGITS = 2
SMALLEST_PX = 0.01
ROW_LENGTH = 6
LOWEST_BOX_SCORE = 0.05
"""Golden boxes from this score on are all compared; of those below, the best few."""
NUM_ALWAYS = 10
"""Number of best boxes of each side that are compared whatever their score: a weak detector has no others."""
LEAST_BOX_SCORE = LOWEST_BOX_SCORE / 50
"""Below it the last digits of a written score would weigh too much."""
MISSING_BOX = 1.0
"""Difference that counts for a box which only one side knows."""
SAME_OVERLAP = 0.5
"""From this intersection over union on, boxes of two models are the same one."""
Rows = NDArray[np.float64]
Floats = NDArray[np.float32]


class BoxRows:
    """What answers have in common whose rows begin with a box."""

    default_top: ClassVar[int] = DEFAULT_TOP
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = True

    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)

    def best(self, answer: Floats, thresholds: Thresholds) -> dict[str, object] | None:
        """The box with the highest score; None when there is none."""
        del thresholds
        rows = _filled_rows(answer)
        return {"label": self.labels[int(rows[0][5])], "score": round(rows[0][4], SCORE_DIGITS)} if rows else None

    def subject(
        self, answer: Floats, item: HasSize, *, label: str | None, box: Bounds | None, thresholds: Thresholds
    ) -> Subject:
        """See ``Answers``: an object, by how well the best box of its label fits it (D-RISE, Petsiuk et al. 2021).

        That is the box's score times its overlap, intersection over union. A place without a label has that of the nearest box.
        """
        del thresholds
        there = [row for row in _filled_rows(answer) if label in (None, self.labels[int(row[5])])]
        target = None if box is None else _fractions(box, item)
        if label is None or target is None:
            if not there:
                raise NotExplainedError(f"the model finds no {label or 'object'} in the picture")
            nearest = there[0] if target is None else _nearest(there, target)
            label, target = self.labels[int(nearest[5])], target or tuple(nearest[:4])
        place, index = target, self.labels.index(label)

        def score(other: Floats) -> float:
            fits = (row[4] * overlap(row, place) for row in _filled_rows(other) if row[5] == index)
            return min(1.0, max(fits, default=0.0))

        return Subject(label, score, _pixels(place, item))

    def uncertainty(self, answer: Floats, thresholds: Thresholds) -> float:
        """How near the nearest box comes to its threshold."""
        return border_nearness(((self.labels[int(row[5])], row[4]) for row in _filled_rows(answer)), thresholds)

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: boxes that reach their thresholds, best first, then rows of zeros without a label.

        ``boxes`` are x, y, width and height as fractions of the picture, from its top left.
        """
        rows = (shape[0], shape[1])
        specs = (("boxes", "FP32", (*rows, 4)), ("box_scores", "FP32", rows), ("box_labels", BYTES, rows))
        return [TensorSpec(*spec) for spec in specs]

    def tensors(self, answers: Floats, thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        rows_NDC, names_ND = self.passed(answers, thresholds)  # noqa: N806 - the suffix is the shape
        return {"boxes": rows_NDC[..., :4], "box_scores": rows_NDC[..., 4], "box_labels": names_ND}

    def passed(self, answers: Floats, thresholds: Thresholds) -> tuple[Floats, NDArray[np.object_]]:
        """The rows of each item that reach their thresholds, zeros behind them, and the names of their labels."""
        rows_NDC = np.zeros_like(answers)  # noqa: N806 - the suffix is the shape
        names_ND = np.full(answers.shape[:2], "", dtype=np.object_)  # noqa: N806 - as above
        floors = np.array([thresholds.get(label, 0.0) for label in self.labels], dtype=np.float32)
        for rows_DC, names_D, answer in zip(rows_NDC, names_ND, answers, strict=True):  # noqa: N806 - as above
            there_DC = answer[answer[:, 4] > 0]  # noqa: N806 - as above
            passed_DC = there_DC[there_DC[:, 4] >= floors[there_DC[:, 5].astype(np.int64)]]  # noqa: N806 - as above
            rows_DC[: len(passed_DC)] = passed_DC
            names_D[: len(passed_DC)] = [self.labels[int(index)] for index in passed_DC[:, 5]]
        return rows_NDC, names_ND

    @staticmethod
    def easydl_cells(annotation: BoxAnnotation | MaskAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {"score": annotation["score"], target: annotation["label"]}

    def difference(self, expected: Mapping[str, Any], answer: Floats, item: HasSize) -> float:
        """See ``Answers``: the larger of both ways, what is missing there and what is too much here."""
        del item
        expected_D6 = np.array(expected["detections"], dtype=np.float64).reshape(-1, ROW_LENGTH)  # noqa: N806 - its shape
        given_D6 = answer[answer[:, 4] > 0, :ROW_LENGTH].astype(np.float64)  # noqa: N806 - as above
        ways = ((expected_D6, given_D6), (given_D6, expected_D6))
        return max(_farthest(*way, most=len(answer)) for way in ways)


def boxes_encode(
    rows_D6: Floats,  # noqa: N803 - the suffix is the shape
    labels: Sequence[str],
    picture: HasSize,
    *,
    top: int,
    threshold: float | None,
    thresholds: Thresholds,
) -> list[BoxAnnotation]:
    """Annotations of the boxes that reach their thresholds, best first, in pixels of the file's picture and within it.

    Args:
        rows_D6: the graph's output.
        labels: names by index.
        picture: the one that was looked at.
        top: at most so many boxes.
        threshold: lowest score for every label; None takes ``thresholds``.
        thresholds: lowest score by label; a label that is absent has none.
    """
    found: list[BoxAnnotation] = []
    for x, y, width, height, score, index in _filled_rows(rows_D6):
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


def _nearest(rows: Sequence[Sequence[float]], place: Sequence[float]) -> Sequence[float]:
    return max(rows, key=lambda row: overlap(row, place))


def _fractions(box: Bounds, picture: HasSize) -> tuple[float, ...]:
    wide, high = picture.width_px, picture.height_px
    return box["x"] / wide, box["y"] / high, box["width"] / wide, box["height"] / high


def _pixels(place: Sequence[float], picture: HasSize) -> Bounds:
    wide, high = picture.width_px, picture.height_px
    x, y = round(place[0] * wide, PIXEL_DIGITS), round(place[1] * high, PIXEL_DIGITS)
    width, height = (max(SMALLEST_PX, round(side, PIXEL_DIGITS)) for side in (place[2] * wide, place[3] * high))
    return {"x": x, "y": y, "width": width, "height": height}


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes that begin with x, y, width and height."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    shared = max(0.0, width) * max(0.0, height)
    whole = one[2] * one[3] + other[2] * other[3] - shared
    return shared / whole if whole > 0 else 0.0


def _filled_rows(rows_D6: Floats) -> list[list[float]]:  # noqa: N803 - as above
    rows: list[list[float]] = rows_D6[rows_D6[:, 4] > 0, :ROW_LENGTH].tolist()
    return rows


def _farthest(expected_D6: Rows, there_D6: Rows, *, most: int) -> float:  # noqa: N803 - as above
    """How far the worst of the expected boxes, which are best first, is from the nearest of its label.

    A difference of a score or of a side, as a fraction of the picture. The last of several stands where the list was cut, by
    its length ``most`` or by a low score: which of two equals stands there is a matter of rounding, so it need not be found.
    Scores below ``LOWEST_BOX_SCORE`` are measured as if they stood there: a tenth of a small score counts like a tenth of a
    large one.
    """
    worst, last = 0.0, len(expected_D6) - 1
    for place, row_6 in enumerate(expected_D6):
        is_low = row_6[4] <= LOWEST_BOX_SCORE
        is_at_cut = place == last > 0 and (is_low or len(expected_D6) == most)
        if is_at_cut or (is_low and place >= NUM_ALWAYS):
            continue
        same_D6 = there_D6[there_D6[:, 5] == row_6[5]]  # noqa: N806 - as above
        if len(same_D6) == 0:
            return MISSING_BOX
        apart_D5 = np.abs(same_D6[:, :5] - row_6[:5])  # noqa: N806 - as above
        scale_D = np.clip(np.maximum(same_D6[:, 4], row_6[4]), LEAST_BOX_SCORE, LOWEST_BOX_SCORE)  # noqa: N806 - as above
        apart_D5[:, 4] *= LOWEST_BOX_SCORE / scale_D
        worst = max(worst, float(np.nan_to_num(apart_D5.max(axis=1), nan=MISSING_BOX).min()))
    return worst
