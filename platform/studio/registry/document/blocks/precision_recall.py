"""Precision against recall, a curve a label."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, lines
from studio.registry.document.markup import EMPTY, section
from studio.registry.document.numbers import fraction_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class PrecisionRecall:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """Labels that do not occur have no curve."""
        curves = [
            Curve(each.label, list(zip(each.recall, each.precision, strict=True)))
            for each in split.precision_recall
            if each.recall
        ]
        if not curves:
            return EMPTY
        x = Axis(sheet.text(words("precision_recall.recall")), 0.0, 1.0, fraction_text)
        y = Axis(sheet.text(words("precision_recall.precision")), 0.0, 1.0, fraction_text)
        return section(
            sheet.text(words("precision_recall.title")), lines(curves, x, y), sheet.text(words("precision_recall.note"))
        )


KIND = PrecisionRecall()
