"""Pictures: a network sees squares of a certain side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from automl.contracts.family import Cost, FamilySpec, SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._batches import Batches
from automl.planning.items._values import number
from automl.planning.items.kind import Needs, Params
from automl.planning.tiles import SHRINKS, VIEW, parts_of, view_of

LIGHTER_SIDE = 0.75
"""Of the side that a network sees by itself: its operations grow with the square."""


class Images(Batches):
    """See ``PlannedItems``."""

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """Height, width and channels."""
        del facts
        side_px = int(number(params.get("resolution_px"), 0)) or size.resolution_px
        return (side_px, side_px, 3)

    def lighter(self, family: FamilySpec, sizes: Sequence[SizeSpec]) -> Mapping[str, float]:
        """Squares with three quarters of the side, and so about half as many pixels.

        Not of a network that may see large pictures in parts: they would be more parts then.
        """
        if any(param.name == VIEW for param in family.params):
            return {}
        return {"resolution_px": LIGHTER_SIDE * max(size.resolution_px for size in sizes)}

    def needs(self, family: FamilySpec, size: SizeSpec, params: Params, *, cost: Cost, facts: VersionFacts) -> Needs:
        """A network that sees parts of pictures takes a step for each of them, and reads what is held back once more."""
        window_px = self.sample_shape(size, params, facts)[0]
        view = view_of(params, facts.pictures, window_px)
        parts = parts_of(view, facts.pictures, window_px)
        if view in SHRINKS:
            facts = replace(
                facts,
                num_train=round(facts.num_train * parts.drawn),
                num_validation=round(facts.num_validation * parts.judged),
                num_test=round((facts.num_validation + facts.num_test) * parts.answered),
            )
        needs = super().needs(family, size, params, cost=cost, facts=facts)
        return replace(needs, num_windows=parts.answered)


KIND = Images()
