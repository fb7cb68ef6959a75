"""Single objects with their pixels; those of several models are not averaged.

Shapes: P cells of a mask's side.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.answers.boxes import KIND as BOXES
from runtime.answers._rows import ROW_LENGTH
from runtime.answers.instances import HALF
from runtime.run_lengths import counts_of


class Instances:
    """See ``AnswerKind``."""

    averaging = None
    is_large = True

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The rows that hold a box, and their masks in short."""
        side = isqrt(answer.shape[1] - ROW_LENGTH)
        masks_PP = [row[ROW_LENGTH:].reshape(side, side) for row in answer if row[4] > 0]
        masks = [(counts_of(mask_PP >= HALF), float(mask_PP.mean(dtype=np.float64))) for mask_PP in masks_PP]
        return {**BOXES.golden(answer[:, :ROW_LENGTH]), "instances": {"side": side, "masks": masks}}


KIND = Instances()
