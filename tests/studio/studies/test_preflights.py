"""A training is tried before it is started: what the job is told, what its report becomes, and what cures what it found."""

from __future__ import annotations

from itertools import combinations

import pytest

from automl.contracts.job import JobState, TrainConfig
from automl.contracts.preflight import (
    PREFLIGHT_FILE,
    PreflightReport,
    PreflightStage,
    StageOutcome,
    StageResult,
    TrialCheck,
)
from automl.planning.fit import TIMES_OFF, Basis, TrialEstimate
from engine.models import family_spec
from studio.accounts.models import AuditRow
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.manifest import version_all_items
from studio.jobs.handlers import job_prepare, job_run
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix
from studio.studies.forecast import trials_measured
from studio.studies.models import Study
from studio.studies.plan import Estimator
from tests.studio.studies.material import job_begin, job_end
from tests.studio.studies.test_study_api import post, study_body
from tests.support.project_setup import InMemoryReporter

RESNET = {"family": "resnet", "size": "18", "params": {"batch_size": 16}}


def _started(setup, version, **fields):
    reply = post(setup.client(), "/preflights", study_body(setup, version, **fields))
    assert reply.status_code == 202, reply.json()
    return Job.objects.get(id=reply.json()["id"])


def _found(setup, job):
    reply = setup.client().get(f"/api/preflights/{job.id}")
    assert reply.status_code == 200, reply.json()
    return reply.json()


def _check(train, *, failed=None, items=(), **measured):
    """What the engine says of one trial: all passed, or all up to a stage that failed."""
    stages, is_over = [], False
    for stage in PreflightStage:
        if stage == failed:
            stages.append(StageResult(stage=stage, outcome=StageOutcome.FAILED, code="item_damaged", items=tuple(items)))
            is_over = True
        else:
            stages.append(StageResult(stage=stage, outcome=StageOutcome.NOT_REACHED if is_over else StageOutcome.PASSED))
    return TrialCheck(train=train, stages=tuple(stages), **measured)


def _ended(job, tmp_path, *checks):
    job_begin(job)
    folder = tmp_path / job.id
    folder.mkdir()
    report = PreflightReport(trials=checks, problems=(), num_items=40, num_read=40, seconds=3.0, cpu_s=1.5)
    report.write(folder / PREFLIGHT_FILE)
    blobs().put_tree(result_prefix(job.id), folder)
    return job_end(job, JobState.SUCCEEDED)


def test_one_trial_of_each_model_is_tried_and_the_same_settings_once(setup, version, tmp_path):
    job = _started(setup, version, families=["resnet", "linear_probe"], max_trials=4, at_most={"batch_size": 8})
    spec = job_prepare(job, tmp_path)
    trains = spec.preflight.trials
    assert len({(train.family, train.size) for train in trains}) == len(trains)
    assert {train.family for train in trains} == {"resnet", "linear_probe"}
    estimator = Estimator(version=version, concurrency=1)
    seconds = [estimator.raw(family_spec(train.family), train).estimated_s for train in trains]
    assert max(seconds) > 2 * TIMES_OFF[Basis.PLANNED] * min(seconds), seconds
    assert all(before < TIMES_OFF[Basis.PLANNED] * after for before, after in combinations(seconds, 2)), "the quickest first"
    assert spec.limits.folds_s > 0
    assert (tmp_path / "data" / "version.json").exists()
    assert _started(setup, version, families=["resnet", "linear_probe"], max_trials=4, at_most={"batch_size": 8}) == job
    assert _started(setup, version, families=["resnet"]) != job
    found = _found(setup, job)
    assert (found["verdict"], found["estimated_s"], found["job"]["state"]) == (None, None, "queued")
    assert AuditRow.objects.filter(action="study.checked", subject=job.id).count() == 1
    assert not Study.objects.exists()


def test_what_was_measured_takes_the_place_of_what_was_estimated(setup, version, tmp_path):
    fields = {"strategy": "single", "train": RESNET, "refits": False}
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, **fields)).json()
    job = _started(setup, version, **fields)
    train = TrainConfig(**RESNET)
    found = _found(
        setup, _ended(job, tmp_path, _check(train, estimated_s=77.0, estimated_cpu_s=50.0, once_s=7.0, memory_bytes=2**30))
    )
    assert (found["verdict"], found["estimated_s"], found["memory_bytes"]) == ("runs", pytest.approx(77.0), 2**30)
    assert (found["time_basis"], found["memory_basis"], found["estimated_cpu_s"]) == (
        "measured",
        "measured",
        pytest.approx(50.0),
    )
    assert plan["estimated_s"] != pytest.approx(77.0)
    assert found["failure"]["code"] is None


def test_the_less_is_measured_the_wider_is_what_a_check_says(setup, version, tmp_path):
    fields, train = {"strategy": "single", "train": RESNET, "refits": False}, TrainConfig(**RESNET)
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, **fields)).json()
    unreached = [StageResult(stage=stage, outcome=StageOutcome.NOT_REACHED) for stage in PreflightStage]
    checks = {
        "planned": TrialCheck(train=train, stages=tuple(unreached)),
        "derived": _check(train, estimated_s=77.0, is_rough=True),
        "measured": _check(train, estimated_s=77.0),
    }
    widths = []
    tried = StageResult(stage=PreflightStage.DATA, outcome=StageOutcome.NOT_REACHED, seconds=9e3)
    cut = TrialCheck(train=train, stages=(tried, *unreached[1:]))
    found = _found(setup, _ended(_started(setup, version, **fields), tmp_path, cut))
    assert found["least_s"] == found["estimated_s"] == 9e3, "it was tried for so long"
    for basis, check in checks.items():
        found = _found(setup, _ended(_started(setup, version, **fields), tmp_path, check))
        assert (found["time_basis"], found["memory_basis"], found["estimated_cpu_s"]) == (basis, "planned", None)
        assert found["estimated_s"] == pytest.approx(2.0 * plan["estimated_s"] if basis == "planned" else 77.0), "half a core"
        widths.append(found["most_s"] / found["least_s"])
    assert widths == sorted(set(widths), reverse=True)


@pytest.mark.parametrize("most_at_once", [100, 1])
def test_items_that_would_make_it_fail_are_shown_and_left_out_before_it_starts(
    setup, version, tmp_path, monkeypatch, most_at_once
):
    monkeypatch.setattr("studio.datasets.versions.manifest.INLINE_ITEMS", most_at_once)
    bad = sorted(record.item for record in version_all_items(version))[:2]
    job = _started(setup, version, families=["resnet", "linear_probe"])
    probe = TrainConfig(family="linear_probe", size="0", params={})
    checks = (_check(TrainConfig(**RESNET), failed="data", items=bad), _check(probe, failed="data", items=bad))
    found = _found(setup, _ended(job, tmp_path, *checks))
    assert (found["verdict"], found["failure"]["code"]) == ("fails", "item_damaged")
    assert [item["id"] for item in found["failure"]["items"]] == bad
    assert [cure["name"] for cure in found["failure"]["cures"]] == ["leave_items_out"]
    cured = post(setup.client(), f"/preflights/{job.id}/cures/leave_items_out", {}).json()
    if cured["job"] is not None:
        assert cured["version"] == version.id
        job_run(Job.objects.get(id=cured["job"]["id"]), InMemoryReporter())
        cured["version"] = setup.client().get(f"/api/jobs/{cured['job']['id']}").json()["made"]
    after = {record.item for record in version_all_items(DatasetVersion.objects.get(id=cured["version"]))}
    assert {record.item for record in version_all_items(version)} - after == set(bad)
    assert cured["families"] == ["resnet", "linear_probe"]
    assert not Study.objects.exists()
    refused = post(setup.client(), f"/preflights/{job.id}/cures/less_memory", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "cure_unsuitable")


def test_a_check_that_had_no_memory_left_says_so_and_offers_smaller_settings(setup, version):
    job = _started(setup, version, strategy="single", train=RESNET, refits=False)
    found = _found(setup, job_end(job, JobState.FAILED, code="out_of_memory"))
    assert (found["verdict"], found["failure"]["code"]) == ("fails", "out_of_memory")
    cured = post(setup.client(), f"/preflights/{job.id}/cures/less_memory", {}).json()
    assert cured["at_most"]["batch_size"] == 8
    assert cured["version"] == version.id


def test_what_is_taught_by_another_model_is_not_checked_and_other_jobs_are_no_checks(setup, version):
    reply = post(setup.client(), "/preflights", study_body(setup, version, strategy="distill"))
    assert (reply.status_code, reply.json()["code"]) == (422, "preflight_unsuitable")
    assert setup.client().get(f"/api/preflights/{version.id}").status_code == 404


def test_a_model_that_was_not_reached_takes_as_much_less_memory_than_planned_as_the_others_at_least():
    trains = [TrainConfig(family=name, size="", params={}) for name in ("resnet", "linear_probe", "unet")]
    planned = [
        TrialEstimate(train, 9.0, memory_bytes, is_fitting=True)
        for train, memory_bytes in zip(trains, (900, 700, 2_000), strict=True)
    ]
    checks = [_check(trains[0], memory_bytes=600), _check(trains[1], memory_bytes=500), TrialCheck(train=trains[2], stages=())]
    found = [(each.memory_bytes, each.memory_basis) for each in trials_measured(planned, checks)]
    assert found == [(600, Basis.MEASURED), (500, Basis.MEASURED), (1_800, Basis.DERIVED)]
