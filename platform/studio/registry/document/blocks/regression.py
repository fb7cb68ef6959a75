"""How predicted numbers fit the true ones."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.report import RegressionFit
from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, histogram, scatter
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import amount, amount_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

POINTS = 1000
"""Drawn at most, evenly taken, so that the file stays small."""
_SHARES = ((0.5, 0.75, 0.9, 0.95, 0.99), (0.05, 0.25, 0.5, 0.75, 0.95))


class Regression:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """Truth against prediction, and how far off predictions are."""
        fit = split.regression
        if fit is None:
            return EMPTY
        return format_html('<div class="pair">{}</div>', joined((_truth(sheet, fit), _errors(sheet, fit))))


def _truth(sheet: Sheet, fit: RegressionFit) -> SafeString:
    points = list(zip(fit.truth, fit.prediction, strict=True))
    both = [*fit.truth, *fit.prediction]
    x, y = (Axis.around(sheet.text(words(f"regression.{name}")), both, amount_text) for name in ("truth", "prediction"))
    drawn = scatter(points[:: -(-len(points) // POINTS) or 1], x, y)
    return section(sheet.text(words("regression.fit")), drawn, sheet.text(words("regression.fit_note")))


def _errors(sheet: Sheet, fit: RegressionFit) -> SafeString:
    x_title, y_title = sheet.text(words("regression.error")), sheet.text(words("regression.items"))
    drawn = histogram(fit.residuals.edges, fit.residuals.counts, x_title, y_title, amount_text)
    quantiles = (fit.absolute_error_quantiles, fit.error_quantiles)
    tables = [
        table(
            [sheet.text(words(f"regression.{name}")), *(f"{share:.0%}" for share in shares)],
            [(sheet.text(words(f"regression.{name}_below")), *(amount(each) for each in values))],
        )
        for name, shares, values in zip(("absolute", "signed"), _SHARES, quantiles, strict=True)
    ]
    spread = format_html('<p class="note">{} {}</p>', sheet.text(words("regression.spread")), amount(fit.truth_std))
    return section(sheet.text(words("regression.errors")), joined((drawn, *tables, spread)))


KIND = Regression()
