"""Settings that have proven themselves, cheapest first, then a guided search around the best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from automl.contracts.family import FamilySpec
from automl.contracts.job import TrainConfig
from automl.planning.portfolio import portfolio
from automl.search.samplers import DEFAULT_SAMPLER
from studio.datasets.models import DatasetVersion
from studio.studies.models import Study
from studio.studies.strategy import Scope, StudyRequest, families_requested, train_order


class Portfolio:
    """The default strategy."""

    name = "portfolio"
    searches = DEFAULT_SAMPLER
    takes = frozenset({"start_from", "ranges", "warm_start"})
    is_taught = False

    def families(self, request: StudyRequest, version: DatasetVersion) -> tuple[FamilySpec, ...]:
        """The requested families."""
        return families_requested(request, version)

    def first_trials(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The best bets for the version, what did well before after the first of them.

        Where training goes on from a model, first as that one was trained.
        """
        limit_s = scope.time_limit_s
        bets = portfolio(families=scope.families, facts=scope.facts, time_limit_s=limit_s) if scope.families else ()
        if scope.start is None:
            return (*bets[:1], *scope.warm, *bets[1:])
        own = scope.start.facts.train.model_copy(update={"start_from": None})
        return (own, *(bet for bet in bets if bet != own))

    def examples(self, scope: Scope) -> tuple[TrainConfig, ...]:
        """The first trials."""
        return self.first_trials(scope)

    def order(self, study: Study, workdir: Path) -> Mapping[str, Any]:
        """An ordinary training."""
        del study, workdir
        return train_order()


STRATEGY = Portfolio()
