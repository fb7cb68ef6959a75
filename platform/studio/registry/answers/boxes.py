"""Boxes: those that pass the thresholds of their labels, matched with a person's when the model was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation, Box
from automl.contracts.report import JudgedItem
from studio.registry.answers import Side
from studio.registry.document.markup import joined
from studio.registry.labelled import above_thresholds


class Boxes:
    """See ``JudgedAnswers``."""

    is_amount = False
    are_compared = False
    are_lines = False
    are_boxes = True

    def predicted(self, prediction: Sequence[Annotation], thresholds: Mapping[str, float]) -> list[str]:
        """Labels of boxes that pass their thresholds."""
        return above_thresholds(prediction, thresholds)

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """A box without a match, a person's or the model's."""
        return not len(item.matches) == len(truth) == len(predicted)

    def thresholds_fit(self, labels: Sequence[str], thresholds: Mapping[str, float]) -> bool:
        """Any."""
        del labels, thresholds
        return True

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Their borders."""
        return joined(
            format_html(
                '<rect class="box {}" x="{}" y="{}" width="{}" height="{}"/>', side, each.x, each.y, each.width, each.height
            )
            for each in annotations
            if isinstance(each, Box)
        )


KIND = Boxes()
