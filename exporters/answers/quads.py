"""Lines of text with their corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Quads:
    """See ``AnswerKind``."""

    example: ClassVar[str] = (
        '[{"kind": "polygon", "label": ..., "points": [[x, y], ...], "attributes": [{"name": "text", "value": ...}],'
        ' "score": ...}, ...]'
    )
    fields: ClassVar[tuple[str, ...]] = ("attributes", "score")
    easydl_word: ClassVar[str] = "Ocr"
    has_one_graph: ClassVar[bool] = False
    has_javascript: ClassVar[bool] = False
    has_device_graph: ClassVar[bool] = False
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = True

    def safe_threshold(self, sample: GoldenSample) -> float:
        """A threshold in the widest gap between scores."""
        steps = sorted([0.0, 1.0, *(line.score for line in sample.quads)])
        return max(((upper - lower, (upper + lower) / 2) for lower, upper in pairwise(steps)))[1]

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """The lines above it, by what they say."""
        del golden
        safe_threshold = self.safe_threshold(sample)
        return sorted((line.text, line.score) for line in sample.quads if line.score >= safe_threshold)

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """The same."""
        return sorted((each["attributes"][0]["value"], each["score"]) for each in annotations)


KIND = Quads()
