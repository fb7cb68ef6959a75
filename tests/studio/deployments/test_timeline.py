"""Calls over time: each call in its period, percentiles of all, what was answered, and what callers said of it."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from runtime.ids import RANDOM_BITS, prediction_id
from studio.accounts.keys import KeyScope, key_create
from studio.accounts.quotas import Quota, quota_used
from studio.accounts.roles import Role
from studio.deployments.calls import INTERNAL_KEY_ID
from studio.deployments.models import CallFeedback, PredictionLog
from studio.deployments.quota_use import calls_count
from studio.deployments.timeline import ANSWERS_LOOKED_AT, Range, TimelineFilter, timeline_of, wilson
from tests.studio.studies.material import artefact_make

NOW = datetime(2026, 5, 7, 12, 34, tzinfo=UTC)


@pytest.fixture
def called(deployment, artefact):
    """Enters calls of so many hours ago."""
    chance = random.Random(3)

    def enter(number, *, hours_ago=0.1, latency_ms=2.0, **fields):
        at = NOW - timedelta(hours=hours_ago)
        fields = {"artefact": artefact.id, "key": "key_1", "status": 200, "top": [{"label": "cat", "score": 0.9}]} | fields
        rows = [
            PredictionLog(
                id=prediction_id((int(at.timestamp() * 1000) << RANDOM_BITS) + chance.getrandbits(RANDOM_BITS)),
                deployment=deployment,
                at=at,
                num_pictures=1,
                latency_ms=latency_ms[place] if isinstance(latency_ms, list) else latency_ms,
                **fields,
            )
            for place in range(number)
        ]
        return PredictionLog.objects.bulk_create(rows)

    return enter


def feedback(deployment, calls, losses, **fields):
    for call, loss in zip(calls, losses, strict=True):
        CallFeedback.objects.create(
            deployment=deployment,
            call=call.id,
            received_at=NOW,
            artefact=call.artefact,
            truth={"label": "x"},
            loss=loss,
            **fields,
        )


def look(deployment, range_=Range.DAY, **criteria):
    return timeline_of(deployment, range_, TimelineFilter(**criteria), now=NOW)


@pytest.mark.parametrize(("range_", "number", "step"), [(Range.DAY, 24, 1), (Range.WEEK, 28, 6), (Range.MONTH, 30, 24)])
def test_each_call_counts_in_its_period_and_none_outside(deployment, called, range_, number, step):
    total_hours = number * step
    called(3)
    called(2, hours_ago=total_hours - 0.6)
    called(9, hours_ago=total_hours + 1)
    seen = look(deployment, range_)
    assert len(seen.periods) == number
    assert seen.until - seen.since == timedelta(hours=total_hours)
    assert [period.calls for period in seen.periods] == [2, *[0] * (number - 2), 3]
    assert all(
        later.at - period.at == timedelta(hours=step) for period, later in zip(seen.periods, seen.periods[1:], strict=False)
    )
    assert seen.periods[-1].at <= NOW < seen.until


def test_percentiles_are_of_all_answered_calls_and_right_to_two_percent(deployment, called):
    chance = random.Random(1)
    latencies = [chance.lognormvariate(1.0, 1.2) for _ in range(3000)]
    called(3000, latency_ms=latencies)
    called(500, status=500, code="model_failed", latency_ms=9999.0, top=[])
    period = look(deployment).periods[-1]
    ordered = sorted(latencies)
    for found, fraction in ((period.p50_ms, 0.5), (period.p95_ms, 0.95), (period.p99_ms, 0.99)):
        assert found == pytest.approx(ordered[int(fraction * 3000)], rel=0.021)
    assert (period.calls, period.errors) == (3500, {(500, "model_failed"): 500})
    called(1, hours_ago=5, latency_ms=0.0)  # a clock may stand still
    assert look(deployment).periods[-6].p50_ms == pytest.approx(0.001, rel=0.03)


def test_answers_are_counted_by_label_and_nothing_found_is_an_answer_too(deployment, called):
    called(30)
    called(9, top=[{"label": "dog", "score": 0.6}, None], uncertainty=0.5)
    called(1, uncertainty=0.1)
    seen = look(deployment)
    assert seen.periods[-1].labels == {"cat": 31, "dog": 9, None: 9}
    assert seen.periods[-1].uncertainty == pytest.approx((9 * 0.5 + 0.1) / 10)
    assert seen.labels[0] == "cat"
    assert set(seen.labels) == {"cat", "dog", None}
    assert seen.periods[0].uncertainty is None


def test_of_many_answers_the_latest_are_looked_at(deployment, called):
    called(ANSWERS_LOOKED_AT, hours_ago=0.2, top=[{"label": "dog", "score": 0.6}])
    called(ANSWERS_LOOKED_AT, hours_ago=0.1)
    assert look(deployment).periods[-1].labels == {"cat": ANSWERS_LOOKED_AT}


def test_numbers_have_a_median_and_a_spread(deployment, called):
    for value in range(101):
        called(1, top=[{"value": float(value)}])
    period = look(deployment).periods[-1]
    assert (period.low, period.median, period.high, period.labels) == (10.0, 50.0, 90.0, {})


def test_losses_stand_with_the_calls_they_are_about_and_have_an_interval(deployment, called):
    feedback(deployment, called(40, hours_ago=3), [1.0] * 10 + [0.0] * 30)
    seen = look(deployment)
    period = seen.periods[-4]
    assert (period.feedback, period.loss) == (40, 0.25)
    assert (period.loss_low, period.loss_high) == pytest.approx((0.1419, 0.4019), abs=1e-4)
    assert sum(each.feedback for each in seen.periods) == 40


@pytest.mark.parametrize("truth", [0.02, 0.3, 0.5])
def test_the_interval_holds_the_truth_in_about_95_of_100_cases(truth):
    chance = random.Random(5)
    num_inside = 0
    for _ in range(1000):
        low, high = wilson(sum(chance.random() < truth for _ in range(60)) / 60, 60)
        num_inside += low <= truth <= high
    assert num_inside >= 920


def test_only_the_key_or_the_model_asked_for(setup, version, deployment, called, artefact, django_capture_on_commit_callbacks):
    other = artefact_make(setup, version)
    with django_capture_on_commit_callbacks(execute=True):
        key, _ = key_create(
            workspace=setup.workspace, name="shop", role=Role.VIEWER, actor=setup.actor, scope=KeyScope(is_predict_only=True)
        )
    feedback(deployment, called(4, key=key.id), [1.0] * 4)
    feedback(deployment, called(6, artefact=other.id), [0.0] * 6)
    assert look(deployment).periods[-1].loss == pytest.approx(0.4)
    mine = look(deployment, key=key.id)
    assert (mine.periods[-1].calls, mine.periods[-1].loss) == (4, 1.0)
    theirs = look(deployment, artefact=other.id)
    assert (theirs.periods[-1].calls, theirs.periods[-1].feedback, theirs.periods[-1].loss) == (6, 6, 0.0)
    assert mine.keys == [("key_1", 6), (key.id, 4)]
    assert mine.artefacts == [(other.id, 6), (artefact.id, 4)]


def test_try_outs_count_nowhere_unless_asked_for(setup, deployment, called):
    feedback(deployment, called(3, key=INTERNAL_KEY_ID, latency_ms=50.0), [1.0] * 3)
    feedback(deployment, called(2), [0.0] * 2)
    seen, with_them = look(deployment), look(deployment, has_try_outs=True)
    assert (seen.periods[-1].calls, seen.periods[-1].loss, seen.try_outs) == (2, 0.0, 3)
    assert (with_them.periods[-1].calls, with_them.periods[-1].loss) == (5, 0.6)
    assert seen.keys == [("key_1", 2)]
    calls_count(setup.workspace.id, list(PredictionLog.objects.all()))
    PredictionLog.objects.update(at=datetime.now(UTC))
    calls_count(setup.workspace.id, list(PredictionLog.objects.all()))
    assert quota_used(setup.workspace.id, Quota.PREDICTIONS_PER_DAY) == 2
    assert quota_used(setup.workspace.id, Quota.PREDICTIONS_PER_MINUTE) == 5
    PredictionLog.objects.filter(key=INTERNAL_KEY_ID).update(status=429, code="quota_exceeded")
    assert quota_used(setup.workspace.id, Quota.PREDICTIONS_PER_MINUTE) == 2


def test_the_endpoint_gives_names_and_refuses_other_ranges(setup, deployment, called, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        key, _ = key_create(
            workspace=setup.workspace, name="shop", role=Role.VIEWER, actor=setup.actor, scope=KeyScope(is_predict_only=True)
        )
    called(2, key=key.id)
    called(1, key="", status=401, code="key_missing", top=[])
    called(1, key="key_gone")
    PredictionLog.objects.update(at=datetime.now(UTC))
    client = setup.client()
    shown = client.get(f"/api/deployments/{deployment.id}/timeline?range=7d").json()
    assert [(each["key"], each["name"], each["calls"]) for each in shown["keys"]] == [
        (key.id, "shop", 2),
        ("", None, 1),
        ("key_gone", None, 1),
    ]
    last = shown["periods"][-1]
    assert (last["calls"], last["errors"]) == (4, [{"status": 401, "code": "key_missing", "calls": 1}])
    assert last["answers"] == [{"label": "cat", "count": 3}]
    assert client.get(f"/api/deployments/{deployment.id}/timeline?range=1y").status_code == 422
    assert client.get(f"/api/deployments/{deployment.id}/timeline?key=%00").status_code == 422
