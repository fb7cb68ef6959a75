"""Weights as 8-bit whole numbers, and inputs turned into such as they come, with their own range each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.words import Words
from engine.compress.method import NETWORKS, Made

if TYPE_CHECKING:
    from engine.compress.source import Source

words = Words(__file__)


class Dynamic8Bit:
    """See ``Method``."""

    name: ClassVar[str] = "dynamic_8bit"
    consumes: ClassVar[frozenset[FeatureKind]] = NETWORKS

    @property
    def title(self) -> Text:
        """See ``Method``."""
        return words("dynamic_8bit.title")

    @property
    def summary(self) -> Text:
        """See ``Method``."""
        return words("dynamic_8bit.summary")

    def make(self, source: Source) -> Made:
        """See ``Method``."""
        from engine.compress.quantise import dynamic  # noqa: PLC0415 - onnx, which the web process does without

        return dynamic(source)


KIND = Dynamic8Bit()
