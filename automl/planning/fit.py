"""How long a trial will take and whether it fits, estimated before anything is started.

The estimate is arithmetic on the family's own numbers, corrected by what trials on this host took before. A probing run was
decided against: the answer has to stand on the page while a person still moves the sliders.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from automl.contracts.family import Cost, FamilySpec, ParamValue
from automl.contracts.job import TrainConfig
from automl.planning.facts import VersionFacts
from automl.planning.items import planned_items

PROCESS_BYTES = 600 * 2**20
"""A process with torch loaded and a batch in flight, before the model: measured at 0.5 to 0.6 GB on a CPU host."""
EXPORT_S = 6.0
"""Start of the process, export to ONNX, parity and report."""


@dataclass(frozen=True)
class Host:
    """What a training host offers."""

    flops_per_s: float = 6e10
    """Sustained in convolutions on all threads of a job; a two-core server of 2023. ``correction`` does the rest."""
    memory_bytes: int = 8 * 2**30


class Basis(StrEnum):
    """What an estimate rests on, the surest first."""

    MEASURED = "measured"
    """This model with a part of these data, on this host."""
    DERIVED = "derived"
    """The same of another size of its family, or of the same model with other settings."""
    PLANNED = "planned"
    """Operations alone, and how long earlier trials took."""


TIMES_OFF: Mapping[Basis, float] = {Basis.MEASURED: 1.25, Basis.DERIVED: 1.6, Basis.PLANNED: 3.0}
"""How many times too long or too short an estimate of time is at most, as a rule; see ``docs/experiments.md``."""


@dataclass(frozen=True)
class TrialEstimate:
    """What a trial needs."""

    train: TrainConfig
    estimated_s: float
    memory_bytes: int
    is_fitting: bool
    num_windows: float = 1.0
    """Parts of an item that the finished model reads one by one, in the mean."""
    cpu_s: float | None = None
    """Of ``estimated_s``, processor time on all cores together; None where it was not measured."""
    export_s: float | None = None
    """Of ``estimated_s``, the export of a structure that is new to the host; None where it was not measured."""
    least_s: float = 0.0
    """What it takes at least, as it was tried for so long and was not over."""
    time_basis: Basis = Basis.PLANNED
    is_corrected: bool = False
    """Whether ``estimated_s`` knows how long earlier trials of the family took."""
    memory_basis: Basis = Basis.PLANNED


def estimate(
    *,
    family: FamilySpec,
    train: TrainConfig,
    cost: Cost,
    facts: VersionFacts,
    host: Host,
    correction: float = 1.0,
    num_processes: int = 1,
) -> TrialEstimate:
    """Estimates one trial.

    Args:
        family: the trial's family.
        train: the trial.
        cost: of one training step of one sample at the trial's resolution; of the features alone when the family is frozen; of
            all that is learned from one row of a table.
        facts: of the version.
        host: where it will run.
        correction: actual over estimated time of earlier trials, see ``correction_of``.
        num_processes: that train together, each with memory of its own, beside the one that waits for them. The time is that of
            one: what they gain depends on cores and GPUs, and ``correction`` learns it.
    """
    needs = planned_items(family.reads).needs(family, family.size(train.size), _params(family, train), cost=cost, facts=facts)
    work_s = needs.flops / host.flops_per_s
    if needs.most_s is not None:
        work_s = min(work_s, needs.most_s)
    num_exports = (
        2 if family.is_frozen and family.size(train.size).asset is not None else 1
    )  # to look at items, and to be shipped
    memory = num_processes * (needs.memory_bytes + PROCESS_BYTES) + (PROCESS_BYTES if num_processes > 1 else 0)
    return TrialEstimate(
        train=train,
        estimated_s=(work_s + EXPORT_S * num_exports) * correction,
        memory_bytes=memory,
        is_fitting=memory <= host.memory_bytes,
        num_windows=needs.num_windows,
    )


def worthwhile(family: FamilySpec, facts: VersionFacts) -> FamilySpec:
    """The family without sizes that would learn the same as a smaller one."""
    return family.model_copy(update={"sizes": planned_items(family.reads).worthwhile(family.sizes, facts)})


def correction_of(pairs: Sequence[tuple[float, float]]) -> float:
    """How wrong the estimates were: the median of actual over estimated seconds, 1.0 without history.

    Args:
        pairs: (uncorrected estimate, actual seconds) of finished trials. Both at least a millisecond to count.
    """
    ratios = [actual / guess for guess, actual in pairs if guess > 1e-3 and actual > 1e-3]
    return statistics.median(ratios) if ratios else 1.0


def study_seconds(estimates: Sequence[TrialEstimate], *, concurrency: int) -> float:
    """Time of a whole study when ``concurrency`` trials run at once, each started as soon as a place is free."""
    places = [0.0] * max(1, concurrency)
    for each in estimates:
        places[places.index(min(places))] += each.estimated_s
    return max(places)


def sample_shape_of(*, family: FamilySpec, train: TrainConfig, facts: VersionFacts) -> tuple[int, ...]:
    """What the model takes of one item in a trial, as ``cost`` asks for it: by the kind of items."""
    return planned_items(family.reads).sample_shape(family.size(train.size), _params(family, train), facts)


def _params(family: FamilySpec, train: TrainConfig) -> Mapping[str, ParamValue]:
    return {param.name: param.default for param in family.params} | dict(train.params)
