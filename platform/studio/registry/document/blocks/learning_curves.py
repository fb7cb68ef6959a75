"""How the objective rose while the model learned."""

from __future__ import annotations

from collections import defaultdict

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, lines
from studio.registry.document.markup import EMPTY, section
from studio.registry.document.numbers import metric_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class LearningCurves:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A line for each split that was measured on the way."""
        del split
        objective = sheet.metrics[0]
        points: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for each in sheet.report.curves:
            if objective.name in each.values:
                points[each.split.value].append((each.epoch, each.values[objective.name]))
        if not points:
            return EMPTY
        every = [point for line in points.values() for point in line]
        x = Axis.around(sheet.text(words("learning_curves.epoch")), [point[0] for point in every])
        y = Axis.around(
            sheet.text(objective.title), [point[1] for point in every], lambda value: metric_text(objective.name, value)
        )
        curves = [Curve(sheet.text(words(f"learning_curves.{name}")), line) for name, line in points.items()]
        return section(sheet.text(words("learning_curves.title")), lines(curves, x, y))


KIND = LearningCurves()
