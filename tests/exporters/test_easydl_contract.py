"""Clients written for EasyDL work unchanged: its request, its answer, its error numbers."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

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


def test_address_of_easydl_s_cloud_answers_by_the_deployment_s_name(server: Server) -> None:
    ours = server.http.post(PATH, params={"access_token": SECRET}, json={"image": ENCODED}).json()["results"]
    for kind, name in (("classification", "dep_one"), ("classification", "tiny"), ("detection", "dep_boxes")):
        answer = server.http.post(
            f"/rpc/2.0/ai_custom/v1/{kind}/{name}", params={"access_token": SECRET}, json={"image": ENCODED}
        )
        assert answer.status_code == 200
        assert set(answer.json()) == {"log_id", "results"}
        assert (answer.json()["results"] == ours) == (kind == "classification")
    nowhere = server.http.post("/rpc/2.0/ai_custom/v1/classification/nowhere", params={"access_token": SECRET}, json={})
    assert nowhere.json()["error_code"] == 3
    got = server.http.get("/rpc/2.0/ai_custom/v1/classification/tiny", params={"access_token": SECRET})
    assert (got.status_code, got.json()["error_code"]) == (200, 3)


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "application/json", ""])
def test_base64_that_was_encoded_for_an_address_is_read(server: Server, kind: str) -> None:
    encoded = quote(ENCODED, safe="")
    assert "%" in encoded
    body = json.dumps({"image": encoded}) if kind == "application/json" else f"image={encoded}&top_num=1"
    kind = kind or "application/x-www-form-urlencoded; charset=UTF-8"
    answer = server.http.post(PATH, params={"access_token": SECRET}, content=body, headers={"Content-Type": kind}).json()
    assert "results" in answer, answer


def test_form_whose_plus_signs_were_not_encoded_is_read(server: Server) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    sent = next(one for one in map(picture_bytes, range(100)) if b"+" in base64.b64encode(one))
    body = b"top_num=1&image=" + base64.b64encode(sent)
    ours = server.predict("dep_one", content=sent, params={"top": 1}).json()["predictions"][0]["annotations"]
    (found,) = server.http.post(PATH, params={"access_token": SECRET}, content=body, headers=headers).json()["results"]
    assert (found["name"], found["score"]) == (ours[0]["label"], ours[0]["score"])


@pytest.mark.parametrize("body", [{"json": {"url": "http://127.0.0.1:1/x.png"}}, {"data": {"url": "http://127.0.0.1:1/x.png"}}])
def test_address_is_refused_and_never_fetched(server: Server, body: dict) -> None:
    answer = server.http.post(PATH, params={"access_token": SECRET}, **body).json()
    assert answer["error_code"] == 336001
    assert "fetch" in answer["error_msg"]
    ours = server.predict("dep_one", **body)
    assert (ours.status_code, ours.json()["code"]) == (400, "url_refused")


@pytest.mark.parametrize("path", [PATH, "/rpc/2.0/ai_custom/v1/classification/tiny"])
def test_empty_token_is_an_unknown_one(server: Server, path: str) -> None:
    answer = server.http.post(f"{path}?access_token=", json={"image": ENCODED})
    assert (answer.status_code, answer.json()["error_code"]) == (200, 110)


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
