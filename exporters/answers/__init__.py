"""What products need to know about a model's answers: a module for each kind, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from automl.contracts.artefact import ArtefactManifest, GoldenSample, GoldenSamples
from automl.contracts.listing import kind_in, kind_names
from automl.contracts.task import OutputKind
from exporters.errors import ArtefactInvalidError

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
    may_be_nothing: ClassVar[bool]
    """Whether a correct answer may be empty; such an answer is not limited to the best few annotations."""

    def safe_threshold(self, sample: GoldenSample) -> float:
        """A threshold far from all scores of the sample, so that rounding adds or drops no annotation."""

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[Named]:
        """The trained model's answer at that threshold, in a fixed order."""

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[Named]:
        """A server's answer, in the same order."""


def known_outputs() -> frozenset[OutputKind]:
    """Kinds of answers that products support: those that have a module here."""
    return frozenset(map(OutputKind, kind_names(__name__)))


def one_graph_outputs() -> frozenset[OutputKind]:
    """The same, but for kinds whose models have several graphs."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_one_graph)


def javascript_outputs() -> frozenset[OutputKind]:
    """Those that the npm packages can give."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_javascript)


def answer_kind(manifest: ArtefactManifest) -> AnswerKind:
    """The kind of what a model answers; ArtefactInvalidError where there is none such."""
    if manifest.output not in known_outputs():
        raise ArtefactInvalidError(f"no product gives answers of the kind {manifest.output.value!r}")
    kind: AnswerKind = kind_in(__name__, manifest.output.value)
    return kind
