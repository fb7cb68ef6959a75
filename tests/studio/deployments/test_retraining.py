"""The retrain rule: what starts a training, what does not, and what becomes of its model."""

import shutil
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from automl.contracts.dataset import Split
from automl.contracts.job import JobState
from engine.artefact.reference import reference_of
from runtime.facts import Fact, Reference
from runtime.ids import prediction_id, prediction_number
from studio.accounts.models import AuditRow
from studio.common.blobs import blobs
from studio.deployments.alerts.conditions.kind import Watch
from studio.deployments.alerts.conditions.retraining import KIND as RETRAINING_ENDED
from studio.deployments.alerts.models import AlertEvent
from studio.deployments.models import CallFeedback, PredictionLog, Retraining, RetrainRule, Rollout
from studio.deployments.retraining.judge import retraining_advance, retraining_judge
from studio.deployments.retraining.reasons import reasons
from tests.studio.studies.material import job_end, job_succeed, trials_of
from tests.support.project_setup import ingest, picture, zip_of


@pytest.fixture
def ask(setup, deployment):
    """Reads or sets the rule by the API."""

    def send(body=None):
        client, url = setup.client(), f"/api/deployments/{deployment.id}/retraining"
        reply = client.get(url) if body is None else client.put(url, body, content_type="application/json")
        return reply.json() | {"status": reply.status_code}

    return send


def on(reason, limit, **more):
    return {"reasons": [{"reason": reason, "is_on": True, "limit": limit}], **more}


def label_more(setup, number, first=500):
    """Labelled pictures come in."""
    ingest(setup.dataset, zip_of({f"cat/{i}.png": picture(i) for i in range(first, first + number)}), labels="folder")


def finish(retraining, *, succeeds=True):
    """The study that a rule started ends."""
    (trial,) = trials_of(retraining.study)
    if succeeds:
        job_succeed(trial.job, version=retraining.version)
    else:
        job_end(trial.job, JobState.FAILED)
    retraining_advance()
    retraining.refresh_from_db()


def log_calls(deployment, number, *, at, **fields):
    return PredictionLog.objects.bulk_create(
        PredictionLog(
            id=prediction_id(prediction_number()),
            deployment=deployment,
            at=at,
            artefact=deployment.artefact_id,
            status=200,
            latency_ms=1.0,
            num_pictures=1,
            **fields,
        )
        for _ in range(number)
    )


def feed(deployment, losses, *, at):
    """Callers say how wrong the model was."""
    for call, loss in zip(log_calls(deployment, len(losses), at=at), losses, strict=True):
        CallFeedback.objects.create(
            deployment=deployment, call=call.id, received_at=at, artefact=deployment.artefact_id, truth={}, loss=loss
        )


def test_nothing_happens_until_a_person_sets_a_rule(setup, deployment, ask):
    found = ask()
    assert [(each["reason"], each["is_on"]) for each in found["reasons"]] == [(name, False) for name in reasons()]
    assert not found["starts_rollout"]
    label_more(setup, 4)
    retraining_judge()
    ask({"reasons": []})
    retraining_judge()
    assert not Retraining.objects.exists()


def test_new_labels_train_with_the_same_settings_and_the_model_is_offered(setup, deployment, artefact, ask):
    ask(on("labels", 4))
    label_more(setup, 3)
    retraining_judge()
    assert not Retraining.objects.exists()
    label_more(setup, 2, first=600)
    retraining_judge()
    retraining_judge()
    retraining = Retraining.objects.get()
    before, study = artefact.trial.study, retraining.study
    assert retraining.version_id != artefact.version_id
    assert (study.strategy, study.families, study.max_trials, study.seed) == (
        before.strategy,
        before.families,
        before.max_trials,
        before.seed,
    )
    (shown,) = ask()["trainings"]
    assert (shown["state"], shown["reason"]) == ("training", "labels")
    assert "5 items" in shown["message"]["en"]
    assert "5 个样本" in shown["message"]["zh"]
    finish(retraining)
    (shown,) = ask()["trainings"]
    assert (shown["state"], shown["artefact"], shown["rollout"], shown["code"]) == ("offered", retraining.artefact_id, None, "")
    deployment.refresh_from_db()
    assert deployment.artefact_id == artefact.id, "nothing promotes itself"
    assert not Rollout.objects.exists()
    actions = set(AuditRow.objects.filter(subject=deployment.id).values_list("action", flat=True))
    assert actions >= {f"deployment.{each}" for each in ("retrain_rule_changed", "retraining_started", "retraining_offered")}
    now = timezone.now()
    watch = Watch(deployment=deployment, limit=0, since=now - timedelta(hours=1), now=now)
    (notice,) = RETRAINING_ENDED.happened(watch)
    assert f"Model {retraining.artefact.number} was trained" in RETRAINING_ENDED.message(AlertEvent.HAPPENED, notice.figures).en
    retraining_judge()
    assert Retraining.objects.count() == 1, "labels that it has learned from do not count again"


@pytest.mark.parametrize("has_feedback", [True, False])
def test_a_rollout_begins_by_itself_only_where_asked_and_where_feedback_can_decide(setup, deployment, ask, has_feedback):
    ask(on("labels", 1, starts_rollout=True))
    if has_feedback:
        feed(deployment, [0.0], at=timezone.now())
    label_more(setup, 2)
    retraining_judge()
    retraining = Retraining.objects.get()
    finish(retraining)
    (shown,) = ask()["trainings"]
    assert (shown["rollout"], shown["code"]) == (("running", "") if has_feedback else (None, "feedback_missing"))
    assert [each.candidate_id for each in Rollout.objects.all()] == [retraining.artefact_id] * has_feedback


def test_a_training_that_fails_says_why(setup, deployment, ask):
    ask(on("labels", 1))
    label_more(setup, 2)
    retraining_judge()
    finish(Retraining.objects.get(), succeeds=False)
    (shown,) = ask()["trainings"]
    assert (shown["state"], shown["artefact"]) == ("failed", None)
    assert shown["code"]


@pytest.fixture
def bins(artefact, tmp_path):
    """Where items fall that are as bright as the model's own, times a factor."""
    chance = np.random.default_rng(3)
    own = [[Fact("brightness", "numeric", float(each))] for each in chance.uniform(0.2, 0.8, 120)]
    reference = reference_of(own, (Split.TEST,))
    shutil.copytree(blobs().fetch_tree(artefact.tree), tmp_path / "judged")
    reference.write(tmp_path / "judged" / "reference.json")
    artefact.tree = f"{artefact.tree}-judged"
    blobs().put_tree(artefact.tree, tmp_path / "judged")
    artefact.save()
    known = Reference(reference.model_dump(mode="json"))
    return lambda factor: known.bins([Fact("brightness", "numeric", float(chance.uniform(0.2, 0.8) * factor))])


@pytest.mark.parametrize(("factor", "is_found"), [(1.0, False), (0.3, True)])
def test_a_planted_drift_that_lasts_trains_again_and_a_quiet_week_does_not(setup, deployment, ask, bins, factor, is_found):
    ask(on("drift", 2))
    now = timezone.now()
    for call in log_calls(deployment, 120, at=now):
        PredictionLog.objects.filter(id=call.id).update(facts=bins(factor))
    for hours in range(0, 48, 6):
        retraining_judge(now=now + timedelta(hours=hours))
    assert (ask()["reasons"][1]["holds_since"] is not None) == is_found
    assert ask()["blocked"] is None
    retraining_judge(now=now + timedelta(hours=49))
    blocked = ask()["blocked"]
    assert (blocked and (blocked["reason"], blocked["code"])) == (("drift", "nothing_new") if is_found else None)
    label_more(setup, 2)
    for hours in range(50, 160, 12):
        retraining_judge(now=now + timedelta(hours=hours))
    assert [each.reason for each in Retraining.objects.all()] == ["drift"] * is_found
    assert ask()["blocked"] is None


@pytest.mark.parametrize(
    ("wrong", "number", "is_found"), [(0.4, 60, True), (0.1, 60, False), (0.4, 20, False), (0.15, 60, False)]
)
def test_quality_must_fall_by_enough_and_beyond_chance(setup, deployment, ask, wrong, number, is_found):
    ask(on("quality", 5))
    now = timezone.now()
    feed(deployment, [float(i % 10 == 0) for i in range(200)], at=now)
    feed(deployment, [float(i < wrong * number) for i in range(number)], at=now + timedelta(days=9))
    label_more(setup, 1)
    retraining_judge(now=now + timedelta(days=10))
    assert [each.reason for each in Retraining.objects.all()] == ["quality"] * is_found


def test_a_rule_that_cannot_be_kept_is_refused(deployment, ask):
    for body in (on("labels", 0), on("moon", 1), {"reasons": on("drift", 1)["reasons"] * 2}):
        found = ask(body)
        assert (found["status"], found["code"]) == (422, "retrain_rule_invalid")
    assert not RetrainRule.objects.exists()
