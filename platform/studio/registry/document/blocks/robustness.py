"""How well the model answers items that were made worse on purpose; empty where that was not tested."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import amount, fraction
from studio.registry.document.sheet import Sheet
from studio.registry.robustness import robustness_get
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Robustness:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a strength; a difference that is sure is bold."""
        report = robustness_get(sheet.artefact, split.split).report
        if report is None:
            return EMPTY
        value = amount if report.measure == "absolute_error" else fraction
        rows = [
            (
                sheet.text(alteration.title),
                sheet.text(step.strength),
                value(step.measured),
                format_html("{} – {}", *(value(end) for end in step.interval)),
                format_html("<b>{}</b>", value(step.worse_by)) if step.is_worse else value(step.worse_by),
                format_html("{} – {}", *(value(end) for end in step.worse_by_interval)),
            )
            for alteration in report.alterations
            for step in alteration.steps
        ]
        columns = ("alteration", "strength", report.measure, "interval", "worse_by", "interval")
        head = [sheet.text(words(f"robustness.head.{name}")) for name in columns]
        body = format_html(
            '<p class="note">{} {} ({} – {})</p>{}',
            sheet.text(words("robustness.unaltered", count=report.num_items)),
            value(report.value),
            *(value(end) for end in report.interval),
            table(head, rows, num_texts=2),
        )
        return section(sheet.text(words("robustness.title")), body, sheet.text(words("robustness.note")))


KIND = Robustness()
