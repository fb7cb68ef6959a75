"""Writes the current dataset into the working directory of a ``quality`` job: all items but deleted ones, labelled or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.dataset import Split, blob_path
from automl.contracts.quality import COLUMNS_FILE, ITEMS_FILE, LABELS_FILE, VECTORS_FILE, QualityItem, items_to_columns
from automl.contracts.table import TableSchema
from engine.tasks import task_spec
from studio.common.blobs import blobs
from studio.datasets.embeddings.store import embeddings_load
from studio.datasets.items.annotations import chunks, labels_in
from studio.datasets.items.kinds import kind_of
from studio.datasets.models import Dataset, Item, ItemState
from studio.datasets.versions.errors import SplitFieldError
from studio.datasets.versions.next_splits import planned_moves

_ROWS = 5000
_FIELDS = ("id", "name", "blob", "width", "height", "size_bytes", "split", "group", "state", "annotations", "text")
_SCHEMA = pa.schema(
    [
        ("item", pa.string()),
        ("name", pa.string()),
        ("blob", pa.string()),
        ("width", pa.int64()),
        ("height", pa.int64()),
        ("size_bytes", pa.int64()),
        ("split", pa.string()),
        ("group", pa.string()),
        ("is_annotated", pa.bool_()),
        ("labels", pa.string()),
        ("is_whole", pa.bool_()),
        ("text", pa.string()),
    ]
)


def dataset_write(dataset: Dataset, data_dir: Path) -> None:
    """Writes the items, the label set and the embeddings there are, and links the pictures; texts and rows go with the items.

    The splits are those that the next version will have.

    Doing it again is harmless.

    Args:
        dataset: with its project.
        data_dir: made if it is not there.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    dataset.project.labels.write(data_dir / LABELS_FILE)
    has_blobs = not kind_of(dataset.project).keeps_text
    if dataset.columns is not None:
        TableSchema.model_validate(dataset.columns).write(data_dir / COLUMNS_FILE)
    root = blobs().link_root()
    if has_blobs and root is not None and not (data_dir / "blobs").is_symlink():
        (data_dir / "blobs").symlink_to(root, target_is_directory=True)
    placed: list[str] = []
    with pq.ParquetWriter(data_dir / ITEMS_FILE, _SCHEMA) as writer:
        for chunk in chunks(_items(dataset), _ROWS):
            placed += [item.blob for item in chunk]
            if has_blobs and root is None:
                _fetch(chunk, data_dir)
            writer.write_table(pa.table(items_to_columns(chunk), schema=_SCHEMA))

    _vectors_place(dataset, placed, data_dir / VECTORS_FILE)


def _vectors_place(dataset: Dataset, placed: Sequence[str], path: Path) -> None:
    """Writes the embeddings of the items in their order, NaN where there is none; no file when there is none at all."""
    path.unlink(missing_ok=True)
    embeddings = embeddings_load(dataset)
    rows = embeddings.find(placed)
    if not (rows >= 0).any():
        return
    width = embeddings.take(rows[rows >= 0][:1]).shape[1]
    described = {"descr": np.dtype(np.float16).str, "fortran_order": False, "shape": (len(placed), width)}
    with path.open("wb") as out:
        np.lib.format.write_array_header_1_0(out, described)
        for start in range(0, len(placed), _ROWS):
            part_rows = rows[start : start + _ROWS]
            part = np.full((len(part_rows), width), np.nan, dtype=np.float16)
            part[part_rows >= 0] = embeddings.take(part_rows[part_rows >= 0])
            out.write(part.tobytes())


def _items(dataset: Dataset) -> Iterator[QualityItem]:
    is_whole = task_spec(dataset.project.task).annotation.has_classes
    splits = _splits_to_come(dataset)
    rows = Item.objects.filter(dataset=dataset, deleted_at=None).order_by("id").values(*_FIELDS)
    for row in rows.iterator(chunk_size=_ROWS):
        yield QualityItem(
            item=row["id"],
            name=row["name"],
            blob=row["blob"],
            width=row["width"],
            height=row["height"],
            size_bytes=row["size_bytes"],
            split=splits.get(row["id"], row["split"]),
            group=row["group"],
            is_annotated=row["state"] == ItemState.ANNOTATED,
            labels=tuple(sorted(labels_in(row["annotations"]))),
            is_whole=is_whole,
            text=row["text"],
        )


def _splits_to_come(dataset: Dataset) -> Mapping[str, Split]:
    """Splits of the items that the next version will move; none while the rule's field is missing, which versions refuse."""
    try:
        return planned_moves(dataset).splits
    except SplitFieldError:
        return {}


def _fetch(items: list[QualityItem], data_dir: Path) -> None:
    """Links each blob from this host's cache of the remote store, which fetches what it lacks."""
    for item in items:
        target = data_dir / blob_path(item.blob)
        if not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(blobs().local_path(item.blob))
