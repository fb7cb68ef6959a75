"""Groups of items on which the model does surely worse than on the rest."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.report import Slice
from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import amount, fraction, number, number_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Slices:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a group; how many were compared stands above."""
        found = split.slices
        if found is None:
            return EMPTY
        value = amount if found.measure == "absolute_error" else fraction
        rows = [
            (
                condition(sheet, each),
                number(each.num_items),
                value(each.measured),
                format_html("{} – {}", *(value(end) for end in each.interval)),
                value(each.rest),
            )
            for each in found.slices
            if each.is_worse
        ]
        tested = found.num_tested
        note = sheet.text(words("slices.note", tested=tested) if rows else words("slices.none", tested=tested))
        head = [sheet.text(words(f"slices.head.{name}")) for name in ("group", "items", found.measure, "interval", "rest")]
        return section(sheet.text(words("slices.title")), table(head, rows) if rows else EMPTY, note)


def condition(sheet: Sheet, part: Slice) -> str:
    """Which items the group holds, in words."""
    low, high = (None if end is None else _end(part, end) for end in (part.low, part.high))
    if part.value is not None:
        value = words("slices.value", value=part.value) if part.value else words("slices.unknown")
    elif low is None:
        value = words("slices.below", high=high or "∞")
    else:
        value = words("slices.from", low=low) if high is None else words("slices.between", low=low, high=high)
    return f"{sheet.text(part.name)}{sheet.text(value)}"


def _end(part: Slice, value: float) -> str:
    """Moments are shown in UTC, as cells of a table are read."""
    return f"{datetime.fromtimestamp(value, UTC):%Y-%m-%d}" if part.scale == "time" else number_text(value)


KIND = Slices()
