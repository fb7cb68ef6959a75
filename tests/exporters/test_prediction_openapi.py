"""The prediction API's own description: valid, exact for each model, and kept by a running server."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation.case import Case
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from automl.contracts.task import OutputKind
from exporters.build import build
from tests.exporters.artefact_factory import LABELS
from tests.exporters.prediction_server import SECRET, Server, Serving, key_row, running
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.text_artefact_factory import text_artefact_write

HEADERS = {"Authorization": f"Bearer {SECRET}"}
NUM_EXAMPLES = 12
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FEW = settings(
    max_examples=NUM_EXAMPLES,
    phases=[Phase.generate],
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory, artefact_dir: Path, boxes_dir: Path) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("models")
    serving = Serving(tmp_path_factory.mktemp("serving"))
    serving.keys(key_row(), key_row("my_foreign", workspace="wsp_foreign"), key_row("my_one", deployment="dep_texts"))
    serving.deploy("dep_pictures", artefact_dir, slug="pictures")
    serving.deploy("dep_boxes", boxes_dir, slug="boxes")
    serving.deploy("dep_texts", text_artefact_write(folder / "texts"), slug="texts")
    serving.deploy("dep_rows", row_artefact_write(folder / "rows"), slug="rows")
    serving.deploy("dep_number", row_artefact_write(folder / "number", output=OutputKind.NUMBER), slug="number")
    with running(serving) as started:
        yield started


def described(server: Server, secret: str | None = SECRET) -> dict[str, Any]:
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    answer = server.http.get("/openapi.json", headers=headers)
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    OpenAPIV31SpecValidator(document).validate()
    return document


def test_caller_sees_the_models_that_the_key_may_ask(server: Server) -> None:
    def predicted(document: dict[str, Any]) -> set[str]:
        return {path.split("/")[3] for path in document["paths"] if path.endswith("/predict")}

    assert predicted(described(server)) == {"pictures", "boxes", "texts", "rows", "number"}
    assert predicted(described(server, "my_one")) == {"texts"}
    assert predicted(described(server, None)) == predicted(described(server, "my_foreign")) == {"{deployment}"}
    assert server.http.get("/openapi.json", headers={"Authorization": "Bearer my_wrong"}).status_code == 401


def test_each_model_is_described_exactly(server: Server) -> None:
    document = described(server)
    schemas = document["components"]["schemas"]
    by_name = {path.split("/")[3]: operations["post"] for path, operations in document["paths"].items() if "/predict" in path}

    def annotation(name: str) -> dict[str, Any]:
        (answer, *_) = by_name[name]["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"]
        prediction = schemas[answer["$ref"].rpartition("/")[2]]
        items = prediction["properties"]["predictions"]["items"]["properties"]["annotations"]["items"]
        return schemas[items["$ref"].rpartition("/")[2]]["properties"]

    def codes(name: str, status: str) -> list[str]:
        (content,) = by_name[name]["responses"][status]["content"].values()
        return content["schema"]["properties"]["code"]["enum"]

    assert annotation("pictures")["label"]["enum"] == list(LABELS)
    assert set(annotation("boxes")) == {"kind", "label", "x", "y", "width", "height", "score"}
    assert set(annotation("number")) == {"kind", "value"}
    assert "text/plain" in by_name["texts"]["requestBody"]["content"]
    rows = by_name["rows"]["requestBody"]["content"]
    assert {"application/json", "text/csv", "application/x-ndjson", "multipart/form-data"} == set(rows)
    columns = rows["application/json"]["schema"]["oneOf"][0]["properties"]["row"]["properties"]
    assert {"age", "city", "income", "since", "note"} <= set(columns)
    assert "picture_unreadable" in codes("pictures", "400")
    assert "cell_invalid" in codes("rows", "400")
    assert "cell_invalid" not in codes("texts", "400")
    assert codes("pictures", "401") == ["api_key_expired", "api_key_missing", "api_key_unknown"]


@pytest.mark.parametrize("secret", [SECRET, None])
def test_server_keeps_to_its_description(server: Server, secret: str | None) -> None:
    document = described(server, secret)
    schema = schemathesis.openapi.from_dict(document)
    wrong: list[str] = []

    def ask(case: Case) -> None:
        if case.path_parameters:
            case.path_parameters["deployment"] = "rows"
        answer = case.call(base_url=server.address, headers=HEADERS)
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as failures:
            exchange = f"{case.method} {case.formatted_path} {case.query} {case.body!r:.300} -> {answer.status_code}"
            wrong.extend(f"{exchange}: {failure}" for failure in failures.exceptions)

    for path, operations in document["paths"].items():
        for method in operations:
            FEW(given(case=schema[path][method].as_strategy())(ask))()
    if wrong:
        pytest.fail("\n\n".join(one[:1500] for one in wrong[:10]))


def test_bundle_carries_its_description_and_serves_the_same(artefact_dir: Path, tmp_path: Path) -> None:
    report = build("onprem_server", artefact_dir, tmp_path, {"name": "birds"}, model="art_birds")
    with tarfile.open(tmp_path / report.file) as tar:
        document = json.load(tar.extractfile("birds-server/openapi.json"))
    OpenAPIV31SpecValidator(document).validate()
    assert {"/v1/deployments/birds/predict", "/birds/ImageClassification", "/v2/models/birds/infer"} <= set(document["paths"])
    assert "art_birds" in document["info"]["description"]
    assert {} in document["security"]
