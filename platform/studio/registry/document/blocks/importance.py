"""Which columns count."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.drawing import amount_bar
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

COLUMNS = 30


class Importance:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a column, the most important first."""
        del split
        if sheet.report.table is None or not sheet.report.table.effects:
            return EMPTY
        effects = sheet.report.table.effects[:COLUMNS]
        most = max(each.importance for each in effects)
        rows = (
            (
                each.column,
                format_html("{} ± {}", number(each.importance), number(each.importance_std)),
                number(each.mean_abs_shap),
                amount_bar(each.importance, most),
            )
            for each in effects
        )
        head = [sheet.text(words(f"importance.{name}")) for name in ("column", "shuffled", "shap")]
        return section(sheet.text(words("importance.title")), table([*head, ""], rows), sheet.text(words("importance.note")))


KIND = Importance()
