"""Studies on versions of tables: what is planned and tried first, and a trial that really learns, up to the registry."""

import numpy as np
import pytest

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.job import JobState
from automl.contracts.task import OutputKind
from engine.models import families_for, family_spec
from engine.tasks import task_spec
from studio.common.blobs import blobs
from studio.datasets.versions.manifest import version_commit
from studio.jobs.workdir import result_prefix
from studio.registry.importing import report_read
from studio.registry.models import Artefact, Evaluation
from studio.studies.handlers import job_prepare, job_reported
from studio.studies.models import Study, Trial
from tests.engine.jobs import events, run_here
from tests.studio.datasets.test_rows import target_set
from tests.studio.studies.material import job_begin, job_end, trials_of
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import ingest, setup_make

NUMBER = {"predicts": "number"}


def _table(num_rows=120):
    random = np.random.default_rng(0)
    lines = ["size_m2,district,built,price,sold"]
    for number in range(num_rows):
        size, district = random.uniform(30, 120), ("old", "new", "港口")[number % 3]
        price = 2000 * size + 30000 * (number % 3) + random.normal(0, 4000)
        sold = "yes" if size + random.normal(0, 8) > 75 else "no"
        cell = "" if number % 11 == 5 else f"{size:.1f}"
        lines.append(f"{cell},{district},19{number % 90 + 10}-05-01,{price:.0f},{sold}")
    return ("\n".join(lines) + "\n").encode()


def _version(setup, target):
    ingest(setup.dataset, _table(), name="flats.csv", kind="file")
    target_set(setup.client(), setup, target)
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


@pytest.fixture
def setup(db, home):
    return setup_make(task="tabular_prediction", options=NUMBER)


@pytest.fixture
def version(setup):
    return _version(setup, "price")


def test_the_plan_begins_with_trees_and_tries_each_family_in_one_size(setup, version):
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, max_trials=10)).json()
    assert plan["blocking"] == []
    tried = [trial["family"] for trial in plan["trials"]]
    offered = {family.name for family in families_for(task_spec("tabular_prediction"))}
    assert tried[:3] == ["gradient_boosting", "table_linear", "table_ensemble"]
    assert set(tried) == offered
    assert len(tried) == len(offered)
    assert all(trial["size"] == family_spec(trial["family"]).sizes[0].name for trial in plan["trials"]), "which takes all rows"
    assert all(trial["fits"] and 0 < trial["estimated_s"] < 600 for trial in plan["trials"])


def test_one_configuration_may_have_any_size(setup, version):
    train = {"family": "table_linear", "size": "1m", "params": {}}
    body = study_body(setup, version, strategy="single", families=["table_linear"], train=train)
    (trial,) = post(setup.client(), "/studies/plan", body).json()["trials"]
    assert (trial["size"], trial["fits"]) == ("1m", True)


def _learned(setup, version, tmp_path):
    """A study of the linear model, whose first trial the engine really runs."""
    body = {"project": setup.project.id, "version": version.id, "families": ["table_linear"], "max_trials": 1}
    reply = post(setup.client(), "/studies", body)
    assert reply.status_code == 201, reply.content
    (trial,) = trials_of(Study.objects.get(id=reply.json()["id"]))
    assert trial.study.pruner == "median"
    job = job_begin(trial.job)
    workdir = tmp_path / "work"
    workdir.mkdir()
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    for event in events(workdir, "metric"):
        assert job_reported(job, event) is None
    blobs().put_tree(result_prefix(job.id), workdir / "artefact")
    job_end(job, JobState.SUCCEEDED, metrics=events(workdir, "finished")[0].metrics)
    return Trial.objects.get(id=trial.id)


def test_a_trial_on_numbers_ends_in_the_registry(setup, version, tmp_path):
    trial = _learned(setup, version, tmp_path)
    artefact = Artefact.objects.get(trial_id=trial.id)
    manifest = ArtefactManifest.model_validate(artefact.manifest)
    assert manifest.output is OutputKind.NUMBER
    assert manifest.decode.target == "price"
    assert [column.name for column in manifest.decode.columns] == ["size_m2", "district", "built", "sold"]
    assert trial.value == pytest.approx(manifest.metrics["validation"]["rmse"])
    numbers = Evaluation.objects.get(artefact=artefact, split="validation").metrics
    assert set(numbers) == {"rmse", "mae", "median_error", "r2"}
    report = report_read(artefact.tree)
    assert report.table.effects[0].column == "size_m2"
    assert report.splits[0].regression is not None
    study = setup.client().get(f"/api/studies/{trial.study_id}").json()
    assert study["objective"]["name"] == "rmse"


def test_a_trial_on_categories_is_judged_by_the_area_under_the_curve(db, home, tmp_path):
    setup = setup_make(task="tabular_prediction")
    trial = _learned(setup, _version(setup, "sold"), tmp_path)
    artefact = Artefact.objects.get(trial_id=trial.id)
    assert artefact.manifest["output"] == "class_scores"
    assert trial.value == pytest.approx(artefact.manifest["metrics"]["validation"]["roc_auc"])
    report = report_read(artefact.tree)
    assert report.labels == ("no", "yes")
    assert {each.column for each in report.table.effects} == {"size_m2", "district", "built", "price"}
