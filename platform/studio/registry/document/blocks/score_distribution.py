"""How anomaly scores of normal pictures and of defects are spread, with the threshold, and what is not known."""

from __future__ import annotations

from django.utils.html import format_html
from django.utils.safestring import SafeString

from automl.contracts.report import ScoreDistribution
from automl.contracts.words import Words
from studio.registry.document.drawing import histogram
from studio.registry.document.markup import EMPTY, joined, section
from studio.registry.document.numbers import fraction_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Scores:
    """See ``Block``."""

    is_of_split = True

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A row of bars a label that some item carries, and in words what a label without items leaves open."""
        if not split.score_distribution:
            return EMPTY
        defects = [each for each in split.score_distribution if not each.is_normal]
        limit = next((sheet.shown.thresholds.get(each.label) for each in defects), None)
        drawn = [_bars(sheet, each) for each in split.score_distribution if sum(each.counts)]
        notes = [words("scores.note")]
        if limit is not None:
            notes.append(words("scores.threshold", value=f"{limit:.2f}"))
        if not any(sum(each.counts) for each in defects):
            notes.append(words("scores.no_defects"))
        pair = format_html('<div class="pair">{}</div>', joined(drawn))
        return section(sheet.text(words("scores.title")), pair, " ".join(sheet.text(note) for note in notes))


def _bars(sheet: Sheet, spread: ScoreDistribution) -> SafeString:
    edges = [place / len(spread.counts) for place in range(len(spread.counts) + 1)]
    drawn = histogram(edges, spread.counts, sheet.text(words("scores.score")), spread.label, fraction_text)
    return format_html("<div>{}</div>", drawn)


KIND = Scores()
