"""What learning curves are measured with: items as numbers, and quick heads that learn from some and answer others.

Shapes: N items, D features, M items asked about, L labels (1: a number).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from engine.data.version import DatasetVersion
from engine.job import Job

Style = Literal["linear", "trees"]
Rows = NDArray[np.float32]
Answers = NDArray[np.float64]


@dataclass(frozen=True)
class Material:
    """The items that there are to learn from, and how answers to them are judged."""

    views: Mapping[Style, Rows]
    """The same items ``_ND`` as each style of heads takes them."""
    targets: NDArray[Any]
    """As the task's measures take them."""
    groups_N: NDArray[np.int64]
    """Items of a group are learned or judged together."""
    labels: tuple[str, ...]
    """None where a number is predicted."""
    metrics: Callable[[Answers, NDArray[Any]], Mapping[str, float]]
    """The task's measures of answers, by name."""


@dataclass(frozen=True)
class Learner:
    """A head that has yet to learn."""

    style: Style
    strength: float
    """Of a linear head how closely it follows what it learns; unused by trees."""


class ItemsKind(Protocol):
    """How items of one kind become numbers."""

    def material(self, job: Job, manifest: ArtefactManifest, version: DatasetVersion) -> Material:
        """Reads the items of train and validation.

        Raises:
            BuildStoppedError: the job was asked to stop.
            DataInvalidError: there are none, or they carry labels that the artefact does not know.
        """


class AnswersKind(Protocol):
    """Heads that answer in one way."""

    def learners(self, styles: Sequence[Style]) -> Sequence[Learner]:
        """Those to choose from."""

    def answers(self, learner: Learner, rows_ND: Rows, targets: NDArray[Any], queries_MD: Rows, num_labels: int) -> Answers:
        """Learns from rows, and answers others as models of this kind do."""

    def loss(self, answers_NL: Answers, targets: NDArray[Any]) -> float:
        """By which a learner is chosen; the less the better."""

    def strata(self, targets: NDArray[Any]) -> NDArray[np.int64]:
        """A number an item: items with the same one are shared out evenly."""

    def carriers(self, targets: NDArray[Any], label: int) -> NDArray[np.bool_]:
        """Which items carry a label."""

    def f1(self, answers_NL: Answers, targets: NDArray[Any], label: int) -> float:
        """Of one label."""
