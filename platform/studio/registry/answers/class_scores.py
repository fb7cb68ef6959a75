"""One label of several: the best one is the answer, whatever its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation
from automl.contracts.report import JudgedItem
from studio.registry.answers import labelled


class ClassScores:
    """See ``JudgedAnswers``."""

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """The best label."""
        del thresholds
        return [each.label for each in labelled(prediction)[:1]]

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Another label."""
        del item
        return set(truth) != set(predicted)


KIND = ClassScores()
