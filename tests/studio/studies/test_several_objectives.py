"""Studies that improve the time of an answer and the size of the model besides their metric, and which trial they ship."""

import importlib

from django.apps import apps

from automl.contracts.job import JobState
from automl.search.objectives import SideObjective
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.jobs.workdir import result_prefix
from studio.registry.models import Artefact
from studio.studies.advance import history_of
from studio.studies.handlers import job_prepare
from studio.studies.models import Study, StudyState, Trial
from studio.studies.plan import plan_make
from studio.studies.present import study_out
from tests.engine.jobs import events, run_here
from tests.studio.studies.material import (
    job_begin,
    job_end,
    job_measure,
    job_succeed,
    report_make,
    request_make,
    study_make,
    trials_of,
)
from tests.studio.studies.test_rows_study import NUMBER, _version
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import setup_make

BOTH = tuple(SideObjective)
TIME = (SideObjective.LATENCY_MS,)


def _searched(setup, version, *found, also=BOTH, **options):
    """A study of several objectives whose candidates have ended well, each with (accuracy, ms, bytes)."""
    study = study_make(setup, version, also_improves=also, max_trials=len(found), families=["resnet"], **options)
    for accuracy, latency_ms, model_bytes in found:
        report = report_make(version, accuracy=accuracy)
        report = report.model_copy(update={"latency_ms": latency_ms, "model_bytes": model_bytes})
        job_succeed(trials_of(study)[-1].job, accuracy=accuracy, report=report)
    return Study.objects.get(id=study.id)


def _ship(setup, study, trial):
    return post(setup.client(), f"/studies/{study.id}/ship", {"trial": trial.id})


def test_a_study_ends_with_the_trials_that_no_other_one_beats(setup, version):
    found = ((0.6, 1.0, 900), (0.9, 5.0, 500), (0.6, 2.0, 900), (0.7, 4.0, 400))
    study = _searched(setup, version, *found)
    trials, out = trials_of(study), study_out(study)
    assert (out.state, out.also_improves) == (StudyState.SUCCEEDED, list(BOTH))
    assert out.front == [trials[number].id for number in (1, 3, 0)]
    assert (out.best_trial, out.chosen_trial) == (trials[1].id, None), "the best of the metric"
    assert trials[3].footprint == {"latency_ms": 4.0, "model_bytes": 400}
    assert history_of(study)[3].footprint == {SideObjective.LATENCY_MS: 4.0, SideObjective.MODEL_BYTES: 400}
    by_time = study_out(_searched(setup, version, *found, also=TIME))
    assert len(by_time.front) == 3


def test_a_study_of_one_objective_has_no_front(setup, version):
    study = study_make(setup, version, max_trials=1)
    (trial,) = trials_of(study)
    job_succeed(trial.job)
    out = setup.client().get(f"/api/studies/{study.id}").json()
    assert (out["also_improves"], out["front"], out["chosen_trial"]) == ([], [], None)
    assert trials_of(study)[0].footprint == {"latency_ms": 2.0, "model_bytes": 3}, "it is kept all the same"
    refused = _ship(setup, study, trial)
    assert (refused.status_code, refused.json()["code"]) == (422, "trial_not_on_front")


def test_the_chosen_trial_learns_once_more_alone_and_is_shipped(setup, version, tmp_path):
    study = _searched(setup, version, (0.6, 1.0, 9), (0.9, 5.0, 9), (0.5, 3.0, 9), also=TIME, refits=True, max_answer_ratio=3.0)
    small, best, beaten, first_refit = trials_of(study)
    assert (study.max_answer_ratio, first_refit.members) == (1.0, [best.id]), "no mean of several"
    running = _ship(setup, study, small)
    assert (running.status_code, running.json()["code"]) == (409, "study_not_done")
    job_succeed(first_refit.job, accuracy=0.9)
    assert _ship(setup, study, beaten).json()["code"] == "trial_not_on_front"
    reply = _ship(setup, study, small)
    assert reply.status_code == 200, reply.content
    assert (reply.json()["state"], reply.json()["shipping"]) == ("running", "running")
    second_refit = trials_of(study)[-1]
    assert second_refit.members == [small.id]
    assert job_prepare(second_refit.job, tmp_path).refit.members == ("members/0",)
    job_succeed(second_refit.job, accuracy=0.6)
    out = setup.client().get(f"/api/studies/{study.id}").json()
    assert (out["state"], out["shipping"], out["best_trial"]) == ("succeeded", "refitted", second_refit.id)
    assert (out["judged_trial"], out["chosen_trial"], out["best_value"]) == (small.id, small.id, 0.6)
    back = _ship(setup, study, best).json()
    assert (back["state"], back["best_trial"]) == ("succeeded", first_refit.id), "that model is there already"
    assert len(trials_of(study)) == 5


def test_what_went_wrong_can_be_tried_again_and_the_judged_model_serves_meanwhile(setup, version):
    study = _searched(setup, version, (0.6, 1.0, 9), (0.9, 5.0, 9), also=TIME, refits=True)
    job_succeed(trials_of(study)[-1].job, accuracy=0.9)
    small = trials_of(study)[0]
    _ship(setup, study, small)
    job_end(trials_of(study)[-1].job, JobState.FAILED)
    out = study_out(Study.objects.get(id=study.id))
    assert (out.state, out.shipping, out.best_trial) == ("succeeded", "failed", small.id)
    assert _ship(setup, study, small).json()["state"] == "running"
    assert len(trials_of(study)) == 5


def test_a_choice_stays_when_the_search_goes_on(setup, version):
    study = _searched(setup, version, (0.6, 1.0, 9), (0.9, 5.0, 9), also=TIME)
    small = trials_of(study)[0]
    _ship(setup, study, small)
    assert post(setup.client(), f"/studies/{study.id}/extend", {"max_trials": 3}).status_code == 200
    job_succeed(trials_of(study)[-1].job, accuracy=0.95)
    out = study_out(Study.objects.get(id=study.id))
    assert (out.state, out.best_trial, out.chosen_trial) == ("succeeded", small.id, small.id)


def test_no_trial_is_stopped_for_being_behind_in_one_of_them(setup, version):
    study = study_make(setup, version, pruner="median", also_improves=TIME, families=["resnet"], max_trials=5)
    assert study.pruner == "none"
    for _ in range(3):
        job = job_begin(trials_of(study)[-1].job)
        for epoch in (1, 2, 3):
            job_measure(job, epoch=epoch, accuracy=0.8)
        job_succeed(job, accuracy=0.8)
    job = job_begin(trials_of(study)[-1].job)
    assert [job_measure(job, epoch=epoch, accuracy=0.1) for epoch in (1, 2, 3)] == [None, None, None]


def test_only_what_searches_takes_several_objectives(setup, version):
    train = {"family": "linear_probe", "size": "0", "params": {}}
    body = study_body(setup, version, strategy="single", train=train, also_improves=["latency_ms"])
    refused = post(setup.client(), "/studies", body)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["also_improves"])
    unknown = post(setup.client(), "/studies", study_body(setup, version, also_improves=["beauty"]))
    assert unknown.status_code == 422
    assert Study.objects.count() == 0


def test_the_plan_counts_one_model_to_learn_once_more(setup, version):
    mean, alone = (
        plan_make(version=version, request=request_make(refits=True, max_answer_ratio=3.0, also_improves=also))
        for also in ((), TIME)
    )
    assert (mean.max_answer_ratio, alone.max_answer_ratio) == (3.0, 1.0)
    assert 0 < alone.refit_s < mean.refit_s


def test_a_viewer_chooses_nothing(setup, version):
    study = _searched(setup, version, (0.6, 1.0, 9), (0.9, 5.0, 9), also=TIME)
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    reply = post(viewer, f"/studies/{study.id}/ship", {"trial": trials_of(study)[0].id})
    assert reply.status_code == 403


def test_trials_of_before_keep_what_the_registry_knows(setup, version):
    study = _searched(setup, version, (0.6, 1.0, 9), (0.9, 5.0, 7), also=TIME)
    Trial.objects.update(footprint={})
    assert study_out(Study.objects.get(id=study.id)).front == []
    migration = importlib.import_module("studio.studies.migrations.0006_several_objectives")
    migration.footprints_copy(apps, None)
    assert [trial.footprint for trial in trials_of(study)] == [
        {"latency_ms": 1.0, "model_bytes": 9},
        {"latency_ms": 5.0, "model_bytes": 7},
    ]


def test_rows_are_really_measured_up_to_the_choice(db, home, tmp_path):
    setup = setup_make(task="tabular_prediction", options=NUMBER)
    version = _version(setup, "price")
    body = {"max_trials": 2, "families": ["table_linear", "gradient_boosting"], "also_improves": ["latency_ms", "model_bytes"]}
    reply = post(setup.client(), "/studies", {"project": setup.project.id, "version": version.id, **body})
    assert reply.status_code == 201, reply.content
    study = Study.objects.get(id=reply.json()["id"])
    for number in range(2):
        trial = trials_of(study)[number]
        job = job_begin(trial.job)
        workdir = tmp_path / str(number)
        workdir.mkdir()
        job_prepare(job, workdir).write(workdir / "job.json")
        assert run_here(workdir) == 0, events(workdir)[-1]
        blobs().put_tree(result_prefix(job.id), workdir / "artefact")
        job_end(job, JobState.SUCCEEDED, metrics=events(workdir, "finished")[0].metrics)
    for trial in trials_of(study):
        artefact = Artefact.objects.get(trial=trial)
        assert trial.footprint == {"latency_ms": artefact.latency_ms, "model_bytes": artefact.model_bytes}
        assert artefact.latency_ms > 0
        assert artefact.model_bytes > 100
    out = setup.client().get(f"/api/studies/{study.id}").json()
    assert out["state"] == "succeeded"
    one, other = trials_of(study)
    assert (one.id in out["front"]) is not _beats(other, one)
    assert (other.id in out["front"]) is not _beats(one, other)
    for trial in (one, other):
        reply = _ship(setup, study, trial).json()
        assert reply["best_trial" if trial.id in out["front"] else "code"] in {trial.id, "trial_not_on_front"}


def _beats(one, other):
    """Whether a trial is as good in everything and better in something; of errors the least is the best."""
    mine, theirs = ((trial.value, *(trial.footprint[name] for name in BOTH)) for trial in (one, other))
    return all(a <= b for a, b in zip(mine, theirs, strict=True)) and mine != theirs
