"""Lines of text: matched with a person's when the model was judged, and right if the texts are equal."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.annotation import Annotation, Polygon
from automl.contracts.report import JudgedItem
from studio.registry.answers import Side
from studio.registry.answers.boxes import Boxes
from studio.registry.document.markup import joined


class Quads(Boxes):
    """See ``JudgedAnswers``."""

    are_lines = True
    are_boxes = False

    def is_error(self, item: JudgedItem, truth: list[str], predicted: list[str]) -> bool:
        """A line that was missed, imagined or read wrongly."""
        del truth, predicted
        return item.loss > 0.0

    def svg(self, annotations: Sequence[Annotation], side: Side) -> SafeString:
        """Their borders."""
        return joined(
            format_html('<polygon class="box {}" points="{}"/>', side, " ".join(f"{x},{y}" for x, y in each.points))
            for each in annotations
            if isinstance(each, Polygon)
        )


KIND = Quads()
