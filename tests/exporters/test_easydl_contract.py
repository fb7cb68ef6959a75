"""Clients written for EasyDL work unchanged: its request, its answer, its error numbers."""

from __future__ import annotations

import base64
import json

import pytest

from tests.exporters.artefact_factory import LABELS, picture_bytes
from tests.exporters.prediction_server import SECRET, Server

PNG = picture_bytes(2)
ENCODED = base64.b64encode(PNG).decode()
PATH = "/v1/deployments/dep_one/predict"


def test_token_in_the_address_selects_easydl(server: Server) -> None:
    # Without a content type, as EasyDL's own Python example sends it.
    body = json.dumps({"image": ENCODED, "top_num": 2})
    response = server.http.post(PATH, params={"access_token": SECRET}, content=body)
    answer = response.json()
    assert response.status_code == 200
    assert set(answer) == {"log_id", "results"}
    assert isinstance(answer["log_id"], int)
    assert [set(result) for result in answer["results"]] == [{"name", "score"}] * 2
    ours = server.predict("dep_one", content=PNG, params={"top": 2}).json()["predictions"][0]["annotations"]
    assert [(r["name"], r["score"]) for r in answer["results"]] == [(a["label"], a["score"]) for a in ours]


def test_format_selects_easydl_and_six_is_the_default(server: Server) -> None:
    response = server.predict("dep_one", json={"image": ENCODED}, params={"format": "easydl"})
    assert len(response.json()["results"]) == min(6, len(LABELS))


def test_threshold_works_for_several_labels(server: Server) -> None:
    response = server.predict("dep_several", json={"image": ENCODED, "threshold": 0.0}, params={"format": "easydl"})
    assert {result["name"] for result in response.json()["results"]} == set(LABELS)


@pytest.mark.parametrize(
    ("name", "secret", "body", "number"),
    [
        ("dep_one", SECRET, "{broken", 336002),
        ("dep_one", SECRET, json.dumps({"image": "?"}), 336003),
        ("dep_one", SECRET, json.dumps({"image": base64.b64encode(b"x").decode()}), 336005),
        ("dep_one", SECRET, json.dumps({"image": ENCODED, "top_num": -1}), 336001),
        ("dep_one", SECRET, json.dumps({"image": ENCODED, "threshold": 7}), 336001),
        ("dep_one", SECRET, "{}", 336001),
        ("dep_one", SECRET, json.dumps({"images": [ENCODED, ENCODED]}), 336001),
        ("dep_one", "my_wrong", json.dumps({"image": ENCODED}), 110),
        ("dep_one", "my_expired", json.dumps({"image": ENCODED}), 111),
        ("dep_one", "my_viewer", json.dumps({"image": ENCODED}), 6),
        ("dep_nowhere", SECRET, json.dumps({"image": ENCODED}), 3),
        ("dep_stopped", SECRET, json.dumps({"image": ENCODED}), 2),
    ],
)
def test_error_is_a_number_in_the_body_of_a_200(server: Server, name: str, secret: str, body: str, number: int) -> None:
    response = server.http.post(f"/v1/deployments/{name}/predict", params={"access_token": secret}, content=body)
    answer = response.json()
    assert response.status_code == 200
    assert set(answer) == {"error_code", "error_msg"}
    assert answer["error_code"] == number
    assert answer["error_msg"]


def test_missing_token_has_its_own_number(server: Server) -> None:
    response = server.http.post(PATH, params={"format": "easydl"}, json={"image": ENCODED})
    assert response.json()["error_code"] == 100


def test_used_up_quota_is_18(server: Server) -> None:
    answers = [
        server.http.post(
            "/v1/deployments/dep_quota/predict", params={"access_token": SECRET}, content=json.dumps({"image": ENCODED})
        ).json()
        for _ in range(5)
    ]
    assert answers[-1]["error_code"] == 18
