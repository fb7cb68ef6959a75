"""Scores of all labels at each pixel: the largest counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def finish(tensors: Sequence[NDArray[np.float32]], settings: Mapping[str, Any]) -> NDArray[np.float32]:
    """Index of the label (-1 for none) and its score, as two planes."""
    del settings
    scores = tensors[0]
    labels = scores.argmax(axis=1, keepdims=True).astype(np.float32) - 1
    return np.concatenate([labels, scores.max(axis=1, keepdims=True)], axis=1)
