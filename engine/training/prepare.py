"""What every way of training starts from: the version, checked, its targets, and its pictures in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import FamilySpec, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import Severity, TaskSpec
from engine.data.cache import PackedPictures
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.job import Job
from engine.models import families_for, family_spec
from engine.tasks import task_part, task_spec
from engine.training.config import checked_params, resolution_of

_CACHE_FROM, _CACHE_TO = 0.01, 0.1


@dataclass(frozen=True)
class Prepared:
    """The material of one trial."""

    task: TaskSpec
    family: FamilySpec
    size: SizeSpec
    train: TrainConfig
    params: Mapping[str, ParamValue]
    resolution_px: int
    version: DatasetVersion
    pictures: PackedPictures
    records: Mapping[Split, list[ItemRecord]]
    targets: Mapping[Split, np.ndarray]

    @property
    def labels(self) -> tuple[str, ...]:
        """Names, in the order of the outputs."""
        return self.version.manifest.label_set.names

    @property
    def options(self) -> Mapping[str, str]:
        """The task's options."""
        return self.version.manifest.task_options

    def rows(self, split: Split) -> np.ndarray:
        """Rows of ``pictures`` that hold the split's items, in the records' order."""
        return self.pictures.indices(self.records[split])


def prepare(job: Job) -> Prepared:
    """Reads and checks everything that training needs.

    Raises:
        JobInvalidError: the job asks for a task, family, size or value that is not there.
        DataInvalidError: the version has blocking problems.
        PictureUnreadableError: pictures cannot be read.
    """
    job.progress("load", 0.0)
    train = job.spec.train
    if train is None:
        raise JobInvalidError("The job says train but not what.")
    try:
        task, family = task_spec(job.spec.task), family_spec(train.family)
        size = family.size(train.size)
    except ValueError as error:
        raise JobInvalidError(str(error)) from error
    if family not in families_for(task):
        raise JobInvalidError(f"{family.name} yields {family.yields}; {task.name} consumes {task.consumes}.")
    params = checked_params(family, train)
    version = checked_version(job, task)
    records = {split: version.records(split) for split in Split}
    target = task_part(task.name, "data").targets
    manifest = version.manifest
    targets = {split: target(records[split], manifest.label_set.names, manifest.task_options) for split in Split}
    resolution_px = resolution_of(size, params)
    return Prepared(
        task=task,
        family=family,
        size=size,
        train=train,
        params=params,
        resolution_px=resolution_px,
        version=version,
        pictures=packed_pictures(job, version, resolution_px),
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


def packed_pictures(job: Job, version: DatasetVersion, resolution_px: int) -> PackedPictures:
    """The version's pictures from the host's cache, decoded now if this host has not seen them."""

    def on_progress(done: int, total: int) -> None:
        job.progress("cache", _CACHE_FROM + (_CACHE_TO - _CACHE_FROM) * done / total)

    cache_dir: Path = job.cache_dir
    return PackedPictures.open_or_build(
        version, cache_dir, resolution_px, on_progress=on_progress, should_stop=job.control.is_stopped
    )
