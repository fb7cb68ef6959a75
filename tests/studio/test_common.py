"""Ids, pages and problems."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from ninja import NinjaAPI, Schema
from ninja.testing import TestClient

from studio.common.errors import InvalidInputError, TooManyRequestsError
from studio.common.ids import new_id
from studio.common.paging import page_of
from studio.common.problem import problems_install
from studio.projects.models import Project


def test_id_says_what_it_is():
    assert re.fullmatch(r"prj_[0-9a-hjkmnp-tv-z]{26}", new_id("prj"))


def test_ids_grow_and_never_meet_also_across_threads():
    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: [new_id("itm") for _ in range(2000)], range(8)))
    for run in runs:
        assert run == sorted(run)
    assert len({one for run in runs for one in run}) == 16_000


def test_row_takes_its_id_from_its_class(project, workspace, owner):
    assert project.id.startswith("prj_")
    assert workspace.id.startswith("wsp_")
    assert owner.id.startswith("usr_")


@pytest.fixture
def rows(workspace) -> list[str]:
    return [Project.objects.create(workspace=workspace, name=f"P{n}", task="t").id for n in range(5)]


@pytest.mark.parametrize("order", ["id", "-id"])
def test_pages_join_to_the_whole(rows, order):
    found, cursor = [], None
    while True:
        page = page_of(Project.objects.all(), cursor=cursor, limit=2, order=order)
        found += [row.id for row in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == sorted(rows, reverse=order == "-id")


def test_row_added_meanwhile_shifts_nothing(rows, workspace):
    first = page_of(Project.objects.all(), cursor=None, limit=2)
    Project.objects.create(workspace=workspace, name="late", task="t")
    second = page_of(Project.objects.all(), cursor=first.next_cursor, limit=10)
    assert [row.id for row in (*first.items, *second.items)] == sorted(rows, reverse=True)


def test_exact_page_is_the_last(rows):
    assert page_of(Project.objects.all(), cursor=None, limit=5).next_cursor is None


@pytest.mark.parametrize("cursor", ["%%%", "a", "gICA"])
def test_foreign_cursor_is_refused(db, cursor):
    with pytest.raises(InvalidInputError) as refused:
        page_of(Project.objects.all(), cursor=cursor, limit=5)
    assert "cursor" in refused.value.fields


class Body(Schema):
    count: int


@pytest.fixture(scope="module")
def caller() -> TestClient:
    api = NinjaAPI(urls_namespace="problems")
    problems_install(api)

    @api.get("/limit")
    def limit(request):
        raise TooManyRequestsError("Slow down.", hint="Wait.", extra={"retry_after_s": 7})

    @api.get("/bug")
    def bug(request):
        raise ZeroDivisionError("secret detail")

    @api.post("/body")
    def body(request, body: Body):
        return {}

    return TestClient(api)


def test_error_becomes_a_problem(caller):
    answer = caller.get("/limit")
    assert answer.status_code == 429
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] == "7"
    assert json.loads(answer.content) == {
        "type": "urn:modelyard:problem:too_many_requests",
        "title": "Too many requests",
        "status": 429,
        "code": "too_many_requests",
        "detail": "Slow down.",
        "hint": "Wait.",
        "extra": {"retry_after_s": 7},
    }


def test_wrong_field_is_named(caller):
    problem = json.loads(caller.post("/body", json={"count": "many"}).content)
    assert (problem["status"], problem["code"], list(problem["fields"])) == (422, "invalid_input", ["count"])


def test_broken_json_is_the_callers_fault(caller):
    problem = json.loads(caller.post("/body", data="{", content_type="application/json").content)
    assert (problem["status"], problem["code"]) == (400, "bad_request")


def test_too_many_files_are_the_callers_fault(client, project, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    files = [SimpleUploadedFile(f"{number}.png", b"x") for number in range(3)]
    answer = client.post(f"/api/datasets/{project.default_dataset_id}/uploads/batch", {"files": files, "paths": "[]"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")


def test_bug_is_logged_and_not_shown(caller, caplog):
    answer = caller.get("/bug")
    assert (answer.status_code, json.loads(answer.content)["code"]) == (500, "internal_error")
    assert b"secret detail" not in answer.content
    assert "secret detail" in caplog.text


@pytest.mark.parametrize("settings_debug", [False, True])
def test_wrong_addresses_and_methods_are_problems_too(client, settings, settings_debug):
    settings.DEBUG = settings_debug
    missing = client.get("/api/nothing/here")
    refused = client.put("/api/health")
    for response, status, code in ((missing, 404, "not_found"), (refused, 405, "method_not_allowed")):
        assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
        assert response.json()["code"] == code
        assert "openapi.json" in response.json()["hint"]
    assert refused["Allow"] == "GET"
    assert client.get("/projects/any").headers["Content-Type"].startswith("text/html")
    unknown = client.get("/a/page", headers={"Accept": "text/html"})
    assert (unknown.status_code, unknown.headers["Content-Type"].partition(";")[0]) == (404, "text/html")
    assert client.get("/a/page").json()["code"] == "not_found"
