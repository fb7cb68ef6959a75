"""How well similarities separate the same things from different ones."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.report import ConfusedPair, SimilarityReport
from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, histogram, lines
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import fraction, fraction_text, metric, number
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Similarity:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """What was judged, before and after training, pairs by similarity, limits, and the hardest pairs by their labels."""
        found = split.similarity
        if found is None:
            return EMPTY
        note = words(
            "similarity.unseen" if found.is_unseen else "similarity.seen", number=found.num_judged, labels=found.num_labels
        )
        spread = format_html(
            '<div class="pair">{}{}</div>', _bars(sheet, found, is_same=True), _bars(sheet, found, is_same=False)
        )
        return joined(
            [
                section(sheet.text(words("similarity.spread")), spread, sheet.text(note)),
                _baseline(sheet, split),
                section(sheet.text(words("similarity.roc")), _curve(sheet, found)),
                section(
                    sheet.text(words("similarity.limits")), _limits(sheet, found), sheet.text(words("similarity.limits.note"))
                ),
                section(sheet.text(words("similarity.alike")), _pairs(sheet, found.alike)),
                section(sheet.text(words("similarity.unlike")), _pairs(sheet, found.unlike)),
            ]
        )


def _bars(sheet: Sheet, found: SimilarityReport, *, is_same: bool) -> SafeString:
    counts = found.same_counts if is_same else found.different_counts
    edges = [2 * place / len(counts) - 1 for place in range(len(counts) + 1)]
    title = sheet.text(words("similarity.same" if is_same else "similarity.different"))
    return format_html(
        "<div>{}</div>",
        histogram(edges, counts, sheet.text(words("similarity.head.similarity")), title, lambda value: f"{value:.2f}"),
    )


def _baseline(sheet: Sheet, split: SplitReportOut) -> SafeString:
    if not split.baseline:
        return EMPTY
    head = [sheet.text(words(f"similarity.head.{name}")) for name in ("metric", "before", "after")]
    rows = [[name, metric(name, value), metric(name, split.metrics.get(name))] for name, value in split.baseline.items()]
    return section(sheet.text(words("similarity.baseline")), table(head, rows))


def _curve(sheet: Sheet, found: SimilarityReport) -> SafeString:
    points = list(zip(found.false_match_rate, found.accept_rate, strict=True))
    x, y = (Axis(sheet.text(words(f"similarity.head.{name}")), 0.0, 1.0, fraction_text) for name in ("mistaken", "accepted"))
    return lines([Curve(sheet.text(words("similarity.pairs")), points, EMPTY)], x, y, has_diagonal=True)


def _limits(sheet: Sheet, found: SimilarityReport) -> SafeString:
    head = [sheet.text(words(f"similarity.head.{name}")) for name in ("rate", "limit", "accepted", "mistaken")]
    rows = [
        [
            fraction_text(each.rate),
            number(each.limit),
            _with_interval(each.accepted, each.accepted_interval),
            _with_interval(each.mistaken, each.mistaken_interval),
        ]
        for each in found.points
    ]
    return table(head, rows)


def _with_interval(share: float, interval: tuple[float, float]) -> SafeString:
    return format_html("{} ({}–{})", fraction(share), fraction_text(interval[0]), fraction_text(interval[1]))


def _pairs(sheet: Sheet, pairs: tuple[ConfusedPair, ...]) -> SafeString:
    head = [sheet.text(words(f"similarity.head.{name}")) for name in ("first", "second", "similarity")]
    return table(head, [[*each.labels, number(each.similarity)] for each in pairs], num_texts=2)


KIND = Similarity()
