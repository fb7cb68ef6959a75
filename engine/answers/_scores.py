"""What kinds of answers with a score a label share. Shapes: L labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.answers.kind import Averaging

TINY = 1e-7
"""Scores nearer to 0 or 1 count as if they were so near."""


@dataclass(frozen=True)
class Scores:
    """See ``AnswerKind``."""

    averaging: Averaging
    is_large: bool = False

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The scores ``_L``."""
        return {"scores": tuple(answer.tolist())}
