"""What products need to know about a model's answers: a module for each kind, found by the name in the manifest."""

from __future__ import annotations

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.listing import kind_in, kind_names
from automl.contracts.task import OutputKind
from exporters.answers.kind import AnswerKind
from exporters.errors import ArtefactInvalidError


def known_outputs() -> frozenset[OutputKind]:
    """Kinds of answers that products support: those that have a module here."""
    return frozenset(map(OutputKind, kind_names(__name__)))


def one_graph_outputs() -> frozenset[OutputKind]:
    """The same, but for kinds whose models have several graphs."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_one_graph)


def javascript_outputs() -> frozenset[OutputKind]:
    """Those that the npm packages can give."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_javascript)


def device_outputs() -> frozenset[OutputKind]:
    """Those that phones' formats can give."""
    return frozenset(output for output in known_outputs() if kind_in(__name__, output.value).has_device_graph)


def answer_kind(manifest: ArtefactManifest) -> AnswerKind:
    """The kind of what a model answers; ArtefactInvalidError where there is none such."""
    if manifest.output not in known_outputs():
        raise ArtefactInvalidError(f"no product gives answers of the kind {manifest.output.value!r}")
    kind: AnswerKind = kind_in(__name__, manifest.output.value)
    return kind
