"""What a way to make a graph smaller does. A module of ``methods`` each, with its ``KIND``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from automl.contracts.base import Text
from automl.contracts.compression import Refusal
from automl.contracts.family import FeatureKind

if TYPE_CHECKING:
    import onnx

    from engine.compress.source import Source


NETWORKS = frozenset(FeatureKind) - {FeatureKind.ROWS}
"""What tasks consume whose models are networks. Those of rows are mostly trees, which hold no products to be made cheaper."""


class NoCandidateError(Exception):
    """A method makes nothing of a model."""

    def __init__(self, reason: Refusal):
        super().__init__(reason)
        self.reason: Refusal = reason


@dataclass(frozen=True)
class Made:
    """A smaller graph."""

    model: onnx.ModelProto
    num_changed: int
    num_kept: int
    """Nodes or tensors that the method could have changed."""


class Method(Protocol):
    """See above. Its module is read by the platform too, so it imports what reads graphs only when it makes one."""

    name: ClassVar[str]
    """Of the module."""
    consumes: ClassVar[frozenset[FeatureKind]]
    """What the tasks consume whose models it suits."""

    @property
    def title(self) -> Text:
        """What people call it."""

    @property
    def summary(self) -> Text:
        """What it does, in one sentence."""

    def make(self, source: Source) -> Made:
        """Makes the model's graph smaller.

        Raises:
            NoCandidateError: there is nothing to be made of it.
            StoppedError: the job was asked to stop.
        """
