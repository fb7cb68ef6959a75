"""Between which numbers the true one lies, but for the error rate that was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..schemas import object_of
from ..tensors import Tensor, TensorSpec

_DIGITS = 9
"""That are significant: float32 has seven."""


class Number:
    """See ``Coverage``."""

    def __init__(self, fields: Mapping[str, Any], labels: Sequence[str]) -> None:
        del labels
        self._reach, self._error_rate = float(fields["reach"]), float(fields["error_rate"])

    def beside(self, answer: NDArray[np.float32], best: Mapping[str, object] | None) -> dict[str, object]:
        """See ``Coverage``."""
        del best
        number = float(answer[0])
        low, high = (float(f"{end:.{_DIGITS}g}") for end in (number - self._reach, number + self._reach))
        return {"interval": {"low": low, "high": high, "error_rate": self._error_rate}}

    @staticmethod
    def tensor_specs(num_labels: int) -> Sequence[TensorSpec]:
        """See ``Coverage``: the lower and the upper end."""
        del num_labels
        return (TensorSpec("interval", "FP32", (-1, 2)),)

    @staticmethod
    def tensors(fields: Sequence[Mapping[str, Any]], num_labels: int) -> Mapping[str, Tensor]:
        """See ``Coverage``."""
        del num_labels
        ends = [[each["interval"][name] for name in ("low", "high")] for each in fields]
        return {"interval": np.array(ends, dtype=np.float32)}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Coverage``."""
        del label
        made = object_of({name: {"type": "number"} for name in ("low", "high", "error_rate")})
        made["description"] = "Where the true number lies, but for the error rate. Only where one was chosen for the model."
        return {"interval": made}


KIND = Number
