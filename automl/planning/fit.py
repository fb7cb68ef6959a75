"""How long a trial will take and whether it fits, said before anything is started.

The estimate is arithmetic on the family's own numbers, corrected by what trials on this host took before. A probing run was
decided against: the answer has to stand on the page while a person still moves the sliders.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from automl.contracts.family import Cost, FamilySpec, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.modality import Modality
from automl.planning.facts import VersionFacts

FORWARD_SHARE = 1 / 3
"""Part of a training step that the forward pass is; gradients of inputs and of weights are the rest."""
STATE_BYTES_PER_PARAMETER = 16
"""fp32 weight, gradient and two moments of Adam."""
PROCESS_BYTES = 600 * 2**20
"""A process with torch loaded and a batch in flight, before the model: measured at 0.5 to 0.6 GB on a CPU host."""
DEFAULT_EPOCHS = 10
DEFAULT_BATCH_SIZE = 32
BYTES_PER_CELL = 60
"""Of a table: its cells as they came and as a model takes them, beside what the family prepares of them."""
EXPORT_S = 6.0
"""Start of the process, export to ONNX, parity and report."""


@dataclass(frozen=True)
class Host:
    """What a training host offers."""

    flops_per_s: float = 6e10
    """Sustained in convolutions on all threads of a job; a two-core server of 2023. ``correction`` does the rest."""
    memory_bytes: int = 8 * 2**30


@dataclass(frozen=True)
class TrialEstimate:
    """What a trial needs."""

    train: TrainConfig
    estimated_s: float
    memory_bytes: int
    is_fitting: bool


def estimate(
    *, family: FamilySpec, train: TrainConfig, cost: Cost, facts: VersionFacts, host: Host, correction: float = 1.0
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
    """
    size = family.size(train.size)
    params = {param.name: param.default for param in family.params} | dict(train.params)
    if family.reads is Modality.TABULAR:
        return _of_rows(train, size, params, cost=cost, facts=facts, host=host, correction=correction)
    epochs = _number(params.get("epochs"), DEFAULT_EPOCHS)
    batch_size = _number(params.get("batch_size"), DEFAULT_BATCH_SIZE)
    if family.is_frozen:
        work = float(facts.num_items * cost.flops)  # features are computed once; the head is small beside them
        memory = size.num_parameters * 4
    else:
        num_looked_at = epochs * facts.num_validation + facts.num_test
        work = (epochs * facts.num_train + num_looked_at * FORWARD_SHARE) * cost.flops
        memory = size.num_parameters * STATE_BYTES_PER_PARAMETER
    memory += int(cost.memory_bytes * batch_size) + PROCESS_BYTES
    seconds = (work / host.flops_per_s + EXPORT_S) * correction
    return TrialEstimate(train=train, estimated_s=seconds, memory_bytes=memory, is_fitting=memory <= host.memory_bytes)


def _of_rows(
    train: TrainConfig,
    size: SizeSpec,
    params: Mapping[str, ParamValue],
    *,
    cost: Cost,
    facts: VersionFacts,
    host: Host,
    correction: float,
) -> TrialEstimate:
    """Rows are learned from at once, not in batches; a family with a budget of seconds stops there."""
    num_learned = min(facts.num_train, size.max_rows)
    work_s = num_learned * cost.flops / host.flops_per_s
    budget_s = params.get("budget_s")
    if budget_s is not None:
        work_s = min(work_s, _number(budget_s, 0))
    memory = num_learned * cost.memory_bytes + facts.num_items * max(1, facts.num_columns) * BYTES_PER_CELL + PROCESS_BYTES
    return TrialEstimate(
        train=train,
        estimated_s=(work_s + EXPORT_S) * correction,
        memory_bytes=memory,
        is_fitting=memory <= host.memory_bytes,
    )


def worthwhile(family: FamilySpec, facts: VersionFacts) -> FamilySpec:
    """The family without sizes that would learn the same: of those that take all rows of a table only the smallest."""
    if family.reads is not Modality.TABULAR:
        return family
    ends = next((place for place, size in enumerate(family.sizes) if size.max_rows >= facts.num_train), len(family.sizes) - 1)
    return family.model_copy(update={"sizes": family.sizes[: ends + 1]})


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
    """What the model takes of one item in a trial, as ``cost`` asks for it.

    Height, width and channels of a picture, the tokens of a text, or the columns of a row and of its answer, one a label. The
    parameters ``resolution_px`` and ``max_tokens`` say how much; where one is 0 or not there, the size's own number does.
    """
    params = {param.name: param.default for param in family.params} | dict(train.params)
    size = family.size(train.size)
    if family.reads is Modality.TABULAR:
        return max(1, facts.num_columns), max(1, facts.num_labels)
    if family.reads is Modality.TEXT:
        return (int(_number(params.get("max_tokens"), 0)) or size.max_tokens,)
    side_px = int(_number(params.get("resolution_px"), 0)) or size.resolution_px
    return (side_px, side_px, 3)


def _number(value: ParamValue | None, default: int) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else float(default)
