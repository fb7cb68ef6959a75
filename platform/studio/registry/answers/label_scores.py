"""Any number of labels: those that pass their thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation
from automl.contracts.report import JudgedItem
from studio.registry.answers import Side
from studio.registry.document.markup import EMPTY
from studio.registry.labelled import above_thresholds


class LabelScores:
    """See ``JudgedAnswers``."""

    is_amount = False
    are_compared = False
    are_lines = False
    are_boxes = False

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """Labels that pass their thresholds."""
        return above_thresholds(prediction, thresholds)

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """One label too many or too few."""
        del item
        return set(truth) != set(predicted)

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """Any."""
        del labels, thresholds
        return True

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Nothing."""
        del annotations, side
        return EMPTY


KIND = LabelScores()
