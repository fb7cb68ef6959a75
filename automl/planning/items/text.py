"""Texts: a network reads so many tokens."""

from __future__ import annotations

from automl.contracts.family import SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._batches import Batches
from automl.planning.items._values import number
from automl.planning.items.kind import Params


class Texts(Batches):
    """See ``PlannedItems``."""

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """The number of tokens."""
        del facts
        return (int(number(params.get("max_tokens"), 0)) or size.max_tokens,)


KIND = Texts()
