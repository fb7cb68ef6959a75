"""The HTTP endpoints of studies."""

from datetime import timedelta

import pytest
from django.utils import timezone

from automl.contracts.job import JobState
from studio.accounts.roles import Role
from studio.jobs.models import WorkerHost
from studio.studies.again import study_settings
from studio.studies.models import Study, Trial
from studio.studies.plan import data_parallel_of, hosts_of
from studio.studies.strategies import strategy_names, strategy_of
from studio.studies.warm_trials import warm_of
from tests.studio.studies.material import job_begin, job_end, job_measure, job_succeed, study_make, trials_of, version_make
from tests.support.project_setup import setup_make


def post(client, path, body):
    return client.post(f"/api{path}", body, content_type="application/json")


def study_body(setup, version, **fields):
    return {"project": setup.project.id, "version": version.id, "max_trials": 2, **fields}


def test_the_plan_says_what_will_run_before_anything_is_started(setup, version):
    plan = post(setup.client(), "/studies/plan", study_body(setup, version, max_trials=5)).json()
    assert plan["trials"][0]["family"] == "linear_probe"
    assert all(trial["fits"] and trial["estimated_s"] > 0 and trial["memory_bytes"] > 0 for trial in plan["trials"])
    assert plan["estimated_s"] >= sum(trial["estimated_s"] for trial in plan["trials"])
    assert plan["blocking"] == []
    assert Study.objects.count() == 0


def test_hosts_are_asked_for_only_where_as_many_are_up(setup, version):
    body = study_body(setup, version, families=["resnet"], num_hosts=2, data_parallel={"way": "ddp", "bucket_mb": 5})
    WorkerHost.objects.create(name="a", address="10.0.0.1", seen_at=timezone.now())
    WorkerHost.objects.create(name="b", address="10.0.0.2", seen_at=timezone.now() - timedelta(minutes=5))
    plan = post(setup.client(), "/studies/plan", body).json()
    assert ([problem["code"] for problem in plan["blocking"]], plan["hosts"]) == (["hosts_missing"], ["a"])
    assert post(setup.client(), "/studies", body).json()["code"] == "study_blocked"

    WorkerHost.objects.filter(name="b").update(seen_at=timezone.now())
    assert post(setup.client(), "/studies/plan", body).json()["hosts"] == ["a", "b"]
    study = post(setup.client(), "/studies", body).json()
    assert (study["num_hosts"], study["data_parallel"]) == (2, {"way": "ddp", "bucket_mb": 5, "sends_bf16": False})
    trial = Trial.objects.select_related("job", "study").first()
    assert (hosts_of(trial.study, trial), data_parallel_of(trial.study).way) == (2, "ddp")


@pytest.mark.parametrize(
    ("asked", "families", "max_trials"),
    [
        ({"goal": "fastest"}, ["linear_probe"], 2),
        ({"goal": "fast"}, ["linear_probe"], 3),
        ({"goal": "accurate"}, ["efficientnet_lite", "linear_probe", "resnet"], 24),
        ({"goal": "accurate", "families": ["resnet"], "max_trials": 2}, ["resnet"], 2),  # what is named goes first
        ({"goal": "most_accurate"}, ["efficientnet_lite", "linear_probe", "resnet"], 48),
        ({}, ["efficientnet_lite", "linear_probe", "resnet"], 6),
    ],
)
def test_a_goal_fills_families_and_trials(setup, version, asked, families, max_trials):
    study = post(setup.client(), "/studies", {"project": setup.project.id, "version": version.id, **asked}).json()
    assert (sorted(study["families"]), study["max_trials"]) == (families, max_trials)


def test_the_fastest_goal_also_says_what_an_answer_may_cost(setup, version):
    asked = {"project": setup.project.id, "version": version.id, "goal": "fastest"}
    study = post(setup.client(), "/studies", asked).json()
    assert {family: ranges["size"]["choices"] for family, ranges in study["ranges"].items()} == {"linear_probe": ["0"]}
    assert (study["at_most"], study["prefers_fast"], study["max_answer_ratio"]) == ({"resolution_px": 168}, True, 1)
    assert trials_of(Study.objects.get(id=study["id"]))[0].train.params["resolution_px"] == 160
    asked |= {"families": ["resnet"], "at_most": {"batch_size": 8}, "prefers_fast": False, "max_answer_ratio": 2}
    study = post(setup.client(), "/studies", asked).json()  # what is named goes first
    assert (study["families"], study["ranges"], study["at_most"]) == (["resnet"], {}, {"batch_size": 8})
    assert (study["prefers_fast"], study["max_answer_ratio"]) == (False, 2)
    names = [goal["name"] for goal in setup.client().get("/api/tasks").json()[0]["goals"]]
    assert names == ["fastest", "fast", "balanced", "accurate", "most_accurate"]


def test_plans_are_limited_per_person(setup, version, settings):
    settings.RATES = {**settings.RATES, "plans": 1}
    first, second = (post(setup.client(), "/studies/plan", study_body(setup, version)) for _ in range(2))
    assert (first.status_code, second.status_code, second.json()["code"]) == (200, 429, "rate_limited")


def test_more_at_once_is_sooner(setup, version):
    one, two = (
        post(setup.client(), "/studies/plan", study_body(setup, version, max_trials=4, concurrency=number)).json()
        for number in (1, 2)
    )
    assert two["estimated_s"] < one["estimated_s"]


def test_the_plan_learns_from_what_trials_took(setup, version):
    before = post(setup.client(), "/studies/plan", study_body(setup, version, families=["linear_probe"])).json()
    study = study_make(setup, version, families=["linear_probe"], max_trials=1)
    job_succeed(trials_of(study)[0].job)
    after = post(setup.client(), "/studies/plan", study_body(setup, version, families=["linear_probe"])).json()
    assert after["trials"][0]["estimated_s"] < before["trials"][0]["estimated_s"] / 2  # it took no time at all


def test_start_follow_and_read(setup, version):
    client = setup.client()
    reply = post(
        client, "/studies", study_body(setup, version, name="First", families=["linear_probe"], pruner="none", refits=False)
    )
    assert reply.status_code == 201
    study = reply.json()
    assert (study["state"], study["name"], study["created_by"]) == ("running", "First", setup.owner.id)
    assert study["objective"]["name"] == "accuracy"
    assert study["counts"] == {"queued": 1, "running": 0, "succeeded": 0, "failed": 0, "pruned": 0, "cancelled": 0}
    assert study["estimated_remaining_s"] > 0
    stored = Study.objects.get(id=study["id"])
    job = job_begin(trials_of(stored)[0].job)
    job_measure(job, epoch=1, accuracy=0.6)
    job_succeed(job, accuracy=0.8)
    job_end(trials_of(stored)[1].job, JobState.FAILED)
    study = client.get(f"/api/studies/{study['id']}").json()
    trials = client.get(f"/api/studies/{study['id']}/trials").json()
    assert (study["state"], study["best_value"], study["best_trial"]) == ("succeeded", 0.8, trials[0]["id"])
    assert study["estimated_remaining_s"] is None
    assert trials[0]["curve"] == [{"step": 10, "epoch": 1.0, "split": "validation", "values": {"accuracy": 0.6}}]
    assert trials[0]["artefact"].startswith("art_")
    assert trials[0]["job"] == job.id
    assert trials[1]["error"]["code"] == "out_of_memory"
    listed = client.get("/api/studies", {"project": setup.project.id}).json()
    assert [each["id"] for each in listed["items"]] == [study["id"]]


def test_importance_comes_with_enough_trials(setup, version):
    client = setup.client()
    study = study_make(setup, version, strategy="random_search", families=["resnet"], max_trials=8)
    assert client.get(f"/api/studies/{study.id}/importance").json() == {"params": {}}
    for number in range(8):
        job_succeed(trials_of(study)[-1].job, accuracy=0.3 + number * number / 100)
    shares = client.get(f"/api/studies/{study.id}/importance").json()["params"]
    assert shares
    assert sum(shares.values()) == pytest.approx(1.0)
    assert all(name.startswith("resnet.") or name == "family" for name in shares)


@pytest.mark.parametrize(
    ("fields", "code", "named"),
    [
        ({"strategy": "psychic"}, "study_strategy_unknown", "strategy"),
        ({"families": ["resnet", "nothing"]}, "study_family_unknown", "families"),
        ({"strategy": "single"}, "invalid_input", "train"),
        ({"strategy": "tpe", "train": {"family": "resnet", "size": "18", "params": {}}}, "invalid_input", "train"),
        (
            {
                "strategy": "single",
                "families": ["linear_probe"],
                "train": {"family": "resnet", "size": "18", "params": {}},
            },
            "invalid_input",
            "families",
        ),
        (
            {"strategy": "single", "train": {"family": "resnet", "size": "18", "params": {"lr": 9.0}}},
            "invalid_input",
            "train.lr",
        ),
        ({"max_trials": 0}, "invalid_input", "max_trials"),
    ],
)
def test_a_wrong_option_is_named(setup, version, fields, code, named):
    reply = post(setup.client(), "/studies", study_body(setup, version, **fields))
    assert reply.status_code == 422
    assert reply.json()["code"] == code
    assert named in reply.json()["fields"]
    assert Study.objects.count() == 0


def test_every_strategy_can_be_planned(setup, version):
    train = {"family": "linear_probe", "size": "0", "params": {}}
    for strategy in map(strategy_of, strategy_names()):
        if "teacher" in strategy.takes:  # test_distill_study
            continue
        fields = {"strategy": strategy.name, "train": train if "train" in strategy.takes else None}
        reply = post(setup.client(), "/studies/plan", study_body(setup, version, **fields))
        assert reply.status_code == 200, reply.content
        assert reply.json()["estimated_s"] > 0


def test_cancel_and_extend(setup, version):
    client = setup.client()
    study = post(client, "/studies", study_body(setup, version)).json()["id"]
    assert post(client, f"/studies/{study}/extend", {"max_trials": 2}).status_code == 422
    assert post(client, f"/studies/{study}/extend", {"max_trials": 4}).json()["max_trials"] == 4
    assert post(client, f"/studies/{study}/cancel", {}).json()["state"] == "cancelled"
    refused = post(client, f"/studies/{study}/cancel", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "study_ended")
    assert post(client, f"/studies/{study}/extend", {"max_trials": 9}).status_code == 409


def test_a_viewer_reads_and_a_stranger_finds_nothing(setup, version):
    study = study_make(setup, version)
    viewer = setup.client(setup.member("vera", Role.VIEWER))
    assert viewer.get(f"/api/studies/{study.id}").status_code == 200
    assert post(viewer, f"/studies/{study.id}/cancel", {}).status_code == 403
    assert post(viewer, "/studies", study_body(setup, version)).status_code == 403
    stranger = setup_make(email="eve@example.org").client()
    for path in (f"/api/studies/{study.id}", f"/api/studies/{study.id}/trials", f"/api/studies?project={setup.project.id}"):
        assert stranger.get(path).status_code == 404
    assert post(stranger, "/studies", study_body(setup, version)).status_code == 404


def _ended_search(setup, version):
    """Eight trials, of which the fifth was the best."""
    study = study_make(setup, version, strategy="random_search", families=["linear_probe"], max_trials=8)
    for number in range(8):
        job_succeed(trials_of(study)[-1].job, accuracy=0.9 if number == 4 else 0.5 + number / 100)
    return study, next(trial.train for trial in trials_of(study) if trial.value == 0.9)


def test_a_search_begins_with_what_did_best_before(setup, version):
    earlier, best = _ended_search(setup, version)
    body = study_body(setup, version, families=["linear_probe"], max_trials=8, strategy="random_search")
    (planned,) = (one for one in post(setup.client(), "/studies/plan", body).json()["trials"] if one["warm_start"] is not None)
    assert planned["warm_start"] == {"id": earlier.id, "name": earlier.name, "project": setup.project.id}
    assert planned["params"] == best.params
    started = post(setup.client(), "/studies", body).json()
    assert started["warm_studies"] == [earlier.id]
    study = Study.objects.get(id=started["id"])
    assert trials_of(study)[0].train == best
    assert study_settings(study).request.warm_trials == warm_of(study)  # another like it begins so, too
    anew = post(setup.client(), "/studies", {**body, "warm_start": False}).json()
    assert anew["warm_studies"] == []


def test_what_did_best_in_another_workspace_stays_there_and_a_single_training_takes_nothing_over(setup, version):
    _ended_search(setup, version)
    other = setup_make(email="bob@example.org")
    other_version = version_make(other)
    body = study_body(other, other_version, families=["linear_probe"], max_trials=8)
    assert not any(one["warm_start"] for one in post(other.client(), "/studies/plan", body).json()["trials"])
    train = {"family": "linear_probe", "size": "lite0", "params": {}}
    single = study_body(setup, version, strategy="single", train=train, warm_start=True)
    refused = post(setup.client(), "/studies", single)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, ["warm_start"])
