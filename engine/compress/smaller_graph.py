"""The result of a method: a smaller graph, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

import onnx

from automl.contracts.artefact import Licence
from automl.contracts.compression import Refusal
from automl.contracts.job import TrainConfig


class NoCandidateError(Exception):
    """A method cannot make a model smaller."""

    def __init__(self, reason: Refusal):
        super().__init__(reason)
        self.reason: Refusal = reason


@dataclass(frozen=True)
class SmallerGraph:
    """A smaller graph."""

    model: onnx.ModelProto
    num_changed: int
    num_kept: int
    """Nodes or tensors that the method could have changed and left as they are."""
    train: TrainConfig | None = None
    """Family, size and parameters of its training, where it is another network."""
    licences: tuple[Licence, ...] = ()
    """Of parts that the original does not have."""
