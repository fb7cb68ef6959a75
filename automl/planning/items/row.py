"""Rows of a table: learned from all at once, not in batches, up to the number that a size takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.family import Cost, FamilySpec, SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._values import number
from automl.planning.items.kind import Needs, Params

BYTES_PER_CELL = 60
"""Cells as they came and as a model takes them, beside what the family prepares of them."""


class Rows:
    """See ``PlannedItems``."""

    are_trials_quick = True

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """The columns of a row and of its answer, one a label."""
        del size, params
        return max(1, facts.num_columns), max(1, facts.num_labels)

    def needs(self, family: FamilySpec, size: SizeSpec, params: Params, *, cost: Cost, facts: VersionFacts) -> Needs:
        """A family with a budget of seconds stops there."""
        del family
        num_learned, budget_s = min(facts.num_train, size.max_rows), params.get("budget_s")
        memory = num_learned * cost.memory_bytes + facts.num_items * max(1, facts.num_columns) * BYTES_PER_CELL
        return Needs(num_learned * cost.flops, memory, None if budget_s is None else number(budget_s, 0))

    def lighter(self, family: FamilySpec, sizes: Sequence[SizeSpec]) -> Mapping[str, float]:
        """None: all columns are read."""
        del family, sizes
        return {}

    def worthwhile(self, sizes: Sequence[SizeSpec], facts: VersionFacts) -> tuple[SizeSpec, ...]:
        """Of those that take all rows only the smallest."""
        return tuple(sizes[: sizes.index(self.first_size(sizes, 0, facts)) + 1])

    def reader(self, family: FamilySpec, size: SizeSpec) -> str:
        """All alike."""
        del family, size
        return ""

    def first_size(self, sizes: Sequence[SizeSpec], index: int, facts: VersionFacts) -> SizeSpec:
        """The smallest that learns from all rows, or the largest."""
        del index
        return next((size for size in sizes if size.max_rows >= facts.num_train), sizes[-1])


KIND = Rows()
