"""Parquet as ``datasets`` writes it to the hub: pictures inside, names of classes in the schema's metadata.

Rows are kept as an Arrow stream on disk first: which columns there are shows only when all rows are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from automl.contracts.annotation import AnnotationKind, Box, ClassLabel
from automl.contracts.dataset import ItemRecord, LabelSet, Split
from labeling.formats._writing import Paths
from studio.datasets.files.formats import ExportedFile, ReadBlob

_ROWS = 100
"""Of a group, as ``datasets`` has it for pictures."""
_BYTES = 32 * 2**20
_CHUNK = 2**20
_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_OBJECTS = pa.struct([("bbox", pa.list_(pa.list_(pa.float64(), 4))), ("category", pa.list_(pa.int64()))])
_SCHEMA = pa.schema([("image", _PICTURE), ("labels", pa.list_(pa.int64())), ("objects", _OBJECTS)])


def parquet_files(
    records: Iterable[ItemRecord], *, labels: LabelSet, blob: ReadBlob, kinds: frozenset[AnnotationKind]
) -> Iterator[ExportedFile]:
    """The files of the splits that have items.

    ``label`` is a column of one class each where all items have one, ``labels`` of lists otherwise, ``objects`` of boxes.
    """
    parts: dict[Split, _Part] = {}
    paths, facts = Paths(by_stem=False), _Facts({name: number for number, name in enumerate(labels.names)})
    for record in records:
        part = parts.setdefault(record.split, _Part())
        annotations = [one for one in record.annotations if one.kind in kinds]
        path = paths.path(record, record.split.value).removeprefix(f"{record.split.value}/")
        picture = {"bytes": blob(record.blob), "path": path}
        part.add({"image": picture, **facts.row(annotations)}, size_bytes=record.media.size_bytes)
    for split, part in parts.items():
        yield ExportedFile(path=f"data/{split.value}-00000-of-00001.parquet", chunks=part.chunks(facts))


@dataclass
class _Facts:
    """What all rows have shown of the columns."""

    numbers: dict[str, int]
    """Of the classes."""
    has_classes: bool = False
    has_several: bool = False
    has_boxes: bool = False

    def row(self, annotations: Iterable[Any]) -> dict[str, Any]:
        """The columns of a row."""
        classes = [self._number(one.label) for one in annotations if isinstance(one, ClassLabel)]
        boxes = [one for one in annotations if isinstance(one, Box)]
        self.has_classes |= bool(classes)
        self.has_several |= len(classes) != 1
        self.has_boxes |= bool(boxes)
        places = [[one.x, one.y, one.width, one.height] for one in boxes]
        return {"labels": classes, "objects": {"bbox": places, "category": [self._number(one.label) for one in boxes]}}

    def _number(self, label: str) -> int:
        return self.numbers.setdefault(label, len(self.numbers))

    def schema(self) -> pa.Schema:
        """The columns that are written, with what ``datasets`` wants to know of them."""
        kind: dict[str, Any] = {"names": list(self.numbers), "_type": "ClassLabel"}
        fields, features = [_SCHEMA.field("image")], dict[str, Any](image={"_type": "Image"})
        if self.has_classes and not self.has_several:
            fields.append(pa.field("label", pa.int64()))
            features["label"] = kind
        elif self.has_classes:
            fields.append(_SCHEMA.field("labels"))
            features["labels"] = {"feature": kind, "_type": "Sequence"}
        if self.has_boxes or not self.has_classes:
            fields.append(_SCHEMA.field("objects"))
            # ``Sequence`` is what old releases call it, and new ones understand.
            place = {"feature": {"dtype": "float64", "_type": "Value"}, "length": 4, "_type": "Sequence"}
            features["objects"] = {"feature": {"bbox": place, "category": kind}, "_type": "Sequence"}
        return pa.schema(fields, metadata={"huggingface": orjson.dumps({"info": {"features": features}})})


@dataclass
class _Part:
    """The rows of a split on disk."""

    _file: IO[bytes] = field(default_factory=lambda: TemporaryFile(prefix="export-"))  # noqa: SIM115 - closed by `chunks`
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _size_bytes: int = 0
    _writer: pa.RecordBatchStreamWriter | None = None

    def add(self, row: dict[str, Any], *, size_bytes: int) -> None:
        """Keeps a row."""
        self._rows.append(row)
        self._size_bytes += size_bytes
        if len(self._rows) >= _ROWS or self._size_bytes >= _BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._writer is None:
            self._writer = pa.ipc.new_stream(self._file, _SCHEMA)
        if self._rows:
            self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=_SCHEMA))
        self._rows, self._size_bytes = [], 0

    def chunks(self, facts: _Facts) -> Iterator[bytes]:
        """The rows as Parquet, once."""
        self._flush()
        assert self._writer is not None
        self._writer.close()
        schema = facts.schema()
        with self._file, TemporaryFile(prefix="export-") as out:
            self._file.seek(0)
            # Neither dictionaries nor least and most values: they would hold whole pictures once more.
            with (
                pq.ParquetWriter(out, schema, use_dictionary=False, write_statistics=False) as writer,
                pa.ipc.open_stream(self._file) as stream,
            ):
                for batch in stream:
                    writer.write_batch(_fitted(batch, schema))
            out.seek(0)
            while chunk := out.read(_CHUNK):
                yield chunk


def _fitted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = [batch.column("labels").flatten() if name == "label" else batch.column(name) for name in schema.names]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
