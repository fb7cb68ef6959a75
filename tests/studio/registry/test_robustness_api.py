"""A model is tried on altered pictures: the job, the engine's report, and what the page gets of it."""

from __future__ import annotations

import pytest

from automl.contracts.dataset import Split
from automl.contracts.job import JobState
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.jobs.handlers import job_prepare
from studio.jobs.models import Job
from studio.jobs.states import job_move
from studio.jobs.workdir import result_prefix
from studio.registry.errors import EvaluationUnfitError, SplitLearnedError
from studio.registry.models import Artefact
from studio.registry.robustness import robustness_start
from tests.engine.jobs import events, run_here
from tests.studio.studies.material import artefact_make, job_end
from tests.support.project_setup import setup_make


@pytest.fixture
def artefact(setup, version):
    return artefact_make(setup, version)


def _start(client, artefact, split="test"):
    return client.post(f"/api/artefacts/{artefact.id}/robustness", {"split": split}, content_type="application/json")


def _shown(client, artefact, split="test"):
    return client.get(f"/api/artefacts/{artefact.id}/robustness", {"split": split}).json()


def test_a_model_is_tried_and_its_report_shown(setup, artefact, tmp_path):
    client = setup.client()
    assert _shown(client, artefact) == {"report": None, "job": None}
    reply = _start(client, artefact)
    assert reply.status_code == 202
    job = Job.objects.get(id=reply.json()["id"])
    assert _start(client, artefact).json()["id"] == job.id, "no second one while it waits"
    assert _shown(client, artefact)["job"]["state"] == "queued"
    assert _shown(client, artefact, "validation")["job"] is None

    workdir = tmp_path / "job"
    workdir.mkdir()
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    blobs().put_tree(result_prefix(job.id), workdir / "artefact")
    job_move(job, JobState.LEASED)
    job_end(job, JobState.SUCCEEDED)

    report = _shown(client, artefact)["report"]
    assert (report["split"], report["measure"]) == ("test", "accuracy")
    assert report["num_items"] == report["num_in_split"] > 0
    assert len(report["alterations"]) == 7
    assert report["alterations"][0]["steps"][2]["example"].startswith("data:image/jpeg;base64,")
    page = client.get(f"/api/artefacts/{artefact.id}/report.html", {"language": "zh"}).content.decode()
    assert "JPEG 压缩" in page
    assert page.count("质量 20") == 1, "in the part of the split that was tried, and in no other"

    again = _start(client, artefact).json()["id"]
    assert again != job.id
    assert _shown(client, artefact)["report"] == report, "the old report stays until there is a new one"
    assert _shown(client, artefact)["job"]["id"] == again


def test_items_that_the_model_learned_cannot_test_it(setup, artefact):
    manifest = {**artefact.manifest, "learned": ["train", "validation"]}
    Artefact.objects.filter(id=artefact.id).update(manifest=manifest)
    learned = Artefact.objects.get(id=artefact.id)
    with pytest.raises(SplitLearnedError):
        robustness_start(artefact=learned, split=Split.VALIDATION, actor=setup.actor)
    assert _start(setup.client(), learned, "validation").json()["code"] == "split_was_learned"


def test_models_of_several_graphs_are_not_asked(setup, artefact):
    manifest = {**artefact.manifest, "files": ["pipeline.json"]}
    Artefact.objects.filter(id=artefact.id).update(manifest=manifest)
    with pytest.raises(EvaluationUnfitError) as refused:
        robustness_start(artefact=Artefact.objects.get(id=artefact.id), split=Split.TEST, actor=setup.actor)
    assert refused.value.params == {"context": "alterations"}


def test_rights(setup, artefact):
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert _shown(viewer, artefact) == {"report": None, "job": None}
    assert _start(viewer, artefact).status_code == 403
    stranger = setup_make(email="eve@example.org").client()
    assert stranger.get(f"/api/artefacts/{artefact.id}/robustness").status_code == 404
    assert _start(stranger, artefact).status_code == 404
