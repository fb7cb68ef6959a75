"""The Open Inference Protocol (KServe v2): requests as its clients send them, in JSON and with bytes behind it."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from tests.exporters.artefact_factory import LABELS, picture, picture_bytes
from tests.exporters.prediction_server import SECRET, Server, Serving, key_row, running
from tests.exporters.row_artefact_factory import ROWS, row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

HEADERS = {"Authorization": f"Bearer {SECRET}"}


@pytest.fixture(scope="module")
def rows_dir(tmp_path_factory) -> Path:
    return row_artefact_write(tmp_path_factory.mktemp("rows") / "rows")


@pytest.fixture(scope="module")
def serving(tmp_path_factory, artefact_dir: Path, boxes_dir: Path, rows_dir: Path) -> Serving:
    serving = Serving(tmp_path_factory.mktemp("serving"))
    serving.keys(key_row())
    serving.deploy("dep_pictures", artefact_dir, slug="pictures", artefact="art_pictures", keep_inputs="all")
    serving.deploy("dep_boxes", boxes_dir, slug="boxes")
    serving.deploy("dep_texts", text_artefact_write(tmp_path_factory.mktemp("texts") / "texts"), slug="texts")
    serving.deploy("dep_rows", rows_dir, slug="rows")
    serving.deploy("dep_stopped", artefact_dir, state="stopped", slug="stopped")
    return serving


@pytest.fixture(scope="module")
def server(serving: Serving) -> Iterator[Server]:
    with running(serving) as started:
        yield started


def infer(server: Server, name: str, *inputs: dict[str, Any], **fields: Any) -> httpx.Response:
    return server.http.post(f"/v2/models/{name}/infer", json={"inputs": inputs, **fields}, headers=HEADERS)


def tensor(name: str, datatype: str, shape: list[int], data: list[Any]) -> dict[str, Any]:
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}


def output(response: httpx.Response) -> np.ndarray:
    assert response.status_code == 200, response.text
    found = response.json()["outputs"][0]
    assert found["datatype"] == "FP32"
    return np.array(found["data"], np.float32).reshape(found["shape"])


def golden(artefact_dir: Path) -> np.ndarray:
    return np.array([sample.scores for sample in GoldenSamples.read(artefact_dir / SAMPLES_DIR / EXPECTED_FILE).samples])


def test_server_and_models_say_what_they_are(server: Server) -> None:
    assert server.http.get("/v2").json() == {"name": "modelyard", "version": "2", "extensions": ["binary_tensor_data"]}
    assert server.http.get("/v2/health/live").json() == {"live": True}
    assert server.http.get("/v2/health/ready").json() == {"ready": True}
    metadata = server.http.get("/v2/models/pictures", headers=HEADERS).json()
    assert (metadata["name"], metadata["versions"], metadata["platform"]) == ("pictures", ["art_pictures"], "onnxruntime_onnx")
    assert metadata["inputs"] == [
        {"name": "image", "datatype": "BYTES", "shape": [-1]},
        {"name": "picture", "datatype": "UINT8", "shape": [-1, -1, -1, 3]},
    ]
    assert metadata["outputs"] == [
        {"name": "scores", "datatype": "FP32", "shape": [-1, 3]},
        {"name": "label", "datatype": "BYTES", "shape": [-1, 1]},
    ]
    assert metadata["parameters"] == {"labels": list(LABELS), "backend": "onnxruntime_cpu"}
    for path in ("ready", "versions/art_pictures/ready", "versions/art_pictures"):
        assert server.http.get(f"/v2/models/pictures/{path}", headers=HEADERS).status_code == 200
    stopped = server.http.get("/v2/models/stopped/ready", headers=HEADERS)
    assert (stopped.status_code, stopped.json()) == (503, {"name": "stopped", "ready": False})


def test_pictures_as_tensors_and_as_files_give_the_golden_scores(server: Server, artefact_dir: Path) -> None:
    expected = golden(artefact_dir)
    pixels = np.stack([np.asarray(picture(index)) for index in range(3)])
    given = infer(server, "pictures", tensor("picture", "UINT8", list(pixels.shape), pixels.ravel().tolist()), id="a")
    assert given.json()["id"] == "a"
    assert (given.json()["model_name"], given.json()["model_version"]) == ("pictures", "art_pictures")
    assert output(given) == pytest.approx(expected, abs=1e-4)
    nested = infer(server, "pictures", tensor("picture", "UINT8", list(pixels.shape), pixels.tolist()))
    assert output(nested) == pytest.approx(expected, abs=1e-4)
    files = [base64.b64encode(picture_bytes(index)).decode() for index in range(3)]
    assert output(infer(server, "pictures", tensor("image", "BYTES", [3], files))) == pytest.approx(expected, abs=1e-4)
    assert output(infer(server, "boxes", tensor("image", "BYTES", [3], files))).shape == (3, len(LABELS) + 1, 6)


def test_bytes_behind_the_json_as_the_official_client_sends_them(server: Server, artefact_dir: Path) -> None:
    pixels = np.stack([np.asarray(picture(index)) for index in range(3)])
    files = b"".join(struct.pack("<I", len(data)) + data for data in map(picture_bytes, range(3)))
    for name, datatype, shape, data in (
        ("picture", "UINT8", list(pixels.shape), pixels.tobytes()),
        ("image", "BYTES", [3], files),
    ):
        entry = {"name": name, "datatype": datatype, "shape": shape, "parameters": {"binary_data_size": len(data)}}
        head = json.dumps({"inputs": [entry], "outputs": [{"name": "scores", "parameters": {"binary_data": True}}]}).encode()
        response = server.http.post(
            "/v2/models/pictures/infer",
            content=head + data,
            headers={**HEADERS, "Inference-Header-Content-Length": str(len(head))},
        )
        assert response.status_code == 200, response.text
        length = int(response.headers["inference-header-content-length"])
        (found,) = json.loads(response.content[:length])["outputs"]
        assert found["parameters"] == {"binary_data_size": len(response.content) - length}
        scores = np.frombuffer(response.content[length:], "<f4").reshape(found["shape"])
        assert scores == pytest.approx(golden(artefact_dir), abs=1e-4)


def test_texts_and_rows(server: Server, rows_dir: Path) -> None:
    words = ["late again", "very good"]
    scores = output(infer(server, "texts", tensor("text", "BYTES", [2], words)))
    predictions = server.predict("texts", json={"texts": words, "threshold": 0, "top": 100}).json()["predictions"]
    labels = server.http.get("/v2/models/texts", headers=HEADERS).json()["parameters"]["labels"]
    for row, one in zip(scores, predictions, strict=True):
        assert dict(zip(labels, row.tolist(), strict=True)) == pytest.approx(
            {each["label"]: each["score"] for each in one["annotations"]}, abs=1e-5
        )
    encoded = [json.dumps(dict(row)) for row in ROWS]
    assert output(infer(server, "rows", tensor("row", "BYTES", [len(ROWS)], encoded))) == pytest.approx(
        golden(rows_dir), abs=1e-5
    )


def test_rows_as_columns(server: Server) -> None:
    specs = server.http.get("/v2/models/rows", headers=HEADERS).json()["inputs"]
    assert [(each["name"], each["datatype"]) for each in specs[:4]] == [
        ("row", "BYTES"),
        ("age", "FP32"),
        ("city", "BYTES"),
        ("income", "FP32"),
    ]
    columns = [
        tensor("age", "FP32", [2, 1], [41, None]),
        tensor("city", "BYTES", [2], ["Paris", ""]),
        tensor("income", "FP32", [2, 1], [1800.5, 7]),
    ]
    rows = [{"age": 41, "city": "Paris", "income": 1800.5}, {"income": 7}]
    whole = infer(server, "rows", tensor("row", "BYTES", [2], [json.dumps(row) for row in rows]))
    assert np.array_equal(output(infer(server, "rows", *columns)), output(whole))


def test_rows_as_the_graph_takes_them(server: Server) -> None:
    metadata = server.http.get("/v2/models/rows", headers=HEADERS).json()["inputs"]
    inputs = [each for each in metadata if each["name"] in {"numbers", "datetimes", "categories", "texts"}]
    blank = {"FP32": None, "INT64": -(2**63), "BYTES": ""}
    tensors = [
        tensor(each["name"], each["datatype"], [2, each["shape"][1]], [blank[each["datatype"]]] * (2 * each["shape"][1]))
        for each in inputs
    ]
    scores = output(infer(server, "rows", *tensors))
    assert scores.shape[0] == 2
    assert scores[0] == pytest.approx(scores[1])


@pytest.mark.parametrize(
    ("name", "inputs", "status", "code"),
    [
        ("pictures", [], 400, "inference_invalid"),
        ("pictures", [tensor("image", "BYTES", [1], ["no base64!"])], 400, "base64_invalid"),
        ("pictures", [tensor("image", "BYTES", [1], [base64.b64encode(b"x").decode()])], 400, "picture_unreadable"),
        ("pictures", [tensor("image", "BYTES", [2], ["x"])], 400, "tensor_invalid"),
        ("pictures", [tensor("image", "BYTES", [65], ["x"] * 65)], 413, "items_too_many"),
        ("pictures", [tensor("picture", "FP32", [1, 1, 1, 3], [1, 2, 3])], 400, "tensor_invalid"),
        ("pictures", [tensor("picture", "UINT8", [1, 1, 1, 4], [1, 2, 3, 4])], 400, "tensor_invalid"),
        ("pictures", [tensor("picture", "UINT8", [1, 1, 1, 3], [1, 2, 300])], 400, "tensor_invalid"),
        ("pictures", [tensor("picture", "UINT8", [1, 1, 1, 3], [1, 2, "3"])], 400, "tensor_invalid"),
        ("pictures", [tensor("nowhere", "UINT8", [1], [1])], 400, "tensor_invalid"),
        ("pictures", [{"name": "image"}], 400, "tensor_invalid"),
        ("texts", [tensor("tokens", "INT64", [1, 2], [10**9, 1])], 400, "tensor_invalid"),
        ("texts", [tensor("tokens", "INT64", [1, 100_000], [1] * 100_000)], 400, "tensor_invalid"),
        ("texts", [tensor("text", "BYTES", [1], [" "])], 400, "text_missing"),
        ("rows", [tensor("row", "BYTES", [1], ["[]"])], 400, "tensor_invalid"),
        ("rows", [tensor("row", "BYTES", [1], ['{"age": "old"}'])], 400, "cell_invalid"),
        ("rows", [tensor("age", "FP32", [1], [1]), tensor("city", "BYTES", [2], ["x", "y"])], 400, "tensor_invalid"),
        ("rows", [tensor("age", "FP32", [1], [1]), tensor("height", "FP32", [1], [1])], 400, "tensor_invalid"),
        ("rows", [tensor("age", "FP32", [1, 2], [1, 2])], 400, "tensor_invalid"),
        ("rows", [tensor("since", "BYTES", [1], ["soon"])], 400, "cell_invalid"),
        ("rows", [tensor("row", "INT64", [1], [1])], 400, "tensor_invalid"),
        ("nowhere", [tensor("text", "BYTES", [1], ["x"])], 404, "deployment_not_found"),
        ("stopped", [tensor("image", "BYTES", [1], ["x"])], 503, "deployment_stopped"),
        ("pictures/versions/art_old", [tensor("image", "BYTES", [1], ["x"])], 404, "version_not_found"),
    ],
)
def test_what_is_wrong_is_reported_in_the_protocol_s_form(
    server: Server, name: str, inputs: list[dict[str, Any]], status: int, code: str
) -> None:
    response = infer(server, name, *inputs)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.json()["error"]
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize(("name", "first"), [("pictures", "image"), ("texts", "text"), ("rows", "row")])
def test_the_hint_of_a_request_that_cannot_be_read_names_the_model_s_own_tensor(server: Server, name: str, first: str) -> None:
    hint = infer(server, name).json()["hint"]
    example = json.loads(hint.removeprefix("Send JSON such as ").removesuffix("."))
    assert example == {"inputs": [{"name": first, "shape": [1], "datatype": "BYTES", "data": ["..."]}]}


def test_key_is_asked_for(server: Server) -> None:
    refused = server.http.post("/v2/models/pictures/infer", json={"inputs": []})
    assert (refused.status_code, refused.json()["code"]) == (401, "api_key_missing")
    assert server.http.get("/v2/models/pictures").status_code == 401
    assert server.http.get("/v2/models/pictures/infer", headers=HEADERS).json()["code"] == "method_not_allowed"
    assert server.http.get("/v2/nowhere").status_code == 404
