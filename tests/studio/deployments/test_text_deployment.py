"""A deployed model that reads texts, through the HTTP endpoints of deployments and the real prediction server."""

import hashlib
import json
import os
import subprocess
import sys

import httpx
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from runtime.items.text.kind import MAX_EXPLAINED
from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.config.node import node_folder
from studio.deployments.items.text.schemas import MAX_TRIED_CHARACTERS
from studio.deployments.logs import SHOWN_CHARACTERS, log_collect
from tests.studio.deployments.test_deployment_api import published, send, until
from tests.studio.studies.material import LABELS, text_version_make
from tests.support.project_setup import setup_make

TEXT = "好, the cat"


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def version(setup):
    return text_version_make(setup)


@pytest.fixture
def client(setup):
    return setup.client()


@pytest.fixture
def shown(client, setup, artefact, server, django_capture_on_commit_callbacks):
    """A deployment that answers and keeps everything."""
    shown = published(client, setup, artefact, django_capture_on_commit_callbacks, keep_inputs="all", slug="remarks")
    server.wait(shown["id"], state="ready")
    return shown


def ask(client, shown, *texts, query=""):
    return send(client, "post", f"/deployments/{shown['id']}/try/texts{query}", {"texts": texts})


def log_of(client, shown):
    until(log_collect, "the log line")
    return client.get(f"/api/deployments/{shown['id']}/log").json()["items"]


def test_from_a_text_to_an_answer_its_row_and_the_kept_text(client, shown, artefact):
    reply = ask(client, shown, TEXT, query="?top=1")
    assert reply.status_code == 200, reply.content
    answer = reply.json()
    assert answer["model"] == artefact.id
    (best,) = answer["predictions"][0]["annotations"]
    assert best["label"] in LABELS
    (row,) = log_of(client, shown)
    assert (row["id"], row["status"], row["input_text"]) == (answer["id"], 200, TEXT)
    assert row["top"] == [{"label": best["label"], "score": best["score"]}]
    assert row["input_sha256"] == hashlib.sha256(TEXT.encode()).hexdigest()
    stored = client.get(row["input_url"])
    assert stored["content-type"] == "text/plain; charset=utf-8"
    assert b"".join(stored.streaming_content).decode() == TEXT


def test_several_texts_are_answered_in_their_order(client, shown):
    texts = ["cat", "a dog!", "好好好"]
    together = ask(client, shown, *texts).json()["predictions"]
    assert together == [ask(client, shown, text).json()["predictions"][0] for text in texts]
    assert len({json.dumps(one) for one in together}) == 3


def test_a_text_file_is_answered_like_the_text(client, shown):
    upload = SimpleUploadedFile("a.txt", TEXT.encode(), "text/plain")
    by_file = client.post(f"/api/deployments/{shown['id']}/try", {"file": upload}).json()
    assert by_file["predictions"] == ask(client, shown, TEXT).json()["predictions"]


def test_what_is_no_text_is_refused_by_name(client, shown):
    blank = ask(client, shown, " \n")
    assert (blank.status_code, blank.json()["code"]) == (400, "text_missing")
    assert ask(client, shown, *["a"] * 65).json()["code"] == "texts_too_many"
    assert ask(client, shown).status_code == 422
    assert ask(client, shown, "").status_code == 422
    assert ask(client, shown, "a" * (MAX_TRIED_CHARACTERS + 1)).status_code == 422
    half = client.post(f"/api/deployments/{shown['id']}/try/texts", '{"texts": ["\\ud800"]}', content_type="application/json")
    assert half.status_code == 422


def test_the_log_shows_a_long_text_by_its_beginning(client, shown):
    text = "好" * (SHOWN_CHARACTERS + 500)
    ask(client, shown, text)
    (row,) = log_of(client, shown)
    assert row["input_text"] == text[:SHOWN_CHARACTERS]
    assert b"".join(client.get(row["input_url"]).streaming_content).decode() == text


def test_a_text_that_was_not_kept_or_is_forgotten_is_not_shown(client, shown, server):
    ask(client, shown, TEXT)
    (row,) = log_of(client, shown)
    (server.folder / "inputs" / row["input_sha256"]).unlink()
    (row,) = client.get(f"/api/deployments/{shown['id']}/log").json()["items"]
    assert row["input_text"] is None


def explain(client, shown, text, **fields):
    return send(client, "post", f"/deployments/{shown['id']}/explain/texts", {"text": text, **fields})


def score_of(client, shown, text, label):
    predicted = ask(client, shown, text, query="?top=9").json()["predictions"][0]["annotations"]
    return next(one["score"] for one in predicted if one["label"] == label)


def test_what_counted_is_what_the_score_falls_by_without_it(client, shown):
    text = "a 快慢 cat!"
    answer = explain(client, shown, text).json()
    best = ask(client, shown, text).json()["predictions"][0]["annotations"][0]
    assert (answer["label"], answer["score"]) == (best["label"], best["score"])
    spans = [(one["start"], one["end"]) for one in answer["segments"]]
    assert [text[start:end] for start, end in spans] == ["a ", "快慢 ", "cat!"]
    rest = [text[:start] + text[end:] for start, end in spans]
    falls = [best["score"] - score_of(client, shown, each, best["label"]) for each in rest]
    assert [one["fall"] for one in answer["segments"]] == pytest.approx(falls, abs=2e-6)
    greatest = max(map(abs, falls))
    assert greatest > 0.01
    assert [one["weight"] for one in answer["segments"]] == pytest.approx([fall / greatest for fall in falls], abs=1e-3)


def test_a_label_of_ones_own_choice_is_explained_whatever_its_threshold(client, shown):
    send(client, "patch", f"/deployments/{shown['id']}", {"thresholds": dict.fromkeys(LABELS, 1.0)})
    by_label = [explain(client, shown, "a 快慢 cat!", label=label).json() for label in LABELS]
    assert [answer["label"] for answer in by_label] == list(LABELS)
    assert sum(answer["score"] for answer in by_label) == pytest.approx(1, abs=1e-5)
    falls = [[part["fall"] for part in answer["segments"]] for answer in by_label]
    assert falls[0] == pytest.approx([-fall for fall in falls[1]], abs=1e-5)


def test_looking_into_a_model_is_in_no_log_and_keeps_no_text(client, shown, server):
    assert explain(client, shown, "one two three").status_code == 200
    ask(client, shown, TEXT)
    (row,) = log_of(client, shown)
    assert row["input_text"] == TEXT
    assert [path.name for path in (server.folder / "inputs").iterdir()] == [row["input_sha256"]]


def test_what_cannot_be_explained_is_refused_by_name(client, shown):
    assert explain(client, shown, " \n").json()["code"] == "text_missing"
    assert explain(client, shown, "cat", label="owl").json()["code"] == "explain_label_unknown"
    assert explain(client, shown, "").status_code == 422
    assert explain(client, shown, "a" * (MAX_TRIED_CHARACTERS + 1)).status_code == 422


def test_the_beginning_of_a_long_text_is_explained(client, shown):
    answer = explain(client, shown, "好" * (MAX_EXPLAINED + 5)).json()
    assert answer["segments"][-1]["end"] == MAX_EXPLAINED


@pytest.mark.parametrize("language", ["curl", "python", "javascript"])
def test_the_snippets_work_as_they_stand(language, shown, setup, tmp_path, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        _, secret = key_create(workspace=setup.workspace, name="shop", role=Role.ENGINEER, actor=setup.actor)
    snippets = shown["snippets"]
    (tmp_path / "call.mjs").write_text(snippets["javascript"])
    command = {
        "curl": ["sh", "-c", snippets["curl"]],
        "python": [sys.executable, "-c", snippets["python"]],
        "javascript": [str(node_folder() / "node"), "call.mjs"],
    }[language]
    environment = {**os.environ, "MODELYARD_KEY": secret}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    response = httpx.post(
        shown["url"],
        json={"texts": ["The text to read.", "The first text to read.", "Another one."]},
        headers={"Authorization": f"Bearer {secret}"},
    ).json()["predictions"]
    if language == "curl":
        assert json.loads(done.stdout)["predictions"][0] == response[0]
        return
    lines = [line.split(" ", 2) for line in done.stdout.splitlines()]
    expected = [
        (one["label"], one["score"], text)
        for prediction, text in zip(response[1:], ("The first text to read.", "Another one."), strict=True)
        for one in prediction["annotations"]
    ]
    assert [(label, float(score), text) for label, score, text in lines] == expected
