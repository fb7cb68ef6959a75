"""Characters that no database can hold are refused at the door of every endpoint, wherever they stand in a request."""

from __future__ import annotations

import base64
import json

import pytest
from django.test import Client

NUL, SURROGATE = "\0", "\ud800"


def send(client: Client, method: str, path: str, body: object = None):
    """JSON escapes both characters, so the bytes on the wire are plain ASCII."""
    data = "" if body is None else json.dumps(body)
    return client.generic(method, f"/api{path}", data, content_type="application/json")


def refused(answer) -> dict[str, object]:
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "invalid_input"), problem
    assert problem["hint"]
    return problem


@pytest.mark.parametrize("bad", [NUL, SURROGATE])
def test_in_a_body_at_any_depth(client, project, workspace, bad):
    annotations = {"annotations": [{"kind": "class", "label": bad}], "revision": 0, "operation": "x"}
    bodies = [
        ("PATCH", "/auth/me", {"name": f"O{bad}"}, "name"),
        ("POST", "/auth/sign-in", {"email": f"a{bad}@example.org", "password": "x"}, "email"),
        ("POST", "/projects", {"workspace": workspace.id, "name": bad, "task": "image_classification"}, "name"),
        ("PUT", f"/projects/{project.id}/labels", {"labels": [{"name": "a"}, {"name": f"b{bad}"}]}, "labels.1.name"),
        ("POST", f"/datasets/{project.default_dataset_id}/uploads", {"name": f"{bad}.zip", "size_bytes": 1}, "name"),
        ("PUT", "/labeling/items/itm_0/annotations", annotations, "annotations.0.label"),
        ("POST", "/labeling/snapshots", {"project": bad}, "project"),
        ("POST", f"/workspaces/{workspace.id}/keys", {"name": "K", "role": "viewer", f"x{bad}": 1}, "body"),
    ]
    for method, path, body, where in bodies:
        problem = refused(send(client, method, path, body))
        assert list(problem["fields"]) == [where]


def test_in_bytes_that_are_no_utf_8(client):
    answer = client.generic("PATCH", "/api/auth/me", b'{"name": "\xed\xa0\x80"}', content_type="application/json")
    refused(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/projects?workspace=a%00",
        "/projects?cursor=%00",
        "/projects/prj_%00",
        "/jobs?project=%00",
        "/items/%00/picture",
        "/artefacts?project=a%00b",
        "/labeling/suggestions?items=%00",
    ],
)
def test_in_a_query_or_a_path(client, path):
    refused(send(client, "GET", path))


def test_inside_a_cursor(client, project):
    cursor = base64.urlsafe_b64encode(b"prj_\0").decode()
    problem = refused(send(client, "GET", f"/projects?workspace={project.workspace_id}&cursor={cursor}"))
    assert list(problem["fields"]) == ["cursor"]


def test_in_a_form(client, project):
    answer = client.post(f"/api/datasets/{project.default_dataset_id}/uploads/batch", {"paths": "[]\0"})
    refused(answer)


def test_other_text_passes_unchanged(client):
    name = "Ольга 😀 \u200d 深"
    answer = send(client, "PATCH", "/auth/me", {"name": name})
    assert (answer.status_code, answer.json()["name"]) == (200, name)
