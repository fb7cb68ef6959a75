"""The interface of a kind of answers. Each is a module beside this one, with the class as ``KIND``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from ..annotations import Annotation, Bounds
from ..tensors import Tensor, TensorSpec

Item = Any
"""A decoded item, as its kind of items makes it. Kinds of answers that need something of it say what."""
Thresholds = Mapping[str, float]
"""Lowest score by label; a label that is absent has none."""


class HasSize(Protocol):
    """An item with places: the picture as it was sent."""

    @property
    def width_px(self) -> int:
        """Width in pixels."""

    @property
    def height_px(self) -> int:
        """Height in pixels."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The part of an answer that is explained."""

    label: str
    score: Callable[[NDArray[np.float32]], float]
    """How much of it another answer of the same model still predicts, 0..1."""
    box: Bounds | None = None
    """Of the object, in pixels of the picture; None where the item as a whole is meant."""


class Answers(Protocol):
    """The answers of one model."""

    default_top: ClassVar[int]
    """Most annotations of an answer, unless the caller asks for another number."""
    is_averaged: ClassVar[bool]
    """Whether the mean of several models' answers is an answer of this kind."""
    has_uncertainty: ClassVar[bool]
    """Whether it is known how unsure the model is."""

    def __init__(self, labels: Sequence[str]) -> None:
        """Takes the names of the labels, in the order of the graph's scores; none where it gives no scores."""

    def check(self, answer: NDArray[np.float32]) -> None:
        """Checks that the graph's answer to one item has the form of this kind.

        Raises:
            ValueError: it has another form.
        """

    def encode(
        self, answer: NDArray[np.float32], item: Item, *, top: int, threshold: float | None, thresholds: Thresholds
    ) -> Sequence[Annotation]:
        """Turns the answer to one item into annotations, best first.

        Args:
            answer: the graph's output for the item.
            item: the decoded item.
            top: at most so many annotations.
            threshold: lowest score for every label, 0..1; None takes ``thresholds``.
            thresholds: lowest score by label.

        Raises:
            AnswerInvalidError: there is no answer.
        """

    def best(self, answer: NDArray[np.float32], thresholds: Thresholds) -> dict[str, object] | None:
        """The best annotation in short, whether or not it passes its threshold; None where nothing is there."""

    def subject(
        self, answer: NDArray[np.float32], item: Item, *, label: str | None, box: Bounds | None, thresholds: Thresholds
    ) -> Subject:
        """What of an answer is explained.

        Args:
            answer: the graph's output for the item.
            item: the decoded item.
            label: one of the model's; None takes the predicted one.
            box: of an object in pixels of the picture, whether or not the model finds it; None takes the surest one.
            thresholds: lowest score by label.

        Raises:
            NotExplainedError: such answers are not explained, or there is nothing to explain in this one.
        """

    def uncertainty(self, answer: NDArray[np.float32], thresholds: Thresholds) -> float | None:
        """How unsure the model is, 0..1; None where that is not known."""

    def passing(self, answer: NDArray[np.float32], item: Item, thresholds: Thresholds) -> Sequence[Annotation]:
        """The annotations that pass the model's own thresholds, however many the caller asked for: for logs and comparisons."""

    @staticmethod
    def tensor_specs(shape: Sequence[int]) -> Sequence[TensorSpec]:
        """What the Open Inference Protocol gives beside the graph's own output, which is as it is.

        Args:
            shape: of the graph's output; -1 where a size is not fixed.
        """

    def tensors(self, answers: NDArray[np.float32], thresholds: Thresholds) -> Mapping[str, Tensor]:
        """The same of some items, by name; texts are ``str`` objects.

        Args:
            answers: what the graph gave, an item along the first axis.
            thresholds: lowest score by label.
        """

    @staticmethod
    def disagreement(mine: Sequence[Any], other: Sequence[Any]) -> float:
        """How much two models differ about one item, 0..1.

        Args:
            mine: annotations of one model, from ``passing``.
            other: those of the other model.
        """

    def difference(self, expected: Mapping[str, Any], answer: NDArray[np.float32], item: Item) -> float:
        """How far an answer is from a golden sample: the largest difference of a score, a side or a number.

        Args:
            expected: the sample's entry in ``expected.json``, with the names of the labels as ``labels``.
            answer: the graph's output for the sample.
            item: the decoded sample.

        Raises:
            KeyError, TypeError, ValueError: the entry is not by the contract.
        """

    @staticmethod
    def easydl(annotation: Any) -> dict[str, object]:  # noqa: ANN401 - the kind's own annotation
        """An annotation in the form of EasyDL's API."""

    @staticmethod
    def easydl_cells(annotation: Any, target: str) -> dict[str, object]:  # noqa: ANN401 - as above
        """The same as cells of the row that was asked about; ``target`` is the column that is predicted."""

    @staticmethod
    def schema(label: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON schema of one annotation; ``label`` is that of a label's name."""
