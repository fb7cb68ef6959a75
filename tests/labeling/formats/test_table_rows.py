"""Tables whose rows are items: whatever they come in, the same rows come out, and what is broken is told by its line."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from decimal import Decimal

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from automl.contracts.annotation import ClassLabel, Value
from automl.contracts.dataset import ItemRecord, LabelSet, MediaFacts, Split
from automl.contracts.table import Column, ColumnKind, TableSchema
from labeling.formats import table_rows
from studio.datasets.files.formats import LabelFileProblem, Sheet
from studio.datasets.files.rows import column_names, row_serialise

_MOMENT = dt.datetime.fromisoformat("2024-03-01T08:30:00")
HEAD = ["城市", "price", "note"]
ROWS = [["上海", "1.5", 'a "good", place'], ["北京", "-2", ""], ["Zürich", "3e5", "two\nlines"]]


def read(name: str, data: bytes) -> tuple[list[dict[str, str]], list[LabelFileProblem]]:
    """The cells of all rows that are not empty, and the complaints."""
    found, complaints = [], []
    for sheet in table_rows.read([], {name: data}).sheets:
        if isinstance(sheet, LabelFileProblem):
            complaints.append(sheet)
            continue
        names = column_names(sheet.columns)
        for row in sheet.rows:
            if isinstance(row, LabelFileProblem):
                complaints.append(row)
            else:
                found.append({one: cell.strip() for one, cell in zip(names, row.cells, strict=False) if cell.strip()})
    return found, complaints


def sheets(name: str, data: bytes) -> list[Sheet]:
    return [sheet for sheet in table_rows.read([], {name: data}).sheets if isinstance(sheet, Sheet)]


EXPECTED = [{name: cell for name, cell in zip(HEAD, row, strict=True) if cell} for row in ROWS]


def as_csv(rows: list[list[str]], delimiter: str = ",") -> str:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_separators_and_encodings(delimiter, encoding):
    data = as_csv([HEAD, *ROWS], delimiter).encode(encoding)
    assert read("a.csv", data) == (EXPECTED, [])


def test_a_decimal_comma_does_not_part_columns():
    rows, _ = read("a.csv", b"1,5;2,5\n3,5;4,25\n5,5;6,125\n")
    assert rows == [
        {"column_1": "1,5", "column_2": "2,5"},
        {"column_1": "3,5", "column_2": "4,25"},
        {"column_1": "5,5", "column_2": "6,125"},
    ]


@pytest.mark.parametrize(
    ("text", "has_head"),
    [
        ("a,b\n1,2\n3,4\n", True),
        ("1,2\n3,4\n", False),
        ("country,2019,2020,2021\nFR,1,2,3\nDE,4,5,6\n", True),
        ("red,big\nblue,small\nred,small\n", False),
        ("color,size\nblue,small\nred,small\n", True),
        ("x,y\n", True),
        ("5.1,3.5,setosa\n4.9,3.0,setosa\n6.1,2.9,virginica\n", False),
        ("id,id\n1,2\n", True),
    ],
)
def test_the_first_row_is_a_head_or_not(text, has_head):
    rows, complaints = read("a.csv", text.encode())
    assert complaints == [] or not rows
    assert len(rows) == text.count("\n") - has_head
    if not has_head:
        assert set(rows[0]) == {f"column_{at + 1}" for at in range(text.partition("\n")[0].count(",") + 1)}


def test_a_head_without_the_name_of_the_first_column():
    rows, complaints = read("a.tsv", b"mpg\tcyl\nMazda RX4\t21\t6\nDatsun 710\t22.8\t4\n")
    assert complaints == []
    assert rows[1] == {"column_1": "Datsun 710", "mpg": "22.8", "cyl": "4"}


def test_ragged_rows_and_odd_heads():
    rows, complaints = read("a.csv", b"a,,a\n1,2,3\n4\n\n5,6,7,8\n9,10,11,,\n")
    assert rows == [
        {"a": "1", "column_2": "2", "a_2": "3"},
        {"a": "4"},
        {"a": "9", "column_2": "10", "a_2": "11"},
    ]
    assert complaints == [LabelFileProblem("a.csv:5", "table_row_too_wide")]


def test_an_unclosed_quotation_mark_costs_its_line_alone():
    rows, complaints = read("a.csv", b'a,b\n1,x\n"2,y\n3,z\n4,w\n')
    assert [row["a"] for row in rows] == ["1", "3", "4"]
    assert complaints == [LabelFileProblem("a.csv:3", "table_quote_unclosed")]


def test_an_unclosed_mark_among_closed_ones():
    rows, complaints = read("a.csv", b'a,b\n1,"x\n2,"y, z"\n3,w\n')
    assert rows == [{"a": "2", "b": "y, z"}, {"a": "3", "b": "w"}]
    assert complaints == [LabelFileProblem("a.csv:2", "table_quote_unclosed")]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("a.xlsx", b"PK\x03\x04nonsense", "label_file_broken"),
        ("a.parquet", b"PAR1nonsensePAR1", "label_file_broken"),
        ("a.csv", b"\x00\x01\x02", "table_kind_unknown"),
        ("a.csv", b"a,b\n\xff\xff,2\n", "text_undecodable"),
        ("a.csv", b"", "table_without_rows"),
        ("a.csv", b"\n\n", "table_without_rows"),
        ("a.json", b"[", "table_without_rows"),
        ("a.json", b"[]", "table_without_rows"),
        ("a.jsonl", b"1\n2\n", "table_without_rows"),
        ("a.csv", ",".join(f"c{n}" for n in range(2001)).encode() + b"\n1\n", "table_too_wide"),
    ],
)
def test_what_is_no_table_is_reported(name, data, code):
    rows, complaints = read(name, data)
    assert rows == []
    assert [one.code for one in complaints] == [code]


def test_damage_in_the_middle_keeps_what_came_before():
    out = io.BytesIO()
    table = pa.table({"a": [str(n) * 20 for n in range(50_000)]})
    pq.write_table(table, out, row_group_size=10_000, compression="gzip", use_dictionary=False)
    data = bytearray(out.getvalue())
    data[len(data) // 2 : len(data) // 2 + 2000] = bytes(2000)
    rows, complaints = read("a.parquet", bytes(data))
    assert 10_000 <= len(rows) < 50_000
    assert complaints == [LabelFileProblem("a.parquet", "label_file_broken")]


def test_excel_with_typed_cells_and_sheets():
    book = openpyxl.Workbook()
    first = book.active
    first.title = "train"
    first.append(["when", "day", "n", "is", "text"])
    first.append([_MOMENT, _MOMENT.date(), 3.0, True, " padded "])
    first.append([None, None, 0.25, False, "007"])
    second = book.create_sheet("test")
    second.append(["when", "day", "n", "is", "text"])
    second.append([None, None, 7, None, "x"])
    book.create_sheet("notes").append(["who wrote this"])
    out = io.BytesIO()
    book.save(out)
    rows, complaints = read("a.xlsx", out.getvalue())
    assert rows == [
        {"when": "2024-03-01 08:30:00", "day": "2024-03-01", "n": "3", "is": "true", "text": "padded"},
        {"n": "0.25", "is": "false", "text": "007"},
        {"n": "7", "text": "x"},
    ]
    assert complaints == [LabelFileProblem("a.xlsx/notes", "table_sheet_left_out")]
    assert [(one.name, one.split) for one in sheets("a.xlsx", out.getvalue())] == [
        ("a.xlsx", Split.TRAIN),
        ("a.xlsx/test", Split.TEST),
    ]


def test_parquet_with_typed_cells():
    table = pa.table(
        {
            "t": pa.array([1_700_000_000_123_456_789, None], pa.timestamp("ns")),
            "z": pa.array([1_700_000_000, None], pa.timestamp("s", "UTC")),
            "d": pa.array([dt.date(2020, 1, 2), None]),
            "f": pa.array([3.0, float("nan")]),
            "c": pa.array(["x", None]).dictionary_encode(),
            "n": pa.array([Decimal("1.50"), None]),
            "l": pa.array([[1, 2], None]),
            "b": pa.array([True, None]),
        }
    )
    out = io.BytesIO()
    pq.write_table(table, out)
    rows, complaints = read("a.parquet", out.getvalue())
    assert complaints == []
    assert rows[0] == {
        "t": "2023-11-14 22:13:20.123456",
        "z": "2023-11-14 22:13:20+00:00",
        "d": "2020-01-02",
        "f": "3",
        "c": "x",
        "n": "1.50",
        "l": "[1,2]",
        "b": "true",
    }
    assert rows[1:] == [{}] or rows[1:] == []


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_json_of_objects_with_keys_that_come_later(name):
    objects = [{"a": 1, "b": "x"}, {"a": 2.5, "c": [1, {"k": None}]}, 7, {"a": None, "d": True}]
    text = json.dumps(objects) if name == "a.json" else "\n".join(map(json.dumps, objects))
    rows, complaints = read(name, text.encode())
    assert rows == [{"a": "1", "b": "x"}, {"a": "2.5", "c": '[1,{"k":null}]'}, {"d": "true"}]
    assert complaints == [LabelFileProblem(f"{name}:4", "table_row_invalid")]


def test_a_column_of_splits_is_no_cell():
    (sheet,) = sheets("a.csv", b"x,split\n1,train\n2,test\n3,val\n4,\n")
    rows = list(sheet.rows)
    assert sheet.columns == ("x",)
    assert [row.split for row in rows] == [Split.TRAIN, Split.TEST, Split.VALIDATION, None]
    (other,) = sheets("a.csv", b"x,split\n1,left\n2,right\n")
    assert other.columns == ("x", "split")
    (own,) = sheets("rows.csv", b"Split,modelyard_target,split,modelyard_item\ntest,7,train,itm_1\n")
    assert own.columns == ("Split",), "a person's own column of that name stays a column"
    assert [row.split for row in own.rows] == [Split.TRAIN]


_CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


@settings(max_examples=30)
@given(data=st.data())
def test_what_is_written_is_read(data):
    names = data.draw(
        st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8), min_size=1, max_size=4, unique=True)
    )
    cells = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(names, _CELLS)), min_size=1, max_size=6))
    filled = [row for row in cells if any(cell.strip() for cell in row.values())]
    records = []
    for number, row in enumerate(filled):
        written = row_serialise(row)
        annotations = (Value(value=number / 3),) if number % 2 else (ClassLabel(label=f"l{number}"),)
        records.append(
            ItemRecord(
                item=f"itm_{number:026d}",
                name=f"a.csv#{number + 2}",
                blob=written.blob,
                media=MediaFacts(format="row", size_bytes=written.size_bytes, num_cells=written.num_cells),
                split=list(Split)[number % 3],
                group=written.blob,
                annotations=annotations,
                provenance="import:upl_x",
                row=written.text,
            )
        )
    schema = TableSchema(columns=tuple(Column(name=name, kind=ColumnKind.TEXT) for name in names))
    (file,) = table_rows.write(iter(records), labels=LabelSet(), blob=lambda _: b"", columns=schema)
    found = sheets("rows.csv", b"".join(file.chunks))
    if not filled:
        return
    (sheet,) = found
    rows = list(sheet.rows)
    assert [complaint for complaint in rows if isinstance(complaint, LabelFileProblem)] == []
    assert [row.split for row in rows] == [record.split for record in records]
    assert [row.target for row in rows] == [
        f"l{number}" if number % 2 == 0 else str(int(number / 3)) if (number / 3).is_integer() else repr(number / 3)
        for number in range(len(records))
    ]
    for row, record in zip(rows, records, strict=True):
        again = row_serialise(dict(zip(sheet.columns, row.cells, strict=True)))
        assert again.text == record.row


def test_columns_that_the_head_leaves_without_a_name_at_its_end_are_kept():
    rows, complaints = read("a.csv", b"a,a,,\n1,2,3,4\n5,6,7,8\n")
    assert [list(row.values()) for row in rows] == [["1", "2", "3", "4"], ["5", "6", "7", "8"]]
    assert (len(rows[0]), complaints) == (4, [])


def test_marks_behind_the_last_column_are_no_columns():
    rows, complaints = read("a.csv", b"a,b,,\n1,2,,\n3,4,,x\n5,6,,\n")
    assert rows == [{"a": "1", "b": "2"}, {"a": "5", "b": "6"}]
    assert complaints == [LabelFileProblem("a.csv:3", "table_row_too_wide")]
