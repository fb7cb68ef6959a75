"""The models that were tried, and how much of each is in the one that is shipped."""

from __future__ import annotations

from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.markup import EMPTY, section, table
from studio.registry.document.numbers import duration_text, exact, fraction, metric
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class Leaderboard:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """One line a model, the best first."""
        del split
        if sheet.report.table is None:
            return EMPTY
        objective = sheet.metrics[0]
        rows = (
            (
                each.name,
                metric(objective.name, each.value),
                fraction(each.weight),
                exact(each.fit_seconds, duration_text(each.fit_seconds)),
            )
            for each in sheet.report.table.models
        )
        names = [sheet.text(words(f"leaderboard.{name}")) for name in ("model", "weight", "fit_time")]
        head = [names[0], sheet.text(objective.title), *names[1:]]
        return section(sheet.text(words("leaderboard.title")), table(head, rows), sheet.text(words("leaderboard.note")))


KIND = Leaderboard()
