"""Gives a study at least twice the time, and as much as its trials were planned to take."""

from __future__ import annotations

import math
from dataclasses import replace

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure

words = Words(__file__)

SPARE = 1.5
"""By how much more than planned: plans are estimates."""
MINUTE_S = 60.0


class MoreTime(Cure):
    """For a study whose time limit came too early."""

    name = "more_time"
    place = 10
    codes = frozenset({"time_limit", "no_trial_started", "no_trial_succeeded"})
    title = words("more_time.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None of a study without a time limit."""
        limit_s = failure.settings.time_limit_s
        if limit_s is None:
            return None
        planned = [trial.estimated_s for trial in failure.study.trials.all() if trial.is_candidate]
        request = failure.settings.request
        rounds = math.ceil(request.max_trials / request.concurrency)
        planned_s = rounds * sum(planned) / max(1, len(planned))
        after_s = MINUTE_S * math.ceil(max(2 * limit_s, SPARE * planned_s) / MINUTE_S)
        changes = (words("more_time.limit", after=_span(after_s), before=_span(limit_s)),)
        return CurePlan(changes, replace(failure.settings, time_limit_s=after_s))


def _span(seconds: float) -> Text:
    if seconds < MINUTE_S:
        return words("more_time.seconds", number=f"{seconds:.3g}")
    return words("more_time.minutes", number=f"{seconds / MINUTE_S:.3g}")


KIND = MoreTime()
