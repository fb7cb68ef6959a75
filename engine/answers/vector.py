"""A direction for the whole item; those of several models lie in spaces of their own, so they are not averaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Vectors:
    """See ``AnswerKind``."""

    averaging = None
    is_large = False

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The vector."""
        return {"scores": (), "vector": tuple(answer.tolist())}


KIND = Vectors()
