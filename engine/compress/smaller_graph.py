"""What a method makes of a graph, or why it makes nothing."""

from __future__ import annotations

from dataclasses import dataclass

import onnx

from automl.contracts.artefact import Licence
from automl.contracts.compression import Refusal
from automl.contracts.job import TrainConfig


class NoCandidateError(Exception):
    """A method makes nothing of a model."""

    def __init__(self, reason: Refusal):
        super().__init__(reason)
        self.reason: Refusal = reason


@dataclass(frozen=True)
class SmallerGraph:
    """A smaller graph."""

    model: onnx.ModelProto
    num_changed: int
    num_kept: int
    """Nodes or tensors that the method could have changed."""
    train: TrainConfig | None = None
    """As what it was trained, where it is another network."""
    licences: tuple[Licence, ...] = ()
    """Of parts that the original does not have."""
