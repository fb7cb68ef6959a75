"""A project without data is given real examples: one click, and there is something to train on. Real processes."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.journey, pytest.mark.timeout(400)]


def test_examples_of_a_task_come_labelled_and_once(walk):
    project = walk.project()
    first, again = (walk.call("POST", f"/datasets/{project['dataset']}/examples") for _ in range(2))
    for ordered in (first, again):
        job = walk.job(ordered["job"]["id"], timeout_s=300)
        assert job["state"] == "succeeded", job
    summary = walk.call("GET", f"/datasets/{project['dataset']}/summary")
    assert summary["items"] >= 300, summary
    assert summary["annotated"] == summary["items"]
    assert len(summary["by_label"]) >= 10
    uploads = walk.call("GET", f"/datasets/{project['dataset']}/uploads")["items"]
    # Side by side they share the pictures out among them; each is there once.
    assert sum(one["num_items"] for one in uploads) == summary["items"]
    assert sum(one["num_duplicates"] for one in uploads) == summary["items"]


def test_examples_of_texts_are_labelled_but_for_some_that_are_left_to_try(walk):
    body = {"workspace": walk.workspace, "name": "Reviews", "task": "text_classification", "task_options": {}}
    project = walk.call("POST", "/projects", json=body)
    ordered = walk.call("POST", f"/datasets/{project['dataset']}/examples")
    job = walk.job(ordered["job"]["id"], timeout_s=300)
    assert job["state"] == "succeeded", job
    summary = walk.call("GET", f"/datasets/{project['dataset']}/summary")
    assert (summary["items"], summary["annotated"]) == (240, 200), summary
    assert summary["by_label"] == {"negative": 100, "positive": 100}
    items = walk.call("GET", f"/datasets/{project['dataset']}/items", params={"limit": 100})["items"]
    assert all(item["text"] and item["media"]["num_characters"] == len(item["text"]) for item in items)
