"""Parquet as Hugging Face's library writes it: classes are numbers, their names stand in the schema."""

from __future__ import annotations

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from labeling.formats import csv_labels, table_rows, text_table

FEATURES = {
    "text": {"dtype": "string", "_type": "Value"},
    "file": {"dtype": "string", "_type": "Value"},
    "label": {"names": ["neg", "pos"], "_type": "ClassLabel"},
}


def parquet(metadata: object = None, **columns: list) -> bytes:
    """A file as ``Dataset.to_parquet`` makes one."""
    described = {"info": {"features": {name: FEATURES[name] for name in columns}}} if metadata is None else metadata
    types = {"label": pa.int64()}
    schema = pa.schema(
        [(name, types.get(name, pa.string())) for name in columns], {b"huggingface": json.dumps(described).encode()}
    )
    pq.write_table(pa.table(columns, schema=schema), out := io.BytesIO())
    return out.getvalue()


def test_texts_keep_the_names_of_their_classes():
    data = parquet(text=["bad film", "good film", "who knows"], label=[0, 1, -1])
    reading = text_table.read([], {"train.parquet": data})
    assert reading.complaints == []
    labels = {name: [one.label for one in found] for name, found in reading.annotations.items()}
    assert labels == {"train.parquet#2": ["neg"], "train.parquet#3": ["pos"]}  # -1 says that nobody has looked


def test_pictures_keep_the_names_of_their_classes():
    reading = csv_labels.read(["a.png", "b.png"], {"t.parquet": parquet(file=["a.png", "b.png"], label=[1, 0])})
    assert {name: [one.label for one in found] for name, found in reading.annotations.items()} == {
        "a.png": ["pos"],
        "b.png": ["neg"],
    }


def test_rows_keep_the_names_of_their_classes():
    (sheet,) = table_rows.read([], {"t.parquet": parquet(text=["x", "y"], label=[1, 7])}).sheets
    assert [list(row.cells) for row in sheet.rows] == [["x", "pos"], ["y", "7"]]


@pytest.mark.parametrize(
    "metadata", [5, [], {"info": 1}, {"info": {"features": {"label": {"names": [1], "_type": "ClassLabel"}}}}]
)
def test_other_metadata_leave_numbers_as_they_are(metadata):
    reading = text_table.read([], {"t.parquet": parquet(metadata, text=["bad film"], label=[0])})
    assert [one.label for (one,) in reading.annotations.values()] == ["0"]
