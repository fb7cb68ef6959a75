"""Batch predictions through HTTP: what is refused, ended, gone on with, started again, deleted and used as suggestions."""

import pytest

from labeling.models import Suggestion
from studio.accounts.audit_words import TOPICS
from studio.accounts.models import AuditRow
from studio.accounts.quotas import Quota, quota_used
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.datasets.models import Item, Upload
from studio.datasets.uploads.services import upload_create
from studio.jobs.endings import job_finish
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.jobs.states import JobState, job_move
from studio.predictions.models import PredictionFile, PredictionPart, PredictionRun
from tests.exporters.artefact_factory import artefact_write
from tests.studio.predictions.material import LABELS, MATERIAL, PICTURES, artefact_place, sent, setup_of
from tests.studio.predictions.test_prediction_kinds import JSON, results, start, work
from tests.studio.studies.material import version_make
from tests.support.project_setup import InMemoryReporter, ingest, picture, setup_make, zip_of


@pytest.fixture
def artefact(setup, tmp_path):
    return artefact_place(setup, version_make(setup), artefact_write(tmp_path / "model", labels=LABELS))


@pytest.fixture
def client(setup):
    return setup.client()


def post(client, path, body=None):
    return client.post(f"/api{path}", body or {}, content_type=JSON)


def ended(started, state):
    job = Job.objects.get(id=started["job"]["id"])
    job_move(job, JobState.LEASED)
    job_move(job, JobState.RUNNING)
    job_finish(job, state)


def refused(client, setup, **body):
    reply = post(client, f"/projects/{setup.project.id}/predictions", body)
    return reply.status_code, reply.json()["code"]


def test_wrong_requests_are_refused_before_a_job_is_made(client, setup, artefact, tmp_path):
    other = artefact_place(
        setup_of("text", "tom@example.org"), version_make(setup, first=50), artefact_write(tmp_path / "b", labels=LABELS)
    )
    half = upload_create(dataset=setup.dataset, actor=setup.actor, name="a.zip", size_bytes=9, kind="predict").id
    plain = upload_create(dataset=setup.dataset, actor=setup.actor, name="a.zip", size_bytes=0, kind="file").id
    requests = [
        (404, "not_found", {"artefact": other.id, "source": "items"}),
        (422, "prediction_source_invalid", {"artefact": artefact.id, "source": "version"}),
        (422, "prediction_source_invalid", {"artefact": artefact.id, "source": "items", "version": "dsv_1"}),
        (422, "prediction_source_invalid", {"artefact": artefact.id, "source": "items", "uploads": [half]}),
        (422, "prediction_source_invalid", {"artefact": artefact.id, "source": "files", "uploads": [plain]}),
        (422, "prediction_source_invalid", {"artefact": artefact.id, "source": "files", "uploads": [half], "filter": {}}),
        (422, "prediction_empty", {"artefact": artefact.id, "source": "files"}),
        (422, "prediction_empty", {"artefact": artefact.id, "source": "items", "filter": {"state": "unlabelled"}}),
        (409, "upload_incomplete", {"artefact": artefact.id, "source": "files", "uploads": [half]}),
    ]
    assert [refused(client, setup, **body) for _, _, body in requests] == [(status, code) for status, code, _ in requests]
    assert not Job.objects.filter(kind="predict").exists()


def test_a_model_of_another_task_of_the_workspace_is_refused(client, setup, artefact, tmp_path):
    artefact.project = setup.project
    several = setup_make(email="ben@example.org", options={"labels": "several"})
    several.project.workspace = setup.workspace
    several.project.save()
    assert refused(client, several, artefact=artefact.id, source="items") == (422, "prediction_model_unfit")


def test_a_model_of_another_project_with_the_same_task_predicts(client, setup, artefact):
    other = setup_make(email="ben@example.org")
    other.project.workspace = setup.workspace
    other.project.save()
    ingest(other.dataset, zip_of(PICTURES))
    started = start(client, other, artefact, source="items")
    assert work(started).num_results == len(PICTURES)
    ended(started, JobState.SUCCEEDED)
    reply = post(client, f"/predictions/{started['id']}/suggestions")
    assert reply.status_code == 202
    job_run(Job.objects.get(id=reply.json()["suggest_job"]["id"]), InMemoryReporter())
    assert Suggestion.objects.filter(item__dataset=other.dataset).count() == len(PICTURES)
    assert set(Suggestion.objects.values_list("provenance", flat=True)) == {f"model:{artefact.id}"}
    other.project.refresh_from_db()
    assert set(other.project.labels.names) <= set(LABELS)
    assert other.project.labels.names


def test_suggestions_leave_annotations_of_people_alone(client, setup, artefact):
    ingest(setup.dataset, zip_of({f"new/{n}.png": picture(700 + n) for n in range(3)}), name="more.zip")
    started = start(client, setup, artefact, source="items")
    assert post(client, f"/predictions/{started['id']}/suggestions").json()["code"] == "prediction_no_items"
    work(started)
    assert post(client, f"/predictions/{started['id']}/suggestions").json()["code"] == "prediction_busy"
    ended(started, JobState.SUCCEEDED)
    job = Job.objects.get(id=post(client, f"/predictions/{started['id']}/suggestions").json()["suggest_job"]["id"])
    for _ in range(2):
        job_run(job, InMemoryReporter())
        assert set(Suggestion.objects.values_list("item", flat=True)) == set(
            Item.objects.filter(dataset=setup.dataset, state="unlabelled").values_list("id", flat=True)
        )
    shown = client.get(f"/api/predictions/{started['id']}").json()
    assert shown["num_suggested"] == 3
    assert Item.objects.filter(dataset=setup.dataset, state="annotated").count() == 40


def test_texts_get_suggestions_of_what_the_model_says(home, db, tmp_path):
    setup = setup_of("text")
    artefact = artefact_place(setup, MATERIAL["text"].version(setup), MATERIAL["text"].model(tmp_path / "model"))
    ingest(setup.dataset, zip_of({f"new{n}.txt": f"something {n} else".encode() for n in range(3)}), name="more.zip")
    client = setup.client()
    started = start(client, setup, artefact, source="items", filter={"state": "unlabelled"})
    work(started)
    ended(started, JobState.SUCCEEDED)
    reply = post(client, f"/predictions/{started['id']}/suggestions").json()
    job_run(Job.objects.get(id=reply["suggest_job"]["id"]), InMemoryReporter())
    predicted = {one["item"]: one["annotations"][0]["label"] for one in results(client, started)}
    assert len(predicted) == 3
    assert {one.item_id: one.annotations[0]["label"] for one in Suggestion.objects.all()} == predicted


def test_what_was_cancelled_goes_on_and_what_is_complete_does_not(client, setup, artefact):
    started = start(client, setup, artefact, source="items")
    path = f"/predictions/{started['id']}"
    assert post(client, f"{path}/resume").json()["code"] == "prediction_busy"
    assert post(client, f"{path}/cancel").json()["job"]["state"] == "cancelled"
    assert post(client, f"{path}/cancel").json()["code"] == "job_finished"
    resumed = post(client, f"{path}/resume").json()
    assert resumed["job"]["id"] != started["job"]["id"]
    assert work(resumed).num_results == 40
    ended(resumed, JobState.SUCCEEDED)
    assert post(client, f"{path}/resume").json()["code"] == "prediction_complete"


def test_starting_again_takes_the_same_files(client, setup, artefact):
    upload = sent(setup, "a.zip", MATERIAL["image"].files["holiday.zip"])
    started = start(client, setup, artefact, source="files", uploads=[upload.id])
    again = post(client, f"/predictions/{started['id']}/again").json()
    work(started)
    work(again)
    first, second = (results(client, each) for each in (started, again))
    assert [(one["name"], one["scores"]) for one in first] == [(one["name"], one["scores"]) for one in second]
    listed = client.get(f"/api/projects/{setup.project.id}/predictions").json()["items"]
    assert [one["id"] for one in listed] == [again["id"], started["id"]]


def test_a_deleted_run_leaves_nothing_and_one_that_runs_stays(client, setup, artefact):
    upload = sent(setup, "a.png", picture(1))
    before = quota_used(setup.workspace.id, Quota.STORAGE_BYTES)
    started = start(client, setup, artefact, source="files", uploads=[upload.id])
    assert client.delete(f"/api/predictions/{started['id']}").json()["code"] == "prediction_busy"
    work(started)
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) > before
    ended(started, JobState.SUCCEEDED)
    assert client.delete(f"/api/predictions/{started['id']}").status_code == 204
    assert not any(each.objects.exists() for each in (PredictionRun, PredictionFile, PredictionPart))
    assert client.get(f"/api/predictions/{started['id']}").status_code == 404
    assert set(AuditRow.objects.filter(subject=started["id"]).values_list("action", flat=True)) <= set(TOPICS)


def test_an_upload_for_a_prediction_is_no_data_of_the_project(client, setup, artefact):
    upload = sent(setup, "a.png", picture(1))
    path = f"/api/datasets/{setup.dataset.id}/uploads"
    assert upload.id not in {one["id"] for one in client.get(path).json()["items"]}
    reply = client.post(f"{path}/{upload.id}/finish", {}, content_type=JSON)
    assert (reply.status_code, reply.json()["job"]) == (202, None)
    started = start(client, setup, artefact, source="files", uploads=[upload.id])
    assert work(started).num_results == 1
    assert not Upload.objects.filter(id=upload.id).exists()
    assert Item.objects.filter(dataset=setup.dataset).count() == 40


def test_rights(setup, client, artefact):
    started = start(client, setup, artefact, source="items")
    work(started)
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert viewer.get(f"/api/predictions/{started['id']}/results").status_code == 200
    assert refused(viewer, setup, artefact=artefact.id, source="items") == (403, "permission_denied")
    labeller = setup.client(setup.member("lara", Role.LABELLER))
    assert start(labeller, setup, artefact, source="items")["job"]
    stranger = setup_make(email="eve@example.org").client()
    for path in ("", "/results", "/download"):
        assert stranger.get(f"/api/predictions/{started['id']}{path}").status_code == 404


def test_a_cursor_of_ones_own_is_refused(client, setup, artefact):
    started = start(client, setup, artefact, source="items")
    for cursor in ("x", "-1", "1" * 30, "²"):
        reply = client.get(f"/api/predictions/{started['id']}/results", {"cursor": cursor})
        assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")


def test_a_run_answers_from_the_scores_that_somebody_chose(client, setup, artefact):
    for chosen, label in ((1 - 1e-9, LABELS[1]), (1e-9, LABELS[0])):
        artefact.thresholds = {LABELS[0]: chosen, LABELS[1]: 1 - chosen}
        artefact.save()
        started = start(client, setup, artefact, source="items")
        work(started)
        assert {one["annotations"][0]["label"] for one in results(client, started)} == {label}


def test_an_item_whose_file_is_gone_fails_alone_and_says_why(client, setup, artefact):
    gone = Item.objects.filter(dataset=setup.dataset).order_by("id")[3]
    blobs().set_aside(gone.blob)
    blobs().erase(gone.blob)
    started = start(client, setup, artefact, source="items")
    assert work(started).num_failed == 1
    failed = results(client, started, only="failed")
    assert [(one["item"], one["code"]) for one in failed] == [(gone.id, "stored_file_missing")]
    assert failed[0]["reason"]["zh"]
