"""Between item rows, version rows and Parquet: pure conversions, written for whole columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from automl.contracts.annotation import AnnotationKind, Annotations
from automl.contracts.base import Contract
from automl.contracts.dataset import (
    SHARD_ROWS,
    ItemRecord,
    LabelSet,
    MediaFacts,
    Split,
    VersionManifest,
    record_from_row,
    version_id,
)
from automl.contracts.table import TableSchema
from studio.datasets.versions.canonical import ContentHash, annotations_canonical
from studio.datasets.versions.shards import CELLS, ROW_GROUP, SHARD_SCHEMA, ShardWriter, shard_file

_C = TypeVar("_C", bound=Contract)
SCAN_ROWS = 100_000
"""Rows that one filtered page looks at."""
READ_GROUPS = 20
"""Row groups read at once when all rows are read."""


class VersionWriter:
    """Writes ``version.json`` and its shards in one pass; memory holds about one table."""

    def __init__(self, folder: Path, label_set: LabelSet) -> None:
        """Starts in an empty folder; the labels are the project's in their order."""
        self._folder = folder
        self._label_set = label_set
        self._by_split = dict.fromkeys(Split, 0)
        self._by_label = dict.fromkeys(label_set.names, 0)
        self._shards, self._content = ShardWriter(folder), ContentHash()

    def add(self, table: pa.Table) -> None:
        """Takes rows in the columns of one of the schemas, ordered by item id; annotations as JSON in any order of keys."""
        texts, labels = annotations_canonical(table.column("annotations").combine_chunks())
        for label, count in labels.items():
            self._by_label[label] = self._by_label.get(label, 0) + count
        for split in table.column("split").value_counts().to_pylist():
            self._by_split[Split(split["values"])] += split["counts"]
        written = table.set_column(SHARD_SCHEMA.get_field_index("annotations"), SHARD_SCHEMA.field("annotations"), texts)
        self._content.update(written)
        self._shards.add(written)

    def finish(
        self,
        *,
        project: str,
        parent: str | None,
        task: str,
        task_options: Mapping[str, str],
        annotation_kinds: tuple[AnnotationKind, ...],
        columns: TableSchema | None = None,
    ) -> VersionManifest:
        """Ends the shards and writes ``version.json``.

        Args:
            project: id.
            parent: the version before, if any.
            task: name of the task type.
            task_options: as the project chose them.
            annotation_kinds: primitives that the task allows.
            columns: of a table.
        """
        self._shards.close()
        draft = VersionManifest(
            id="",
            parent=parent,
            project=project,
            task=task,
            task_options=dict(task_options),
            label_set=self._label_set,
            annotation_kinds=annotation_kinds,
            num_items=sum(self._by_split.values()),
            num_items_by_split=self._by_split,
            num_annotations_by_label=self._by_label,
            shards=tuple(self._shards.names),
            columns=columns,
            content_sha256=self._content.hexdigest(),
        )
        manifest = draft.model_copy(update={"id": version_id(draft)})
        manifest.write(self._folder / "version.json")
        return manifest


def table_records(table: pa.Table) -> Iterator[ItemRecord]:
    """Rows of a table as contracts, for readers of many: only annotations are checked, each text once."""
    texts = pc.dictionary_encode(table.column("annotations").combine_chunks())
    known = [Annotations.validate_json(text) for text in texts.dictionary.to_pylist()]
    splits = {split.value: split for split in Split}
    columns = [table.column(name).to_pylist() for name in SHARD_SCHEMA.names if name != "annotations"]
    rows = table.column(CELLS).to_pylist() if CELLS in table.schema.names else repeat(None, table.num_rows)
    some = [name for name in MediaFacts.model_fields if name not in SHARD_SCHEMA.names]
    of_some = [table.column(name).to_pylist() if name in table.schema.names else repeat(None, table.num_rows) for name in some]
    for item, name, blob, split, group, provenance, width, height, form, size_bytes, at, row, *numbers in zip(
        *columns, texts.indices.to_pylist(), rows, *of_some, strict=True
    ):
        facts = {
            "width": width,
            "height": height,
            "format": form,
            "size_bytes": size_bytes,
            **dict(zip(some, numbers, strict=True)),
        }
        fields = {
            "item": item,
            "name": name,
            "blob": blob,
            "media": _made(MediaFacts, facts),
            "split": splits[split],
            "group": group,
            "annotations": known[at],
            "provenance": provenance,
            "row": row,
        }
        yield _made(ItemRecord, fields)


_FIELDS: dict[type[Contract], set[str]] = {model: set(model.model_fields) for model in (ItemRecord, MediaFacts)}


def _made(
    model: type[_C],
    fields: dict[str, object],
    *,
    _set: Callable[[object, str, object], None] = object.__setattr__,
    _new: Callable[[type[_C]], _C] = object.__new__,
) -> _C:
    """``model_construct`` when all fields are given and right; it takes six times as long, since it looks at each field."""
    made = _new(model)
    _set(made, "__dict__", fields)
    _set(made, "__pydantic_fields_set__", _FIELDS[model])
    _set(made, "__pydantic_extra__", None)
    _set(made, "__pydantic_private__", None)
    return made


def version_tables(folder: Path, manifest: VersionManifest, *, after: str = "") -> Iterator[pa.Table]:
    """Rows of a version in order, by the table; shards and row groups that end at or before item ``after`` are not read."""
    for shard in manifest.shards:
        with pq.ParquetFile(shard_file(folder, shard)) as file:
            last = [_last_item(file, group) for group in range(file.num_row_groups)]
            groups = [group for group, item in enumerate(last) if item > after]
            for start in range(0, len(groups), READ_GROUPS):
                table = file.read_row_groups(groups[start : start + READ_GROUPS])
                if after and start == 0:
                    table = table.filter(pc.greater(table.column("item"), after))
                yield table


def _last_item(file: pq.ParquetFile, group: int) -> str:
    statistics = file.metadata.row_group(group).column(0).statistics
    return "\x7f" if statistics is None or not statistics.has_min_max else str(statistics.max)


def version_rows(folder: Path, manifest: VersionManifest, *, start: int, count: int) -> list[ItemRecord]:
    """Reads rows ``start`` to ``start + count`` of a version, touching only the row groups that hold them."""
    rows: list[ItemRecord] = []
    shard, offset = divmod(start, SHARD_ROWS)
    while len(rows) < count and shard < len(manifest.shards):
        with pq.ParquetFile(shard_file(folder, manifest.shards[shard])) as file:
            group, inside = divmod(offset, ROW_GROUP)
            while len(rows) < count and group < file.num_row_groups:
                table = file.read_row_group(group).slice(inside, count - len(rows))
                rows.extend(record_from_row(row) for row in table.to_pylist())
                group, inside = group + 1, 0
        shard, offset = shard + 1, 0
    return rows


def version_rows_where(
    folder: Path, manifest: VersionManifest, *, split: Split | None, label: str | None, start: int, count: int
) -> tuple[list[ItemRecord], int | None]:
    """Rows of a split and with a label, from row ``start`` on; and the row to go on at, None at the end."""
    rows: list[ItemRecord] = []
    at, end = start, min(manifest.num_items, start + SCAN_ROWS)
    while at < end:
        shard, offset = divmod(at, SHARD_ROWS)
        group, inside = divmod(offset, ROW_GROUP)
        with pq.ParquetFile(shard_file(folder, manifest.shards[shard])) as file:
            table = file.read_row_group(group).slice(inside)
        places = np.flatnonzero(np.asarray(_is_selected(table, split, label)))[: count - len(rows)]
        rows.extend(record_from_row(row) for row in table.take(pa.array(places)).to_pylist())
        if len(rows) == count:
            at += int(places[-1]) + 1
            break
        at += table.num_rows
    return rows, at if at < manifest.num_items else None


def _is_selected(table: pa.Table, split: Split | None, label: str | None) -> pa.ChunkedArray:
    is_selected = pc.is_valid(table.column("item"))
    if split is not None:
        is_selected = pc.and_(is_selected, pc.equal(table.column("split"), split.value))
    if label is not None:
        # In a JSON string every quote is escaped: this can stand for a label only. Older shards do not escape letters.
        texts = table.column("annotations")
        forms = {f'"label":{json.dumps(label, ensure_ascii=is_ascii)}' for is_ascii in (True, False)}
        carries = [pc.match_substring(texts, form) for form in sorted(forms)]
        is_selected = pc.and_(is_selected, carries[0] if len(carries) == 1 else pc.or_(*carries))
    return is_selected


def version_records(folder: Path, manifest: VersionManifest) -> Iterator[ItemRecord]:
    """Yields all rows in order; memory holds one row group."""
    for shard in manifest.shards:
        with pq.ParquetFile(shard_file(folder, shard)) as file:
            for batch in file.iter_batches(batch_size=ROW_GROUP):
                for row in batch.to_pylist():
                    yield record_from_row(row)
