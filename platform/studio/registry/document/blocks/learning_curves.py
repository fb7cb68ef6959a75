"""How the objective rose while the model learned, and where the time went."""

from __future__ import annotations

from collections import defaultdict

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from automl.contracts.words import Words
from studio.registry.document.drawing import Axis, Curve, lines
from studio.registry.document.markup import EMPTY, joined, section, table
from studio.registry.document.numbers import bytes_text, duration_text, fraction, metric_text, number_text
from studio.registry.document.sheet import Sheet
from studio.registry.schemas import SplitReportOut

words = Words(__file__)


class LearningCurves:
    """See ``Block``."""

    is_of_split = False

    def draw(self, sheet: Sheet, split: SplitReportOut) -> SafeString:
        """A line for each split that was measured on the way."""
        del split
        objective = sheet.metrics[0]
        points: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for each in sheet.report.curves:
            if objective.name in each.values:
                points[each.split.value].append((each.epoch, each.values[objective.name]))
        profile = _profile(sheet)
        if not points:
            return profile
        every = [point for line in points.values() for point in line]
        x = Axis.around(sheet.text(words("learning_curves.epoch")), [point[0] for point in every])
        y = Axis.around(
            sheet.text(objective.title), [point[1] for point in every], lambda value: metric_text(objective.name, value)
        )
        curves = [Curve(sheet.text(words(f"learning_curves.{name}")), line) for name, line in points.items()]
        return joined((section(sheet.text(words("learning_curves.title")), lines(curves, x, y)), profile))


def _profile(sheet: Sheet) -> SafeString:
    """Time by what it was spent on, with what that advises."""
    profile = sheet.report.profile
    if profile is None:
        return EMPTY
    parts = {
        "compute": profile.compute_s,
        "wait": profile.wait_s,
        "evaluate": profile.evaluate_s,
        "save": profile.save_s,
    }
    total_s = max(sum(parts.values()), 1e-9)
    rows = [
        (sheet.text(words(f"profile.{name}")), duration_text(part_s), fraction(part_s / total_s))
        for name, part_s in parts.items()
    ]
    head = [sheet.text(words(f"profile.{name}")) for name in ("part", "time", "share")]
    advice = format_html_join("", "<p>{}</p>", ((sheet.text(words(f"profile_advice.{code}")),) for code in profile.advice))
    rate = sheet.text(
        words(
            "profile_note", rate=number_text(float(f"{profile.items_per_s:.3g}")), memory=bytes_text(profile.peak_memory_bytes)
        )
    )
    return section(sheet.text(words("profile.title")), joined((table(head, rows), advice)), rate)


KIND = LearningCurves()
