"""A rollout: what is fed back decides, by itself, and people may stop it."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from runtime.ids import prediction_id, prediction_number
from studio.accounts.models import AuditRow
from studio.common.models import Event
from studio.deployments.models import CallFeedback, PredictionLog, Rollout, Variant
from studio.deployments.rollouts import SETTLING, rollouts_advance
from tests.studio.studies.material import artefact_make


@pytest.fixture
def candidate(setup, version):
    """A second model of the project."""
    return artefact_make(setup, version)


@pytest.fixture
def send(setup, deployment):
    """Asks the API about the deployment."""

    def ask(method, path, body=None, **fields):
        client = setup.client()
        url = f"/api/deployments/{deployment.id}{path}"
        return getattr(client, method)(url, {} if body is None else body, content_type="application/json", **fields)

    return ask


@pytest.fixture
def rollout(send, candidate):
    """A running one, judged by feedback."""
    body = {"candidate": candidate.id, "steps": [10, 50], "step_minutes": 5}
    reply = send("post", "/rollouts", body)
    assert reply.status_code == 201, reply.content
    return Rollout.objects.get(id=reply.json()["id"])


def logged(deployment, artefact, number, **fields):
    """Answered calls, each of a cat."""
    fields = {"status": 200, "top": [{"label": "cat", "score": 0.9}], "num_pictures": 1, "latency_ms": 2.0} | fields
    calls = [
        PredictionLog(
            id=prediction_id(prediction_number()), deployment=deployment, at=timezone.now(), artefact=artefact.id, **fields
        )
        for _ in range(number)
    ]
    return PredictionLog.objects.bulk_create(calls)


def feedback_send(send, calls, error_rate, seed=1):
    """Callers say of their calls what was true."""
    chance = random.Random(seed)
    truths = [{"call": call.id, "label": "dog" if chance.random() < error_rate else "cat"} for call in calls]
    reply = send("post", "/feedback", {"items": truths})
    assert reply.json() == {"taken": len(calls), "unknown": []}, reply.content


def later(**fields):
    return timezone.now() + SETTLING + timedelta(seconds=1) + timedelta(**fields)


def shares(send):
    return [(each["artefact"], each["share"]) for each in send("get", "").json()["models"]]


def fed(send, deployment, artefact, candidate, *, candidate_wrong, rounds=6):
    """Both models' calls and what was true of them, in turns."""
    for turn in range(rounds):
        feedback_send(send, logged(deployment, candidate, 30), candidate_wrong, seed=turn)
        feedback_send(send, logged(deployment, artefact, 30), 0.1, seed=100 + turn)


def test_it_begins_with_the_first_share(send, artefact, candidate, deployment, rollout):
    assert shares(send) == [(artefact.id, 90), (candidate.id, 10)]
    (shown,) = send("get", "/rollouts").json()
    assert (shown["state"], shown["share"], shown["evidence_worse"]) == ("running", 10, 0.0)
    assert AuditRow.objects.filter(action="deployment.rollout_started", subject=deployment.id).exists()


def test_a_worse_candidate_is_rolled_back_by_itself(send, artefact, candidate, deployment, rollout):
    fed(send, deployment, artefact, candidate, candidate_wrong=0.7)
    rollouts_advance(now=later())
    (shown,) = send("get", "/rollouts").json()
    assert (shown["state"], shown["ended_by"], shown["share"], shown["evidence_worse"]) == ("rolled_back", "system", 0, 1.0)
    assert shown["candidate_judged"]["loss"] > shown["baseline_judged"]["loss"]
    assert [(each["state"], each["share"]) for each in shown["history"]] == [("running", 10), ("rolled_back", 0)]
    assert shares(send) == [(artefact.id, 100)]
    row = AuditRow.objects.get(action="deployment.rollout_rolled_back")
    assert (row.actor_kind, row.detail["candidate"]) == ("system", candidate.id)
    assert Event.objects.filter(type="deployment.rollout_rolled_back", subject=deployment.id).exists()


def test_a_better_candidate_is_promoted_and_keeps_the_shadow(send, setup, version, artefact, candidate, deployment):
    shadow = artefact_make(setup, version)
    Variant.objects.create(deployment=deployment, artefact=shadow, is_shadow=True)
    send("post", "/rollouts", {"candidate": candidate.id, "steps": [50]})
    for turn in range(10):
        feedback_send(send, logged(deployment, candidate, 30), 0.02, seed=turn)
        feedback_send(send, logged(deployment, artefact, 30), 0.5, seed=50 + turn)
    rollouts_advance(now=later())
    assert send("get", "/rollouts").json()[0]["state"] == "promoted"
    assert shares(send) == [(candidate.id, 100)]
    assert send("get", "").json()["shadow"]["artefact"] == shadow.id


def test_nothing_counts_twice_and_nothing_too_early(send, artefact, candidate, deployment, rollout):
    fed(send, deployment, artefact, candidate, candidate_wrong=0.1, rounds=2)
    rollouts_advance(now=timezone.now())
    assert send("get", "/rollouts").json()[0]["candidate_judged"]["calls"] == 0  # some may still come
    rollouts_advance(now=later())
    rollouts_advance(now=later(minutes=1))
    shown = send("get", "/rollouts").json()[0]
    assert (shown["candidate_judged"]["calls"], shown["baseline_judged"]["calls"]) == (60, 60)
    assert shown["state"] == "running"


def test_steps_come_in_time_and_only_once_the_candidate_was_judged(send, artefact, candidate, deployment, rollout):
    rollouts_advance(now=later(minutes=6))
    assert shares(send) == [(artefact.id, 90), (candidate.id, 10)]
    feedback_send(send, logged(deployment, candidate, 3), 0.0)
    rollouts_advance(now=later(minutes=7))
    assert shares(send) == [(artefact.id, 90), (candidate.id, 10)]  # they came before what has been looked at


def test_the_next_step_is_taken(send, artefact, candidate, deployment, rollout):
    feedback_send(send, logged(deployment, candidate, 3), 0.0)
    feedback_send(send, logged(deployment, artefact, 3), 0.0)
    rollouts_advance(now=later(minutes=4))
    assert shares(send) == [(artefact.id, 90), (candidate.id, 10)]
    rollouts_advance(now=later(minutes=6))
    assert shares(send) == [(artefact.id, 50), (candidate.id, 50)]
    rollouts_advance(now=later(minutes=60))
    assert shares(send) == [(artefact.id, 50), (candidate.id, 50)]  # the last step waits for the judgement


def test_failures_are_judged_and_what_callers_did_wrong_is_not(send, artefact, candidate, deployment):
    send("post", "/rollouts", {"candidate": candidate.id, "steps": [50], "measure": "errors", "margin": 0.01})
    for _ in range(25):
        logged(deployment, artefact, 2, fallback_from=candidate.id, fallback_code="answer_invalid")
        logged(deployment, artefact, 2)
        logged(deployment, artefact, 2, status=400, code="picture_unreadable")
        logged(deployment, candidate, 2, is_pinned=True)
    rollouts_advance(now=later())
    shown = send("get", "/rollouts").json()[0]
    assert shown["state"] == "rolled_back"
    assert shown["candidate_judged"] == {"calls": 50, "loss": 1.0}
    assert shown["baseline_judged"] == {"calls": 50, "loss": 0.0}


def test_a_person_stops_it_and_meanwhile_changes_no_models(send, artefact, candidate, deployment, rollout):
    body = {"models": [{"artefact": artefact.id, "share": 100}]}
    for refused in (
        send("put", "/traffic", body),
        send("patch", "", {"artefact": candidate.id}),
        send("post", "/rollouts", {"candidate": candidate.id}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "rollout_running")
    assert send("patch", "", {"name": "Other"}).status_code == 200
    stopped = send("post", "/rollouts/stop")
    assert (stopped.status_code, stopped.json()["state"]) == (200, "stopped")
    assert shares(send) == [(artefact.id, 100)]
    assert send("post", "/rollouts/stop").json()["code"] == "rollout_ended"
    assert send("put", "/traffic", body).status_code == 200


def test_what_cannot_be_rolled_out_is_refused(send, setup, version, artefact, candidate, deployment):
    third = artefact_make(setup, version)
    assert send("post", "/rollouts", {"candidate": artefact.id}).json()["code"] == "rollout_invalid"
    assert send("post", "/rollouts", {"candidate": candidate.id, "steps": [50, 20]}).json()["code"] == "rollout_invalid"
    send("put", "/traffic", {"models": [{"artefact": artefact.id, "share": 50}, {"artefact": third.id, "share": 50}]})
    assert send("post", "/rollouts", {"candidate": candidate.id}).json()["code"] == "rollout_invalid"
    assert not Rollout.objects.exists()


def test_feedback_is_joined_by_the_call_and_may_be_corrected(send, artefact, deployment):
    (call,) = logged(deployment, artefact, 1)
    stranger = prediction_id(prediction_number())
    reply = send("post", "/feedback", {"items": [{"call": call.id, "label": "dog"}, {"call": stranger, "label": "cat"}]})
    assert reply.json() == {"taken": 1, "unknown": [stranger]}
    assert CallFeedback.objects.get().loss == 1.0
    (logged_call,) = send("get", "/log").json()["items"]
    assert logged_call["feedback"] == [{"place": 0, "label": "dog", "value": None, "loss": 1.0}]
    feedback_send(send, [call], 0.0)
    assert CallFeedback.objects.get().loss == 0.0
    model = send("get", "/comparison").json()["models"][0]
    assert (model["feedback"], model["loss"]) == (1, 0.0)


def test_feedback_on_numbers_measures_the_distance(send, artefact, deployment):
    (call,) = logged(deployment, artefact, 1, top=[{"value": 80.0}, {"value": 0.0}], num_pictures=2)
    items = [{"call": call.id, "value": 100}, {"call": call.id, "place": 1, "value": 0}]
    assert send("post", "/feedback", {"items": items}).json()["taken"] == 2
    assert sorted(CallFeedback.objects.values_list("place", "loss")) == [(0, pytest.approx(0.2)), (1, 0.0)]


@pytest.mark.parametrize("truth", [{"value": 3.0}, {}, {"label": "cat", "value": 3.0}, {"label": "cat", "place": 1}])
def test_feedback_that_does_not_fit_is_refused_whole(send, artefact, deployment, truth):
    calls = logged(deployment, artefact, 2)
    items = [{"call": calls[0].id, "label": "cat"}, {"call": calls[1].id, **truth}]
    reply = send("post", "/feedback", {"items": items})
    assert (reply.status_code, reply.json()["code"], reply.json()["params"]) == (422, "feedback_unfit", {"call": calls[1].id})
    assert not CallFeedback.objects.exists()
