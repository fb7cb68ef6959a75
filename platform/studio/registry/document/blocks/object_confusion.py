"""Which objects were taken for which, missed, or predicted where there is nothing."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.blocks.confusion import confusion_section
from studio.registry.document.markup import EMPTY
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class ObjectConfusion:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """The matrix, shaded by the share of its row, or the commonest mistakes."""
        if not split.object_confusion:
            return EMPTY
        labels = [*sheet.report.labels, sheet.text(words("object_confusion.background"))]
        title, note = (sheet.text(words(f"object_confusion.{name}")) for name in ("title", "note"))
        return confusion_section(sheet, title, labels, split.object_confusion, note=note)


KIND = ObjectConfusion()
