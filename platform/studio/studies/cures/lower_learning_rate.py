"""Trains with a tenth of the learning rate."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_limits

words = Words(__file__)

NAMES = ("lr", "learning_rate")
"""What families call it."""
FACTOR = 0.1


class LowerLearningRate(Cure):
    """For a training that diverged."""

    name = "lower_learning_rate"
    place = 10
    codes = frozenset({"nan_loss"})
    title = words("lower_learning_rate.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where it is at its least."""
        lower = [limit for name in NAMES if (limit := failure.limit(name, factor=FACTOR)) is not None]
        if not lower:
            return None
        changes = tuple(
            words("lower_learning_rate.limit", title=limit.title, after=f"{limit.after:.2g}", before=f"{limit.before:.2g}")
            for limit in lower
        )
        return CurePlan(changes, with_limits(failure.settings, {limit.name: limit.after for limit in lower}))


KIND = LowerLearningRate()
