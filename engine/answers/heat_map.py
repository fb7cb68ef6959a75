"""How unlike the normal pictures each place is; the planes of several models are not averaged: their sizes may differ.

Shapes: H height, W width.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class HeatMaps:
    """See ``AnswerKind``."""

    averaging = None
    is_large = True

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The plane ``_HW``."""
        height, width = answer.shape
        return {"scores": (), "heat_map": {"height": height, "width": width, "values": answer.ravel().tolist()}}


KIND = HeatMaps()
