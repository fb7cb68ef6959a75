"""Versions of tables are read whole, by the meaning of ``cells``, and damage is reported by shard."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import Annotations, ClassLabel, Value
from automl.contracts.artefact import RowColumn
from automl.contracts.dataset import LabelSet, Split, VersionManifest
from automl.contracts.table import Column, ColumnKind, ColumnRole, Row, TableSchema
from engine.data.version import DatasetVersion, VersionDamagedError
from engine.table.columns import MAX_CHOICES, moment_cell, plain_columns, row_columns
from engine.table.reader import read_cells, read_column, read_rows, table_of, table_of_cells
from runtime.cells import MISSING_TIME, moments_of, numbers_of, seconds_of, texts_of

_SCHEMA = TableSchema(
    columns=(
        Column(name="city", kind=ColumnKind.CATEGORY),
        Column(name="price", kind=ColumnKind.NUMBER, decimal=","),
        Column(name="size", kind=ColumnKind.NUMBER),
        Column(name="row", kind=ColumnKind.NUMBER, role=ColumnRole.IGNORED),
        Column(name="sold", kind=ColumnKind.DATETIME, datetime_format="%d.%m.%Y"),
        Column(name="what", kind=ColumnKind.CATEGORY, role=ColumnRole.TARGET),
        Column(name='a "note"\n', kind=ColumnKind.TEXT),
    )
)
_ROWS = (
    {"city": "Wien", "price": "1.234,5", "size": "12", "sold": "01.02.1969", 'a "note"\n': 'says "hi",\nthen goes'},
    {"city": "北京", "price": "€ 7", "size": "x", "row": "9", "what": "house"},
    {"city": "NA", "price": "1,5e2", "size": "-3.5", "sold": "31.02.2020", "unknown": "left alone"},
    {"size": "1e400", "sold": "29.02.2020", 'a "note"\n': "-"},
)


def _write(folder, rows, *, annotations=None, splits=None, schema=_SCHEMA, shard_rows=3, num_items=None):
    """Writes a version of rows, ``shard_rows`` in each shard."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = [row if isinstance(row, str) or row is None else Row(cells=row).canonical() for row in rows]
    annotations = annotations or [()] * len(rows)
    splits = splits or [Split.TRAIN] * len(rows)
    names = []
    for start in range(0, len(rows), shard_rows):
        part = slice(start, start + shard_rows)
        shard = {
            "item": [f"itm_{place:06d}" for place in range(start, start + len(texts[part]))],
            "split": [split.value for split in splits[part]],
            "annotations": [Annotations.dump_json(each).decode() for each in annotations[part]],
            "row": pa.array(texts[part], pa.string()),
            "blob": [hashlib.sha256((text or "").encode()).hexdigest() for text in texts[part]],
        }
        names.append(f"items-{len(names):05d}.parquet")
        pq.write_table(pa.table(shard), folder / names[-1])
    VersionManifest(
        id="dsv_" + "0" * 26,
        parent=None,
        project="prj_x",
        task="tabular_prediction",
        label_set=LabelSet(),
        annotation_kinds=("class",),
        num_items=len(rows) if num_items is None else num_items,
        num_items_by_split={},
        num_annotations_by_label={},
        shards=tuple(names),
        columns=schema,
        content_sha256="0" * 64,
    ).write(folder / "version.json")
    return DatasetVersion.open(folder)


def test_rows_are_read_by_split_in_order(tmp_path):
    annotations = [(ClassLabel(label="flat"),), (ClassLabel(label="house"),), (), (ClassLabel(label="flat"),)]
    splits = [Split.TRAIN, Split.TEST, Split.TRAIN, Split.TRAIN]
    version = _write(tmp_path, _ROWS, annotations=annotations, splits=splits)
    found = read_rows(version)
    assert {split: len(rows) for split, rows in found.items()} == {Split.TRAIN: 3, Split.VALIDATION: 0, Split.TEST: 1}
    train = found[Split.TRAIN]
    assert train.rows.items.tolist() == ["itm_000000", "itm_000002", "itm_000003"]
    assert [column.name for column in train.table.columns] == ["city", "price", "size", "sold", 'a "note"\n']
    np.testing.assert_array_equal(train.table.numbers_NA, np.array([[1234.5, 12], [150, -3.5], [np.nan] * 2], np.float32))
    assert train.table.datetimes_ND[:, 0].tolist() == [seconds_of("1969-02-01"), MISSING_TIME, seconds_of("2020-02-29")]
    assert train.table.categories_NC[:, 0].tolist() == ["Wien", "", ""]
    assert train.table.texts_NT[:, 0].tolist() == ['says "hi",\nthen goes', "", ""]
    assert train.rows.label_indices(("flat", "house")).tolist() == [0, -1, 0]
    assert train.rows.annotations(0) == (ClassLabel(label="flat"),)
    assert found[Split.TEST].rows.label_indices(("flat", "house")).tolist() == [1]
    assert found[Split.TEST].rows.cells_of(0) == {"city": "北京", "price": "€ 7", "size": "x"}
    assert np.isnan(found[Split.TEST].table.numbers_NA[0, 1])


def test_numbers_that_rows_carry(tmp_path):
    annotations = [(Value(value=1.5),), (), (Value(value=-2e300),), (Value(value=1.5),)]
    rows = read_cells(_write(tmp_path, _ROWS, annotations=annotations))
    np.testing.assert_array_equal(rows.values(), [1.5, np.nan, -2e300, 1.5])
    assert rows.cells_of(1)["row"] == "9", "without names, whatever a column is for"


def test_rows_from_anywhere_are_read_alike(tmp_path):
    columns = plain_columns(_SCHEMA)
    from_version = read_rows(_write(tmp_path, _ROWS))[Split.TRAIN].table
    from_requests = table_of(_ROWS, columns)
    for kind in ColumnKind:
        np.testing.assert_array_equal(from_version.array(kind), from_requests.array(kind))
    typed = table_of([{"size": 3, "price": 2.5, "city": True, "sold": None}], columns)
    assert typed.numbers_NA.tolist() == [[2.5, 3.0]]
    assert typed.categories_NC.tolist() == [["true"]]


_NUMBER_CELLS = st.one_of(
    st.text(alphabet="0123456789+-.,eE ()%$€'xkg\u2212٣", max_size=12),
    st.from_regex(r"[-+]?(kg|\$)?[-+]? ?[0-9]{1,3}([.,][0-9]{3})? ?(kg|KG|\$|lb)?", fullmatch=True),
    st.floats(allow_nan=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map("{:,.2f}".format),
    st.integers().map(str),
    st.none(),
)


@given(st.lists(_NUMBER_CELLS, max_size=40), st.sampled_from([".", ","]), st.sampled_from([(), ("kg",), ("$", "kg", "KG")]))
@settings(max_examples=300, deadline=None)
def test_numbers_are_those_of_cells(cells, decimal, units):
    column = RowColumn(name="x", kind=ColumnKind.NUMBER, decimal=decimal, units=units)
    read = read_column(pa.chunked_array([pa.array(cells[:7], pa.string()), pa.array(cells[7:], pa.string())]), column)
    np.testing.assert_array_equal(read, numbers_of(cells, decimal, units)[0])


@given(st.lists(st.one_of(st.none(), st.text(max_size=8), st.datetimes().map(str)), max_size=20))
@settings(max_examples=60, deadline=None)
def test_moments_and_words_are_those_of_cells(cells):
    clean = [None if cell is None else cell.encode("utf-8", "ignore").decode() for cell in cells]
    arrow = pa.chunked_array([pa.array(clean, pa.string())])
    moments = read_column(arrow, RowColumn(name="x", kind=ColumnKind.DATETIME))
    np.testing.assert_array_equal(moments, moments_of(clean)[0])
    words = read_column(arrow, RowColumn(name="x", kind=ColumnKind.CATEGORY))
    assert words.tolist() == texts_of(clean).tolist()


@pytest.mark.parametrize(
    "row",
    [None, "", "{", "[]", "17", "{}", '{"cells":null}', '{"cells":[]}', '{"cells":{"city":5}}', '{"cells":{}}\n{"cells":{}}'],
)
def test_a_damaged_row_is_reported_by_its_shard(tmp_path, row):
    version = _write(tmp_path, [*_ROWS[:3], {"city": "Wien"}, row])
    with pytest.raises(VersionDamagedError, match="items-00001"):
        read_rows(version)


def test_what_is_no_version_of_a_table_is_refused(tmp_path):
    with pytest.raises(VersionDamagedError, match="columns"):
        read_rows(_write(tmp_path / "a", _ROWS, schema=None))
    with pytest.raises(VersionDamagedError, match="promises 9"):
        read_rows(_write(tmp_path / "b", _ROWS, num_items=9))
    version = _write(tmp_path / "c", _ROWS)
    (tmp_path / "c" / "items-00001.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(VersionDamagedError, match="items-00001"):
        read_rows(version)
    version = _write(tmp_path / "d", _ROWS)
    shard = pq.read_table(tmp_path / "d" / "items-00000.parquet").drop_columns(["row"])
    pq.write_table(shard, tmp_path / "d" / "items-00000.parquet")
    with pytest.raises(VersionDamagedError, match="items-00000"):
        read_rows(version)


def test_broken_annotations_are_damage(tmp_path):
    version = _write(tmp_path, _ROWS)
    shard = pq.read_table(tmp_path / "items-00000.parquet")
    broken = pa.array(["nothing"] * shard.num_rows)
    pq.write_table(
        shard.set_column(shard.column_names.index("annotations"), "annotations", broken), tmp_path / "items-00000.parquet"
    )
    with pytest.raises(VersionDamagedError, match="annotations"):
        read_cells(version).values()


def test_a_version_without_rows_is_empty(tmp_path):
    found = read_rows(_write(tmp_path, []))
    assert [len(rows) for rows in found.values()] == [0, 0, 0]
    assert found[Split.TRAIN].rows.label_indices(("a",)).tolist() == []


def test_a_table_without_features_has_rows(tmp_path):
    schema = TableSchema(columns=(Column(name="what", kind=ColumnKind.CATEGORY, role=ColumnRole.TARGET),))
    found = read_rows(_write(tmp_path, [{"what": "x"}, {}], schema=schema))
    assert len(found[Split.TRAIN].table) == 2
    assert found[Split.TRAIN].table.columns == ()


def test_columns_tell_what_to_choose_from_and_a_typical_cell():
    cities = [*["Wien"] * 3, *["Bern"] * 3, "Oslo", "", *(f"c{number}" for number in range(200))]
    rows = [
        {"city": city, "price": f"{number},5", "size": "0.1", "sold": f"{1 + number % 28:02d}.01.2020", 'a "note"\n': "x" * 300}
        for number, city in enumerate(cities)
    ]
    columns = row_columns(_SCHEMA, table_of(rows, plain_columns(_SCHEMA)))
    by_name = {column.name: column for column in columns}
    assert by_name["city"].choices[:3] == ("Bern", "Wien", "Oslo")
    assert len(by_name["city"].choices) == MAX_CHOICES
    assert by_name["city"].typical == "Bern"
    assert by_name["price"].typical == "103,5"
    assert by_name["size"].typical == "0.1", "as float32 has it, without digits that nobody wrote"
    assert by_name["sold"].typical == "14.01.2020"
    assert by_name['a "note"\n'].typical == "", "nobody begins a form with an essay"
    typical = table_of([{column.name: column.typical for column in columns}], columns)
    assert not np.isnan(typical.numbers_NA).any()
    assert (typical.datetimes_ND != MISSING_TIME).all()


def test_columns_that_are_all_missing_have_nothing_typical():
    columns = row_columns(_SCHEMA, table_of([{}, {}], plain_columns(_SCHEMA)))
    assert {column.typical for column in columns} == {""}
    assert all(column.choices == () for column in columns)


@pytest.mark.parametrize("datetime_format", ["", "iso", "epoch_s", "epoch_ms", "%d.%m.%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S"])
def test_a_moment_is_read_as_it_was_written(datetime_format):
    for moment in (datetime(1969, 7, 20, 20, 17, 40, tzinfo=UTC), datetime(2024, 2, 29, tzinfo=UTC)):
        seconds = int(moment.timestamp())
        assert seconds_of(moment_cell(seconds, datetime_format), datetime_format) == seconds


def test_cells_of_a_table_are_read_by_the_columns_asked_for():
    cells = pa.table({"a": ["1", None], "b": ["x", "y"]})
    table = table_of_cells(cells, (RowColumn(name="b", kind=ColumnKind.CATEGORY), RowColumn(name="a", kind=ColumnKind.NUMBER)))
    assert table.categories_NC.tolist() == [["x"], ["y"]]
    np.testing.assert_array_equal(table.numbers_NA, np.array([[1.0], [np.nan]], np.float32))
