"""Texts: a network reads so many tokens."""

from __future__ import annotations

from automl.contracts.family import FamilySpec, SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._batches import Batches
from automl.planning.items._values import number
from automl.planning.items.kind import Params

BYTES_PER_TOKEN = 3
"""At least, in most languages: a token of English has four letters of one byte, one of Chinese a character or two of three."""
_ENDS = 2
"""Tokens that mark where a text begins and ends."""


class Texts(Batches):
    """See ``PlannedItems``."""

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """The number of tokens: as many as the longest of the texts has, as far as they are read."""
        most = int(number(params.get("max_tokens"), 0)) or size.max_tokens
        longest = max(facts.text_bytes, default=most * BYTES_PER_TOKEN)
        return (min(most, longest // BYTES_PER_TOKEN + _ENDS),)

    def reader(self, family: FamilySpec, size: SizeSpec) -> str:
        """The tokenizer: that of the weights, or one that the family makes for each of its sizes."""
        return size.asset or f"{family.name} {size.name}"


KIND = Texts()
