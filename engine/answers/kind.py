"""What a kind of answers does where models are trained. One module beside this one each, with an ``AnswerKind`` as ``KIND``.

The distance between two answers is defined by the runtime (``runtime.answers``), so that both compare alike.
Shapes: N items, B batch, L labels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor


class Averaging(Protocol):
    """How scores are calibrated, and how the mean of several models' scores becomes scores again."""

    def tempered(self, scores_NL: NDArray[np.float32], divisor: float) -> NDArray[np.float32]:
        """The scores that the same logits give when they are divided."""

    def tempered_tensor(self, scores_BL: Tensor, divisor: float) -> Tensor:
        """The same inside a graph."""


class AnswerKind(Protocol):
    """A kind of answers in training."""

    @property
    def averaging(self) -> Averaging | None:
        """How answers of several models become one; None where they are not averaged."""

    @property
    def is_large(self) -> bool:
        """Whether one answer is as large as a picture: those of many items are then held in half precision, and not kept."""

    def golden(self, answer: NDArray[np.float32]) -> Mapping[str, Any]:
        """What a golden sample keeps of the graph's answer to one item: fields of ``GoldenSample``."""
