"""How each label fares."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.report import ClassMetrics
from automl.contracts.words import Words
from studio.registry.document.labels import FEWEST_OF_LABEL, has_too_few
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import NOTHING, fraction, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class PerClass:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a label; the average precision where the task ranks what it finds, the overlap where it labels pixels.

        Labels with too few items have no figures.
        """
        if not split.per_class:
            return EMPTY
        # Where there are ROC curves, those tell how well scores rank.
        is_ranked = not split.roc and any(each.average_precision is not None for each in split.per_class)
        has_overlap = any(each.intersection_over_union is not None for each in split.per_class)
        more = ("average_precision",) * is_ranked + ("intersection_over_union",) * has_overlap

        def figure(each: ClassMetrics, name: str) -> SafeString:
            return NOTHING if has_too_few(each) else fraction(getattr(each, name))

        rows = (
            (
                each.label,
                *(figure(each, name) for name in ("f1", "precision", "recall")),
                number(each.support),
                *(figure(each, name) for name in more),
            )
            for each in split.per_class
        )
        head = [sheet.text(words(f"per_class.{name}")) for name in ("label", "f1", "precision", "recall", "support", *more)]
        few = sheet.text(words("few_of_label", least=FEWEST_OF_LABEL)) if any(map(has_too_few, split.per_class)) else ""
        return section(sheet.text(words("per_class.title")), table(head, rows), few)


KIND = PerClass()
