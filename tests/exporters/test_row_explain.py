"""What each column of a row adds to an answer, asked of a running server."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from automl.contracts.task import OutputKind
from runtime.errors import ArgumentInvalidError, JsonInvalidError, NotExplainedError
from runtime.explaining import item_explain
from runtime.items.row.errors import BackgroundMissingError, CellInvalidError, RowInvalidError, RowsMissingError
from runtime.items.row.explain import ExplainRequest, Explanation, explain_parse, row_explain
from runtime.predictor import Predictor
from runtime.shapley import evaluations
from tests.exporters.prediction_server import Serving, running
from tests.exporters.row_artefact_factory import DECODE, LABELS, ROWS, row_artefact_write

NAMES = [column.name for column in DECODE.columns]
BACKGROUND = [*ROWS[1:], {"age": "20", "city": "Paris", "income": "1", "since": "01.01.2000", "note": "late"}, {"age": "n.a.?"}]


@pytest.fixture(scope="module")
def number_dir(tmp_path_factory) -> Path:
    return row_artefact_write(tmp_path_factory.mktemp("explain") / "number", output=OutputKind.NUMBER)


@pytest.fixture(scope="module")
def number(number_dir) -> Predictor:
    ready = Predictor()
    ready.setup(number_dir)
    return ready


@pytest.fixture(scope="module")
def classes(tmp_path_factory) -> Predictor:
    ready = Predictor()
    ready.setup(row_artefact_write(tmp_path_factory.mktemp("explain") / "classes"))
    return ready


def request(**changes) -> ExplainRequest:
    fields = {"row": ROWS[0], "background": BACKGROUND, "label": None, "max_evaluations": 2_500, "is_lenient": False}
    return ExplainRequest(**(fields | changes))


def explained(predictor: Predictor, explain_request: ExplainRequest) -> Explanation:
    return row_explain(predictor.run, predictor.items.reader, predictor.labels, explain_request)


def answers(predictor: Predictor, rows: list[dict[str, str]]) -> np.ndarray:
    whole = [dict.fromkeys(NAMES) | row for row in rows]
    return predictor.predict_many(predictor.items.reader.read(whole, is_lenient=True))


def test_a_linear_model_is_explained_exactly(number):
    explanation = explained(number, request())
    assert explanation.columns == tuple(NAMES)
    assert explanation.labels == ()
    base = answers(number, BACKGROUND).mean()
    assert explanation.shapley.base_K == pytest.approx([base], rel=1e-5)
    for column, value in zip(explanation.columns, explanation.shapley.values_CK[:, 0], strict=True):
        alone = [row | {column: ROWS[0].get(column)} for row in BACKGROUND]
        assert value == pytest.approx(answers(number, alone).mean() - base, rel=1e-3, abs=1e-3)


def test_values_add_up_for_each_label_and_one_label_is_its_column(classes):
    whole = explained(classes, request())
    assert whole.labels == LABELS
    assert whole.shapley.values_CK.sum(axis=0) == pytest.approx(whole.shapley.answer_K - whole.shapley.base_K, abs=1e-9)
    assert whole.shapley.answer_K == pytest.approx(answers(classes, [ROWS[0]])[0])
    one = explained(classes, request(label=LABELS[1]))
    assert one.labels == (LABELS[1],)
    assert one.shapley.values_CK[:, 0] == pytest.approx(whole.shapley.values_CK[:, 1])


def test_work_is_bounded_by_a_smaller_background(number):
    limit = 2 * evaluations(len(NAMES), 1)
    small = explained(number, request(max_evaluations=limit))
    assert small.num_background < len(BACKGROUND)
    assert small.shapley.num_evaluations <= limit
    assert explained(number, request(max_evaluations=1)).num_background == 1
    large = explained(number, request(max_evaluations=20_000))
    assert large.num_background == len(BACKGROUND)
    assert large.shapley.num_evaluations == evaluations(len(NAMES), len(BACKGROUND), 8)


def test_the_row_is_read_strictly_the_background_is_not(number):
    with pytest.raises(CellInvalidError):
        explained(number, request(row={"age": "old"}))
    lenient = explained(number, request(row={"age": "old"}, is_lenient=True))
    missing = explained(number, request(row={"age": None}))
    assert np.array_equal(lenient.shapley.values_CK, missing.shapley.values_CK)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", JsonInvalidError),
        (b"[]", JsonInvalidError),
        (b'{"background": [{"age": 3}]}', RowsMissingError),
        (b'{"row": {"age": 3}}', BackgroundMissingError),
        (b'{"row": {"age": 3}, "background": []}', BackgroundMissingError),
        (b'{"row": {"age": 3}, "background": [' + b"{}," * 1000 + b"{}]}", RowInvalidError),
        (b'{"row": {"age": 3}, "background": [{}], "label": 3}', ArgumentInvalidError),
        (b'{"row": {"age": 3}, "background": [{}], "max_evaluations": 0}', ArgumentInvalidError),
        (b'{"row": {"age": 3}, "background": [{}], "max_evaluations": 20001}', ArgumentInvalidError),
        (b'{"row": {"age": 3}, "background": [{}], "max_evaluations": 1e400}', ArgumentInvalidError),
    ],
)
def test_request_that_is_wrong_gets_its_own_code(body, error):
    with pytest.raises(error) as refused:
        explain_parse(body, {})
    assert "image" not in refused.value.hint


def test_what_cannot_be_explained_is_refused(number, classes):
    with pytest.raises(ArgumentInvalidError, match="owl"):
        explained(number, request(label="owl"))
    with pytest.raises(RowInvalidError):
        explained(number, request(background=[3]))
    with pytest.raises(NotExplainedError, match="other rows"):
        item_explain(classes, b'{"cells": {"age": 3}}')


def test_a_server_explains_without_a_line_in_the_log(serving: Serving, number_dir):
    serving.deploy("dep_number", number_dir, keep_inputs="all")
    with running(serving) as server:
        headers = {"Authorization": "Bearer my_secret"}
        url = "/v1/deployments/dep_number/explain"
        reply = server.http.post(url, json={"row": ROWS[0], "background": BACKGROUND}, headers=headers)
        assert reply.status_code == 200
        fields = reply.json()
        predicted = server.predict("dep_number", json={"row": ROWS[0]}).json()["predictions"][0]["annotations"][0]["value"]
        assert fields["answer"] == [pytest.approx(predicted)]
        assert sum(value for (value,) in fields["values"]) == pytest.approx(fields["answer"][0] - fields["base"][0])
        assert server.http.post(url, json={}).status_code == 401
        assert server.http.get(url, headers=headers).status_code == 405
        assert server.http.post(url, json={"row": {"AGE": 3}, "background": [{}]}, headers=headers).json()["code"] == (
            "columns_missing"
        )
        assert server.stop() == 0
    (line,) = serving.log("dep_number")
    assert line["num_pictures"] == 1
