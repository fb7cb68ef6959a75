"""Small dataset versions on disk, of pictures made by code."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from automl.contracts.annotation import ClassLabel
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
from engine.data.version import DatasetVersion


def encoded(picture: Image.Image, file_format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, file_format, **options)
    return buffer.getvalue()


def soft_picture(height_px: int, width_px: int, seed: int = 0) -> Image.Image:
    """Smooth colours, so that lossy formats keep them."""
    coarse = np.random.default_rng(seed).integers(0, 256, (4, 5, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((width_px, height_px), Image.Resampling.BICUBIC)


def write_version(data_dir: Path, blobs: dict[str, bytes], rows_per_shard: int = 5) -> DatasetVersion:
    records = []
    for number, (name, data) in enumerate(sorted(blobs.items())):
        sha256 = hashlib.sha256(data).hexdigest()
        path = data_dir / blob_path(sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        records.append(
            ItemRecord(
                item=f"itm_{number:03d}",
                name=name,
                blob=sha256,
                media=MediaFacts(width=1, height=1, format="png", size_bytes=len(data)),
                split=list(Split)[number % 3],
                group=sha256,
                annotations=(ClassLabel(label="even" if number % 2 == 0 else "odd"),),
                provenance="person:usr_1",
            )
        )
    shards = []
    for start in range(0, len(records), rows_per_shard):
        shards.append(f"items-{len(shards):05d}.parquet")
        rows = [record_to_row(record) for record in records[start : start + rows_per_shard]]
        pq.write_table(pa.Table.from_pylist(rows), data_dir / shards[-1])
    manifest = VersionManifest(
        id="",
        parent=None,
        project="prj_1",
        task="image_classification",
        label_set=LabelSet(labels=(Label(name="even"), Label(name="odd"))),
        annotation_kinds=("class",),
        num_items=len(records),
        num_items_by_split={split: sum(record.split == split for record in records) for split in Split},
        num_annotations_by_label={"even": (len(records) + 1) // 2, "odd": len(records) // 2},
        shards=tuple(shards),
        content_sha256=content_hash(records),
    )
    manifest.model_copy(update={"id": version_id(manifest)}).write(data_dir / "version.json")
    return DatasetVersion.open(data_dir)
