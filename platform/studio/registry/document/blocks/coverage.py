"""When to ask a person, and how far off numbers may be, with how often that holds on items held back."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.coverage import CoverageMeasure, CoverageReport, LabelLimits, NumberReach
from automl.contracts.dataset import Split
from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import NOTHING, amount, exact, fraction, fraction_text, number, number_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)

_USUAL = 0.1
"""Error rate for which labels are listed unless one was chosen."""


class CoverageBlock:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A line for each error rate; of labels the one that is in use, or the usual one, label by label."""
        report = sheet.report.coverage
        measured = Split.TEST if any(each.split is Split.TEST for each in sheet.report.splits) else Split.VALIDATION
        if report is None or split.split is not measured:
            return EMPTY
        if report.numbers:
            return section(
                sheet.text(words("coverage.numbers.title")),
                _numbers(sheet, report.numbers),
                sheet.text(words("coverage.numbers.note", number=number_text(report.num_calibrated))),
            )
        return section(
            sheet.text(words("coverage.title")),
            joined((_lines(sheet, report), _labels(sheet, _shown(sheet, report)))),
            sheet.text(words("coverage.note", number=number_text(report.num_calibrated))),
        )


def _lines(sheet: Sheet, report: CoverageReport) -> SafeString:
    head = [sheet.text(words(f"coverage.head.{name}")) for name in ("error_rate", "scope", "asked", "covered", "wrong")]
    rows = [
        (
            _rate(sheet, line.error_rate, is_used=_is_used(sheet, line.error_rate, line.scope)),
            sheet.text(words(f"coverage.scope.{line.scope}")),
            *_measured(sheet, line),
        )
        for line in report.labels
    ]
    return table(head, rows, num_texts=2)


def _measured(sheet: Sheet, line: LabelLimits) -> Sequence[SafeString | str]:
    """The share asked, the share covered and the share wrong; why there is none, in the first of them."""
    if not line.limits:
        return sheet.text(words("coverage.few", number=number_text(line.num_needed))), NOTHING, NOTHING
    measure = line.measure
    if measure is None:
        return NOTHING, NOTHING, NOTHING
    total = measure.num_items
    return fraction(measure.num_asked / total), _covered(measure), fraction(measure.num_wrong / total)


def _numbers(sheet: Sheet, lines: Sequence[NumberReach]) -> SafeString:
    head = [sheet.text(words(f"coverage.head.{name}")) for name in ("error_rate", "reach", "covered")]
    rows = []
    for line in lines:
        few = sheet.text(words("coverage.few", number=number_text(line.num_needed)))
        reach = few if line.reach is None else format_html("± {}", amount(line.reach))
        covered = NOTHING if line.measure is None else _covered(line.measure)
        rows.append((_rate(sheet, line.error_rate, is_used=_is_used(sheet, line.error_rate, "all")), reach, covered))
    return table(head, rows)


def _labels(sheet: Sheet, line: LabelLimits | None) -> SafeString:
    """What one line means for each label, and which labels have too few items for it."""
    measure = None if line is None else line.measure
    if line is None or measure is None or not measure.labels:
        return EMPTY
    head = [sheet.text(words(f"coverage.head.{name}")) for name in ("label", "calibrated", "covered", "asked")]
    rows = []
    for each in measure.labels:
        covered, asked = NOTHING, NOTHING
        if each.interval is not None:
            covered, asked = _share(each.num_covered / each.num_items, each.interval), fraction(each.num_asked / each.num_items)
        rows.append((each.label, number(each.num_calibrated), covered, asked))
    title = words("coverage.labels", rate=fraction_text(line.error_rate), scope=words(f"coverage.scope.{line.scope}"))
    short = EMPTY
    if line.short:
        sentence = words("coverage.short", number=number_text(line.num_needed), labels=", ".join(line.short))
        short = format_html('<p class="note">{}</p>', sheet.text(sentence))
    return joined((format_html("<h4>{}</h4>", sheet.text(title)), short, table(head, rows)))


def _shown(sheet: Sheet, report: CoverageReport) -> LabelLimits | None:
    measured = [line for line in report.labels if line.measure is not None]
    used = [line for line in measured if _is_used(sheet, line.error_rate, line.scope)]
    return next(iter([*used, *(line for line in measured if line.error_rate == _USUAL), *measured]), None)


def _is_used(sheet: Sheet, error_rate: float, scope: str) -> bool:
    chosen = sheet.shown.coverage
    return chosen is not None and (chosen.error_rate, chosen.scope) == (error_rate, scope)


def _rate(sheet: Sheet, error_rate: float, *, is_used: bool) -> SafeString:
    shown = exact(error_rate, f"{error_rate:.0%}")
    return format_html("<b>{}{}</b>", shown, sheet.text(words("coverage.used"))) if is_used else shown


def _covered(measure: CoverageMeasure) -> SafeString:
    return _share(measure.num_covered / measure.num_items, measure.interval)


def _share(share: float, interval: tuple[float, float]) -> SafeString:
    return format_html("{} ({}–{})", fraction(share), fraction_text(interval[0]), fraction_text(interval[1]))


KIND = CoverageBlock()
