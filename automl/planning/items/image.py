"""Pictures: a network sees squares of a certain side."""

from __future__ import annotations

from automl.contracts.family import SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._batches import Batches
from automl.planning.items._values import number
from automl.planning.items.kind import Params


class Images(Batches):
    """See ``PlannedItems``."""

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """Height, width and channels."""
        del facts
        side_px = int(number(params.get("resolution_px"), 0)) or size.resolution_px
        return (side_px, side_px, 3)


KIND = Images()
