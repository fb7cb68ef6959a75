"""A label a pixel; the planes of several models are not averaged: what they hold is decided already.

Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.run_lengths import counts_of


class Masks:
    """See ``AnswerKind``."""

    averaging = None
    is_large = True

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The pixels of each label and their mean score."""
        labels_HW, scores_HW = answer[0].astype(np.int64), answer[1].astype(np.float64)
        segments = []
        for label in np.unique(labels_HW[labels_HW >= 0]).tolist():
            is_label_HW = labels_HW == label
            segments.append((label, counts_of(is_label_HW), float(scores_HW[is_label_HW].mean())))
        height, width = labels_HW.shape
        return {"scores": (), "mask": {"height": height, "width": width, "segments": segments}}


KIND = Masks()
