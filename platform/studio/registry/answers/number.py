"""A number: it has no label, and every answer is off by something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation
from automl.contracts.report import JudgedItem
from studio.registry.answers import Side
from studio.registry.document.markup import EMPTY


class Number:
    """See ``JudgedAnswers``."""

    is_amount = True
    are_compared = False
    are_lines = False
    are_boxes = False

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """No label."""
        del prediction, thresholds
        return []

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """Always."""
        del item, truth, predicted
        return True

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """None."""
        del labels
        return not thresholds

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Nothing."""
        del annotations, side
        return EMPTY


KIND = Number()
