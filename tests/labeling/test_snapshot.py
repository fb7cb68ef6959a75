"""Cutting versions by HTTP: refused with reasons, repeated without a twin, in the background when large."""

from __future__ import annotations

import pytest

from labeling.handlers import job_run
from studio.accounts.roles import Role
from studio.datasets.models import DatasetVersion, Item
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ingest, picture, zip_of


@pytest.fixture
def filled(setup):
    files = {
        f"{label}/{n}.png": picture(n * 2 + k, size=(48, 40)) for k, label in enumerate(("rose", "tulip")) for n in range(30)
    }
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    return setup


def snapshot(setup, client=None, **fields):
    body = {"project": setup.project.id} | fields
    return (client or setup.client()).post("/api/labeling/snapshots", body, content_type="application/json")


def test_blocking_problems_refuse_with_reasons(setup):
    ingest(setup.dataset, zip_of({"rose/1.png": picture(1)}), labels="folder")
    answer = snapshot(setup)
    assert (answer.status_code, answer.json()["code"]) == (422, "version_blocked")
    problems = answer.json()["extra"]["problems"]
    assert "too_few_labels" in {problem["code"] for problem in problems}
    assert {problem["severity"] for problem in problems} == {"blocking"}
    assert all(problem["remedy"]["en"] and problem["remedy"]["zh"] for problem in problems)
    assert DatasetVersion.objects.count() == 0


def test_a_refused_snapshot_leaves_the_shares_as_they_were(setup):
    ingest(setup.dataset, zip_of({"rose/1.png": picture(1)}), labels="folder")
    before = dict(Item.objects.values_list("id", "split"))
    assert snapshot(setup, shares={"validation_fraction": 0.9, "test_fraction": 0.05}).status_code == 422
    setup.dataset.refresh_from_db()
    assert setup.dataset.validation_fraction == 0.15
    assert dict(Item.objects.values_list("id", "split")) == before


def test_the_same_state_is_answered_with_the_version_that_is_there(filled):
    first = snapshot(filled, note="first")
    again = snapshot(filled, note="again")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert (first.json()["number"], first.json()["note"], first.json()["num_items"]) == (1, "first", 60)


def test_a_changed_label_makes_a_child(filled):
    first = snapshot(filled).json()
    item = Item.objects.get(name="rose/0.png")
    body = {"annotations": [{"kind": "class", "label": "tulip"}], "revision": 1, "operation": "change-1"}
    filled.client().put(f"/api/labeling/items/{item.id}/annotations", body, content_type="application/json")
    second = snapshot(filled).json()
    assert (second["number"], second["parent"]) == (2, first["id"])
    assert second["num_annotations_by_label"] == {"rose": 29, "tulip": 31}


def test_shares_are_the_persons_choice_before_the_first_version(filled):
    version = snapshot(filled, shares={"validation_fraction": 0.4, "test_fraction": 0.3}).json()
    assert version["num_items_by_split"]["test"] > 8
    assert version["num_items_by_split"]["validation"] > 12


def test_a_large_dataset_is_cut_in_the_background(filled, monkeypatch):
    monkeypatch.setattr("studio.datasets.versions.manifest.INLINE_ITEMS", 10)
    answer = snapshot(filled, note="large")
    assert answer.status_code == 202
    job = Job.objects.get(id=answer.json()["job"]["id"])
    assert job.kind == "snapshot"
    for _ in range(2):
        job_run(job, InMemoryReporter())
    version = DatasetVersion.objects.get()
    assert (version.note, version.created_by) == ("large", filled.owner.id)


def test_a_labeller_cuts_no_version(filled):
    client = filled.client(filled.member("lin", Role.LABELLER))
    assert snapshot(filled, client).status_code == 403
