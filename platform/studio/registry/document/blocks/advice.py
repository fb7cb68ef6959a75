"""What more items of each label would bring; empty where that was not measured."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.advice import GainCurve, SubjectAdvice, Verdict
from automl.contracts.words import Words
from studio.registry.advice import advice_get
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import NOTHING, metric, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Advice:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a label, all of them together first; gains whose interval lies above 0 are bold."""
        del split
        report = advice_get(sheet.artefact).report
        if report is None:
            return EMPTY
        objective = next((each.title for each in sheet.task.metrics if each.name == report.objective), sheet.metrics[0].title)
        head = [
            *(sheet.text(words(f"advice.head.{name}")) for name in ("label", "items", "more", "f1", "interval")),
            sheet.text(objective),
            sheet.text(words("advice.head.interval")),
        ]
        rows = [_row(sheet, subject) for subject in (report.overall, *report.labels)]
        note = sheet.text(words("advice.note", percent=round(100 * report.level), draws=report.num_draws))
        return section(sheet.text(words("advice.title")), table(head, rows), note)


def _row(sheet: Sheet, subject: SubjectAdvice) -> tuple[str | SafeString, ...]:
    name = sheet.text(words("advice.all")) if subject.label is None else subject.label
    curve = subject.own or subject.objective
    more = NOTHING if curve is None else number(curve.forecasts[0].num_more)
    is_sure = subject.verdict is Verdict.GAIN
    return (
        name,
        number(subject.num_items),
        more,
        *_gain(subject.own, is_bold=is_sure),
        *_gain(subject.objective, is_bold=is_sure and subject.own is None),
    )


def _gain(curve: GainCurve | None, *, is_bold: bool) -> tuple[SafeString, SafeString]:
    if curve is None:
        return NOTHING, NOTHING
    first = curve.forecasts[0]
    low, high = (metric(curve.measure, end) for end in first.interval)
    gain = metric(curve.measure, first.gain)
    return format_html("<b>{}</b>", gain) if is_bold else gain, format_html("{} – {}", low, high)


KIND = Advice()
