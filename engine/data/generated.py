"""Writes a dataset version of items made by code: a task's example, scenes of a generator. Same items, same bytes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.annotation import Annotation, label_of
from automl.contracts.dataset import (
    ItemRecord,
    Label,
    LabelSet,
    MediaFacts,
    Split,
    VersionManifest,
    blob_path,
    content_hash,
    record_to_row,
    version_id,
)
from automl.contracts.table import TableSchema
from automl.contracts.task import TaskSpec

SPLITS = (Split.TRAIN, Split.TRAIN, Split.TRAIN, Split.VALIDATION, Split.TEST)
"""Of items in turn: three to one to one."""
_SHARD = "items-00000.parquet"


@dataclass(frozen=True)
class GeneratedItem:
    """An item with its file."""

    name: str
    content: bytes
    media: MediaFacts
    split: Split
    annotations: tuple[Annotation, ...]
    is_row: bool = False
    """Whether the content is the canonical JSON of a row, which stands in the shard and needs no file."""


@dataclass(frozen=True)
class Subject:
    """What a version is for."""

    task: TaskSpec
    labels: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    columns: TableSchema | None = None
    """Where the items are rows."""


def write_version(folder: Path, items: Sequence[GeneratedItem], subject: Subject) -> VersionManifest:
    """Writes a version below ``folder`` and returns its manifest.

    Args:
        folder: becomes the job's ``data/``; made when absent.
        items: in order.
        subject: its task, its label set and the task's options.
    """
    records = [_record(folder, number, item) for number, item in enumerate(items)]
    folder.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([record_to_row(record) for record in records]), folder / _SHARD)
    manifest = _manifest(records, subject)
    manifest.write(folder / "version.json")
    return manifest


def _record(folder: Path, number: int, item: GeneratedItem) -> ItemRecord:
    digest = hashlib.sha256(item.content).hexdigest()
    if not item.is_row:
        path = folder / blob_path(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(item.content)
    return ItemRecord(
        item=f"itm_{number:026d}",
        name=item.name,
        blob=digest,
        media=item.media,
        split=item.split,
        group=digest,
        annotations=item.annotations,
        provenance="import:example",
        row=item.content.decode() if item.is_row else None,
    )


def _manifest(records: list[ItemRecord], subject: Subject) -> VersionManifest:
    by_label = Counter(label_of(each) for record in records for each in record.annotations)  # some have none
    by_split = Counter(record.split for record in records)
    manifest = VersionManifest(
        id="",
        parent=None,
        project="prj_example",
        task=subject.task.name,
        task_options=subject.options,
        label_set=LabelSet(labels=tuple(Label(name=name) for name in subject.labels)),
        annotation_kinds=subject.task.annotation.kinds,
        num_items=len(records),
        num_items_by_split={split: by_split[split] for split in Split},
        num_annotations_by_label={name: by_label[name] for name in subject.labels},
        shards=(_SHARD,),
        columns=subject.columns,
        content_sha256=content_hash(records),
    )
    return manifest.model_copy(update={"id": version_id(manifest)})
