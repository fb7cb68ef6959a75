"""Shows what takes space, so that a person can free some."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure

words = Words(__file__)


class FreeSpace(Cure):
    """For a disk that is full."""

    name = "free_space"
    place = 10
    codes = frozenset({"disk_full", "storage_full"})
    title = words("free_space.title")
    page = "usage"

    def plan(self, failure: Failure) -> CurePlan | None:
        """Always."""
        return CurePlan((words("free_space.what"),), failure.settings)


KIND = FreeSpace()
