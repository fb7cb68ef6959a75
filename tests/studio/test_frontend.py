"""The built front end, its caching and the security headers."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

from studio.config.env import REPOSITORY
from studio.config.frontend import PAGES

SCRIPT = b"run();" * 100


@pytest.fixture
def dist(settings, tmp_path: Path) -> Path:
    settings.FRONTEND_DIST = tmp_path / "dist"
    settings.DOCS_DIST = tmp_path / "docs"
    return tmp_path / "dist"


@pytest.fixture
def built(dist: Path) -> Client:
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html><title>app</title>")
    (dist / "favicon.svg").write_text("<svg/>")
    (dist / "assets" / "index-B1c2D3e4.js").write_bytes(SCRIPT)
    (dist / "assets" / "index-B1c2D3e4.js.gz").write_bytes(gzip.compress(SCRIPT))
    return Client()


def body(answer) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.parametrize("path", ["/", "/projects/prj_1/studies", "/index.html"])
def test_every_page_is_the_application_and_is_asked_for_anew(built, path):
    answer = built.get(path)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-cache")
    assert b"<title>app</title>" in body(answer)


def test_hashed_file_is_kept_for_ever_and_sent_small(built):
    answer = built.get("/assets/index-B1c2D3e4.js", headers={"Accept-Encoding": "gzip"})
    assert "immutable" in answer["Cache-Control"]
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(body(answer)) == SCRIPT
    plain = built.get("/assets/index-B1c2D3e4.js")
    assert body(plain) == SCRIPT


def test_runtime_and_network_of_the_assist_are_sent_as_what_they_are(built, dist):
    program = b"\0asm" + bytes(4096)
    (dist / "assets" / "ort-B1c2D3e4.wasm").write_bytes(program)
    (dist / "assets" / "ort-B1c2D3e4.wasm.gz").write_bytes(gzip.compress(program))
    (dist / "assets" / "encoder-B1c2D3e4.onnx").write_bytes(b"graph")
    answer = built.get("/assets/ort-B1c2D3e4.wasm", headers={"Accept-Encoding": "gzip"})
    assert (answer["Content-Type"], answer["Content-Encoding"]) == ("application/wasm", "gzip")
    network = built.get("/assets/encoder-B1c2D3e4.onnx")
    assert (network["Content-Type"], body(network)) == ("application/octet-stream", b"graph")
    assert all("immutable" in one["Cache-Control"] for one in (answer, network))


def test_other_file_is_kept_shortly(built):
    answer = built.get("/favicon.svg")
    assert "immutable" not in answer["Cache-Control"]
    assert body(answer) == b"<svg/>"


def test_nothing_outside_the_build_is_served(built, dist):
    (dist.parent / "secret").write_text("hidden")
    assert b"hidden" not in body(built.get("/../secret"))


def test_wrong_address_is_404_a_page_for_browsers_and_a_problem_for_programs(built):
    page = built.get("/nowhere/at-all", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (page.status_code, body(page)) == (404, body(built.get("/")))
    problem = built.get("/nowhere/at-all", headers={"Accept": "*/*"})
    assert (problem.status_code, problem["Content-Type"]) == (404, "application/problem+json")
    assert problem.json()["code"] == "not_found"
    assert built.get("/projects/prj_x/data").status_code == 200


@pytest.mark.parametrize("address", ["/", "/nowhere"])
def test_a_program_that_sends_to_a_page_gets_a_problem(built, address):
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post(address, {"a": 1}, content_type="application/json")
    assert (refused.status_code, refused["Content-Type"]) == (405, "application/problem+json")
    assert refused.json()["code"] == "method_not_allowed"


def test_addresses_of_the_front_end_are_known():
    found = set()
    for routes in (REPOSITORY / "frontend/src/features").glob("*/routes.tsx"):
        text = routes.read_text(encoding="utf-8")
        if "scope: 'project'" not in text:
            found |= {path.split("/")[0] for path in re.findall(r"\{ path: '([^']+)'", text)}
    assert found == PAGES


@pytest.mark.django_db
def test_wrong_address_of_the_api_is_an_error(built):
    assert built.get("/api/nothing").status_code == 404


def test_missing_build_is_explained_and_then_found(dist):
    client = Client()
    answer = client.get("/")
    assert answer.status_code == 503
    assert b"build_frontend" in answer.content
    dist.mkdir()
    (dist / "index.html").write_text("built")
    assert client.get("/").content == b"built"


def test_headers_protect_the_browser(built):
    answer = built.get("/")
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in answer["Content-Security-Policy"].split("; "))
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_health_needs_no_account(built):
    assert built.get("/api/health").json()["status"] == "ok"


def test_missing_script_is_not_a_page(built):
    assert built.get("/assets/gone-deadbeef.js").status_code == 404


def test_new_build_is_served_without_a_restart(built, dist):
    (dist / "assets" / "later-0badcafe.js").write_text("export {}")
    index = dist / "index.html"
    index.write_text(index.read_text() + "\n")
    assert built.get("/assets/later-0badcafe.js").status_code == 200


@pytest.fixture
def documented(built, settings) -> Client:
    pages = {"index.html": "home", "zh/index.html": "首页", "guide/pictures.html": "pictures", "404.html": "no such page"}
    for name, text in pages.items():
        page = settings.DOCS_DIST / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    (settings.DOCS_DIST / "assets").mkdir()
    (settings.DOCS_DIST / "assets" / "app.DdAN0v3C.js").write_bytes(SCRIPT)
    return built


def test_documentation_is_served_beside_the_application(documented):
    for path, text in (("/docs/", "home"), ("/docs/zh/", "首页"), ("/docs/guide/pictures.html", "pictures")):
        answer = documented.get(path)
        assert (answer.status_code, body(answer).decode()) == (200, text)
        assert "'unsafe-inline'" not in re.search(r"script-src [^;]*", answer["Content-Security-Policy"])[0]
    assert documented.get("/docs").headers["Location"] == "/docs/"
    assert "immutable" in documented.get("/docs/assets/app.DdAN0v3C.js")["Cache-Control"]
    missing = documented.get("/docs/nothing.html", headers={"Accept": "text/html"})
    assert (missing.status_code, missing.content) == (404, b"no such page")


def test_missing_documentation_is_explained(built):
    answer = built.get("/docs/")
    assert answer.status_code == 404
    assert b"build_frontend" in answer.content
