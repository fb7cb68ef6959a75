"""One label of several: the best one is the answer, whatever its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation
from automl.contracts.report import JudgedItem
from studio.registry.answers import Side
from studio.registry.document.markup import EMPTY
from studio.registry.labelled import labelled

_NEAR = 1e-6
"""Scores are rounded on their way."""


class ClassScores:
    """See ``JudgedAnswers``."""

    is_amount = False
    are_compared = False
    are_lines = False
    are_boxes = False

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """The best label."""
        del thresholds
        return [each.label for each in labelled(prediction)[:1]]

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Another label."""
        del item
        return set(truth) != set(predicted)

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """None, or two labels that share one, so that an item reaches one of them."""
        is_shared = len(labels) == len(thresholds) == 2 and abs(sum(thresholds.values()) - 1.0) < _NEAR
        return not thresholds or (is_shared and min(thresholds.values()) > 0.0)

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Nothing."""
        del annotations, side
        return EMPTY


KIND = ClassScores()
