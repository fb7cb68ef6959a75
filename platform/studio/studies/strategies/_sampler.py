"""A search from its first trial on, by one sampler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from automl.contracts.family import FamilySpec
from automl.contracts.job import TrainConfig
from studio.datasets.models import DatasetVersion
from studio.studies.models import Study
from studio.studies.strategy import Scope, StudyRequest, families_requested, train_order


@dataclass(frozen=True)
class SamplerStrategy:
    """The strategy that has a sampler's name."""

    name: str
    takes = frozenset({"start_from", "ranges", "warm_start"})
    is_taught = False

    @property
    def searches(self) -> str:
        """The sampler."""
        return self.name

    def families(self, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
        """The requested families."""
        return families_requested(request, version)

    def first_trials(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """What did well before; the sampler chooses all others."""
        return scope.warm

    def examples(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """What did well before, and each size of each family at its defaults."""
        sizes = [(family, size) for family in scope.families for size in family.sizes]
        return (*scope.warm, *(TrainConfig(family=family.name, size=size.name, params={}) for family, size in sizes))

    def order(self, study: Study, workdir: Path) -> Mapping[str, Any]:
        """An ordinary training."""
        del study, workdir
        return train_order()
