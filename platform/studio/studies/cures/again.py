"""Tries again with nothing changed: the cause may have gone."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure

words = Words(__file__)


class Again(Cure):
    """For what lies outside of the study."""

    name = "again"
    place = 90
    codes = frozenset(
        {
            "asset_missing",
            "device_failed",
            "disk_full",
            "internal_error",
            "library_missing",
            "no_trial_succeeded",
            "storage_full",
            "worker_crashed",
            "worker_lost",
            "worker_stalled",
        }
    )
    title = words("again.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """The same settings."""
        return CurePlan((words("again.same"),), failure.settings)


KIND = Again()
