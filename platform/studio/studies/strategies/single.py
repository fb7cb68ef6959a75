"""One training run with exactly the settings that a person gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from automl.contracts.family import FamilySpec
from automl.contracts.job import TrainConfig
from automl.search.space import train_problems
from studio.common.errors import InvalidInputError
from studio.datasets.models import DatasetVersion
from studio.studies.errors import StartUnsuitableError
from studio.studies.models import Study
from studio.studies.strategy import Scope, StudyRequest, families_named, train_order


class Single:
    """The strategy that takes one configuration."""

    name = "single"
    searches = None
    takes = frozenset({"train", "start_from"})
    is_taught = False

    def families(self, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
        """That of the configuration, which must be one of it.

        Raises:
            InvalidInputError: there is none, or it is not one of its family.
            StartUnsuitableError: training cannot go on from the model named with it.
        """
        if request.single is None:
            families_named(request.families, version)
            raise InvalidInputError("Strategy single trains one configuration.", fields={"train": ["required"]})
        if set(request.families or ()) - {request.single.family}:
            fields = {"families": ["must be that of train alone, or absent"]}
            raise InvalidInputError("Strategy single does not use all that is asked.", fields=fields)
        if request.start is not None and request.single.size != request.start.facts.train.size:
            raise StartUnsuitableError("The model to start from is of another size.", context="families")
        families = families_named([request.single.family], version)
        problems = train_problems(families[0], request.single)
        if problems:
            fields = {f"train.{name}": [problem] for name, problem in problems.items()}
            raise InvalidInputError("The configuration is not one of its family.", fields=fields)
        return families

    def first_trials(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The configuration."""
        return () if scope.single is None else (scope.single,)

    def examples(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The same."""
        return self.first_trials(scope)

    def order(self, study: Study, workdir: Path) -> Mapping[str, Any]:
        """An ordinary training."""
        del study, workdir
        return train_order()


STRATEGY = Single()
