"""Studies of strategy ``distill``: small models that a large one teaches."""

import json

import pytest

from automl.contracts.job import UNLABELLED_FILE, JobState
from studio.datasets.models import Item
from studio.datasets.versions.manifest import version_commit
from studio.jobs.handlers import job_prepare
from studio.registry.models import Artefact
from studio.studies.models import Study, StudyState
from studio.studies.strategies.distill import TEACHER_DIR
from tests.studio.studies.material import artefact_make, job_end, job_succeed, study_make, text_version_make, trials_of
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import ingest, setup_make, zip_of


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def version(setup):
    return text_version_make(setup)


@pytest.fixture
def teacher(setup, version):
    (trial,) = trials_of(study_make(setup, version, families=["text_probe"], max_trials=1))
    job_succeed(trial.job)
    return Artefact.objects.get(trial=trial)


def _study_body(setup, version, teacher):
    return study_body(setup, version, strategy="distill", teacher=teacher.id)


def test_only_a_model_that_began_with_pretrained_weights_teaches(setup, version, teacher):
    small = artefact_make(setup, version)
    can_teach = {
        each["id"]: each["teaches"] for each in setup.client().get(f"/api/artefacts?project={setup.project.id}").json()["items"]
    }
    assert can_teach == {teacher.id: True, small.id: False}
    reply = post(setup.client(), "/studies", _study_body(setup, version, small))
    assert (reply.status_code, reply.json()["code"]) == (422, "teacher_unsuitable")


def test_the_plan_names_the_students(setup, version, teacher):
    plan = post(setup.client(), "/studies/plan", _study_body(setup, version, teacher)).json()
    assert {trial["family"] for trial in plan["trials"]} == {"text_bag", "tfidf_linear", "text_cnn"}
    assert plan["blocking"] == []


def test_without_a_teacher_nothing_is_taught(setup, version):
    reply = post(setup.client(), "/studies", study_body(setup, version, strategy="distill"))
    assert (reply.status_code, reply.json()["code"]) == (422, "teacher_unsuitable")
    reply = post(setup.client(), "/studies", study_body(setup, version, strategy="distill", teacher="art_unknown"))
    assert reply.status_code == 404


def test_a_version_with_other_labels_is_refused(setup, version, teacher):
    setup.labels("cat", "dog", "bird")
    files = {f"bird/{number}.txt": f"a bird of number {number}".encode() for number in range(20)}
    ingest(setup.dataset, zip_of(files), name="birds.zip", labels="folder")

    other = version_commit(dataset=setup.dataset, actor=setup.actor)[0]
    reply = post(setup.client(), "/studies", _study_body(setup, other, teacher))
    assert (reply.status_code, reply.json()["code"]) == (422, "teacher_unsuitable")


def test_students_are_trained_once_each_with_what_nobody_labelled(setup, version, teacher, tmp_path):
    files = {f"{number}.txt": f"text number {number} that nobody looked at".encode() for number in range(30)}
    ingest(setup.dataset, zip_of(files), name="more.zip", labels="none")
    study = Study.objects.get(id=post(setup.client(), "/studies", _study_body(setup, version, teacher)).json()["id"])
    (trial,) = trials_of(study)
    spec = job_prepare(trial.job, tmp_path)
    assert (spec.kind, spec.artefact, spec.lineage["teacher"]) == ("distill", TEACHER_DIR, teacher.id)
    assert (tmp_path / TEACHER_DIR / "artefact.json").exists()
    given = [json.loads(line) for line in (tmp_path / UNLABELLED_FILE).read_text().splitlines()]
    held_back = Item.objects.filter(dataset=setup.dataset, state="unlabelled").exclude(split="train")
    assert len(given) == 30 - held_back.count() > 10
    assert not {item.text for item in held_back} & set(given)
    for _ in range(3):
        job_succeed(trials_of(study)[-1].job)
    study.refresh_from_db()
    assert study.state == StudyState.SUCCEEDED
    assert {trial.train.family for trial in trials_of(study)} == {"text_bag", "tfidf_linear", "text_cnn"}
    student = Artefact.objects.filter(trial__study=study).first()
    nodes = setup.client().get(f"/api/artefacts/{student.id}/lineage").json()["nodes"]
    assert teacher.id in {node["id"] for node in nodes}
    reply = post(setup.client(), f"/studies/{study.id}/extend", {"max_trials": 9})
    assert (reply.status_code, reply.json()["code"]) == (409, "study_ended")


def test_a_student_that_fails_does_not_end_the_others(setup, version, teacher):
    study = Study.objects.get(id=post(setup.client(), "/studies", _study_body(setup, version, teacher)).json()["id"])
    job_end(trials_of(study)[0].job, JobState.FAILED)
    assert len(trials_of(study)) == 2


def test_lessons_are_no_measure_of_how_long_training_takes(setup, version, teacher):
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, families=["tfidf_linear"])).json()
    study = Study.objects.get(id=post(setup.client(), "/studies", _study_body(setup, version, teacher)).json()["id"])
    for _ in range(3):
        job_succeed(trials_of(study)[-1].job)
    again = post(setup.client(), "/studies/plan", study_body(setup, version, families=["tfidf_linear"])).json()
    assert again["trials"][0]["estimated_s"] == plan["trials"][0]["estimated_s"]
