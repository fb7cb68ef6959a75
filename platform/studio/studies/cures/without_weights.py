"""Trains only families that need no pretrained weights."""

from __future__ import annotations

from automl.contracts.words import Words
from studio.studies.cures.kind import Cure, CurePlan, Failure, with_families

words = Words(__file__)


class WithoutWeights(Cure):
    """For weights that are not in the store and cannot be fetched."""

    name = "without_weights"
    place = 20
    codes = frozenset({"asset_changed", "asset_missing", "asset_unknown"})
    title = words("without_weights.title")

    def plan(self, failure: Failure) -> CurePlan | None:
        """None where every family needs some."""
        failed = failure.failed_families
        free = [
            family
            for family in failure.families
            if family.name not in failed and all(size.asset is None for size in family.sizes)
        ]
        settings = with_families(failure.settings, [family.name for family in free])
        if settings is None:
            return None
        return CurePlan(tuple(words("without_weights.family", title=family.title) for family in free), settings)


KIND = WithoutWeights()
