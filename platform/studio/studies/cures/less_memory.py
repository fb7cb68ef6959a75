"""Trains with smaller batches, smaller items and fewer trials at once.

A job that had no memory left has learned its batches in parts already, so that half a batch alone is seldom enough.
"""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_limits, with_request

words = Words(__file__)

FACTORS = {"batch_size": 0.5, "resolution_px": 0.75, "max_tokens": 0.5}
"""What memory grows with, and how much of it is left: of a picture's side three quarters, which is about half of its pixels."""


class LessMemory(Cure):
    """For a study whose trials had no memory left, or whose processes were ended from outside."""

    name = "less_memory"
    place = 20
    codes = frozenset({"out_of_memory", "worker_crashed", "worker_lost"})
    title = words("less_memory.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where each of them is at its least."""
        limits = [failure.limit(name, factor=factor) for name, factor in FACTORS.items()]
        lower = [limit for limit in limits if limit is not None]
        changes: list[Text] = [
            words("less_memory.limit", title=limit.title, after=f"{limit.after:g}", before=f"{limit.before:g}")
            for limit in lower
        ]
        settings = with_limits(failure.settings, {limit.name: limit.after for limit in lower})
        if settings.request.concurrency > 1:
            changes.append(words("less_memory.one_at_a_time", before=settings.request.concurrency))
            settings = with_request(settings, concurrency=1)
        return CurePlan(tuple(changes), settings) if changes else None


KIND = LessMemory()
