"""Boxes around things; those of several models are not averaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Boxes:
    """See ``AnswerKind``."""

    averaging = None
    is_large = False

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The rows that hold a box."""
        return {"scores": (), "detections": [(*map(float, row[:5]), int(row[5])) for row in answer if row[4] > 0]}


KIND = Boxes()
