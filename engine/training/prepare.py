"""What training in batches starts from: the version, checked, its targets, and its items in the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from torch import Tensor

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import ParamValue
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind, Problem, Severity, TaskSpec
from engine.answers import AnswerKind, answer_kind
from engine.data.items import PackedItems
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.items import item_kind
from engine.items.kind import ItemReader, Trial
from engine.job import Job
from engine.tasks import task_part
from engine.training.config import TrainingRequest, training_request
from engine.training.start import Start, start_of

_CACHE_FROM, _CACHE_TO = 0.01, 0.1
_MAX_LISTED = 5
USUAL_BATCH = 32


@dataclass(frozen=True)
class PreparedTrial(TrainingRequest):
    """The material of one trial."""

    reader: ItemReader
    version: DatasetVersion
    items: PackedItems
    records: Mapping[Split, list[ItemRecord]]
    targets: Mapping[Split, np.ndarray]
    start: Start | None = None
    """The earlier model that training goes on from."""
    criterion: Callable[[Tensor, Tensor], Tensor] | None = None
    """The loss where the targets are not the task's own; it then gets no smoothing and no balance."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Names, in the order of the outputs."""
        return self.version.manifest.label_set.names

    @property
    def options(self) -> Mapping[str, str]:
        """The task's options."""
        return self.version.manifest.task_options

    @property
    def output(self) -> OutputKind:
        """What the model answers."""
        output: OutputKind = task_part(self.task.name, "portable").output_kind(self.options)
        return output

    @property
    def answers(self) -> AnswerKind:
        """The kind of its answers."""
        return answer_kind(self.output)

    def rows(self, split: Split) -> np.ndarray:
        """Rows of ``items`` that hold the split's items, in the records' order."""
        return self.items.indices(self.records[split])


def prepare(job: Job, train: TrainConfig | None = None) -> PreparedTrial:
    """Reads and checks everything that training needs.

    Args:
        job: the order.
        train: what to train; None takes what the job says.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there.
        StartUnsuitableError: training cannot go on from the model that the job names.
        DataInvalidError: the version has blocking problems.
        AssetMissingError: what came with pretrained weights is not in the store and cannot be had.
        EngineError: items cannot be read.
    """
    job.progress("load", 0.0)
    request = training_request(job, train)
    task, params = request.task, dict(request.params)
    try:
        kind = item_kind(task.modality.items)
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    version = checked_version(job, task)
    records = {split: version.records(split) for split in Split}
    manifest = version.manifest
    trial = Trial(request.family, request.size, params, version, records[Split.TRAIN], job.assets_dir)
    start = start_of(request, task_part(task.name, "portable").output_kind(manifest.task_options), job)
    if start is None:
        reader = kind.reader(trial)
    else:
        start.warn_if_seen(records, job)
        reader = kind.continued(trial, start.manifest.decode, start.folder)
    target = partial(task_part(task.name, "data").targets, **reader.target_values)
    targets = {split: target(records[split], manifest.label_set.names, manifest.task_options) for split in Split}
    items = packed(job, version, reader)
    params |= kind.settled(params, items, records[Split.TRAIN], targets[Split.TRAIN], task.name)
    return PreparedTrial(
        **{**vars(request), "params": params},
        reader=reader,
        version=version,
        items=items,
        records=records,
        targets=targets,
        start=start,
    )


def checked_version(job: Job, task: TaskSpec) -> DatasetVersion:
    """Opens the job's version and lets the task's checker look at it.

    Raises:
        VersionDamagedError: the folder is no version.
        DataInvalidError: it has blocking problems.
    """
    version = version_of(job, task.name)
    if job.refuses_problems:
        raise_if_blocked(problems_of(version))
    return version


def problems_of(version: DatasetVersion) -> list[Problem]:
    """What the task's checker finds in a version of items that are learned from in batches.

    Raises:
        VersionDamagedError: a shard cannot be read.
    """
    manifest = version.manifest
    found: list[Problem] = task_part(manifest.task, "check").problems(
        version.records(), manifest.label_set, manifest.task_options
    )
    return found


def version_of(job: Job, task: str) -> DatasetVersion:
    """Opens the job's version.

    Args:
        job: the order.
        task: name of the one that the version must be for.

    Raises:
        VersionDamagedError: the folder is no version.
        DataInvalidError: it is for another task.
    """
    version = DatasetVersion.open(job.data_dir)
    if version.manifest.task != task:
        raise DataInvalidError(f"The version is for {version.manifest.task}, not for {task}.")
    return version


def raise_if_blocked(problems: Iterable[Problem]) -> None:
    """Refuses a version by what its checker found.

    Raises:
        DataInvalidError: some of it is blocking.
    """
    blocking = [problem for problem in problems if problem.severity == Severity.BLOCKING]
    if blocking:
        items = tuple(problem.item for problem in blocking if problem.item is not None)
        message = " ".join(problem.message.en for problem in blocking[:_MAX_LISTED])
        raise DataInvalidError(message, hint=blocking[0].remedy.en, items=items)


def packed(job: Job, version: DatasetVersion, reader: ItemReader) -> PackedItems:
    """The version's items from the host's cache, read now if this host has not done so. Errors as of ``ItemReader.packed``."""

    def on_progress(done: int, total: int) -> None:
        job.progress("cache", _CACHE_FROM + (_CACHE_TO - _CACHE_FROM) * done / total)

    on_progress(0, 1)
    return reader.packed(version, job.cache_dir, on_progress=on_progress, should_stop=job.control.is_stopped)


def batch_items(params: Mapping[str, ParamValue]) -> int:
    """How many items a family sees at once; the usual number where it has no such parameter."""
    return int(params.get("batch_size", USUAL_BATCH))


def row_bytes(items: PackedItems) -> float:
    """Of one packed item."""
    return float(items.array.nbytes / max(1, len(items.array)))
