"""Boxes around things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Boxes:
    """See ``AnswerKind``."""

    example: ClassVar[str] = (
        '[{"kind": "box", "label": ..., "x": ..., "y": ..., "width": ..., "height": ..., "score": ...}, ...]'
    )
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = "ObjectDetection"
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = True
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = True

    def safe_threshold(self, sample: GoldenSample) -> float:
        """The middle of the widest gap between scores."""
        steps = sorted([0.0, 1.0, *(row[4] for row in sample.detections)])
        return max(((upper - lower, (upper + lower) / 2) for lower, upper in pairwise(steps)))[1]

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """Labels with their scores, sorted. Where boxes lie is compared by the replay, which knows the picture's size."""
        return sorted((golden.labels[row[5]], row[4]) for row in sample.detections if row[4] >= self.safe_threshold(sample))

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """Labels with their scores, sorted."""
        return sorted((each["label"], each["score"]) for each in annotations)


KIND = Boxes()
