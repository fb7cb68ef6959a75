"""How the answer changes along each of the most important columns."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.report import PartialDependence
from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, lines
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import amount, amount_text, fraction, fraction_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

LABELS = 5
"""Whose scores are drawn: of more labels the first ones."""


class Dependence:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A chart for each column of numbers, a table for the others."""
        del split
        if sheet.report.table is None or not sheet.report.table.dependence:
            return EMPTY
        drawn = joined(
            format_html("<div><h4>{}</h4>{}</div>", each.column, _column(sheet, each)) for each in sheet.report.table.dependence
        )
        body = format_html('<div class="pair">{}</div>', drawn)
        return section(sheet.text(words("dependence.title")), body, sheet.text(words("dependence.note")))


def _column(sheet: Sheet, effect: PartialDependence) -> SafeString:
    labels = sheet.report.labels[:LABELS]
    names = labels or [sheet.text(words("dependence.answer"))]
    try:
        places = [float(cell) for cell in effect.cells]
    except ValueError:
        written = fraction if labels else amount
        rows = (
            (cell, *(written(each) for each in mean[: len(names)]))
            for cell, mean in zip(effect.cells, effect.mean, strict=True)
        )
        return table([effect.column, *names], rows)
    curves = [
        Curve(name if labels else "", [(place, mean[index]) for place, mean in zip(places, effect.mean, strict=True)])
        for index, name in enumerate(names)
    ]
    values = [value for curve in curves for _, value in curve.points]
    title = sheet.text(words("dependence.score" if labels else "dependence.answer"))
    return lines(
        curves,
        Axis.around(effect.column, places, amount_text),
        Axis.around(title, values, fraction_text if labels else amount_text),
    )


KIND = Dependence()
