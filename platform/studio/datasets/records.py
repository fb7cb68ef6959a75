"""Between item rows, version rows and Parquet: pure conversions, written for many rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.annotation import AnnotationKind, Annotations
from automl.contracts.dataset import (
    SHARD_ROWS,
    ItemRecord,
    LabelSet,
    MediaFacts,
    Split,
    VersionManifest,
    content_hash,
    record_from_row,
    record_to_row,
    version_id,
)

ROW_GROUP = 1_000
"""Rows read at once when a page of a version is shown."""

ITEM_FIELDS = (
    "id",
    "name",
    "blob",
    "width",
    "height",
    "format",
    "size_bytes",
    "split",
    "group",
    "annotations",
    "provenance",
)
"""Columns of an item that a version keeps."""

_SCHEMA = pa.schema(
    [
        pa.field("item", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("blob", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("group", pa.string(), nullable=False),
        pa.field("provenance", pa.string(), nullable=False),
        pa.field("width", pa.int32(), nullable=False),
        pa.field("height", pa.int32(), nullable=False),
        pa.field("format", pa.string(), nullable=False),
        pa.field("size_bytes", pa.int64(), nullable=False),
        pa.field("annotations", pa.string(), nullable=False),
    ]
)


def record_of(row: Mapping[str, Any]) -> ItemRecord:
    """The version row of an annotated item, from the columns in ``ITEM_FIELDS``.

    The columns were checked when they were written, so only the annotations, which are JSON, are parsed again.
    """
    media = MediaFacts.model_construct(
        width=row["width"], height=row["height"], format=row["format"], size_bytes=row["size_bytes"]
    )
    return ItemRecord.model_construct(
        item=row["id"],
        name=row["name"],
        blob=row["blob"],
        media=media,
        split=Split(row["split"]),
        group=row["group"],
        annotations=Annotations.validate_python(row["annotations"]),
        provenance=row["provenance"],
    )


def version_write(
    folder: Path,
    *,
    records: Iterable[ItemRecord],
    project: str,
    parent: str | None,
    task: str,
    task_options: Mapping[str, str],
    label_set: LabelSet,
    annotation_kinds: tuple[AnnotationKind, ...],
) -> VersionManifest:
    """Writes ``version.json`` and its shards in one pass; memory holds one shard.

    Args:
        folder: an empty folder.
        records: ordered by item id.
        project: id.
        parent: the version before, if any.
        task: name of the task type.
        task_options: as the project chose them.
        label_set: the project's labels in their order.
        annotation_kinds: primitives that the task allows.
    """
    by_split = dict.fromkeys(Split, 0)
    by_label = dict.fromkeys(label_set.names, 0)
    shards = _ShardWriter(folder)

    def counted() -> Iterator[ItemRecord]:
        for record in records:
            by_split[record.split] += 1
            for annotation in record.annotations:
                label = getattr(annotation, "label", None)
                if label is not None:
                    by_label[label] = by_label.get(label, 0) + 1
            shards.add(record)
            yield record

    content = content_hash(counted())
    shards.close()
    draft = VersionManifest(
        id="",
        parent=parent,
        project=project,
        task=task,
        task_options=dict(task_options),
        label_set=label_set,
        annotation_kinds=annotation_kinds,
        num_items=sum(by_split.values()),
        num_items_by_split=by_split,
        num_annotations_by_label=by_label,
        shards=tuple(shards.names),
        content_sha256=content,
    )
    manifest = draft.model_copy(update={"id": version_id(draft)})
    manifest.write(folder / "version.json")
    return manifest


def version_rows(folder: Path, manifest: VersionManifest, *, start: int, count: int) -> list[ItemRecord]:
    """Reads rows ``start`` to ``start + count`` of a version, touching only the row groups that hold them."""
    rows: list[ItemRecord] = []
    shard, offset = divmod(start, SHARD_ROWS)
    while len(rows) < count and shard < len(manifest.shards):
        with pq.ParquetFile(folder / manifest.shards[shard]) as file:
            group, inside = divmod(offset, ROW_GROUP)
            while len(rows) < count and group < file.num_row_groups:
                table = file.read_row_group(group).slice(inside, count - len(rows))
                rows.extend(record_from_row(row) for row in table.to_pylist())
                group, inside = group + 1, 0
        shard, offset = shard + 1, 0
    return rows


def version_records(folder: Path, manifest: VersionManifest) -> Iterator[ItemRecord]:
    """Yields all rows in order; memory holds one row group."""
    for shard in manifest.shards:
        with pq.ParquetFile(folder / shard) as file:
            for batch in file.iter_batches(batch_size=ROW_GROUP):
                for row in batch.to_pylist():
                    yield record_from_row(row)


class _ShardWriter:
    """Cuts rows into shards of ``SHARD_ROWS`` and row groups of ``ROW_GROUP``."""

    def __init__(self, folder: Path) -> None:
        self.names: list[str] = []
        self._folder = folder
        self._rows: list[dict[str, str | int]] = []
        self._in_shard = 0
        self._writer: pq.ParquetWriter | None = None

    def add(self, record: ItemRecord) -> None:
        """Takes one row."""
        self._rows.append(record_to_row(record))
        self._in_shard += 1
        if len(self._rows) == ROW_GROUP:
            self._flush()
        if self._in_shard == SHARD_ROWS:
            self.close()

    def close(self) -> None:
        """Ends the current shard."""
        self._flush()
        if self._writer is not None:
            self._writer.close()
        self._writer, self._in_shard = None, 0

    def _flush(self) -> None:
        if not self._rows:
            return
        if self._writer is None:
            name = f"items-{len(self.names):05d}.parquet"
            self._writer = pq.ParquetWriter(self._folder / name, _SCHEMA, compression="zstd")
            self.names.append(name)
        self._writer.write_table(pa.Table.from_pylist(self._rows, schema=_SCHEMA))
        self._rows = []
