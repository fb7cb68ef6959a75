"""What planning asks of a kind of items. One module beside this one each, with a ``PlannedItems`` as ``KIND``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from automl.contracts.family import Cost, FamilySpec, ParamValue, SizeSpec
from automl.planning.facts import VersionFacts

Params = Mapping[str, ParamValue]
"""Of a trial, whole: with defaults for what it leaves out."""


@dataclass(frozen=True)
class Needs:
    """What training needs, besides the process and the export."""

    flops: float
    memory_bytes: int
    most_s: float | None = None
    """Seconds after which the family stops by itself; None where it does not."""
    num_windows: float = 1.0
    """Parts of an item that the finished model reads one by one, in the mean."""


class PlannedItems(Protocol):
    """How trials on one kind of items are planned."""

    are_trials_quick: bool
    """Whether every family's trial takes seconds, not only those of frozen backbones."""

    def sample_shape(self, size: SizeSpec, params: Params, facts: VersionFacts) -> tuple[int, ...]:
        """What the model takes of one item, as a family's ``cost`` asks for it.

        A parameter of the trial may say how much; where it is 0 or not there, the size's own number does.
        """

    def needs(self, family: FamilySpec, size: SizeSpec, params: Params, *, cost: Cost, facts: VersionFacts) -> Needs:
        """What a trial takes; ``cost`` is that of one item, see ``fit.estimate``."""

    def lighter(self, family: FamilySpec, sizes: Sequence[SizeSpec]) -> Mapping[str, float]:
        """Limits by name of a parameter with which networks of these sizes of a family answer in about half the time.

        Empty where only another network is faster.
        """

    def worthwhile(self, sizes: Sequence[SizeSpec], facts: VersionFacts) -> tuple[SizeSpec, ...]:
        """The sizes without those that would learn the same as a smaller one."""

    def reader(self, family: FamilySpec, size: SizeSpec) -> str:
        """How a model reads an item, as far as is known before it is trained: one graph holds those that are alike in it."""

    def first_size(self, sizes: Sequence[SizeSpec], index: int, facts: VersionFacts) -> SizeSpec:
        """The size of a first trial that asks for the one at ``index``."""
