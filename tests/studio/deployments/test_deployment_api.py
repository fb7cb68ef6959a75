"""The HTTP endpoints of deployments, in front of the real prediction server."""

import json
import os
import subprocess
import sys
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.config.node import node_folder
from studio.deployments.logs import log_collect
from studio.deployments.models import Deployment
from tests.studio.studies.material import artefact_make
from tests.support.project_setup import picture, setup_make


@pytest.fixture
def commit(django_capture_on_commit_callbacks):
    """Runs what waits for the commit."""
    return django_capture_on_commit_callbacks


@pytest.fixture
def client(setup):
    return setup.client()


def send(client, method, path, body):
    return getattr(client, method)(f"/api{path}", body, content_type="application/json")


def published(client, setup, artefact, commit, **fields):
    body = {"project": setup.project.id, "artefact": artefact.id, "name": "Cats", **fields}
    with commit(execute=True):
        reply = send(client, "post", "/deployments", body)
    assert reply.status_code == 201, reply.content
    return reply.json()


def until(condition, what):
    for _ in range(300):
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(what)


def test_from_publish_to_an_answered_call_and_its_row(client, setup, artefact, server, commit):
    shown = published(client, setup, artefact, commit, keep_inputs="all", slug="pets")
    path = f"/api/deployments/{shown['id']}"
    until(lambda: client.get(path).json()["state"] == "running", "the model to be loaded")
    reply = client.post(f"{path}/try?top=1", {"file": SimpleUploadedFile("a.png", picture(1), "image/png")})
    assert reply.status_code == 200, reply.content
    answer = reply.json()
    assert answer["model"] == artefact.id
    assert len(answer["predictions"][0]["annotations"]) == 1
    until(log_collect, "the log line")
    row = client.get(f"{path}/log").json()["items"][0]
    assert (row["id"], row["artefact"], row["status"], row["key"]) == (answer["id"], artefact.id, 200, "studio")
    assert row["is_try_out"]
    assert client.get(f"{path}/log?try_outs=false").json()["items"] == []
    assert row["top"][0]["label"] == answer["predictions"][0]["annotations"][0]["label"]
    assert 0 <= row["uncertainty"] <= 1
    assert b"".join(client.get(row["input_url"]).streaming_content) == picture(1)
    metrics = client.get(path).json()["metrics"]
    assert metrics == {"calls": 0, "errors": 0, "p50_ms": None, "p95_ms": None, "last_call_at": None, "try_outs": 1}


def test_several_pictures_and_a_broken_one(client, setup, artefact, server, commit):
    shown = published(client, setup, artefact, commit)
    path = f"/api/deployments/{shown['id']}"
    until(lambda: client.get(path).json()["state"] == "running", "the model to be loaded")
    files = [SimpleUploadedFile(f"{i}.png", picture(i), "image/png") for i in range(3)]
    assert len(client.post(f"{path}/try", {"file": files}).json()["predictions"]) == 3
    broken = client.post(f"{path}/try", {"file": SimpleUploadedFile("b.png", b"no picture", "image/png")})
    assert broken.status_code == 400
    assert broken["content-type"] == "application/problem+json"
    assert broken.json()["code"] == "picture_unreadable"


@pytest.fixture
def call(setup, artefact, server, commit):
    """A deployment that answers, and a key."""
    with commit(execute=True):
        _, secret = key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    shown = published(setup.client(), setup, artefact, commit)
    server.wait(shown["id"], state="ready")
    return shown["snippets"], secret


@pytest.mark.parametrize("language", ["curl", "python", "javascript"])
def test_the_snippets_work_as_they_stand(language, call, tmp_path):
    snippets, secret = call
    (tmp_path / "picture.jpg").write_bytes(picture(3, form="JPEG"))
    (tmp_path / "call.mjs").write_text(snippets["javascript"])
    command = {
        "curl": ["sh", "-c", snippets["curl"]],
        "python": [sys.executable, "-c", snippets["python"]],
        "javascript": [str(node_folder() / "node"), "call.mjs"],
    }[language]
    environment = {**os.environ, "MODELYARD_KEY": secret}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    labels = {"cat", "dog"}
    if language == "curl":
        assert json.loads(done.stdout)["predictions"][0]["annotations"][0]["label"] in labels
    else:
        label, score = done.stdout.split()[:2]
        assert label in labels
        assert 0 <= float(score) <= 1


def test_another_model_takes_over_once_it_is_warm(setup, version, artefact, server, commit):
    client = setup.client()
    shown = published(client, setup, artefact, commit)
    path = f"/api/deployments/{shown['id']}"
    until(lambda: client.get(path).json()["state"] == "running", "the first model")
    second = artefact_make(setup, version)
    with commit(execute=True):
        reply = send(client, "patch", f"/deployments/{shown['id']}", {"artefact": second.id})
    assert reply.json()["artefact"] == second.id
    until(lambda: client.get(path).json()["state"] == "running", "the second model")
    answer = client.post(f"{path}/try", {"file": SimpleUploadedFile("a.png", picture(1), "image/png")}).json()
    assert answer["model"] == second.id
    with commit(execute=True):
        send(client, "patch", f"/deployments/{shown['id']}", {"state": "stopped"})
    until(lambda: client.get(path).json()["state"] == "stopped", "the end")
    stopped = until(
        lambda: (r := client.post(f"{path}/try", {"file": SimpleUploadedFile("a.png", picture(1))})).status_code == 503 and r,
        "the server to refuse",
    )
    assert stopped.json()["code"] == "deployment_stopped"


def test_without_the_server_nothing_counts_as_running(client, deployment, settings):
    settings.PREDICTION_URL = "http://127.0.0.1:9"
    path = f"/api/deployments/{deployment.id}"
    shown = client.get(path).json()
    assert shown["state"] == "starting"
    assert shown["message"]
    reply = client.post(f"{path}/try", {"file": SimpleUploadedFile("a.png", picture(1))})
    assert (reply.status_code, reply.json()["code"]) == (503, "prediction_server_unreachable")


def test_addresses_are_unique_in_a_workspace(client, setup, artefact, deployment, commit):
    again = published(client, setup, artefact, commit, name="Cats and dogs")
    assert again["slug"] == "cats-and-dogs-2"
    body = {"project": setup.project.id, "artefact": artefact.id, "name": "x", "slug": "cats-and-dogs"}
    reply = send(client, "post", "/deployments", body)
    assert (reply.status_code, reply.json()["code"]) == (409, "deployment_slug_taken")
    chinese = published(client, setup, artefact, commit, name="猫和狗")
    assert chinese["slug"] == "image-classification"
    assert send(client, "post", "/deployments", {**body, "slug": "Not A Slug"}).status_code == 422


def test_wrong_changes_are_refused(client, setup, deployment):
    path = f"/deployments/{deployment.id}"
    assert send(client, "patch", path, {"thresholds": {"bird": 0.5}}).json()["code"] == "invalid_input"
    assert send(client, "patch", path, {"thresholds": {"cat": 2}}).status_code == 422
    assert send(client, "patch", path, {"artefact": "art_unknown"}).status_code == 404
    assert send(client, "patch", path, {"retention_days": 0}).status_code == 422
    changed = send(client, "patch", path, {"thresholds": {"cat": 0.6}, "keep_inputs": "uncertain", "name": "New"}).json()
    assert (changed["thresholds"], changed["keep_inputs"], changed["name"]) == ({"cat": 0.6}, "uncertain", "New")


def test_rights(setup, deployment, artefact):
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert viewer.get(f"/api/deployments/{deployment.id}").status_code == 200
    assert send(viewer, "patch", f"/deployments/{deployment.id}", {"state": "stopped"}).status_code == 403
    assert viewer.delete(f"/api/deployments/{deployment.id}").status_code == 403
    body = {"project": setup.project.id, "artefact": artefact.id, "name": "x"}
    assert send(viewer, "post", "/deployments", body).status_code == 403
    stranger = setup_make(email="eve@example.org").client()
    for path in ("", "/log", f"/inputs/{'ab' * 32}"):
        assert stranger.get(f"/api/deployments/{deployment.id}{path}").status_code == 404
    assert stranger.get("/api/deployments", {"project": setup.project.id}).status_code == 404
    assert send(stranger, "post", "/deployments", body).status_code == 404
    assert setup.client().delete(f"/api/deployments/{deployment.id}").status_code == 204
    assert not Deployment.objects.exists()


def test_a_project_whose_services_answer_is_not_deleted(client, setup, artefact, commit):
    made = published(client, setup, artefact, commit)
    refused = client.delete(f"/api/projects/{setup.project.id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "project_in_use")
    assert refused.json()["extra"] == {"num_services": 1}
    with commit(execute=True):
        client.delete(f"/api/deployments/{made['id']}")
    assert client.delete(f"/api/projects/{setup.project.id}").status_code == 204


def test_it_is_shown_what_counted_in_a_picture_and_the_call_is_in_no_log(client, setup, artefact, server, commit):
    shown = published(client, setup, artefact, commit, keep_inputs="all")
    path = f"/api/deployments/{shown['id']}"
    until(lambda: client.get(path).json()["state"] == "running", "the model to be loaded")

    def sent():
        return {"file": SimpleUploadedFile("a.png", picture(1), "image/png")}

    explained = client.post(f"{path}/explain/pictures", sent()).json()
    best = client.post(f"{path}/try?top=1", sent()).json()["predictions"][0]["annotations"][0]
    assert (explained["label"], explained["score"], explained["segments"]) == (best["label"], best["score"], [])
    assert len(explained["grid"]["falls"]) == explained["grid"]["rows"] * explained["grid"]["columns"]
    refused = client.post(f"{path}/explain/pictures?label=owl", sent())
    assert (refused.status_code, refused.json()["code"]) == (422, "explain_label_unknown")
    rows = until(lambda: (log_collect(), client.get(f"{path}/log").json()["items"])[1], "the call in the log")
    assert len(rows) == 1


def test_what_counted_is_not_shown_where_no_texts_are_read(client, setup, artefact, commit):
    shown = published(client, setup, artefact, commit)
    refused = send(client, "post", f"/deployments/{shown['id']}/explain/texts", {"text": "a cat"})
    assert (refused.status_code, refused.json()["code"]) == (422, "explain_unfit")
