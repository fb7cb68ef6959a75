"""How well small, medium and large objects are found."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import NOTHING, fraction, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class PerSize:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a size."""
        if not split.per_size:
            return EMPTY
        rows = (
            (
                sheet.text(words(f"per_size.of.{each.size}")),
                fraction(each.average_precision) if each.support else NOTHING,
                number(each.support),
            )
            for each in split.per_size
        )
        head = [sheet.text(words(f"per_size.{name}")) for name in ("size", "average_precision", "support")]
        return section(sheet.text(words("per_size.title")), table(head, rows), sheet.text(words("per_size.note")))


KIND = PerSize()
