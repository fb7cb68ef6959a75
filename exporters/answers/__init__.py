"""What products must know of a model's answers: a module for each kind, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from automl.contracts.artefact import ArtefactManifest, GoldenSample, GoldenSamples
from automl.contracts.listing import kind_in, kind_names
from automl.contracts.task import OutputKind
from exporters.errors import ArtefactInvalidError

Named = tuple[str, float]
"""A number of an answer with its name: a label's, or an empty one."""


class AnswerKind(Protocol):
    """What each module calls ``KIND``."""

    example: ClassVar[str]
    """An answer in a read-me."""
    fields: ClassVar[tuple[str, ...]]
    """Of an annotation, what a short program prints."""
    easydl_word: ClassVar[str]
    """Last part of EasyDL's address; empty where the kind of items says it."""
    has_one_graph: ClassVar[bool]
    """Whether the model is one graph. What joins several is our runtime: a product without it ships no such model."""
    may_be_nothing: ClassVar[bool]
    """Whether a good answer may hold nothing, and how many annotations it holds is not cut."""

    def floor(self, sample: GoldenSample) -> float:
        """A threshold at which rounding decides nothing of an answer to the sample."""

    def expected(self, golden: GoldenSamples, sample: GoldenSample) -> list[Named]:
        """What a server must answer at that threshold, in a fixed order."""

    def actual(self, annotations: Sequence[Mapping[str, Any]]) -> list[Named]:
        """What a server has answered, in the same order."""


def known_outputs() -> frozenset[OutputKind]:
    """What models may answer in a product: the kinds that have a module here."""
    return frozenset(map(OutputKind, kind_names(__name__)))


def one_graph_outputs() -> frozenset[OutputKind]:
    """The same, but for kinds whose models have several graphs."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_one_graph)


def answer_kind(manifest: ArtefactManifest) -> AnswerKind:
    """The kind of what a model answers; ArtefactInvalidError where there is none such."""
    if manifest.output not in known_outputs():
        raise ArtefactInvalidError(f"no product gives answers of the kind {manifest.output.value!r}")
    kind: AnswerKind = kind_in(__name__, manifest.output.value)
    return kind
