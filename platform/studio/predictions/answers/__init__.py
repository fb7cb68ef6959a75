"""How answers stand in a download: a module for each kind of answers, found by the name in the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, cast

import pyarrow as pa

from automl.contracts.artefact import ArtefactManifest
from runtime.listing import kind_of, modules_in

NAMES = modules_in(__path__)

StoredAnnotations = Sequence[Mapping[str, Any]]
"""The annotations that a model gives an item; nothing of an item that failed."""
Scores = Sequence[float] | None
"""By label, in the model's order."""
MAX_SCORES = 200
"""Labels whose scores are all kept; of models with more, only the predicted labels."""


class AnswerColumns(Protocol):
    """What each module calls ``KIND``."""

    has_scores: ClassVar[bool]
    """Whether the graph answers with a score for each label."""

    def columns(
        self, annotations: Sequence[StoredAnnotations], scores: Sequence[Scores], labels: Sequence[str]
    ) -> list[tuple[str, pa.Array]]:
        """Columns of a download, a value for each item.

        Args:
            annotations: of each item.
            scores: of each item; None of those that failed.
            labels: of the scores.
        """


def answer_columns(manifest: ArtefactManifest) -> AnswerColumns:
    """The kind of what a model answers.

    Raises:
        ValueError: there is no such kind.
    """
    return cast("AnswerColumns", kind_of(__name__, NAMES, manifest.output.value, of="answers"))


def keeps_scores(manifest: ArtefactManifest) -> bool | None:
    """Whether results of a model hold the score of every label; None where it does not answer with scores."""
    return len(manifest.label_set.names) <= MAX_SCORES if answer_columns(manifest).has_scores else None


def score_columns(scores: Sequence[Scores], labels: Sequence[str]) -> list[tuple[str, pa.Array]]:
    """A column for each label."""
    return [
        (f"score_{label}", pa.array([each[place] if each else None for each in scores], pa.float64()))
        for place, label in enumerate(labels)
    ]
