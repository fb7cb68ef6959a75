"""From which scores on labels are predicted, and what that gives."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.report import PrecisionRecall
from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import NOTHING, exact, fraction
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Thresholds:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a label: what was recommended, what is in use, and precision and recall from there on."""
        recommended, used = sheet.shown.manifest.thresholds, sheet.shown.thresholds
        if not used:
            return EMPTY
        curves = {each.label: each for each in split.precision_recall}
        rows = []
        for label in (each for each in sheet.report.labels if each in used):
            precision, recall = _at(curves.get(label), used[label])
            rows.append((label, _score(recommended.get(label)), _score(used[label]), precision, recall))
        names = ("label", "recommended", "used", "precision", "recall")
        head = [sheet.text(words(f"thresholds.{name}")) for name in names]
        return section(sheet.text(words("thresholds.title")), table(head, rows), sheet.text(words("thresholds.note")))


def _score(value: float | None) -> SafeString:
    return NOTHING if value is None else exact(value, f"{value:.3g}")


def _at(curve: PrecisionRecall | None, threshold: float) -> tuple[SafeString, SafeString]:
    """Precision and recall when all scores from the threshold on count."""
    reached = [index for index, score in enumerate(curve.score) if score >= threshold] if curve else []
    if curve is None or not reached:
        return NOTHING, NOTHING
    return fraction(curve.precision[reached[-1]]), fraction(curve.recall[reached[-1]])


KIND = Thresholds()
