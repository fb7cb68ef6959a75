"""The vector of an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Vectors:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "vector", "values": [...]}]'
    fields: ClassVar[tuple[str, ...]] = ("values",)
    easydl_word: ClassVar[str] = ""
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = True
    with_gallery: ClassVar[OutputKind | None] = OutputKind.LABEL_SCORES
    may_be_nothing: ClassVar[bool] = False

    def safe_threshold(self, sample: GoldenSample) -> float:
        """Vectors have no threshold."""
        del sample
        return 0.0

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """Its numbers, by their places."""
        del golden
        return [(str(place), number) for place, number in enumerate(sample.vector)]

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """The same."""
        return [(str(place), number) for each in annotations for place, number in enumerate(each["values"])]


KIND = Vectors()
