"""A program written for EasyDL that changes nothing but the host: token, then predictions, on the platform's own port."""

from __future__ import annotations

import base64
import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.test import Client
from django.utils import timezone

from studio.accounts.keys import key_create
from studio.accounts.models import ApiKey
from studio.accounts.roles import Role
from studio.deployments import easydl
from tests.support.project_setup import picture

TOKEN = "/oauth/2.0/token"


@pytest.fixture
def client() -> Client:
    return Client(enforce_csrf_checks=True)


@pytest.fixture
def key(setup, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        return key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)


def test_a_key_is_its_own_token(client, key):
    row, secret = key
    query = {"grant_type": "client_credentials", "client_id": row.id, "client_secret": secret}
    for answer in (
        client.get(TOKEN, query),
        client.post(TOKEN, query),
        client.post(TOKEN, QUERY_STRING="&".join(f"{k}={v}" for k, v in query.items())),
    ):
        token = answer.json()
        assert (answer.status_code, token["access_token"], token["expires_in"]) == (200, secret, 2_592_000)
        assert answer["Cache-Control"] == "no-store"
    assert client.get(TOKEN, query | {"client_id": secret}).status_code == 200
    ApiKey.objects.filter(id=row.id).update(expires_at=timezone.now() + timedelta(seconds=100))
    assert 90 <= client.get(TOKEN, query).json()["expires_in"] <= 100


@pytest.mark.parametrize(
    ("change", "status", "error"),
    [
        ({"client_secret": "my_wrong"}, 401, "invalid_client"),
        ({"client_secret": ""}, 401, "invalid_client"),
        ({"client_id": "key_other"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
    ],
)
def test_a_wrong_client_is_refused_as_easydl_refuses(client, key, change, status, error):
    row, secret = key
    query = {"grant_type": "client_credentials", "client_id": row.id, "client_secret": secret, **change}
    answer = client.get(TOKEN, query)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer.json()["error_description"]


def test_predictions_go_through_the_platform_s_port(client, setup, deployment, key, server):
    server.wait(deployment.id, state="ready")
    row, secret = key
    query = {"grant_type": "client_credentials", "client_id": row.id, "client_secret": secret}
    token = client.get(TOKEN, query).json()["access_token"]
    address = f"/rpc/2.0/ai_custom/v1/classification/{deployment.slug}"
    encoded = base64.b64encode(picture(1)).decode()
    answer = client.post(f"{address}?access_token={token}", {"image": encoded, "top_num": 1}, content_type="application/json")
    assert answer.status_code == 200
    assert set(answer.json()) == {"log_id", "results"}
    ours = server.predict(deployment.slug, secret=secret, content=picture(1), params={"top": 1}).json()
    assert answer.json()["results"][0]["name"] == ours["predictions"][0]["annotations"][0]["label"]

    def number(query: str, body: dict) -> int:
        refused = client.post(f"{address}{query}", body, content_type="application/json")
        assert (refused.status_code, refused["Content-Type"]) == (200, "application/json")
        return refused.json()["error_code"]

    assert number("?access_token=", {"image": encoded}) == 110
    assert number("?access_token=my_wrong", {"image": encoded}) == 110
    assert number("", {"image": encoded}) == 100
    assert number(f"?access_token={token}", {"url": "http://127.0.0.1/x.png"}) == 336001
    server.stop()
    assert number(f"?access_token={token}", {"image": encoded}) == 2


class _Slow(ThreadingHTTPServer):
    """A prediction server that says nothing, or its answer in drops without end."""

    daemon_threads = True

    def __init__(self, is_dripping: bool) -> None:
        super().__init__(("127.0.0.1", 0), _SlowHandler)
        self.is_dripping = is_dripping
        self.requested = threading.Semaphore(0)
        self.is_over = threading.Event()


class _SlowHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.server.requested.release()
        if self.server.is_dripping:
            self.send_response(200)
            self.end_headers()
        with contextlib.suppress(OSError):
            while not self.server.is_over.wait(0.05):
                if self.server.is_dripping:
                    self.wfile.write(b" ")

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def slow(request, settings):
    server = _Slow(request.param)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings.PREDICTION_URL = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.is_over.set()
    server.shutdown()
    server.server_close()
    thread.join()


ADDRESS = "/rpc/2.0/ai_custom/v1/classification/shop?access_token=my_key"


@pytest.mark.django_db
@pytest.mark.parametrize("slow", [False, True], indirect=True, ids=["silent", "dripping"])
def test_a_prediction_server_that_hangs_is_reported_as_away(client, slow, monkeypatch):
    monkeypatch.setattr(easydl, "ANSWER_S", 0.4)
    answer = client.post(ADDRESS, "{}", content_type="application/json")
    assert slow.requested.acquire(timeout=5)
    assert (answer.status_code, answer.json()["error_code"], answer["Retry-After"]) == (200, 2, "5")


@pytest.mark.django_db
@pytest.mark.parametrize("slow", [False], indirect=True, ids=["silent"])
def test_calls_that_hang_leave_the_pages_their_threads(client, slow, monkeypatch):
    def post() -> int:
        return client.post(ADDRESS, "{}", content_type="application/json").json()["error_code"]

    monkeypatch.setattr(easydl, "_places", threading.BoundedSemaphore(2))
    with ThreadPoolExecutor(2) as pool:
        hanging = [pool.submit(post) for _ in range(2)]
        assert all(slow.requested.acquire(timeout=20) for _ in range(2))
        assert post() == 4
        slow.is_over.set()
        assert [one.result(20) for one in hanging] == [2, 2]
    assert easydl._places.acquire(blocking=False)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/rpc/2.0/nlp/v1/lexer", "/rpc/2.0/ai_custom/v1/x", "/rpc/2.0/easydl/label/delete"])
def test_other_addresses_of_easydl_are_refused(client, address):
    for answer in (client.get(address), client.post(address, "{}", content_type="application/json")):
        assert (answer.status_code, answer.json()["error_code"]) == (200, 3)
