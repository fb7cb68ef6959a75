"""Weights are kept as float16 and computed with in float32: half the file, the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.words import Words
from engine.compress.method import NETWORKS, Made

if TYPE_CHECKING:
    from engine.compress.source import Source

words = Words(__file__)


class Weights16Bit:
    """See ``Method``."""

    name: ClassVar[str] = "weights_16bit"
    consumes: ClassVar[frozenset[FeatureKind]] = NETWORKS

    @property
    def title(self) -> Text:
        """See ``Method``."""
        return words("weights_16bit.title")

    @property
    def summary(self) -> Text:
        """See ``Method``."""
        return words("weights_16bit.summary")

    def make(self, source: Source) -> Made:
        """See ``Method``."""
        from engine.compress.graphs import halved  # noqa: PLC0415 - onnx, which the web process does without

        return halved(source.model())


KIND = Weights16Bit()
