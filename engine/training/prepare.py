"""What every way of training starts from: the version, checked, its targets, and its items in the cache."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from torch import Tensor

from automl.contracts.dataset import ItemRecord, Split
from automl.contracts.family import FamilySpec, Modality, ParamValue, SizeSpec
from automl.contracts.job import TrainConfig
from automl.contracts.task import Severity, TaskSpec
from engine.data.cache import PackedPictures
from engine.data.items import PackedItems
from engine.data.text import TextTokenizer
from engine.data.text_tokens import PackedTokens, version_texts
from engine.data.version import DatasetVersion
from engine.errors import DataInvalidError, JobInvalidError
from engine.job import Job
from engine.models import families_for, family_part, family_spec
from engine.tasks import task_part, task_spec
from engine.training import mirror
from engine.training.config import checked_params, max_tokens_of, resolution_of

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
    """Side of the pictures; 0 where the items are texts."""
    tokenizer: TextTokenizer | None
    """Where the items are texts."""
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
    def input_size(self) -> Mapping[str, int]:
        """What the task's ``decode`` has to know: ``resolution_px``, or ``max_tokens`` and ``pad_id``."""
        if self.tokenizer is None:
            return {"resolution_px": self.resolution_px}
        return {"max_tokens": self.tokenizer.max_tokens, "pad_id": self.tokenizer.pad_id}

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
        PictureUnreadableError: pictures cannot be read.
        TextUnreadableError: texts cannot be read.
        AssetMissingError: the tokenizer of pretrained weights is not in the store and cannot be had.
    """
    job.progress("load", 0.0)
    train = train or job.spec.train
    if train is None:
        raise JobInvalidError("The job says train but not what.")
    try:
        task, family = task_spec(job.spec.task), family_spec(train.family)
        size = family.size(train.size)
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
    tokenizer = None
    if task.modality is Modality.TEXT:
        tokenizer = tokenizer_for(job, family, size, params, version_texts(version, records[Split.TRAIN]))
    resolution_px = resolution_of(size, params)
    items = packed_pictures(job, version, resolution_px) if tokenizer is None else packed_tokens(job, version, tokenizer)
    if params.get("mirror") == "auto":
        params["mirror"] = "yes" if _keeps_mirrored(items, records[Split.TRAIN], targets[Split.TRAIN]) else "no"
    return Prepared(
        task=task,
        family=family,
        size=size,
        train=train,
        params=params,
        resolution_px=resolution_px,
        tokenizer=tokenizer,
        version=version,
        items=items,
        records=records,
        targets=targets,
    )


def _keeps_mirrored(items: PackedItems, records: Sequence[ItemRecord], targets: np.ndarray) -> bool:
    rows = items.indices(records)[: mirror.MOST_LOOKED_AT]
    chosen = records[: len(rows)]
    return mirror.keeps_label(items.array[rows], targets[: len(rows)], [record.group for record in chosen])


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


def packed_tokens(job: Job, version: DatasetVersion, tokenizer: TextTokenizer) -> PackedTokens:
    """The version's texts from the host's cache, as ids of the tokenizer, made now if this host has not done so."""

    def on_progress(done: int, total: int) -> None:
        job.progress("cache", _CACHE_FROM + (_CACHE_TO - _CACHE_FROM) * done / total)

    return PackedTokens.open_or_build(
        version, job.cache_dir, tokenizer, on_progress=on_progress, should_stop=job.control.is_stopped
    )


def tokenizer_for(
    job: Job, family: FamilySpec, size: SizeSpec, params: Mapping[str, ParamValue], texts: Sequence[str]
) -> TextTokenizer:
    """The family's tokenizer: that of its pretrained weights, or one learned from the texts to train on.

    Raises:
        AssetMissingError: the one of pretrained weights is not in the store and cannot be had.
    """
    build = family_part(family.name, "tokenizer").build
    return TextTokenizer(build(size.name, texts, max_tokens=max_tokens_of(size, params), assets_dir=job.assets_dir))
