"""The web server from outside: slow callers hold up nobody, bodies arrive whole, streams flow."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from contextlib import ExitStack

import httpx
import pytest

from tests.support.web_server import WebServer, web_server

HALF = b"POST /api/auth/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{"
REST = b'"email": "nobody@example.org", "password": "not this one"}'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory):
    with web_server(tmp_path_factory.mktemp("web")) as made:
        yield made


@pytest.fixture(scope="module")
def person(site: WebServer):
    http = site.person()
    yield http
    http.close()


@pytest.fixture(scope="module")
def project(person: httpx.Client):
    workspace = person.get("/auth/me").json()["workspaces"][0]["id"]
    made = person.post("/projects", json={"workspace": workspace, "name": "Fruit", "task": "image_classification"})
    assert made.status_code == 201, made.text
    return made.json()


@pytest.mark.parametrize("num_sockets", [60, 500])
def test_half_sent_bodies_hold_up_nobody(site: WebServer, num_sockets: int):
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", site.port))) for _ in range(num_sockets)]
        for half in sockets:
            half.sendall(HALF % (1 + len(REST)))
        with site.client(timeout_s=15) as other:
            for _ in range(5):
                assert other.get("/health").status_code == 200
            assert other.post("/auth/sign-in", json={"email": "x@example.org", "password": "y" * 9}).status_code == 401
        for half in sockets[:: num_sockets // 5]:  # and those that send the rest are answered as anybody
            half.sendall(REST)
            half.settimeout(60)
            assert half.recv(4096).split(b"\r\n", 1)[0].split()[1] in {b"401", b"429"}


def test_a_body_of_unknown_size_is_refused(person: httpx.Client, project: dict):
    content = os.urandom(1000)
    started = person.post(
        f"/datasets/{project['dataset']}/uploads", json={"name": "a.zip", "size_bytes": 1000, "kind": "archive"}
    )
    assert started.status_code == 201, started.text
    address = f"/datasets/{project['dataset']}/uploads/{started.json()['id']}"
    refused = person.put(f"{address}/parts", params={"offset": 0}, content=iter([content]))
    assert (refused.status_code, refused.json()["code"]) == (411, "length_required")
    assert person.get(address).json()["received_bytes"] == 0


def test_a_body_that_is_too_large_is_refused_at_once(site: WebServer):
    with socket.create_connection(("127.0.0.1", site.port)) as caller:
        caller.sendall(HALF % 2**40)
        caller.settimeout(30)
        head, _, body = caller.recv(4096).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 413")
    assert json.loads(body)["code"] == "body_too_large"


def test_the_home_is_closed_to_others(site: WebServer, project: dict):
    open_to_others = [
        path for path in (site.home, *site.home.rglob("*")) if path.lstat().st_mode & 0o077 and path.name != "web.log"
    ]
    assert open_to_others == []


def test_answers_about_people_are_kept_by_nobody(person: httpx.Client):
    assert person.get("/auth/me").headers["Cache-Control"] == "no-store"


def test_the_description_is_made_once(site: WebServer):
    with site.client() as http:
        first = http.get("/openapi.json")
        assert first.json()["servers"] == [{"url": "/"}]
        assert http.get("/openapi.json", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
        refused = http.get("/projects")
        responses = first.json()["paths"]["/api/projects"]["get"]["responses"]
        assert responses[str(refused.status_code)] == {"$ref": "#/components/responses/Refusal401"}


@pytest.mark.parametrize(
    "address", ["/api/nowhere", "/rpc/nowhere", "/oauth/nowhere", "/v1/nowhere", "/v2", "/metrics", "/healthz", "/solr"]
)
def test_a_wrong_address_of_programs_is_no_page(site: WebServer, address: str):
    refused = httpx.get(site.url + address)
    assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")


def test_large_parts_arrive_whole(site: WebServer, person: httpx.Client, project: dict):
    parts = [os.urandom(9 * 2**20 + 7), os.urandom(2**20), os.urandom(100)]
    content = b"".join(parts)
    body = {"name": "a.zip", "size_bytes": len(content), "kind": "archive", "sha256": hashlib.sha256(content).hexdigest()}
    address = f"/datasets/{project['dataset']}/uploads"
    address += "/" + person.post(address, json=body).json()["id"]
    offset = 0
    for part in parts:
        sent = person.put(f"{address}/parts", params={"offset": offset}, content=part)
        assert sent.status_code == 200, sent.text
        offset += len(part)
    # An upload whose bytes are not those announced is refused here.
    assert person.post(f"{address}/finish", json={}).status_code == 202
    assert list((site.home / "bodies").iterdir()) == []


def test_a_multipart_body_without_boundary_is_malformed(person: httpx.Client, project: dict):
    address = f"/datasets/{project['dataset']}/uploads/batch"
    refused = person.post(address, content=b"x", headers={"Content-Type": "multipart/form-data"})
    assert (refused.status_code, refused.json()["code"]) == (400, "malformed_request")


def test_events_come_as_they_happen(person: httpx.Client, project: dict):
    with person.stream("GET", f"/projects/{project['id']}/events") as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        changed = person.put(f"/projects/{project['id']}/labels", json={"labels": [{"name": "apple", "color": "#336699"}]})
        assert changed.status_code == 200, changed.text
        assert any(line.startswith("data: ") for line in lines)


def test_files_of_the_pages_and_odd_addresses(site: WebServer):
    with httpx.Client(base_url=site.url) as http:
        page = http.get("/")
        assert page.headers["content-type"].startswith("text/html")
        assert http.get("/projects/%E8%8B%B9%E6%9E%9C%2F").headers["content-type"].startswith("text/html")
        assert http.head("/api/health").status_code in {200, 405}
