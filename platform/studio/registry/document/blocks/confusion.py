"""Which label was taken for which."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

WHOLE_LABELS = 20
"""Most labels whose whole matrix fits on a page; of more, the commonest mistakes are listed."""
LISTED_MISTAKES = 30


class Confusion:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """The matrix, shaded by the share of its row, or the commonest mistakes."""
        if not split.confusion:
            return EMPTY
        note = sheet.text(words("confusion.note"))
        return confusion_section(sheet, sheet.text(words("confusion.title")), sheet.report.labels, split.confusion, note=note)


def confusion_section(
    sheet: Sheet, title: str, labels: Sequence[str], confusion: Sequence[Sequence[int]], *, note: str
) -> SafeString:
    """Counts by actual and predicted label, both in the order of ``labels``; ``note`` explains the whole matrix."""
    if len(labels) <= WHOLE_LABELS:
        return section(title, _matrix(labels, confusion), note)
    return section(title, _mistakes(sheet, labels, confusion), sheet.text(words("confusion.listed")))


def _matrix(labels: Sequence[str], confusion: Sequence[Sequence[int]]) -> SafeString:
    rows = (
        (label, *(_shaded(count, sum(counts)) for count in counts)) for label, counts in zip(labels, confusion, strict=True)
    )
    return format_html('<div class="matrix">{}</div>', table(["", *labels], rows))


def _shaded(count: int, total: int) -> SafeString:
    share = round(100 * count / total) if total else 0
    return format_html('<span class="cell" style="--share:{}%">{}</span>', share, number(count))


def _mistakes(sheet: Sheet, labels: Sequence[str], confusion: Sequence[Sequence[int]]) -> SafeString:
    cells = ((count, row, column) for row, counts in enumerate(confusion) for column, count in enumerate(counts))
    found = sorted((-count, row, column) for count, row, column in cells if count and row != column)[:LISTED_MISTAKES]
    head = [sheet.text(words(f"confusion.{name}")) for name in ("truth", "answer", "count")]
    return joined([table(head, ((labels[row], labels[column], number(-count)) for count, row, column in found), num_texts=2)])


KIND = Confusion()
