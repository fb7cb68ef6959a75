"""A direction for the whole item: its embedding, of length one, to be compared with those of other items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..annotations import SCORE_DIGITS, VectorAnnotation
from ..errors import AnswerInvalidError, NotExplainedError
from ..schemas import object_of
from ..tensors import Tensor, TensorSpec
from .kind import Item, Subject, Thresholds

LENGTH_TOLERANCE = 1e-2
"""Of the length, which is one."""


class Vectors:
    """One vector without a score: it means something only in comparison with others."""

    default_top: ClassVar[int] = 1
    is_averaged: ClassVar[bool] = False
    has_uncertainty: ClassVar[bool] = False

    def __init__(self, labels: Sequence[str]) -> None:
        del labels

    def check(self, answer: NDArray[np.float32]) -> None:
        """See ``Answers``."""
        if answer.ndim != 1 or not answer.size:
            raise ValueError(f"the model answers in shape {answer.shape}, not with a vector")

    def encode(
        self, answer: NDArray[np.float32], item: Item, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> list[VectorAnnotation]:
        """See ``Answers``."""
        del item, top, threshold, thresholds
        return [vector_of(answer)]

    def best(self, answer: NDArray[np.float32], thresholds: Thresholds) -> None:
        """See ``Answers``: there is no short form of a vector."""
        del answer, thresholds

    def subject(self, answer: NDArray[np.float32], item: Item, **choice: object) -> Subject:
        """See ``Answers``."""
        raise NotExplainedError

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> None:
        """See ``Answers``."""

    def passing(self, answer: NDArray[np.float32], item: Item, thresholds: Thresholds) -> list[VectorAnnotation]:
        """See ``Answers``."""
        del item, thresholds
        return [vector_of(answer)]

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """See ``Answers``: the graph's own output is the vector."""
        del shape
        return ()

    def tensors(self, answers: NDArray[np.float32], thresholds: Thresholds) -> Mapping[str, Tensor]:
        """See ``Answers``."""
        del answers, thresholds
        return {}

    @staticmethod
    def disagreement(mine: Sequence[VectorAnnotation], other: Sequence[VectorAnnotation]) -> float:
        """How far two models' vectors point apart: 0 the same way, 1 opposite ways; 1 too where their lengths differ."""
        ours, theirs = mine[0]["values"], other[0]["values"]
        if len(ours) != len(theirs):
            return 1.0
        return float(np.clip((1.0 - np.dot(ours, theirs)) / 2.0, 0.0, 1.0))

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], item: Item) -> float:
        """See ``Answers``: the largest difference of a number."""
        del item
        golden = np.array(expected["vector"], dtype=np.float64)
        if golden.shape != answer.shape:
            raise ValueError(f"the vector has the shape {answer.shape}, that of the golden sample {golden.shape}")
        return float(np.nan_to_num(np.abs(answer - golden), nan=1.0).max())

    @staticmethod
    def easydl(annotation: VectorAnnotation) -> dict[str, object]:
        """See ``Answers``."""
        return {"vector": annotation["values"]}

    @staticmethod
    def easydl_cells(annotation: VectorAnnotation, target: str) -> dict[str, object]:
        """See ``Answers``."""
        return {target: annotation["values"]}

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """See ``Answers``."""
        del label
        values = {
            "type": "array",
            "items": {"type": "number"},
            "description": "A vector of length one. The sum of the products of two such vectors is their similarity, -1..1.",
        }
        return object_of({"kind": {"const": "vector"}, "values": values})


def vector_of(answer: NDArray[np.float32]) -> VectorAnnotation:
    """The vector of an answer.

    Raises:
        AnswerInvalidError: a number is infinite or none, or the length is not one.
    """
    length = float(np.linalg.norm(answer.astype(np.float64)))
    if not abs(length - 1.0) <= LENGTH_TOLERANCE:
        raise AnswerInvalidError(f"the model answers with a vector of length {length}, not one")
    return {"kind": "vector", "values": [round(value, SCORE_DIGITS) for value in answer.tolist()]}


KIND = Vectors
