"""One number that belongs to the item, such as a price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..annotations import ValueAnnotation
from ..errors import AnswerInvalidError, NotExplainedError
from ..schemas import object_of
from ..tensors import Tensor, TensorSpec
from .kind import Item, Subject, Thresholds


class Number:
    """A number without a score: how sure the model is, is not known."""

    default_top: ClassVar[int] = 1
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = False

    def __init__(self, labels: Sequence[str]) -> None:
        del labels

    def check(self, answer: NDArray[np.float32]) -> None:
        """See ``Answers``."""
        if answer.shape != (1,):
            raise ValueError(f"the model answers in shape {answer.shape}, not with one number")

    def encode(
        self, answer: NDArray[np.float32], item: Item, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[ValueAnnotation]:
        """See ``Answers``."""
        del item, top, threshold, thresholds
        return [value_of(answer)]

    def best(self, answer: NDArray[np.float32], thresholds: Thresholds) -> dict[str, object]:
        """See ``Answers``."""
        del thresholds
        return {"value": value_of(answer)["value"]}

    def subject(self, answer: NDArray[np.float32], item: Item, **choice: object) -> Subject:
        """See ``Answers``."""
        raise NotExplainedError

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> None:
        """See ``Answers``."""

    def passing(self, answer: NDArray[np.float32], item: Item, thresholds: Thresholds) -> list[ValueAnnotation]:
        """See ``Answers``."""
        del item, thresholds
        return [value_of(answer)]

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: the graph's own output is the number."""
        del shape
        return ()

    def tensors(self, answers: NDArray[np.float32], thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        del answers, thresholds
        return {}

    @staticmethod
    def disagreement(mine: Sequence[ValueAnnotation], other: Sequence[ValueAnnotation]) -> float:
        """The distance of the numbers as a fraction of the larger one."""
        ours, theirs = mine[0]["value"], other[0]["value"]
        largest = max(abs(ours), abs(theirs))
        return min(1.0, abs(ours - theirs) / largest) if largest else 0.0

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], item: Item) -> float:
        """See ``Answers``."""
        del item
        (number,) = expected["scores"]
        return abs(value_of(answer)["value"] - float(number))

    @staticmethod
    def easydl(annotation: ValueAnnotation) -> dict[str, object]:
        """See ``Answers``."""
        return {"value": annotation["value"]}

    @staticmethod
    def easydl_cells(annotation: ValueAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {target: annotation["value"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        del label
        return object_of({"kind": {"const": "value"}, "value": {"type": "number"}})


def value_of(answer: NDArray[np.float32]) -> ValueAnnotation:
    """The one number of an answer, with as many digits as tell it from its neighbours in float32.

    Raises:
        AnswerInvalidError: it is infinite or no number.
    """
    number = answer[0]
    if not np.isfinite(number):
        raise AnswerInvalidError(f"the model answers {number}")
    return {"kind": "value", "value": float(str(number))}


KIND = Number
