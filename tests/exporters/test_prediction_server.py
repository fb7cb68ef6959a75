"""The prediction server over real HTTP: bodies, keys, limits, and what goes wrong."""

from __future__ import annotations

import base64
import gzip
import json
import socket

import httpx
import numpy as np
import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics_families
from prometheus_client.parser import text_string_to_metric_families as plain_families

from automl.contracts.annotation import Annotations
from tests.exporters.artefact_factory import LABELS, picture_bytes
from tests.exporters.prediction_server import SECRET, Server, Serving, running

PNG = picture_bytes(1)


def scores(response: httpx.Response, index: int = 0) -> dict[str, float]:
    assert response.status_code == 200, response.text
    return {a["label"]: a["score"] for a in response.json()["predictions"][index]["annotations"]}


def problem(response: httpx.Response, status: int, code: str) -> dict:
    body = response.json()
    assert (response.status_code, body["code"]) == (status, code)
    assert response.headers["content-type"] == "application/problem+json"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["hint"]
    return body


def test_raw_picture_is_answered_with_annotations_best_first(server: Server) -> None:
    response = server.predict("dep_one", content=PNG, headers={"Content-Type": "image/png"})
    body = response.json()
    annotations = Annotations.validate_python(body["predictions"][0]["annotations"])
    given = [a.score for a in annotations]
    assert {a.label for a in annotations} == set(LABELS)
    assert given == sorted(given, reverse=True)
    assert sum(given) == pytest.approx(1.0, abs=1e-4)
    assert body["id"].startswith("prd_")
    assert len(body["id"]) == 30
    assert body["model"] == "art_1"
    assert body["latency_ms"] > 0


@pytest.mark.parametrize(
    "request_",
    [
        {"content": PNG, "headers": {"Content-Type": "application/octet-stream"}},
        {"content": PNG},
        {"content": PNG, "headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        {"files": {"file": ("a.png", PNG, "image/png")}},
        {"json": {"image": base64.b64encode(PNG).decode()}},
        {"json": {"image": "data:image/png;base64," + base64.b64encode(PNG).decode()}},
        {"json": {"image": base64.encodebytes(PNG).decode()}},
        {"json": {"images": [base64.b64encode(PNG).decode()]}},
        {"content": json.dumps({"image": base64.b64encode(PNG).decode()})},
    ],
)
def test_every_kind_of_body_gives_the_same_answer(server: Server, request_: dict) -> None:
    expected = scores(server.predict("dep_one", content=PNG, headers={"Content-Type": "image/png"}))
    assert scores(server.predict("dep_one", **request_)) == expected


def test_slug_is_as_good_as_id(server: Server) -> None:
    assert scores(server.predict("tiny", content=PNG)) == scores(server.predict("dep_one", content=PNG))


def test_several_pictures_are_answered_in_their_order(server: Server) -> None:
    pictures = [picture_bytes(index) for index in range(5)]
    alone = [scores(server.predict("dep_one", content=one)) for one in pictures]
    form = server.predict("dep_one", files=[("file", (f"{n}.png", one, "image/png")) for n, one in enumerate(pictures)])
    assert [scores(form, index) for index in range(5)] == alone
    encoded = server.predict("dep_one", json={"images": [base64.b64encode(one).decode() for one in pictures]})
    assert [scores(encoded, index) for index in range(5)] == alone


def test_top_and_threshold_cut_the_answer(server: Server) -> None:
    everything = scores(server.predict("dep_one", content=PNG))
    best = max(everything, key=everything.__getitem__)
    assert list(scores(server.predict("dep_one", content=PNG, params={"top": 1}))) == [best]
    border = sorted(everything.values())[1]
    assert set(scores(server.predict("dep_one", content=PNG, params={"threshold": border}))) == {
        label for label, score in everything.items() if score >= border
    }
    in_form = server.predict("dep_one", files={"file": PNG}, data={"top": "1"})
    assert list(scores(in_form)) == [best]


def test_labels_that_stand_alone_answer_above_their_thresholds_only(server: Server) -> None:
    everything = scores(server.predict("dep_several", content=PNG, params={"threshold": 0}))
    assert set(everything) == set(LABELS)
    assert scores(server.predict("dep_several", content=PNG)) == {k: v for k, v in everything.items() if v >= 0.5}


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"json": {"image": "not base64!"}}, "base64_invalid"),
        ({"json": {"image": 5}}, "base64_invalid"),
        ({"json": {"images": "x"}}, "argument_invalid"),
        ({"json": {}}, "picture_missing"),
        ({"json": {"images": []}}, "picture_missing"),
        ({"json": [1]}, "json_invalid"),
        ({"content": "{broken", "headers": {"Content-Type": "application/json"}}, "json_invalid"),
        ({"content": b""}, "picture_missing"),
        ({"content": b"no picture at all"}, "picture_unreadable"),
        ({"content": picture_bytes(1, "JPEG", width=300, height=300)[:2000]}, "picture_unreadable"),
        ({"content": PNG[:200]}, "picture_unreadable"),
        ({"content": PNG, "params": {"top": "0"}}, "argument_invalid"),
        ({"content": PNG, "params": {"top": "many"}}, "argument_invalid"),
        ({"content": PNG, "params": {"threshold": "1.5"}}, "argument_invalid"),
        ({"content": PNG, "params": {"threshold": "nan"}}, "argument_invalid"),
        ({"content": PNG, "headers": {"Content-Type": "multipart/form-data"}}, "multipart_invalid"),
        ({"content": b"--x\r\nbroken", "headers": {"Content-Type": "multipart/form-data; boundary=x"}}, "multipart_invalid"),
        ({"files": {"file": ("a.png", b"", "image/png")}}, "picture_missing"),
    ],
)
def test_bad_request_is_named(server: Server, request_: dict, code: str) -> None:
    problem(server.predict("dep_one", **request_), 400, code)


def test_an_answer_to_one_picture_is_explained(server: Server) -> None:
    headers = {"Authorization": f"Bearer {SECRET}"}
    url = "/v1/deployments/dep_one/explain"
    explanation = server.http.post(url, headers=headers, content=PNG).json()
    best = server.predict("dep_one", content=PNG).json()["predictions"][0]["annotations"][0]
    assert (explanation["label"], explanation["score"]) == (best["label"], pytest.approx(best["score"], abs=1e-3))
    assert len(explanation["grid"]["weights"]) == explanation["grid"]["rows"] * explanation["grid"]["columns"]
    other = next(label for label in LABELS if label != best["label"])
    assert server.http.post(url, headers=headers, content=PNG, params={"label": other}).json()["label"] == other
    problem(server.http.post(url, headers=headers, content=PNG, params={"label": "owl"}), 400, "argument_invalid")
    encoded = base64.b64encode(PNG).decode()
    origin = {"image": encoded, "label": other}
    assert server.http.post(url, headers=headers, json=origin).json() | {"id": 0, "latency_ms": 0} == (
        server.http.post(url, headers=headers, content=PNG, params={"label": other}).json() | {"id": 0, "latency_ms": 0}
    )
    problem(server.http.post(url, headers=headers, json={"image": encoded, "label": 5}), 400, "argument_invalid")
    problem(server.http.post(url, headers=headers, content=b"no picture"), 400, "picture_unreadable")
    two = [("file", ("a.png", PNG, "image/png")), ("file", ("b.png", PNG, "image/png"))]
    problem(server.http.post(url, headers=headers, files=two), 413, "pictures_too_many")


def test_too_many_pictures_are_refused(server: Server) -> None:
    tiny = base64.b64encode(picture_bytes(1, width=2, height=2)).decode()
    problem(server.predict("dep_one", json={"images": [tiny] * 65}), 413, "pictures_too_many")


def test_body_beyond_the_limit_is_refused_declared_or_not(server: Server) -> None:
    problem(server.predict("dep_small", content=b"x" * 3001), 413, "body_too_large")
    problem(server.predict("dep_small", content=iter([b"x" * 2000] * 50)), 413, "body_too_large")
    problem(server.predict("dep_small", content=b"x" * 5_000_000), 413, "body_too_large")
    assert server.predict("dep_small", content=picture_bytes(1, "JPEG", width=16, height=16)).status_code == 200


def test_picture_that_claims_too_many_pixels_is_refused_without_decoding(server: Server) -> None:
    header = picture_bytes(1, "BMP", width=16, height=16)
    bomb = header[:18] + np.array([60_000, 60_000], "<i4").tobytes() + header[26:]
    assert problem(server.predict("dep_one", content=bomb), 413, "picture_too_large")["detail"]


@pytest.mark.parametrize(
    ("secret", "status", "code"),
    [
        (None, 401, "api_key_missing"),
        ("my_wrong", 401, "api_key_unknown"),
        ("my_expired", 401, "api_key_expired"),
        ("my_viewer", 403, "permission_denied"),
        ("my_foreign", 404, "deployment_not_found"),
    ],
)
def test_key_that_may_not_call_is_refused(server: Server, secret: str | None, status: int, code: str) -> None:
    response = server.predict("dep_one", secret=secret, content=PNG)
    problem(response, status, code)
    assert ("www-authenticate" in response.headers) == (status == 401)


def test_foreign_and_unknown_deployments_look_alike(server: Server) -> None:
    foreign = problem(server.predict("dep_one", secret="my_foreign", content=PNG), 404, "deployment_not_found")
    unknown = problem(server.predict("dep_nowhere", secret="my_foreign", content=PNG), 404, "deployment_not_found")
    assert foreign == unknown


def test_key_that_ends_in_future_still_works(server: Server) -> None:
    assert server.predict("dep_one", secret="my_lasting", content=PNG).status_code == 200


def test_deployment_that_does_not_run_says_why(shared: tuple[Serving, Server]) -> None:
    serving, server = shared
    problem(server.predict("dep_stopped", content=PNG), 503, "deployment_stopped")
    assert "missing" in problem(server.predict("dep_broken", content=PNG), 503, "deployment_failed")["detail"]
    assert serving.status("dep_broken")["state"] == "failed"
    assert serving.status("dep_broken")["code"] == "artefact_unreadable"
    assert serving.status("dep_stopped")["state"] == "stopped"
    assert serving.status("dep_one")["state"] == "ready"


def test_quota_is_kept_and_says_when_to_come_back(server: Server) -> None:
    assert [server.predict("dep_quota", content=PNG).status_code for _ in range(3)] == [200] * 3
    refused = server.predict("dep_quota", content=PNG)
    problem(refused, 429, "quota_exceeded")
    assert 1 <= int(refused.headers["retry-after"]) <= 20


def test_other_addresses_and_methods_are_refused(server: Server) -> None:
    problem(server.http.get("/nowhere"), 404, "not_found")
    problem(server.http.get("/"), 404, "not_found")
    problem(server.http.get("/v1/deployments/dep_one/predict"), 405, "method_not_allowed")
    problem(server.http.post("/health"), 405, "method_not_allowed")


def test_metrics_count_calls_by_deployment_and_status(server: Server) -> None:
    server.predict("dep_several", content=PNG)
    server.predict("dep_several", content=b"x")
    text = server.http.get("/metrics").text
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert int(lines['modelyard_calls_total{deployment="dep_several",status="200"}']) >= 1
    assert int(lines['modelyard_calls_total{deployment="dep_several",status="400"}']) >= 1
    buckets = [int(v) for k, v in lines.items() if k.startswith('modelyard_call_seconds_bucket{deployment="dep_several"')]
    assert buckets == sorted(buckets)
    assert buckets[-1] == int(lines['modelyard_call_seconds_count{deployment="dep_several"}'])


def test_metrics_are_strict_openmetrics_for_who_asks(server: Server) -> None:
    server.predict("dep_several", content=PNG)
    answer = server.http.get("/metrics", headers={"Accept": "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"})
    assert answer.headers["content-type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    families = {family.name: family for family in openmetrics_families(answer.text)}
    assert {"modelyard_calls", "modelyard_items", "modelyard_pictures", "modelyard_call_seconds"} <= set(families)
    items, old = (
        {sample.labels["deployment"]: sample.value for sample in families[name].samples}
        for name in ("modelyard_items", "modelyard_pictures")
    )
    assert items == old
    assert items["dep_several"] >= 1
    plain = server.http.get("/metrics")
    assert plain.headers["content-type"].startswith("text/plain")
    assert "modelyard_items" in {family.name for family in plain_families(plain.text)}


def test_metrics_are_not_reported_through_a_proxy(server: Server) -> None:
    problem(server.http.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}), 404, "not_found")
    assert server.http.get("/health").headers["X-Content-Type-Options"] == "nosniff"
    assert server.http.get("/healthz").json() == {"status": "ready"}


@pytest.mark.parametrize("path", ["/v1/deployments/tiny/predict", "/v2/models/tiny/infer"])
def test_packed_bodies_are_refused_by_name(server: Server, path: str) -> None:
    headers = {"Authorization": f"Bearer {SECRET}", "Content-Encoding": "gzip"}
    refused = server.http.post(path, content=gzip.compress(PNG), headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (415, "encoding_unsupported")


def test_metrics_are_reported_to_who_shows_their_token(serving: Serving) -> None:
    token = "collector-token-0123456789"
    with running(serving, "--open-metrics", MODELYARD_METRICS_TOKEN=token) as server:
        for shown in (
            "Bearer collector-token",
            f"Bearer {token}x",
            f"Basic {token}",
            f"Bearer {SECRET}",
            "",
            "Bearer schlüssel",
        ):
            refused = server.http.get("/metrics", headers={"Authorization": shown.encode()})
            problem(refused, 401, "metrics_token_invalid")
            assert refused.headers["www-authenticate"] == "Bearer"
        far = {"Authorization": f"bearer {token}", "X-Forwarded-For": "203.0.113.9"}
        assert "modelyard_calls_total" in server.http.get("/metrics", headers=far).text
        problem(server.http.get("/metrics"), 401, "metrics_token_invalid")
        assert server.http.get("/health").status_code == 200


def test_only_named_origins_may_call_from_a_page(server: Server) -> None:
    origin = {"Origin": "https://shop.example"}
    preflight = server.http.options("/v1/deployments/dep_one/predict", headers=origin)
    assert preflight.status_code == 204
    assert "authorization" in preflight.headers["access-control-allow-headers"]
    answer = server.predict("dep_one", content=PNG, headers=origin)
    assert answer.headers["access-control-allow-origin"] == "https://shop.example"
    stranger = server.predict("dep_one", content=PNG, headers={"Origin": "https://other.example"})
    assert "access-control-allow-origin" not in stranger.headers


def test_caller_that_hangs_up_does_no_harm(server: Server) -> None:
    host, port = server.address.removeprefix("http://").split(":")
    for _ in range(5):
        with socket.create_connection((host, int(port))) as connection:
            lines = [
                "POST /v1/deployments/dep_one/predict HTTP/1.1",
                "Host: x",
                f"Authorization: Bearer {SECRET}",
                "Content-Length: 900",
            ]
            connection.sendall("\r\n".join([*lines, "", "half of it"]).encode())
    assert server.predict("dep_one", content=PNG).status_code == 200


def test_keep_alive_carries_many_calls(server: Server) -> None:
    expected = scores(server.predict("dep_one", content=PNG))
    # More than the number after which quick calls run without a thread.
    assert all(scores(server.predict("dep_one", content=PNG)) == expected for _ in range(60))
