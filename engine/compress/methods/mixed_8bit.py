"""As ``static_8bit``, but the few layers that change the answers most stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from automl.contracts.base import Text
from automl.contracts.family import FeatureKind
from automl.contracts.words import Words
from engine.compress.method import NETWORKS, Made

if TYPE_CHECKING:
    from engine.compress.source import Source

words = Words(__file__)


class Mixed8Bit:
    """See ``Method``."""

    name: ClassVar[str] = "mixed_8bit"
    consumes: ClassVar[frozenset[FeatureKind]] = NETWORKS

    @property
    def title(self) -> Text:
        """See ``Method``."""
        return words("mixed_8bit.title")

    @property
    def summary(self) -> Text:
        """See ``Method``."""
        return words("mixed_8bit.summary")

    def make(self, source: Source) -> Made:
        """See ``Method``."""
        from engine.compress.walk import mixed  # noqa: PLC0415 - onnx, which the web process does without

        return mixed(source)


KIND = Mixed8Bit()
