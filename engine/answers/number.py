"""One number; how those of several models would be averaged, their families know (``table_ensemble``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Number:
    """See ``AnswerKind``."""

    averaging = None
    is_large = False

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """The number."""
        return {"scores": tuple(answer.tolist())}


KIND = Number()
