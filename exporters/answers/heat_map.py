"""A label with the heat map that it stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class HeatMaps:
    """See ``AnswerKind``."""

    example: ClassVar[str] = (
        '[{"kind": "class", "label": ..., "score": ..., '
        '"heat_map": {"score": ..., "width": ..., "height": ..., "values": ...}}]'
    )
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = ""
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = True
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = False

    def safe_threshold(self, sample: GoldenSample) -> float:
        """Any label reaches it."""
        del sample
        return 0.0

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """The anomaly score. The places are compared by the replay."""
        del golden
        return [("", self._score(sample))]

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """The same."""
        return [("", each["heat_map"]["score"]) for each in annotations]

    @staticmethod
    def _score(sample: GoldenSample) -> float:
        return max(sample.heat_map.values) if sample.heat_map else 0.0


KIND = HeatMaps()
