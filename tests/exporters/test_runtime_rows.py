"""Models that read rows of a table: from a file or a request to scores and numbers, and through every target."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest

from automl.contracts.artefact import EXPECTED_FILE, MANIFEST_FILE, MODEL_FILE, SAMPLES_DIR, GoldenSamples, RowColumn
from automl.contracts.table import ColumnKind, Row
from automl.contracts.task import OutputKind
from exporters.build import build, target_names
from exporters.errors import ExportCheckFailedError
from runtime.answers.number import Number, value_of
from runtime.errors import AnswerInvalidError, ArgumentInvalidError, ArtefactUnreadableError, JsonInvalidError
from runtime.items.row.bodies import MAX_ROWS, rows_request
from runtime.items.row.errors import (
    CellInvalidError,
    ColumnsMissingError,
    RowInvalidError,
    RowsMissingError,
    RowsTooManyError,
    TableUnreadableError,
)
from runtime.items.row.rows import MAX_CELLS, RowReader, row_data
from runtime.predictor import Predictor
from tests.exporters.row_artefact_factory import DECODE, FEATURES, LABELS, READ, ROWS, row_artefact_write

NAMES = [column.name for column in DECODE.columns]


@pytest.fixture(scope="module", params=[OutputKind.CLASS_SCORES, OutputKind.NUMBER], ids=str)
def artefact(request, tmp_path_factory) -> Path:
    return row_artefact_write(tmp_path_factory.mktemp("row") / "artefact", output=request.param)


@pytest.fixture(scope="module")
def predictor(artefact) -> Predictor:
    ready = Predictor()
    ready.setup(artefact)
    return ready


@pytest.fixture
def reader() -> RowReader:
    return RowReader(DECODE.model_dump(mode="json"))


def test_answers_as_the_golden_samples_say(artefact, predictor):
    for sample in GoldenSamples.read(artefact / SAMPLES_DIR / EXPECTED_FILE).samples:
        item = predictor.decode((artefact / SAMPLES_DIR / sample.file).read_bytes())
        answer = predictor.predict(item)
        assert np.allclose(answer, sample.scores, atol=1e-6)
        best, uncertainty = predictor.judge(answer)
        if isinstance(predictor.answers, Number):
            annotation = {"kind": "value", "value": pytest.approx(sample.scores[0], rel=1e-7)}
            assert predictor.encode(answer, item) == predictor.passing(answer, item) == [annotation]
            assert best == {"value": annotation["value"]}
            assert uncertainty is None
        else:
            label = LABELS[int(np.argmax(sample.scores))]
            assert predictor.encode(answer, item, top=1)[0]["label"] == predictor.passing(answer, item)[0]["label"] == label
            assert best["label"] == label
            assert 0.0 <= uncertainty <= 1.0


def test_categories_are_read_whatever_their_case_and_spaces_and_unseen_ones_are_reported():
    columns = (
        RowColumn(name="city", kind=ColumnKind.CATEGORY, known=("New York", "true", "A", "a", "")[:4]),
        RowColumn(name="shop", kind=ColumnKind.CATEGORY, choices=("Graz",)),
        RowColumn(name="age", kind=ColumnKind.NUMBER),
    )
    reader = RowReader(DECODE.model_copy(update={"columns": columns}).model_dump(mode="json"))
    cells = ["New York", " new  YORK ", "a", "A", "TRUE", True, "Linz", "linz", "", None]
    rows = reader.read([{"city": cell, "shop": "graz", "age": 3} for cell in cells])
    read = ["New York", "New York", "a", "A", "true", "true", "Linz", "linz", "", ""]
    assert rows.feeds["categories"][:, 0].tolist() == read
    assert rows.feeds["categories"][:, 1].tolist() == ["graz"] * len(cells), "an older model's values are not all known"
    assert rows.unseen == {"city": ["Linz", "linz"]}
    assert rows.mostly_missing == []
    assert reader.read([{"age": 1, "city": "A", "shop": ""}, {"age": 1}, {"age": None}]).mostly_missing == [2, 3]


def test_rows_become_the_tensors_that_were_written_down(reader):
    feeds = reader.read(ROWS).feeds
    assert feeds.keys() == FEATURES.keys()
    for (name, dtype), expected in zip(FEATURES.items(), zip(*READ, strict=True), strict=True):
        assert feeds[name].dtype == dtype
        if dtype is object:
            assert feeds[name].tolist() == list(expected)
        else:
            assert np.array_equal(feeds[name], np.array(expected, dtype=dtype), equal_nan=dtype is np.float32)


def test_cells_may_be_texts_numbers_booleans_and_null(reader):
    as_text = reader.read([{"age": "34", "city": "7", "income": "1.234,5", "since": None, "note": ""}])
    as_json = reader.read([{"age": 34, "city": 7.0, "income": 1234.5, "since": "", "note": None}])
    for name in FEATURES:
        assert np.array_equal(as_text.feeds[name], as_json.feeds[name])


def test_numbers_and_booleans_are_taken_for_the_values_that_read_so():
    columns = (
        RowColumn(name="wifi", kind=ColumnKind.CATEGORY, choices=("False", "True")),
        RowColumn(name="floor", kind=ColumnKind.CATEGORY, choices=("3.0", "03", "12")),
        RowColumn(name="sold", kind=ColumnKind.CATEGORY, choices=("0", "1")),
    )
    reader = RowReader(DECODE.model_copy(update={"columns": columns}).model_dump(mode="json"))
    rows = [
        {"wifi": True, "floor": 3, "sold": False},
        {"wifi": "true", "floor": "3", "sold": 1},
        {"wifi": 2, "floor": 12, "sold": 10**400},
    ]
    read = reader.read(rows).feeds["categories"].tolist()
    assert read == [["True", "3.0", "0"], ["true", "3", "1"], ["2", "12", str(10**400)]]


def test_number_beyond_float32_is_infinite_as_in_training(reader):
    numbers = reader.read([{"age": 1e39}, {"age": "-1e39"}, {"age": 1}]).feeds["numbers"][:, 0]
    assert numbers.tolist() == [np.inf, -np.inf, 1.0]


def test_a_number_may_have_the_unit_of_its_column_and_no_other():
    reader = RowReader({"target": "y", "columns": [{"name": "weight", "kind": "number", "units": ["kg", "kilograms"]}]})
    read = reader.read([{"weight": cell} for cell in ("12 kg", "-3kg", "5 Kilograms", "7", 8, None)])
    np.testing.assert_array_equal(read.feeds["numbers"][:, 0], np.array([12, -3, 5, 7, 8, np.nan], np.float32))
    with pytest.raises(CellInvalidError, match="weight"):
        reader.read([{"weight": "5 lb"}])
    assert np.isnan(reader.read([{"weight": "5 lb"}], is_lenient=True).feeds["numbers"][0, 0])


def test_says_which_columns_are_unknown_and_missing(reader):
    rows = reader.read([{"age": 3, "Age": 4, "zip": "1010"}, {"city": "Graz", "zip": ""}])
    assert rows.unknown == ["Age", "zip"]
    assert rows.missing == ["income", "since", "note"]


@pytest.mark.parametrize(
    ("cells", "column", "shown", "words"),
    [
        ({"age": "old"}, "age", "old", "is no number"),
        ({"age": float("inf")}, "age", "inf", "is no number"),
        ({"age": 10**400}, "age", str(10**400)[:80], "is no number"),
        ({"age": "1e400"}, "age", "1e400", "is no number"),
        ({"income": "12.5.1"}, "income", "12.5.1", "is no number"),
        ({"since": "2021-01-02"}, "since", "2021-01-02", "is no moment"),
    ],
)
def test_cell_that_cannot_be_read_is_named_or_taken_as_missing(reader, cells, column, shown, words):
    with pytest.raises(CellInvalidError, match=words) as caught:
        reader.read([ROWS[0], cells])
    assert caught.value.code == "cell_invalid"
    assert caught.value.facts == {"row": 2, "column": column, "cell": shown}
    lenient = reader.read([cells], is_lenient=True).feeds
    assert np.isnan(lenient["numbers"]).all()
    assert lenient["datetimes"].tolist() == [[-(2**63)]]


@pytest.mark.parametrize(
    ("row", "error", "words"),
    [
        ({}, ColumnsMissingError, "age, city, income, since, note"),
        ({"AGE": 3}, ColumnsMissingError, "row 2"),
        (["34"], RowInvalidError, "row 2"),
        ({"age": [1]}, RowInvalidError, "column age: .* not a list"),
        ({"age": {"value": 1}}, RowInvalidError, "not an object"),
        ({"age": 1} | {str(n): 1 for n in range(MAX_CELLS)}, RowInvalidError, "2,001 cells"),
    ],
)
def test_what_is_no_row_is_refused_by_name(reader, row, error, words):
    with pytest.raises(error, match=words):
        reader.read([ROWS[0], row])


def test_row_is_kept_as_a_dataset_keeps_it():
    cells = {"b": " x ", "a": 3.0, "c": None, "d": "", "e": True, "f": "上", "g": "NA"}
    stored = row_data(cells)
    assert stored == Row(cells={"a": "3", "b": "x", "e": "true", "f": "上", "g": "NA"}).canonical().encode()
    assert row_data({"a": None}) is row_data({"a": "x\0"}) is row_data({"": "x"}) is row_data({"n" * 257: "x"}) is None


@pytest.mark.parametrize(
    ("body", "content_type", "expected"),
    [
        (b'{"row": {"age": 3}, "top": 2}', "", [{"age": 3}]),
        (b'\xef\xbb\xbf{"rows": [{"age": 3}, {"age": null}]}', "application/json", [{"age": 3}, {"age": None}]),
        (b'{"age": 3}\n\n{"age": "4"}\r\n', "application/x-ndjson", [{"age": 3}, {"age": "4"}]),
        (b"age,city\r\n3,Paris\r\n,\r\n", "text/csv; charset=utf-8", [{"age": "3", "city": "Paris"}, {"age": "", "city": ""}]),
        ("age;city;income\n3;上海;1,5\n".encode(), "text/csv", [{"age": "3", "city": "上海", "income": "1,5"}]),
        (b'\xef\xbb\xbfage\t"city"\n3\t"a\tb"\n4\n', "text/csv", [{"age": "3", "city": "a\tb"}, {"age": "4"}]),
        (b'"a,b,c";age\n1;2\n', "text/csv", [{"a,b,c": "1", "age": "2"}]),
    ],
)
def test_request_is_understood(body, content_type, expected):
    request = rows_request(body, content_type, {}, NAMES)
    assert request.items == expected
    assert request.top == (2 if b"top" in body else None)
    assert not request.is_lenient


@pytest.mark.parametrize(
    "content", [b"age,city\n3,Graz\n", b'{"age": "3", "city": "Graz"}', b'{"rows": [{"age": "3", "city": "Graz"}]}']
)
def test_file_of_a_form_is_understood(content):
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="rows"\r\n\r\n'
    more = b'\r\n--x\r\nContent-Disposition: form-data; name="invalid_cells"\r\n\r\nmissing\r\n--x--\r\n'
    request = rows_request(head + content + more, "multipart/form-data; boundary=x", {"top": "3"}, NAMES)
    assert request.items == [{"age": "3", "city": "Graz"}]
    assert request.top == 3
    assert request.is_lenient


@pytest.mark.parametrize(
    ("body", "content_type", "error"),
    [
        (b" ", "application/json", RowsMissingError),
        (b'{"age": 3}', "application/json", RowsMissingError),
        (b'{"rows": []}', "application/json", RowsMissingError),
        (b"age,city\n", "text/csv", RowsMissingError),
        (b'{"rows": {"age": 3}}', "application/json", RowInvalidError),
        (b'{"rows": [{"note": "\\ud800"}]}', "application/json", RowInvalidError),
        (b'{"note": "\\uDFff"}', "application/jsonl", RowInvalidError),
        (b"{rows}", "", JsonInvalidError),
        (b"[]", "", JsonInvalidError),
        (b'{"row": {"age": 3}, "invalid_cells": "drop"}', "", ArgumentInvalidError),
        (b'{"row": {"age": 3}, "top": 0}', "", ArgumentInvalidError),
        (b"\xff\xfe", "text/csv", TableUnreadableError),
        (b"age,age\n1,2\n", "text/csv", TableUnreadableError),
        (b"age\n1,2\n", "text/csv", TableUnreadableError),
        (b'age\n"1\n', "text/csv", TableUnreadableError),
        (b"[1]\n", "application/jsonl", TableUnreadableError),
        (json.dumps({"rows": [{"age": 1}] * (MAX_ROWS + 1)}).encode(), "", RowsTooManyError),
    ],
)
def test_request_that_is_wrong_gets_its_own_code(body, content_type, error):
    with pytest.raises(error) as refused:
        rows_request(body, content_type, {}, NAMES)
    assert "image" not in refused.value.hint


def test_half_a_pair_is_let_pass_where_it_is_a_whole_one():
    body = b'{"rows": [{"note": "\\ud83d\\ude00"}]}'
    assert rows_request(body, "", {}, NAMES).items == [{"note": "\U0001f600"}]


@pytest.mark.parametrize(
    ("number", "digits"), [(12.3, 12.3), (1 / 3, 0.33333334), (1e10, 1e10), (-0.0, 0.0), (16777217, 16777216.0)]
)
def test_number_is_reported_with_the_digits_that_it_has(number, digits):
    assert value_of(np.array([number], dtype=np.float32)) == {"kind": "value", "value": digits}


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_is_no_number_is_no_answer(number):
    with pytest.raises(AnswerInvalidError):
        value_of(np.array([number], dtype=np.float32))


def test_artefact_with_a_column_of_an_unknown_kind_is_refused(tmp_path):
    broken = row_artefact_write(tmp_path / "artefact")
    manifest = json.loads((broken / MANIFEST_FILE).read_text(encoding="utf-8"))
    manifest["decode"]["columns"][0]["kind"] = "polygon"
    (broken / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ArtefactUnreadableError, match="polygon"):
        Predictor().setup(broken)


def test_many_rows_are_answered_in_several_runs_as_in_one(predictor, monkeypatch):
    rows = predictor.items.reader.read([{**ROWS[n % 3], "age": n} for n in range(23)])
    whole = predictor.predict_many(rows)
    monkeypatch.setattr("runtime.items.row.kind.BATCH_CELLS", 4 * len(NAMES) + 1)
    assert np.array_equal(predictor.predict_many(rows), whole)
    assert len(whole) == 23


@pytest.fixture(scope="module")
def sparse(tmp_path_factory) -> Path:
    """An artefact whose golden rows hold nothing, or what training took as missing."""
    folder = row_artefact_write(tmp_path_factory.mktemp("sparse") / "artefact")
    ready = Predictor()
    ready.setup(folder)
    answer = ready.predict(ready.items.reader.read([dict.fromkeys(NAMES)]))
    expected = json.loads((folder / SAMPLES_DIR / EXPECTED_FILE).read_bytes())
    for sample, cells in zip(expected["samples"], ({}, {"age": "unknown", "since": "soon"}), strict=False):
        (folder / SAMPLES_DIR / sample["file"]).write_text(Row(cells=cells).canonical(), encoding="utf-8")
        sample["scores"] = answer.tolist()
    (folder / SAMPLES_DIR / EXPECTED_FILE).write_text(json.dumps(expected), encoding="utf-8")
    return folder


@pytest.mark.parametrize("target", target_names(reads="row"))
def test_golden_row_may_be_empty_or_hold_what_training_took_as_missing(target, sparse, tmp_path):
    assert build(target, sparse, tmp_path / "out", {}).check.is_passed


@pytest.mark.parametrize("target", target_names(reads="row"))
def test_every_target_ships_rows(target, artefact, tmp_path):
    report = build(target, artefact, tmp_path / "out", {})
    assert report.check.is_passed
    assert report.check.num_samples == len(ROWS)


@pytest.mark.parametrize("target", target_names(reads="row"))
def test_every_target_notices_a_changed_column(target, tmp_path):
    swapped = row_artefact_write(tmp_path / "swapped")
    manifest = json.loads((swapped / MANIFEST_FILE).read_text(encoding="utf-8"))
    columns = manifest["decode"]["columns"]
    columns[0], columns[2] = columns[2], columns[0]
    (swapped / MANIFEST_FILE).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ExportCheckFailedError):
        build(target, swapped, tmp_path / "a", {})
    changed = row_artefact_write(tmp_path / "changed")
    model = onnx.load(changed / MODEL_FILE)
    (encoder,) = [node for node in model.graph.node if node.op_type == "LabelEncoder"]
    (cities,) = [attribute for attribute in encoder.attribute if attribute.name == "keys_strings"]
    cities.strings[1] = "北京".encode()
    onnx.save(model, changed / MODEL_FILE)
    with pytest.raises(ExportCheckFailedError):
        build(target, changed, tmp_path / "b", {})
