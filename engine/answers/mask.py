"""A label a pixel; the planes of several models are not averaged: what they hold is decided already.

Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from automl.contracts.run_lengths import runs_pack


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
            segments.append((label, _counts(is_label_HW), float(scores_HW[is_label_HW].mean())))
        height, width = labels_HW.shape
        return {"scores": (), "mask": {"height": height, "width": width, "segments": segments}}


def _counts(is_label_HW: NDArray[np.bool_]) -> str:
    flat = is_label_HW.T.reshape(-1)
    bounds = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1, [len(flat)]])
    runs = np.diff(bounds).tolist()
    return runs_pack([0, *runs] if flat[0] else runs)


KIND = Masks()
