"""Lines of text; those of several models are not averaged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runtime.answers.quads import CORNERS, text_of


class Quads:
    """See ``AnswerKind``."""

    averaging = None
    is_large = False
    """In half precision most numbers of characters would be others."""

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The lines, in the order in which they are read."""
        lines = [
            {"corners": row[:CORNERS].tolist(), "score": float(row[CORNERS]), "text": text_of(row)}
            for row in answer
            if row[CORNERS] > 0
        ]
        return {"scores": (), "quads": lines}


KIND = Quads()
