"""What every way of training starts from: the version, checked, its targets, and its items in the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import FamilySpec, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import OutputKind, Severity, TaskSpec
from engine.answers import AnswerKind, answer_kind
from engine.data.items import PackedItems
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.items import item_kind
from engine.items.kind import ItemReader, Trial
from engine.job import Job
from engine.models import families_for, family_spec
from engine.tasks import task_part, task_spec
from engine.training.config import checked_params

_CACHE_FROM, _CACHE_TO = 0.01, 0.1


@dataclass(frozen=True)
class Prepared:
    """The material of one trial."""

    task: TaskSpec
    family: FamilySpec
    size: SizeSpec
    train: TrainConfig
    params: Mapping[str, ParamValue]
    reader: ItemReader
    version: DatasetVersion
    items: PackedItems
    records: Mapping[Split, list[ItemRecord]]
    targets: Mapping[Split, np.ndarray]
    criterion: Callable[[Tensor, Tensor], Tensor] | None = None
    """What training makes small where its targets are not the task's own; it is then told nothing of smoothing and balance."""

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


def prepare(job: Job, train: TrainConfig | None = None) -> Prepared:
    """Reads and checks everything that training needs.

    Args:
        job: the order.
        train: what to train; None takes what the job says.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there.
        DataInvalidError: the version has blocking problems.
        AssetMissingError: what came with pretrained weights is not in the store and cannot be had.
        EngineError: items cannot be read.
    """
    job.progress("load", 0.0)
    train = train or job.spec.train
    if train is None:
        raise JobInvalidError("The job says train but not what.")
    try:
        task, family = task_spec(job.spec.task), family_spec(train.family)
        size, kind = family.size(train.size), item_kind(task.modality.items)
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    if family not in families_for(task):
        raise JobInvalidError(
            f"{family.name} reads {family.reads} and yields {family.yields}; "
            f"{task.name} is of {task.modality} and consumes {task.consumes}."
        )
    params = checked_params(family, train)
    version = checked_version(job, task)
    records = {split: version.records(split) for split in Split}
    target = task_part(task.name, "data").targets
    manifest = version.manifest
    targets = {split: target(records[split], manifest.label_set.names, manifest.task_options) for split in Split}
    trial = Trial(family, size, params, version, records[Split.TRAIN], job.assets_dir)
    reader = kind.reader(trial)
    items = packed(job, version, reader)
    params |= kind.settled(params, items, records[Split.TRAIN], targets[Split.TRAIN])
    return Prepared(
        task=task,
        family=family,
        size=size,
        train=train,
        params=params,
        reader=reader,
        version=version,
        items=items,
        records=records,
        targets=targets,
    )


def checked_version(job: Job, task: TaskSpec) -> DatasetVersion:
    """Opens the job's version and lets the task's checker look at it.

    Raises:
        VersionDamagedError: the folder is no version.
        DataInvalidError: it has blocking problems.
    """
    version = DatasetVersion.open(job.data_dir)
    manifest = version.manifest
    if manifest.task != task.name:
        raise DataInvalidError(f"The version is for {manifest.task}, the job for {task.name}.")
    problems = task_part(task.name, "check").problems(version.records(), manifest.label_set, manifest.task_options)
    blocking = [problem for problem in problems if problem.severity == Severity.BLOCKING]
    if blocking:
        items = tuple(problem.item for problem in blocking if problem.item is not None)
        raise DataInvalidError(
            " ".join(problem.message.en for problem in blocking[:5]), hint=blocking[0].remedy.en, items=items
        )
    return version


def packed(job: Job, version: DatasetVersion, reader: ItemReader) -> PackedItems:
    """The version's items from the host's cache, read now if this host has not done so. Errors as of ``ItemReader.packed``."""

    def on_progress(done: int, total: int) -> None:
        job.progress("cache", _CACHE_FROM + (_CACHE_TO - _CACHE_FROM) * done / total)

    return reader.packed(version, job.cache_dir, on_progress=on_progress, should_stop=job.control.is_stopped)
