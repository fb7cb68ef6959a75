"""The hash of a version made by the column is the contract's own, whatever is annotated and however it was stored."""

from __future__ import annotations

import json

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.annotation import (
    Annotations,
    AttributeValue,
    Box,
    Cell,
    ClassLabel,
    Keypoint,
    Keypoints,
    Mask,
    Polygon,
    RotatedBox,
    Span,
    TextValue,
    Track,
    Value,
)
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split, content_hash
from studio.datasets.items.kinds import kind_named
from studio.datasets.versions.canonical import ContentHash, annotations_canonical
from studio.datasets.versions.records import VersionWriter, table_records, version_records, version_tables
from studio.datasets.versions.shards import SHARD_SCHEMA, records_table

numbers = st.floats(-1e20, 1e20, allow_nan=False) | st.integers(-(10**17), 10**17).map(float) | st.just(-0.0)
sizes = st.floats(1e-9, 1e18)
texts = st.text(min_size=1, max_size=12) | st.sampled_from(['"', "\\", '"},{"annotations":', '"kind"', '"score"', "花", ", 3,"])
places = st.floats(-1e20, 1e20, allow_nan=False).map(lambda number: number or 0.0)
scores = st.none() | st.floats(0, 1) | st.sampled_from([0.0, 1.0])
points = st.tuples(numbers, numbers)
attributes = st.lists(st.builds(AttributeValue, name=texts, value=texts | numbers | st.booleans()), max_size=2).map(tuple)
annotations = st.one_of(
    st.builds(ClassLabel, label=texts, score=scores, attributes=attributes),
    st.builds(Box, label=texts, x=numbers, y=numbers, width=sizes, height=sizes, id=st.none() | texts),
    st.builds(RotatedBox, label=texts, center_x=numbers, center_y=numbers, width=sizes, height=sizes, angle_deg=numbers),
    st.builds(Polygon, label=texts, points=st.lists(points, min_size=3, max_size=4).map(tuple)),
    st.builds(Mask, label=texts, width=st.integers(1, 9), height=st.integers(1, 9), counts=texts),
    st.builds(
        Keypoints,
        label=texts,
        points=st.lists(st.builds(Keypoint, name=texts, x=numbers, y=numbers), min_size=1, max_size=3).map(tuple),
    ),
    st.builds(lambda label, name: Span(label=label, id=name, start=0, end=3), texts, texts),
    st.builds(TextValue, text=texts),
    st.builds(Value, value=numbers),
    st.builds(Cell, column=texts, value=st.none() | texts | numbers | st.booleans()),
    st.builds(lambda label, frame: Track(label=label, id="t", frames=((2, *frame),)), texts, st.tuples(*[numbers] * 4)),
)
records = st.builds(
    ItemRecord,
    item=st.integers(0, 10**6).map(lambda n: f"itm_{n:026d}"),
    name=texts,
    blob=st.integers(0, 2**64).map(lambda n: f"{n:064x}"),
    media=st.builds(
        MediaFacts, width=st.integers(1, 9999), height=st.integers(1, 9999), format=texts, size_bytes=st.integers(0, 2**40)
    ),
    split=st.sampled_from(Split),
    group=texts,
    annotations=st.lists(annotations, max_size=3).map(tuple),
    provenance=texts,
)

texts_of_lengths = st.builds(
    lambda record, size_bytes, length: record.model_copy(
        update={"media": MediaFacts(format="txt", size_bytes=size_bytes, num_characters=length)}
    ),
    records,
    st.integers(0, 2**40),
    st.integers(0, 2**31 - 1),
)


def of_one_kind(**sizes) -> st.SearchStrategy[list[ItemRecord]]:
    """Rows of pictures, or rows of texts."""
    return st.lists(records, **sizes) | st.lists(texts_of_lengths, **sizes)


def table_of(found: list[ItemRecord]) -> pa.Table:
    """As a dataset of their kind holds them; of a picture's format the hash says whatever stands there."""
    is_text = bool(found) and found[0].media.num_characters is not None
    return records_table(found, kind_named("text" if is_text else "image"))


def stored(record: ItemRecord, style: int) -> str:
    """The text that a database gives back: Django's own on SQLite, keys in jsonb's order and no exponents on PostgreSQL."""
    annotations = Annotations.dump_python(record.annotations, mode="json")
    if style == 0:
        return json.dumps(annotations)
    ordered = [dict(sorted(one.items(), key=lambda pair: (len(pair[0]), pair[0]))) for one in annotations]
    if style == 1:
        return json.dumps(ordered, ensure_ascii=False)
    return (
        json.dumps(ordered, default=str).replace(".0,", ",").replace(".0}", "}").replace(".0]", "]")
    )  # floats lost their point


@given(of_one_kind(max_size=6), st.integers(0, 1))
def test_the_hash_by_columns_is_the_contracts(found, style):
    table = table_of(found)
    as_stored = pa.array([stored(record, style) for record in found], pa.string())
    canonical, _ = annotations_canonical(as_stored)
    content = ContentHash()
    content.update(table.set_column(SHARD_SCHEMA.get_field_index("annotations"), "annotations", canonical))
    assert content.hexdigest() == content_hash(found)


@given(st.lists(st.builds(Box, label=st.just("a"), x=places, y=places, width=sizes, height=sizes), min_size=1, max_size=3))
def test_numbers_that_lost_their_point_are_written_as_the_contract_writes_them(boxes):
    record = _record(0, tuple(boxes))
    canonical, labels = annotations_canonical(pa.array([stored(record, 2)], pa.string()))
    assert canonical[0].as_py() == json.dumps(
        Annotations.dump_python(record.annotations, mode="json"), sort_keys=True, separators=(",", ":")
    )
    assert labels == {"a": len(boxes)}


def test_a_field_that_is_missing_is_added_as_the_contract_adds_it():
    canonical, _ = annotations_canonical(pa.array(['[{"kind": "class", "label": "a"}]'], pa.string()))
    assert canonical[0].as_py() == '[{"kind":"class","label":"a","score":null}]'


@given(of_one_kind(max_size=40, unique_by=lambda record: record.item), st.integers(1, 7))
def test_what_is_written_is_read(tmp_path_factory, found, size):
    found.sort(key=lambda record: record.item)
    folder = tmp_path_factory.mktemp("version")
    writer = VersionWriter(folder, LabelSet())
    for start in range(0, len(found), size):
        writer.add(table_of(found[start : start + size]))
    manifest = writer.finish(
        project="prj_x", parent=None, task="image_classification", task_options={}, annotation_kinds=("class",)
    )
    assert manifest.content_sha256 == content_hash(found)
    assert list(version_records(folder, manifest)) == found
    assert [row for table in version_tables(folder, manifest) for row in table_records(table)] == found
    for record in found[:3]:
        after = [row.item for table in version_tables(folder, manifest, after=record.item) for row in table_records(table)]
        assert after == [one.item for one in found if one.item > record.item]
    labels = [one.label for record in found for one in record.annotations if hasattr(one, "label")]
    assert sum(manifest.num_annotations_by_label.values()) == len(labels)


def _record(n: int, annotations: tuple[Box, ...]) -> ItemRecord:
    return ItemRecord(
        item=f"itm_{n:05d}",
        name=f"{n}.png",
        blob=f"{n:064x}",
        media=MediaFacts(width=10, height=20, format="png", size_bytes=n),
        split=Split.TRAIN,
        group=str(n),
        annotations=annotations,
        provenance="person:usr_x",
    )
