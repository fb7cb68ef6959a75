"""Studies on versions of texts: what is offered, planned and tried first."""

import pytest

from automl.contracts.modality import Modality
from engine.models import families_for, family_spec
from engine.tasks import task_spec
from studio.studies.models import Study
from tests.studio.studies.material import text_version_make, trials_of
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import setup_make


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def version(setup):
    return text_version_make(setup)


def test_a_project_of_texts_is_offered_what_reads_texts(setup):
    tasks = {task["name"]: task for task in setup.client().get("/api/tasks").json()}
    families = tasks["text_classification"]["families"]
    assert {family["reads"] for family in families} == {"text"}
    assert {"tfidf_linear", "text_probe", "text_encoder", "text_cnn"} <= {family["name"] for family in families}
    pictures = [family for name in ("image_classification", "object_detection") for family in tasks[name]["families"]]
    assert {family["reads"] for family in pictures} == {"image"}


def test_the_plan_begins_with_what_answers_soonest(setup, version):
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, max_trials=6)).json()
    assert plan["blocking"] == []
    tried = [trial["family"] for trial in plan["trials"]]
    assert tried[:2] == ["tfidf_linear", "text_probe"]
    assert tried.index("text_bag") < tried.index("text_cnn")
    assert all(family_spec(name).reads is Modality.TEXT for name in tried)
    assert all(trial["fits"] and 0 < trial["estimated_s"] < 3600 for trial in plan["trials"])
    soonest = min(plan["trials"], key=lambda trial: trial["estimated_s"])
    assert soonest["family"] == "tfidf_linear"


def test_reading_further_takes_longer_and_more_memory_where_texts_are_long(setup):
    version = text_version_make(setup, times=40)

    def planned(max_tokens):
        train = {"family": "text_encoder", "size": "english", "params": {"max_tokens": max_tokens}}
        body = study_body(setup, version, strategy="single", families=["text_encoder"], train=train)
        (trial,) = post(setup.client(), "/studies/plan", body).json()["trials"]
        return trial

    short, long = planned(64), planned(256)
    assert short["estimated_s"] < long["estimated_s"]
    assert short["memory_bytes"] < long["memory_bytes"]


def test_a_study_started_with_nothing_chosen_runs_families_of_texts(setup, version):
    body = {"project": setup.project.id, "version": version.id}
    reply = post(setup.client(), "/studies", body)
    assert reply.status_code == 201, reply.content
    study = Study.objects.get(id=reply.json()["id"])
    offered = {family.name for family in families_for(task_spec("text_classification"))}
    assert set(reply.json()["families"]) == offered
    (first,) = trials_of(study)
    assert first.train.family == "tfidf_linear"


def test_a_family_that_sees_pictures_is_refused(setup, version):
    reply = post(setup.client(), "/studies", study_body(setup, version, families=["resnet"]))
    assert (reply.status_code, reply.json()["code"]) == (422, "study_family_unknown")
    assert "tfidf_linear" in reply.json()["hint"]
