"""What a deployed model was unsure of comes back as items with its answer as a suggestion."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest

from labeling.handlers import job_run
from labeling.models import Suggestion
from studio.datasets.models import Item, Upload
from studio.datasets.versions.manifest import version_commit
from studio.deployments.models import Deployment, PredictionLog, ShadowCall, Variant
from studio.jobs.models import Job
from studio.registry.models import Artefact
from tests.studio.studies.material import artefact_make, text_version_make
from tests.support.project_setup import InMemoryReporter, ingest, picture, setup_make, zip_of

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def deployment(setup):
    files = {f"{'rose' if n % 2 else 'tulip'}/{n}.png": picture(n) for n in range(4)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    version, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    artefact = Artefact.objects.create(
        project=setup.project,
        number=1,
        version=version,
        tree="artefacts/x",
        manifest={},
        latency_ms=1,
        model_bytes=1,
        size_bytes=1,
    )
    return Deployment.objects.create(
        workspace=setup.workspace, project=setup.project, artefact=artefact, name="Shop", slug="shop", created_by=setup.owner.id
    )


@pytest.fixture
def call(deployment, settings):
    inputs = settings.SERVING_DIR / "inputs"
    inputs.mkdir(parents=True)
    made = iter(range(1, 100))

    def make(data: bytes, uncertainty: float, label: str = "rose") -> PredictionLog:
        sha256 = hashlib.sha256(data).hexdigest()
        (inputs / sha256).write_bytes(data)
        return PredictionLog.objects.create(
            id=f"prd_{next(made):026d}",
            deployment=deployment,
            at=AT,
            artefact=deployment.artefact_id,
            status=200,
            latency_ms=3.0,
            num_pictures=1,
            top=[{"label": label, "score": 0.4}],
            held=[{"kind": "class", "label": label, "score": 0.4}],
            uncertainty=uncertainty,
            input_sha256=sha256,
        )

    return make


def ask(setup, deployment, **fields):
    body = {"deployment": deployment.id} | fields
    return setup.client().post("/api/labeling/feedback", body, content_type="application/json")


def test_uncertain_inputs_become_items_with_the_answer_as_suggestion(setup, deployment, call):
    sure, unsure, very = call(picture(50), 0.1), call(picture(51), 0.6), call(picture(52), 0.9, "tulip")
    answer = ask(setup, deployment, min_uncertainty=0.5).json()
    assert answer["items"] == 2
    job = Job.objects.get(id=answer["job"]["id"])
    job_run(job, InMemoryReporter())
    blobs = set(Item.objects.filter(dataset=setup.dataset, state="unlabelled").values_list("blob", flat=True))
    assert blobs == {unsure.input_sha256, very.input_sha256}
    assert sure.input_sha256 not in blobs
    item = Item.objects.get(blob=very.input_sha256)
    suggested = setup.client().get(f"/api/labeling/suggestions?items={item.id}").json()
    assert suggested[item.id]["annotations"] == [{"kind": "class", "label": "tulip", "score": 0.4}]
    assert Suggestion.objects.get(item=item).provenance == f"model:{deployment.artefact_id}"
    upload = Upload.objects.get(kind="feedback")
    assert (upload.num_items, upload.created_by) == (2, setup.owner.id)
    body = {"project": setup.project.id}
    first = setup.client().post("/api/labeling/assignments", body, content_type="application/json").json()["items"]
    assert [one["id"] for one in first] == [item.id]


def test_what_the_shadow_answers_otherwise_becomes_items(setup, deployment, call):
    shadow = Artefact.objects.create(
        project=setup.project,
        number=2,
        version=deployment.artefact.version,
        tree="artefacts/y",
        manifest={},
        latency_ms=1,
        model_bytes=1,
        size_bytes=1,
    )
    Variant.objects.create(deployment=deployment, artefact=shadow, is_shadow=True)
    apart, alike, former = call(picture(50), 0.1), call(picture(51), 0.9), call(picture(52), 0.1)
    for row, by, disagreement in ((apart, shadow.id, 1.0), (alike, shadow.id, 0.05), (former, "art_former", 1.0)):
        ShadowCall.objects.create(
            id=row.id,
            deployment=deployment,
            at=AT,
            artefact=by,
            answered_by=row.artefact,
            latency_ms=1.0,
            disagreement=disagreement,
            held=row.held,
            input_sha256=row.input_sha256,
        )
    answer = ask(setup, deployment, reason="disagreement").json()
    assert answer["items"] == 1
    job_run(Job.objects.get(id=answer["job"]["id"]), InMemoryReporter())
    item = Item.objects.get(dataset=setup.dataset, state="unlabelled")
    assert item.blob == apart.input_sha256
    assert Suggestion.objects.get(item=item).provenance == f"model:{deployment.artefact_id}"
    assert ask(setup, deployment, reason="disagreement").json() == {"items": 0, "job": None}


def test_taking_over_again_finds_nothing_new(setup, deployment, call):
    call(picture(51), 0.6)
    job = Job.objects.get(id=ask(setup, deployment).json()["job"]["id"])
    for _ in range(2):
        job_run(job, InMemoryReporter())
    assert Item.objects.filter(dataset=setup.dataset).count() == 5
    assert ask(setup, deployment).json() == {"items": 0, "job": None}


def test_an_input_that_is_gone_or_no_picture_is_passed_over(setup, deployment, call, settings):
    gone, broken = call(picture(60), 0.8), call(b"no picture", 0.9)
    (settings.SERVING_DIR / "inputs" / gone.input_sha256).unlink()
    job = Job.objects.get(id=ask(setup, deployment).json()["job"]["id"])
    job_run(job, InMemoryReporter())
    assert Item.objects.filter(dataset=setup.dataset).count() == 4
    assert broken.input_sha256 not in set(Item.objects.values_list("blob", flat=True))


def test_an_item_that_a_person_labelled_gets_no_suggestion(setup, deployment, call):
    call(picture(1), 0.9)
    assert ask(setup, deployment).json()["items"] == 0
    assert Suggestion.objects.count() == 0


def test_a_renamed_label_reaches_suggestions_and_a_removed_one_leaves_them(setup, deployment, call):
    log = call(picture(51), 0.6, "rose")
    job_run(Job.objects.get(id=ask(setup, deployment).json()["job"]["id"]), InMemoryReporter())
    item = Item.objects.get(blob=log.input_sha256)
    url = f"/api/labeling/suggestions?items={item.id}"
    rename = {"project": setup.project.id, "plan": {"kind": "rename", "source": "rose", "target": "briar"}}
    answer = setup.client().post("/api/labeling/label-changes", rename, content_type="application/json")
    assert answer.status_code == 200
    assert setup.client().get(url).json()[item.id]["annotations"][0]["label"] == "briar"
    Suggestion.objects.update(annotations=[{"kind": "class", "label": "never"}])
    assert setup.client().get(url).json()[item.id]["annotations"] == []


def test_a_foreign_deployment_is_not_there(deployment):
    eve = setup_make(email="eve@example.org")
    assert ask(eve, deployment).status_code == 404


def test_uncertain_texts_become_items_that_can_be_read(db, home, settings):
    setup = setup_make(task="text_classification")
    artefact = artefact_make(setup, text_version_make(setup))
    deployment = Deployment.objects.create(
        workspace=setup.workspace, project=setup.project, artefact=artefact, name="Shop", slug="shop", created_by=setup.owner.id
    )
    text = "好, 快递\nthe dog came late"
    inputs = settings.SERVING_DIR / "inputs"
    inputs.mkdir(parents=True)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    (inputs / sha256).write_bytes(text.encode())
    PredictionLog.objects.create(
        id=f"prd_{1:026d}",
        deployment=deployment,
        at=AT,
        artefact=artefact.id,
        status=200,
        latency_ms=3.0,
        num_pictures=1,
        top=[{"label": "dog", "score": 0.4}],
        held=[{"kind": "class", "label": "dog", "score": 0.4}],
        uncertainty=0.8,
        input_sha256=sha256,
    )
    feedback = ask(setup, deployment).json()
    assert feedback["items"] == 1
    job_run(Job.objects.get(id=feedback["job"]["id"]), InMemoryReporter())
    item = Item.objects.get(dataset=setup.dataset, state="unlabelled")
    assert (item.text, item.blob, item.width, item.format) == (text, sha256, 0, "txt")
    suggested = setup.client().get(f"/api/labeling/suggestions?items={item.id}").json()
    assert suggested[item.id]["annotations"] == [{"kind": "class", "label": "dog", "score": 0.4}]
    assert ask(setup, deployment).json() == {"items": 0, "job": None}
