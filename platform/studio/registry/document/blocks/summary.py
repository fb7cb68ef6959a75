"""All metrics with their intervals."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.task import MetricSpec
from automl.contracts.words import Words
from studio.registry.document.drawing import interval_bar
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import NOTHING, metric
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Summary:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a metric."""
        measured = [each for each in sheet.metrics if each.name in split.metrics]
        head = [sheet.text(words(f"summary.{column}")) for column in ("metric", "value", "interval")]
        rows = [_row(sheet, each, split) for each in measured]
        return section(sheet.text(words("summary.title")), table([*head, ""], rows), sheet.text(words("summary.note")))


def _row(sheet: Sheet, spec: MetricSpec, split: SplitReportOut) -> tuple[object, ...]:
    value, ends = split.metrics[spec.name], split.intervals.get(spec.name)
    interval = format_html("{} – {}", *(metric(spec.name, end) for end in ends)) if ends else NOTHING
    bar = interval_bar(value, ends) if spec.unit == "fraction" else EMPTY
    return (
        format_html('<span title="{}">{}</span>', sheet.text(spec.help), sheet.text(spec.title)),
        metric(spec.name, value),
        interval,
        bar,
    )


KIND = Summary()
