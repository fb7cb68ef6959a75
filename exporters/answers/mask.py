"""A label for each pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind


class Mask:
    """See ``AnswerKind``."""

    example: ClassVar[str] = (
        '[{"kind": "mask", "label": ..., "width": ..., "height": ..., "counts": ..., "score": ...}, ...], largest first'
    )
    fields: ClassVar[tuple[str, ...]] = ("label", "score")
    easydl_word: ClassVar[str] = "ImageSegmentation"
    has_one_graph: ClassVar[bool] = True
    has_javascript: ClassVar[bool] = True
    has_device_graph: ClassVar[bool] = True
    with_gallery: ClassVar[OutputKind | None] = None
    may_be_nothing: ClassVar[bool] = True

    def safe_threshold(self, sample: GoldenSample) -> float:
        """Every pixel reaches it."""
        del sample
        return 0.0

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[tuple[str, float]]:
        """The label of most pixels with its score: which labels hold a single pixel is a matter of rounding.

        Where the pixels lie is compared by the replay.
        """
        from runtime.run_lengths import runs_unpack  # noqa: PLC0415 - numpy is not for everybody

        segments = sample.mask.segments if sample.mask else ()
        sizes = [(sum(runs_unpack(counts)[1::2]), -index, score) for index, counts, score in segments]
        return [(golden.labels[-index], score) for _, index, score in sorted(sizes)[-1:]]

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[tuple[str, float]]:
        """The first, which is the largest."""
        return [(each["label"], each["score"]) for each in annotations[:1]]


KIND = Mask()
