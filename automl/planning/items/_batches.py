"""Items that a network sees in batches, epoch by epoch, or once where its backbone is frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.family import Cost, FamilySpec, SizeSpec
from automl.planning.facts import VersionFacts
from automl.planning.items._values import number
from automl.planning.items.kind import Needs, Params

FORWARD_SHARE = 1 / 3
"""Part of a training step that the forward pass is; gradients of inputs and of weights are the rest."""
STATE_BYTES_PER_PARAMETER = 16
"""fp32 weight, gradient and two moments of Adam."""
DEFAULT_EPOCHS = 10
DEFAULT_BATCH_SIZE = 32


class Batches:
    """The half of ``PlannedItems`` that does not depend on what the items are."""

    are_trials_quick = False

    def needs(self, family: FamilySpec, size: SizeSpec, params: Params, *, cost: Cost, facts: VersionFacts) -> Needs:
        """See ``PlannedItems``."""
        epochs = number(params.get("epochs"), DEFAULT_EPOCHS)
        batch_size = number(params.get("batch_size"), DEFAULT_BATCH_SIZE)
        if family.is_frozen:
            flops = float(facts.num_items * cost.flops)  # features are computed once; the head is small beside them
            memory = size.num_parameters * 4
        else:
            num_looked_at = epochs * facts.num_validation + facts.num_test
            flops = (epochs * facts.num_train + num_looked_at * FORWARD_SHARE) * cost.flops
            memory = size.num_parameters * STATE_BYTES_PER_PARAMETER
        return Needs(flops, memory + cost.fixed_bytes + int(cost.memory_bytes * batch_size))

    def lighter(self, family: FamilySpec, sizes: Sequence[SizeSpec]) -> Mapping[str, float]:
        """None: how long an item is decides what it takes."""
        del family, sizes
        return {}

    def worthwhile(self, sizes: Sequence[SizeSpec], facts: VersionFacts) -> tuple[SizeSpec, ...]:
        """All: each is another network."""
        del facts
        return tuple(sizes)

    def reader(self, family: FamilySpec, size: SizeSpec) -> str:
        """All alike."""
        del family, size
        return ""

    def first_size(self, sizes: Sequence[SizeSpec], index: int, facts: VersionFacts) -> SizeSpec:
        """The one that is asked for."""
        del facts
        return sizes[index]
