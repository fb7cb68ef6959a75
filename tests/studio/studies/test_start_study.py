"""Studies that go on from an earlier model."""

import pytest

from automl.contracts.artefact import MANIFEST_FILE
from automl.contracts.dataset import Split
from automl.contracts.job import LEARNED_FILE, START_DIR, TrainConfig
from studio.datasets.models import Dataset
from studio.datasets.versions.manifest import version_all_items
from studio.jobs.handlers import job_prepare
from studio.projects.services import project_create
from studio.registry.models import Artefact
from studio.studies.models import Study
from studio.studies.starts import judged_of
from tests.studio.studies.material import artefact_make, job_succeed, study_make, text_version_make, trials_of
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import ProjectSetup, home, setup_make

__all__ = ["home"]

CNN = TrainConfig(family="text_cnn", size="small", params={"epochs": 3})


@pytest.fixture
def setup(db, home):
    return setup_make(task="text_classification")


@pytest.fixture
def version(setup):
    return text_version_make(setup)


@pytest.fixture
def earlier(setup, version):
    return _left(study_make(setup, version, strategy="single", single=CNN))


def _left(study):
    """The model of a study's only trial."""
    (trial,) = trials_of(study)
    job_succeed(trial.job)
    return Artefact.objects.select_related("project", "version", "trial__study").get(trial=trial)


def _beside(setup, options):
    """Another project of the same people."""
    project = project_create(
        workspace=setup.workspace, name="Beside", task="text_classification", actor=setup.actor, task_options=options
    )
    return ProjectSetup(project, Dataset.objects.select_related("project").get(project=project), setup.owner, setup.workspace)


def _started(setup, version, **fields):
    reply = post(setup.client(), "/studies", study_body(setup, version, **fields))
    assert reply.status_code == 201, reply.json()
    return reply.json(), Study.objects.get(id=reply.json()["id"])


def test_models_say_whether_training_can_go_on_from_them(setup, version, earlier):
    frozen = artefact_make(setup, version)
    artefacts = setup.client().get(f"/api/artefacts?project={setup.project.id}").json()["items"]
    assert {each["id"]: each["continues"] for each in artefacts} == {earlier.id: True, frozen.id: False}


@pytest.mark.parametrize("strategy", ["portfolio", "random_search", "single"])
def test_every_trial_begins_with_the_model(setup, version, earlier, strategy, tmp_path):
    single = {"train": {"family": "text_cnn", "size": "small", "params": {}}} if strategy == "single" else {}
    reply, study = _started(setup, version, strategy=strategy, start_from=earlier.id, **single)
    assert reply["start_from"] == {"id": earlier.id, "project": setup.project.id, "number": earlier.number}
    assert reply["families"] == ["text_cnn"]
    while study.state == "running" and len(trials_of(study)) < 3 and trials_of(study)[-1].state == "queued":
        (*_, trial) = trials_of(study)
        assert (trial.train.family, trial.train.size, trial.train.start_from) == ("text_cnn", "small", earlier.id)
        job_prepare(trial.job, tmp_path / trial.id)
        assert (tmp_path / trial.id / START_DIR / earlier.id / MANIFEST_FILE).is_file()
        job_succeed(trial.job)
        study.refresh_from_db()
    assert len(trials_of(study)) >= (1 if strategy == "single" else 2)
    if strategy == "portfolio":
        assert trials_of(study)[0].train.params == CNN.params


def test_the_first_trial_of_a_plan_is_as_the_model_was_trained(setup, version, earlier):
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, start_from=earlier.id)).json()
    assert {(trial["family"], trial["size"]) for trial in plan["trials"]} == {("text_cnn", "small")}
    assert plan["trials"][0]["params"] == dict(CNN.params)
    anew = post(setup.client(), "/studies/plan", study_body(setup, version)).json()
    assert "text_cnn" not in {trial["family"] for trial in anew["trials"]}


def test_a_configuration_may_name_the_model_too(setup, version, earlier):
    train = {"family": "text_cnn", "size": "small", "params": {}, "start_from": earlier.id}
    response, study = _started(setup, version, strategy="single", train=train)
    assert response["start_from"]["id"] == earlier.id
    (trial,) = trials_of(study)
    assert trial.train.start_from == earlier.id
    other = _left(study)
    reply = post(setup.client(), "/studies", study_body(setup, version, strategy="single", train=train, start_from=other.id))
    assert (reply.status_code, reply.json()["code"]) == (422, "invalid_input")


def test_the_way_back_leads_over_all_earlier_models_and_what_they_learned(setup, version, earlier, tmp_path):
    _, study = _started(setup, version, strategy="single", train=CNN.model_dump(mode="json"), start_from=earlier.id)
    second = _left(study)
    newer = text_version_make(setup, num_items=20, first=100)
    _, study = _started(setup, newer, strategy="single", train=CNN.model_dump(mode="json"), start_from=second.id)
    (trial,) = trials_of(study)
    assert job_prepare(trial.job, tmp_path).limits.batch_parts == 1
    learned = set((tmp_path / START_DIR / LEARNED_FILE).read_text().split())
    assert learned == {record.blob for record in version_all_items(version) if record.split is Split.TRAIN}
    third = _left(study)
    lineage = setup.client().get(f"/api/artefacts/{third.id}/lineage").json()
    (node,) = [node for node in lineage["nodes"] if node["kind"] == "start"]
    assert (node["id"], node["title"]) == (second.id, f"Model {second.number}")
    assert [study.id, second.id] in lineage["edges"]


def test_of_a_model_that_learned_what_judges_the_judged_one_is_gone_on_from(setup, version, earlier, tmp_path):
    shipped = artefact_make(setup, version)
    facts = shipped.facts
    lineage = facts.lineage.model_copy(update={"members": (earlier.trial_id,)})
    changes = {"train": CNN, "lineage": lineage, "learned": (Split.TRAIN, Split.VALIDATION)}
    shipped.manifest = facts.model_copy(update=changes).model_dump(mode="json")
    shipped.save(update_fields=["manifest"])
    assert judged_of(shipped) == earlier
    _, study = _started(setup, version, start_from=shipped.id)
    (trial,) = trials_of(study)
    job_prepare(trial.job, tmp_path)
    assert (tmp_path / START_DIR / shipped.id).resolve().parent.name == earlier.trial.job_id
    held_back = {record.blob for record in version_all_items(version) if record.split is not Split.TRAIN}
    assert not held_back & set((tmp_path / START_DIR / LEARNED_FILE).read_text().split())


def test_a_model_of_another_project_of_the_workspace_will_do(setup, version, earlier):
    beside = _beside(setup, {})
    reply, _ = _started(beside, text_version_make(beside), start_from=earlier.id)
    assert reply["start_from"]["project"] == setup.project.id != reply["project"]


@pytest.mark.parametrize("fault", ["frozen", "strategy", "families", "size", "task", "workspace", "unknown"])
def test_what_cannot_be_gone_on_from_is_refused(setup, version, earlier, fault):
    fields, expected = {"start_from": earlier.id}, (422, "start_unsuitable")
    if fault == "frozen":
        fields = {"start_from": artefact_make(setup, version).id}
    elif fault == "strategy":
        fields, expected = {**fields, "strategy": "distill", "teacher": earlier.id}, (422, "invalid_input")
    elif fault == "families":
        fields["families"] = ["text_bag"]
    elif fault == "size":
        fields |= {"strategy": "single", "train": {"family": "text_cnn", "size": "large", "params": {}}}
    elif fault == "task":
        setup = _beside(setup, {"labels": "several"})
        version = text_version_make(setup)
    elif fault == "workspace":
        elsewhere = setup_make(task="text_classification", email="grace@example.org")
        strange = _left(study_make(elsewhere, text_version_make(elsewhere), strategy="single", single=CNN))
        fields, expected = {"start_from": strange.id}, (404, "not_found")
    else:
        fields, expected = {"start_from": "art_unknown"}, (404, "not_found")
    reply = post(setup.client(), "/studies", study_body(setup, version, **fields))
    assert (reply.status_code, reply.json()["code"]) == expected
    assert not Study.objects.exclude(start=None).exists()
