"""What more items would bring a model: the job, the engine's report, and what the page gets of it."""

from __future__ import annotations

import pytest

from automl.contracts.job import JobState
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.jobs.handlers import job_prepare
from studio.jobs.models import Job
from studio.jobs.states import job_move
from studio.jobs.workdir import result_prefix
from studio.registry.models import Artefact
from tests.engine.jobs import embedding_store, events, run_here
from tests.studio.studies.material import artefact_make, job_end


@pytest.fixture
def artefact(setup, version):
    return artefact_make(setup, version)


def _start(client, artefact):
    return client.post(f"/api/artefacts/{artefact.id}/advice", content_type="application/json")


def _shown(client, artefact):
    return client.get(f"/api/artefacts/{artefact.id}/advice").json()


def test_curves_are_measured_and_shown(setup, artefact, tmp_path, settings):
    store, cache = embedding_store()
    settings.ASSETS_DIR, settings.CACHE_DIR = store, cache
    client = setup.client()
    shown = _shown(client, artefact)
    assert (shown["is_offered"], shown["report"], shown["job"]) == (True, None, None)
    assert shown["estimated_s"] > 0
    reply = _start(client, artefact)
    assert reply.status_code == 202
    job = Job.objects.get(id=reply.json()["id"])
    assert _start(client, artefact).json()["id"] == job.id, "no second one while it waits"

    workdir = tmp_path / "job"
    workdir.mkdir()
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    blobs().put_tree(result_prefix(job.id), workdir / "artefact")
    job_move(job, JobState.LEASED)
    job_end(job, JobState.SUCCEEDED)

    report = _shown(client, artefact)["report"]
    assert report["objective"] == "accuracy"
    assert {each["label"] for each in report["labels"]} == set(artefact.facts.label_set.names)
    assert "What more data would bring" in client.get(f"/api/artefacts/{artefact.id}/report.html").content.decode()
    assert _start(client, artefact).json()["id"] != job.id
    assert _shown(client, artefact)["report"] == report, "the old report stays until there is a new one"


def test_models_without_a_quick_head_are_refused(setup, artefact):
    manifest = {**artefact.manifest, "files": ["pipeline.json"]}
    Artefact.objects.filter(id=artefact.id).update(manifest=manifest)
    client = setup.client()
    assert not _shown(client, artefact)["is_offered"]
    assert _start(client, artefact).json()["params"] == {"context": "advice"}


def test_who_may_only_look_starts_nothing(setup, artefact):
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert _shown(viewer, artefact)["report"] is None
    assert _start(viewer, artefact).status_code == 403
