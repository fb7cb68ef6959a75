"""Turns a detector's rows into boxes: x, y, width, height as fractions of the picture, score, index of the label; best first.

Rows that hold no box have the score 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .decode import Picture
from .encode import SCORE_DIGITS, BoxAnnotation, border_nearness

DEFAULT_TOP = 100
PIXEL_DIGITS = 2
SMALLEST_PX = 0.01


def boxes_encode(
    rows_D6: NDArray[np.float32],  # noqa: N803 - the suffix is the shape
    labels: Sequence[str],
    picture: Picture,
    *,
    top: int,
    threshold: float | None,
    thresholds: Mapping[str, float],
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


def boxes_best(rows_D6: NDArray[np.float32], labels: Sequence[str]) -> dict[str, object] | None:  # noqa: N803 - as above
    """The box with the highest score, whether or not it passes a threshold; None when there is none."""
    held = _held(rows_D6)
    return {"label": labels[int(held[0][5])], "score": round(held[0][4], SCORE_DIGITS)} if held else None


def boxes_uncertainty(
    rows_D6: NDArray[np.float32],  # noqa: N803 - as above
    labels: Sequence[str],
    thresholds: Mapping[str, float],
) -> float:
    """How near the nearest box comes to its threshold, 0..1."""
    return border_nearness(((labels[int(row[5])], row[4]) for row in _held(rows_D6)), thresholds)


def _held(rows_D6: NDArray[np.float32]) -> list[list[float]]:  # noqa: N803 - as above
    held: list[list[float]] = rows_D6[rows_D6[:, 4] > 0].tolist()
    return held
