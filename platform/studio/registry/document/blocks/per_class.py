"""How each label fares."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import fraction, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class PerClass:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a label; the average precision where the task ranks what it finds, the overlap where it labels pixels."""
        if not split.per_class:
            return EMPTY
        # Where there are ROC curves, those tell how well scores rank.
        is_ranked = not split.roc and any(each.average_precision is not None for each in split.per_class)
        has_overlap = any(each.intersection_over_union is not None for each in split.per_class)
        more = ("average_precision",) * is_ranked + ("intersection_over_union",) * has_overlap
        rows = (
            (
                each.label,
                fraction(each.f1),
                fraction(each.precision),
                fraction(each.recall),
                number(each.support),
                *(fraction(getattr(each, name)) for name in more),
            )
            for each in split.per_class
        )
        head = [sheet.text(words(f"per_class.{name}")) for name in ("label", "f1", "precision", "recall", "support", *more)]
        return section(sheet.text(words("per_class.title")), table(head, rows))


KIND = PerClass()
