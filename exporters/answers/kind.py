"""The interface of a kind of answers. Each is a module beside this one, with the class as ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from automl.contracts.artefact import GoldenSample, GoldenSamples
from automl.contracts.task import OutputKind

Named = tuple[str, float]
"""A number of an answer with its label, which is empty where the answer has none."""


class AnswerKind(Protocol):
    """What each module calls ``KIND``."""

    example: ClassVar[str]
    """An answer in a read-me."""
    fields: ClassVar[tuple[str, ...]]
    """Fields of an annotation that the example programs print."""
    easydl_word: ClassVar[str]
    """Last part of the path of EasyDL's API; empty where the kind of items decides it."""
    has_one_graph: ClassVar[bool]
    """Whether the model is one graph. Only our runtime joins several: products without it do not accept such models."""
    has_javascript: ClassVar[bool]
    """Whether the JavaScript of the npm packages has a module for it."""
    has_device_graph: ClassVar[bool]
    """Whether the graphs of phones' formats give it (``exporters/_device_graph``); a format may lack an operation of some."""
    with_gallery: ClassVar[OutputKind | None]
    """What the model answers with once the vectors of a gallery are part of its graph; None where answers are not compared."""
    may_be_nothing: ClassVar[bool]
    """Whether a correct answer may be empty; such an answer is not limited to the best few annotations."""

    def safe_threshold(self, sample: GoldenSample) -> float:
        """A threshold far from all scores of the sample, so that rounding adds or drops no annotation."""

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[Named]:
        """The trained model's answer at that threshold, in a fixed order."""

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[Named]:
        """A server's answer, in the same order."""
