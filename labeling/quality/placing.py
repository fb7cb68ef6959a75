"""Lays a dataset as it stands into the working directory of a ``quality`` job: all living items, labelled or not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.dataset import blob_path
from automl.contracts.quality import ITEMS_FILE, LABELS_FILE, QualityItem, items_to_columns
from studio.common.blobs import blobs
from studio.datasets.annotations import chunks
from studio.datasets.models import Dataset, Item, ItemState

_ROWS = 5000
_FIELDS = ("id", "name", "blob", "width", "height", "size_bytes", "split", "group", "state", "annotations")
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
    ]
)


def dataset_place(dataset: Dataset, data_dir: Path) -> None:
    """Writes the items and the label set, and links the pictures. Doing it again is harmless.

    Args:
        dataset: with its project.
        data_dir: made if it is not there.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    dataset.project.labels.write(data_dir / LABELS_FILE)
    root = blobs().link_root()
    if root is not None and not (data_dir / "blobs").is_symlink():
        (data_dir / "blobs").symlink_to(root, target_is_directory=True)
    with pq.ParquetWriter(data_dir / ITEMS_FILE, _SCHEMA) as writer:
        for chunk in chunks(_items(dataset), _ROWS):
            if root is None:
                _fetch(chunk, data_dir)
            writer.write_table(pa.table(items_to_columns(chunk), schema=_SCHEMA))


def _items(dataset: Dataset) -> Iterator[QualityItem]:
    rows = Item.objects.filter(dataset=dataset, deleted_at=None).order_by("id").values(*_FIELDS)
    for row in rows.iterator(chunk_size=_ROWS):
        yield QualityItem(
            item=row["id"],
            name=row["name"],
            blob=row["blob"],
            width=row["width"],
            height=row["height"],
            size_bytes=row["size_bytes"],
            split=row["split"],
            group=row["group"],
            is_annotated=row["state"] == ItemState.ANNOTATED,
            labels=_labels(row["annotations"]),
        )


def _labels(annotations: list[dict[str, Any]] | None) -> tuple[str, ...]:
    return tuple(one["label"] for one in annotations or () if one["kind"] == "class")


def _fetch(items: list[QualityItem], data_dir: Path) -> None:
    """Links each blob from this host's cache of the remote store, which fetches what it lacks."""
    for item in items:
        target = data_dir / blob_path(item.blob)
        if not target.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(blobs().local_path(item.blob))
