"""What the modules beside this one call ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..tensors import Tensor, TensorSpec


class Coverage(Protocol):
    """What was chosen for one model."""

    def __init__(self, fields: Mapping[str, Any], labels: Sequence[str]) -> None:
        """Reads what was chosen; labels are in the order of the graph's scores.

        Raises:
            KeyError, TypeError, ValueError: it is not by the contract.
        """

    def beside(self, answer: NDArray[np.float32], best: Mapping[str, object] | None) -> dict[str, object]:
        """Fields that stand beside the annotations of an item.

        Args:
            answer: what the graph gave for the item.
            best: what the model says (``Answers.best``).
        """

    @staticmethod
    def tensor_specs(num_labels: int) -> Sequence[TensorSpec]:
        """The fields as the Open Inference Protocol gives them."""

    @staticmethod
    def tensors(fields: Sequence[Mapping[str, Any]], num_labels: int) -> Mapping[str, Tensor]:
        """The same of some items, by name; ``fields`` are what ``beside`` gave for each."""

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """JSON schemas of the fields by name; ``label`` is that of a label's name."""
