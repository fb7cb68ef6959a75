"""Trials of a study that begin with what did well in earlier ones, as it keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from automl.contracts.family import FamilySpec
from automl.contracts.job import TrainConfig
from studio.common.stored import read_stored
from studio.studies.models import Study


@dataclass(frozen=True)
class WarmTrial:
    """A setting that did well before."""

    study: str
    """Id of the earlier study."""
    train: TrainConfig


def warm_stored(trials: Sequence[WarmTrial]) -> list[dict[str, Any]]:
    """As a study keeps them; the inverse of ``warm_of``."""
    return [{"study": one.study, "config": one.train.model_dump(mode="json")} for one in trials]


def warm_of(study: Study) -> tuple[WarmTrial, ...]:
    """What a study began with."""
    return tuple(
        WarmTrial(study=one["study"], train=read_stored(TrainConfig, one["config"], subject=study.id))
        for one in study.warm_trials
    )


def within_families(trials: Sequence[WarmTrial], families: Sequence[FamilySpec]) -> tuple[WarmTrial, ...]:
    """Those of families and sizes that may be trained."""
    sizes = {(family.name, size.name) for family in families for size in family.sizes}
    return tuple(one for one in trials if (one.train.family, one.train.size) in sizes)
