"""Rows of tables asked through the client package, against the real prediction server."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pytest

from automl.contracts.task import OutputKind
from modelyard import ApiError, Client, Deployment, ModelyardError
from modelyard.deployment import MAX_ROWS_PER_REQUEST, batched
from modelyard.rows import TableFile, row_cells, table_rows
from tests.exporters.prediction_server import SECRET, Serving, key_row, running
from tests.exporters.row_artefact_factory import LABELS, ROWS, row_artefact_write

NAMES = ["age", "city", "income", "since", "note"]


@pytest.fixture(scope="module")
def deployments(tmp_path_factory):
    """One deployment that says labels of rows, one that says a number."""
    folder = tmp_path_factory.mktemp("rows")
    serving = Serving(folder / "serving")
    serving.keys(key_row())
    serving.deploy("classes", row_artefact_write(folder / "classes"), artefact="art_classes")
    serving.deploy("number", row_artefact_write(folder / "number", output=OutputKind.NUMBER))
    with running(serving) as server, Client("http://127.0.0.1:9", SECRET) as client:
        yield {
            name: Deployment(client, name, name, name, f"{server.address}/v1/deployments/{name}/predict", "running")
            for name in ("classes", "number")
        }


def table_write(path, rows, delimiter=";"):
    lines = [delimiter.join(NAMES), *(delimiter.join(str(row.get(name, "")) for name in NAMES) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_row_is_answered_with_labels_or_a_number(deployments):
    predicted = deployments["classes"].predict(ROWS[0], top=2)
    assert predicted.label in LABELS
    assert (predicted.score, predicted.value, len(predicted.annotations)) == (predicted.annotations[0]["score"], None, 2)
    assert predicted.model == "art_classes"
    number = deployments["number"].predict(ROWS[0])
    assert (number.label, number.score) == (None, None)
    assert number.value == number.annotations[0]["value"]


def test_programs_may_say_numbers_moments_and_nothing(deployments):
    row = {"age": np.int64(34), "city": "上海", "income": np.float32(2400.0), "since": None, "note": float("nan")}
    plain = {"age": "34", "city": "上海", "income": "2400", "since": "", "note": ""}
    assert deployments["number"].predict(row) == deployments["number"].predict(plain)
    moment = datetime.datetime(2021, 1, 2, 3, 4, tzinfo=datetime.UTC)
    cells = {"a": moment, "b": moment.date(), "c": np.datetime64("NaT"), "d": np.datetime64("2021-01-02T03:04:00", "s")}
    sent = {"a": "2021-01-02T03:04:00+00:00", "b": "2021-01-02", "c": None, "d": "2021-01-02T03:04:00"}
    assert row_cells(cells) == sent
    assert row_cells({"t": np.True_, "u": True, "v": np.float64(1.5)}) == {"t": True, "u": True, "v": 1.5}


def test_a_table_is_answered_in_its_order(deployments, tmp_path):
    rows = [ROWS[n % 3] | {"age": str(n % 90)} for n in range(MAX_ROWS_PER_REQUEST * 2 + 7)]
    path = table_write(tmp_path / "people.csv", rows)
    by_file = list(deployments["number"].predict_table(path))
    assert len(by_file) == len(rows)
    for place in (0, MAX_ROWS_PER_REQUEST - 1, MAX_ROWS_PER_REQUEST, len(rows) - 1):
        assert by_file[place] == deployments["number"].predict(rows[place])
    assert list(deployments["number"].predict_table(iter(rows))) == by_file
    lines = tmp_path / "people.jsonl"
    lines.write_text("\n".join(json.dumps(row) for row in rows[:5]) + "\n\n", encoding="utf-8")
    assert list(deployments["number"].predict_table(str(lines))) == by_file[:5]


def test_a_refusal_counts_from_the_first_row_of_all(deployments):
    rows = [{"age": n} for n in range(MAX_ROWS_PER_REQUEST + 3)] + [{"age": "old"}]
    answers = deployments["number"].predict_table(rows)
    with pytest.raises(ApiError) as refused:
        list(answers)
    place = MAX_ROWS_PER_REQUEST + 4
    assert refused.value.code == "cell_invalid"
    assert refused.value.extra == {"row": place, "column": "age", "cell": "old"}
    assert f"row {place}, column age" in refused.value.message
    assert len(list(deployments["number"].predict_table(rows, invalid_cells="missing"))) == place
    with pytest.raises(ApiError) as unknown:
        deployments["number"].predict({"AGE": 3})
    assert unknown.value.code == "columns_missing"
    with pytest.raises(ModelyardError, match="together"):
        list(deployments["number"].predict_many([ROWS[0], "a text"]))


def test_rows_go_in_requests_that_the_server_takes():
    assert [len(some) for some in batched({"age": n} for n in range(2_500))] == [1000, 1000, 500]
    wide = [{"note": "x" * (3 << 20)}] * 4
    assert [len(some) for some in batched(wide)] == [2, 2]


@pytest.mark.parametrize(
    ("content", "columns", "rows"),
    [
        ("a,b\n1,2\n\n3\n", ("a", "b"), [{"a": "1", "b": "2"}, {"a": "3"}]),
        ("\ufeffa;b\r\n1,5;x\r\n", ("a", "b"), [{"a": "1,5", "b": "x"}]),
        ('a\t"b, c"\n"1\n2"\t3\n', ("a", "b, c"), [{"a": "1\n2", "b, c": "3"}]),
        ("only\n7\n", ("only",), [{"only": "7"}]),
    ],
)
def test_tables_are_read_as_they_come(tmp_path, content, columns, rows):
    path = tmp_path / "table.csv"
    path.write_bytes(content.encode())
    table = TableFile.open(path)
    assert (table.columns, list(table.rows())) == (columns, rows)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.csv", b"a,a\n1,2\n"),
        ("a.csv", b"a,b\n1,2,3\n"),
        ("a.csv", b"a\n\xff\n"),
        ("a.jsonl", b"{\n"),
        ("a.jsonl", b"[1]\n"),
        ("absent.csv", None),
        ("absent.jsonl", None),
    ],
)
def test_what_is_no_table_is_refused_by_name(tmp_path, name, content):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelyardError, match=name):
        list(table_rows(tmp_path / name))
