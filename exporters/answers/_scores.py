"""What the two kinds of scores share: a score a label, all of which are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Scores:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "class", "label": ..., "score": ...}, ...], best first'
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = ""
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = True
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = False

    def safe_threshold(self, sample: GoldenSample) -> float:
        """Every label reaches it."""
        del sample
        return 0.0

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """Labels with their scores, sorted."""
        return sorted(zip(golden.labels, sample.scores, strict=True))

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """Labels with their scores, sorted."""
        return sorted((each["label"], each["score"]) for each in annotations)
