"""The result of a method: smaller graphs, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True)
class SmallerModel:
    """What a method made of a model: smaller graphs by the names of their files; the others stay as they are."""

    graphs: Mapping[str, SmallerGraph]

    @property
    def num_changed(self) -> int:
        """See ``SmallerGraph``."""
        return sum(each.num_changed for each in self.graphs.values())

    @property
    def num_kept(self) -> int:
        """See ``SmallerGraph``; of the graphs that were changed."""
        return sum(each.num_kept for each in self.graphs.values())

    @property
    def train(self) -> TrainConfig | None:
        """See ``SmallerGraph``."""
        return next((each.train for each in self.graphs.values() if each.train is not None), None)

    @property
    def licences(self) -> tuple[Licence, ...]:
        """See ``SmallerGraph``."""
        return tuple(licence for each in self.graphs.values() for licence in each.licences)
