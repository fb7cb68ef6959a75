"""Leaves out the model families whose trials failed."""

from __future__ import annotations

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_families

words = Words(__file__)


class OtherFamilies(Cure):
    """For what one family cannot do here and another may."""

    name = "other_families"
    place = 50
    codes = frozenset({"internal_error", "library_missing", "nan_loss", "out_of_memory", "parity_failed", "worker_crashed"})
    title = words("other_families.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where there is no other family."""
        failed = failure.failed_families
        others = [family.name for family in failure.families if family.name not in failed]
        settings = with_families(failure.settings, others)
        if settings is None or not failed:
            return None
        titles: list[Text] = [family.title for family in failure.families if family.name in failed]
        return CurePlan(tuple(words("other_families.without", title=title) for title in titles), settings)


KIND = OtherFamilies()
