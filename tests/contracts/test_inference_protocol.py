"""The Open Inference Protocol for every kind of items and of answers: a model takes and gives what it says of itself."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from automl.contracts.artefact import SAMPLES_DIR
from automl.contracts.coverage import Coverage
from runtime.answers import Answers
from runtime.app import Application
from runtime.coverage import NAMES
from runtime.items._single import SingleCalls
from runtime.pool import Pool
from runtime.predictor import Predictor
from runtime.state import OPEN_WORKSPACE, Deployment, FixedSource, Settings, Snapshot, deployments_index
from tests.contracts.test_runtime_kinds import MAKERS, cells, golden

NUMPY = {"BOOL": "?", "FP32": "<f4", "INT64": "<i8", "UINT8": "u1"}


class Model:
    """A model and what it answers, without a socket."""

    def __init__(self, folder: Path, coverage: Coverage | None = None) -> None:
        self.folder = folder
        self.predictor = Predictor()
        self.predictor.setup(folder)
        settings = Settings(
            id="dep_1",
            slug="model",
            workspace=OPEN_WORKSPACE,
            artefact="art_1",
            artefact_dir=str(folder),
            is_running=True,
            thresholds=None,
            keep_inputs="none",
            min_uncertainty=0.5,
            max_body_bytes=1 << 20,
            quota_per_minute=None,
            coverage=coverage and coverage.model_dump(),
        )
        source = FixedSource(Snapshot(deployments_index([Deployment(settings, self.predictor)]), None))
        self._app = Application(source, pool=Pool(1))

    def ask(self, method: str, path: str, **request: Any) -> httpx.Response:
        async def answer() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(transport=transport, base_url="http://model") as client:
                return await client.request(method, f"/v2/models/model{path}", **request)

        return asyncio.run(answer())

    def items(self) -> list[bytes]:
        """The golden samples as bytes of the tensor of items."""
        return [data if self.predictor.items.name != "row" else cells(data) for _, data in golden(self.folder)]

    @property
    def answers(self) -> Answers:
        return self.predictor.answers


@pytest.fixture(scope="module", params=sorted(MAKERS), ids="-".join)
def model(request, tmp_path_factory) -> Model:
    return Model(MAKERS[request.param](tmp_path_factory.mktemp("v2") / "artefact"))


def in_binary(model: Model, values: list[bytes]) -> dict[str, np.ndarray]:
    data = b"".join(struct.pack("<I", len(value)) + value for value in values)
    entry = {"name": model.predictor.items.name, "datatype": "BYTES", "shape": [len(values)]}
    entry["parameters"] = {"binary_data_size": len(data)}
    head = json.dumps({"inputs": [entry], "parameters": {"binary_data_output": True}}).encode()
    headers = {"Inference-Header-Content-Length": str(len(head))}
    response = model.ask("POST", "/infer", content=head + data, headers=headers)
    assert response.status_code == 200, response.text
    length = int(response.headers["inference-header-content-length"])
    behind, found = response.content[length:], {}
    for output in json.loads(response.content[:length])["outputs"]:
        size = output["parameters"]["binary_data_size"]
        found[output["name"]] = unpacked(behind[:size], output["datatype"]).reshape(output["shape"])
        behind = behind[size:]
    assert behind == b""
    return found


def unpacked(data: bytes, datatype: str) -> np.ndarray:
    if datatype != "BYTES":
        return np.frombuffer(data, NUMPY[datatype])
    texts = []
    while data:
        end = 4 + int.from_bytes(data[:4], "little")
        texts.append(data[4:end].decode())
        data = data[end:]
    return np.array(texts, dtype=object)


def in_a_string(model: Model, value: bytes) -> str:
    """As it is, or in base64 where the kind of items reads strings of its own form."""
    calls = model.predictor.items.calls
    is_encoded = issubclass(calls, SingleCalls) and calls.from_string is not SingleCalls.from_string
    return base64.b64encode(value).decode() if is_encoded else value.decode()


def in_json(model: Model, values: list[bytes], **fields: Any) -> dict[str, np.ndarray]:
    name = model.predictor.items.name
    data = [in_a_string(model, each) for each in values]
    entry = {"name": name, "datatype": "BYTES", "shape": [len(data)], "data": data}
    response = model.ask("POST", "/infer", json={"inputs": [entry], **fields})
    assert response.status_code == 200, response.text
    return {
        output["name"]: np.array(output["data"], dtype=object if output["datatype"] == "BYTES" else None).reshape(
            output["shape"]
        )
        for output in response.json()["outputs"]
    }


def test_it_gives_what_it_says_it_gives(model: Model) -> None:
    metadata = model.ask("GET", "").json()
    own = model.predictor.manifest["outputs"][0]["name"]
    assert metadata["outputs"][0]["name"] == own
    names = [each["name"] for each in [*metadata["inputs"], *metadata["outputs"]]]
    assert len(set(names)) == len(names)
    values = model.items()
    given = in_binary(model, values)
    assert list(given) == [each["name"] for each in metadata["outputs"]]
    for spec in metadata["outputs"]:
        shape = given[spec["name"]].shape
        assert len(shape) == len(spec["shape"])
        assert shape[0] == len(values)
        assert all(size in (-1, there) for size, there in zip(spec["shape"], shape, strict=True))
        assert (spec["datatype"] == "BYTES") == (given[spec["name"]].dtype == object)
    by_json = in_json(model, values)
    assert all(np.array_equal(by_json[name], tensor) for name, tensor in given.items())
    for (sample, data), answer in zip(golden(model.folder), given[own], strict=True):
        assert model.answers.difference(sample, answer, model.predictor.decode(data)) <= model.predictor.tolerance


def test_only_the_named_outputs_come_in_their_order(model: Model) -> None:
    names = [each["name"] for each in model.ask("GET", "").json()["outputs"]][::-1]
    assert list(in_json(model, model.items()[:1], outputs=[{"name": name} for name in names])) == names
    assert list(in_json(model, model.items()[:1], outputs=[{"name": names[0]}])) == names[:1]


def test_the_kind_s_own_tensors_say_what_our_own_form_says(model: Model) -> None:
    data = (model.folder / SAMPLES_DIR / golden(model.folder)[0][0]["file"]).read_bytes()
    item = model.predictor.decode(data)
    predicted = model.predictor.passing(model.predictor.predict(item), item)
    given = in_json(model, model.items()[:1])
    names = {"label", "labels", "box_labels"} & given.keys()
    for name in names:
        assert [label for label in given[name][0] if label] == [each["label"] for each in predicted]
    if "boxes" in given:
        sides = np.array([(each["x"], each["y"], each["width"], each["height"]) for each in predicted]).reshape(-1, 4)
        size = np.array([item.width_px, item.height_px] * 2)
        assert given["boxes"][0][: len(predicted)] * size == pytest.approx(sides, abs=0.02)
        assert not given["boxes"][0][len(predicted) :].any()
    if "label_index" in given:
        shown = {model.predictor.labels[index] for index in np.unique(given["label_index"]) if index >= 0}
        assert shown == {each["label"] for each in predicted}
    if "texts" in given:
        read = [each["value"] for line in predicted for each in line["attributes"]]
        assert [text for text in given["texts"][0] if text] == read
        assert np.count_nonzero(given["line_scores"][0]) == len(read) > 0
    assert names or {"label_index", "texts"} & given.keys() or len(given) == 1


@pytest.mark.parametrize("model", [key for key in sorted(MAKERS) if key[1] in NAMES], indirect=True, ids="-".join)
def test_what_a_chosen_error_rate_says_stands_in_tensors_of_its_own(model: Model) -> None:
    labels = model.predictor.labels
    limits = dict.fromkeys(labels, 0.0)  # every label is possible
    covered = Model(model.folder, Coverage(error_rate=0.1, limits=limits, reach=2.5))
    names = [each["name"] for each in covered.ask("GET", "").json()["outputs"]]
    plain = [each["name"] for each in model.ask("GET", "").json()["outputs"]]
    assert names[: len(plain)] == plain
    values = covered.items()
    given, by_json = in_binary(covered, values), in_json(covered, values)
    assert list(given) == names
    assert all(np.array_equal(by_json[name], given[name]) for name in names)
    if "interval" in given:
        assert given["interval"] == pytest.approx(given[plain[0]].reshape(-1, 1) + np.array([-2.5, 2.5]), rel=1e-6)
    else:
        assert given["ask_a_person"].all()
        assert given["ask_a_person"].dtype == bool
        scores = given[plain[0]]
        assert [list(row) for row in given["possible_labels"]] == [[labels[at] for at in np.argsort(-row)] for row in scores]
