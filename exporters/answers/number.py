"""One number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Number:
    """See ``AnswerKind``."""

    example: ClassVar[str] = '[{"kind": "value", "value": ...}]'
    fields: ClassVar[tuple[str, ...]] = ("value",)
    easydl_word: ClassVar[str] = ""
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = False
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = False

    def safe_threshold(self, sample: GoldenSample) -> float:
        """Numbers have no threshold."""
        del sample
        return 0.0

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """The one number, which has no label."""
        del golden
        return [("", number) for number in sample.scores]

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """The one number."""
        return [("", each["value"]) for each in annotations]


KIND = Number()
