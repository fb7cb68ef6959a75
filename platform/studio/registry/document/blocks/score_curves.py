"""Whether scores rank well, and whether they may be read as probabilities."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, lines
from studio.registry.document.markup import EMPTY, joined, section
from studio.registry.document.numbers import fraction, fraction_text, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class ScoreCurves:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """ROC curves and calibration beside each other."""
        drawn = [_roc(sheet, split) if split.roc else EMPTY, _calibration(sheet, split) if split.calibration else EMPTY]
        return format_html('<div class="pair">{}</div>', joined(drawn)) if any(drawn) else EMPTY


def _roc(sheet: Sheet, split: SplitReportOut) -> SafeString:
    curves = [
        Curve(
            each.label,
            list(zip(each.false_positive_rate, each.true_positive_rate, strict=True)),
            format_html("{} {}", sheet.text(words("roc.area")), number(each.area)),
        )
        for each in split.roc
    ]
    x, y = (Axis(sheet.text(words(f"roc.{name}")), 0.0, 1.0, fraction_text) for name in ("false_positives", "true_positives"))
    return section(sheet.text(words("roc.title")), lines(curves, x, y, has_diagonal=True), sheet.text(words("roc.note")))


def _calibration(sheet: Sheet, split: SplitReportOut) -> SafeString:
    curves = [
        Curve(
            each.label,
            [(one.mean_score, one.share) for one in each.bins],
            format_html("{} {}", sheet.text(words("calibration.error")), fraction(each.error)),
        )
        for each in split.calibration
    ]
    x, y = (Axis(sheet.text(words(f"calibration.{name}")), 0.0, 1.0, fraction_text) for name in ("score", "share"))
    drawn = lines(curves, x, y, has_diagonal=True)
    return section(sheet.text(words("calibration.title")), drawn, sheet.text(words("calibration.note")))


KIND = ScoreCurves()
