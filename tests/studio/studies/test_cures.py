"""A failed study names its cause and its items, and is tried again with one call."""

import pytest

from automl.contracts.job import JobState, TrainConfig
from automl.search.ranges import ParamRange
from studio.accounts.models import AuditRow
from studio.datasets.models import BulkChange, DatasetVersion, Item
from studio.datasets.versions.manifest import version_all_items
from studio.jobs.handlers import job_prepare, job_run
from studio.jobs.models import Job
from studio.studies.again import study_settings
from studio.studies.cures import cures
from studio.studies.cures.kind import with_families
from studio.studies.models import Study
from tests.studio.studies.material import job_end, study_make, trials_of
from tests.studio.studies.test_study_api import post
from tests.support.project_setup import InMemoryReporter

RESNET = TrainConfig(family="resnet", size="18", params={"lr": 1e-2, "batch_size": 16})
PROBE = TrainConfig(family="linear_probe", size="0", params={})


def _failed(setup, version, code, *, single=RESNET, items=(), message="It ended badly.", **options):
    study = study_make(setup, version, strategy="single", single=single, **options)
    job_end(trials_of(study)[0].job, JobState.FAILED, code=code, items=items, message=message)
    return study


def _listed(setup, study):
    return setup.client().get(f"/api/studies/{study.id}/cures").json()


def _cured(setup, study, name):
    reply = post(setup.client(), f"/studies/{study.id}/cures/{name}", {})
    assert reply.status_code == (202 if "job" in reply.json() else 201), reply.json()
    if reply.status_code == 201:
        return Study.objects.get(id=reply.json()["id"])
    job = Job.objects.get(id=reply.json()["job"]["id"])
    for _ in range(2):  # as after a crash
        job_run(job, InMemoryReporter())
    return Study.objects.get(id=_listed(setup, study)["job"]["made"])


CURES = [
    ("out_of_memory", {}, ["less_memory", "other_families"]),
    ("out_of_memory", {"message": "CUDA out of memory."}, ["less_memory", "on_cpu", "other_families"]),
    ("nan_loss", {}, ["lower_learning_rate", "other_families"]),
    ("asset_missing", {"single": PROBE}, ["without_weights", "again"]),
    ("device_failed", {"message": "CUDA error: no device"}, ["on_cpu", "again"]),
    ("disk_full", {}, ["free_space", "again"]),
    ("worker_crashed", {"single": PROBE}, ["less_memory", "other_families", "again"]),
    ("data_invalid", {}, []),
    ("start_unsuitable", {}, []),
]


def test_a_failure_lists_what_may_cure_it(setup, version):
    for code, options, names in CURES:
        study = _failed(setup, version, code, **options)
        found = _listed(setup, study)
        assert (found["code"], found["trial"]) == (code, trials_of(study)[0].id)
        assert [cure["name"] for cure in found["cures"]] == names, code
        assert all(cure["changes"] for cure in found["cures"])


@pytest.mark.parametrize("most_at_once", [100, 1])
def test_items_that_cannot_be_read_are_left_out_and_the_study_starts_again(setup, version, monkeypatch, most_at_once):
    monkeypatch.setattr("studio.datasets.versions.manifest.INLINE_ITEMS", most_at_once)
    bad = sorted(record.item for record in version_all_items(version))[:2]
    study = _failed(setup, version, "item_damaged", items=bad, refits=True)
    assert [item["id"] for item in _listed(setup, study)["items"]] == bad
    cured = _cured(setup, study, "leave_items_out")
    assert (cured.cured_from, cured.cure, cured.single, cured.refits) == (study, "leave_items_out", study.single, True)
    after = DatasetVersion.objects.get(id=cured.version_id)
    assert {each.item for each in version_all_items(version)} - {each.item for each in version_all_items(after)} == set(bad)
    assert _cured(setup, study, "leave_items_out") == cured
    assert AuditRow.objects.filter(action="study.cured", subject=study.id).count() == 1
    change = BulkChange.objects.earliest("id")
    assert post(setup.client(), f"/datasets/{setup.dataset.id}/bulk/{change.id}/undo", {}).status_code == 200
    assert Item.objects.filter(id__in=bad, deleted_at=None).count() == 2
    assert setup.client().get(f"/api/studies/{cured.id}").json()["cured_from"]["id"] == study.id


def test_what_was_too_much_is_limited_for_all_trials_of_a_search(setup, version, tmp_path):
    study = study_make(setup, version, families=["resnet"], max_trials=1, concurrency=2)
    (trial,) = trials_of(study)
    job_end(trial.job, JobState.FAILED, message="CUDA out of memory.")
    cured = _cured(setup, study, "less_memory")
    assert cured.at_most.keys() == {"batch_size", "resolution_px"}
    assert cured.concurrency == 1
    assert cured.at_most["batch_size"] == trial.train.params["batch_size"] // 2
    assert cured.at_most.items() <= trials_of(cured)[0].train.params.items()
    assert with_families(study_settings(cured), ["linear_probe"]).request.at_most.keys() == {"resolution_px"}  # has no batches
    ranges = {"resnet": {"batch_size": ParamRange(choices=(32, 64))}}
    narrow = study_make(setup, version, families=["resnet"], max_trials=1, ranges=ranges)
    job_end(trials_of(narrow)[0].job, JobState.FAILED, message="CUDA out of memory.")
    assert _cured(setup, narrow, "less_memory").at_most.keys() == {"resolution_px"}  # nothing below 32 may be tried
    on_cpu = _cured(setup, study, "on_cpu")
    assert job_prepare(trials_of(on_cpu)[0].job, tmp_path).device == "cpu"
    slow = _cured(setup, _failed(setup, version, "nan_loss"), "lower_learning_rate")
    assert trials_of(slow)[0].train.params["lr"] == pytest.approx(1e-3)


def test_a_trial_that_failed_is_cured_whatever_became_of_its_study(setup, version):
    study = study_make(setup, version, families=["resnet"], max_trials=3, concurrency=1)
    failed = trials_of(study)[0]
    job_end(failed.job, JobState.FAILED)
    assert _listed(setup, study)["code"] is None
    found = setup.client().get(f"/api/studies/{study.id}/cures?trial={failed.id}").json()
    assert (found["code"], found["trial"]) == ("out_of_memory", failed.id)
    assert [cure["name"] for cure in found["cures"]] == ["less_memory", "other_families"]
    reply = post(setup.client(), f"/studies/{study.id}/cures/less_memory?trial={failed.id}", {})
    cured = Study.objects.get(id=reply.json()["id"])
    assert cured.cured_from == study
    assert cured.at_most["batch_size"] < failed.train.params.get("batch_size", 16)
    unhurt = post(setup.client(), f"/studies/{study.id}/cures/less_memory?trial={trials_of(study)[1].id}", {})
    assert unhurt.json()["code"] == "cure_unsuitable"


def test_a_cure_that_a_study_does_not_have_is_refused(setup, version):
    study = study_make(setup, version, strategy="single", single=RESNET)
    assert _listed(setup, study) == {"code": None, "trial": None, "num_items": 0, "items": [], "cures": [], "job": None}
    for failed, name in [(study, "again"), (_failed(setup, version, "disk_full"), "free_space")]:
        reply = post(setup.client(), f"/studies/{failed.id}/cures/{name}", {})
        assert (reply.status_code, reply.json()["code"]) == (409, "cure_unsuitable")
    wrong = post(setup.client(), "/studies", {"project": setup.project.id, "version": version.id, "at_most": {"colour": 1}})
    assert wrong.json()["fields"].keys() == {"at_most.colour"}


def test_every_cure_is_in_its_file():
    assert [name for name, cure in cures().items() if cure.name != name] == []
