"""Alerts: each condition begins and ends once, whoever looks how often; who may see and change what."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from runtime.ids import prediction_id, prediction_number
from studio.accounts.models import AuditRow
from studio.accounts.roles import Role
from studio.deployments.alerts.conditions import NAMES, conditions
from studio.deployments.alerts.judge import alerts_judge
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertRules
from studio.deployments.alerts.recording import alert_begin
from studio.deployments.calls import INTERNAL_KEY_ID
from studio.deployments.models import DesiredState, PredictionLog, Rollout, RolloutState
from tests.studio.deployments.workers import at_once, bare_artefact, bare_deployment
from tests.studio.studies.material import artefact_make, version_make

ALL_OFF = [{"condition": name, "is_on": False} for name in NAMES]


@pytest.fixture
def send(setup, deployment):
    """Asks the API about the alerts of the deployment."""

    def ask(method, path="", body=None, user=None):
        url = f"/api/deployments/{deployment.id}/alerts{path}"
        if method == "get":
            return setup.client(user).get(url)
        return getattr(setup.client(user), method)(url, {} if body is None else body, content_type="application/json")

    return ask


@pytest.fixture
def watched(send, settings):
    """Watches one condition."""
    settings.HAS_MAIL = True

    def watch(condition, limit=None):
        others = [each for each in ALL_OFF if each["condition"] != condition]
        others.append({"condition": condition, "is_on": True, "limit": limit})
        reply = send("put", "/settings", {"emails": ["ops@example.org"], "conditions": others})
        assert reply.status_code == 200, reply.content

    return watch


@pytest.fixture
def called(deployment, artefact):
    """Enters calls of some minutes ago."""

    def enter(number, *, minutes_ago=1.0, **fields):
        fields = {"status": 200, "latency_ms": 2.0, "key": "key_1", "top": [{"label": "cat", "score": 0.8}]} | fields
        PredictionLog.objects.bulk_create(
            PredictionLog(
                id=prediction_id(prediction_number()),
                deployment=deployment,
                at=timezone.now() - timedelta(minutes=minutes_ago),
                artefact=artefact.id,
                num_pictures=1,
                **fields,
            )
            for _ in range(number)
        )

    return enter


def alerts(send):
    reply = send("get")
    assert reply.status_code == 200, reply.content
    return reply.json()["items"]


def test_failed_calls_begin_and_end_an_alert_once(send, watched, called):
    watched("errors", 10)
    called(40)
    called(4, status=500, code="model_failed", top=[])
    alerts_judge()
    assert alerts(send) == []  # 9.1 %
    called(2, status=400, code="picture_unreadable", top=[])
    called(90, status=500, key=INTERNAL_KEY_ID)
    for _ in range(3):
        alerts_judge()
    (alert,) = alerts(send)
    assert alert["message"]["en"] == "13% of the calls of the last hour failed (6 of 46); the limit is 10%."
    assert (alert["ended_at"], [each["event"] for each in alert["deliveries"]]) == (None, ["began"])
    called(20)  # 9.1 %: below the limit, yet not clearly
    alerts_judge()
    assert alerts(send)[0]["ended_at"] is None
    called(40)
    for _ in range(2):
        alerts_judge()
    (alert,) = alerts(send)
    assert alert["end_message"]["zh"] == "失败率已不再超过上限 10%：最近一小时 106 次调用中有 6 次失败。"
    assert [each["event"] for each in alert["deliveries"]] == ["began", "ended"]


def test_few_calls_are_not_judged_and_end_an_alert(send, watched, called):
    watched("errors", 5)
    called(19, status=500)
    alerts_judge()
    assert alerts(send) == []
    called(1, status=500)
    alerts_judge()
    assert len(alerts(send)) == 1
    alerts_judge(now=timezone.now() + timedelta(minutes=61))
    assert "too few calls" in alerts(send)[0]["end_message"]["en"]


def test_slow_answers_begin_and_end_an_alert(send, watched, called):
    watched("latency", 100)
    called(39)
    called(1, latency_ms=500.0)
    called(50, status=500, latency_ms=9000.0)
    alerts_judge()
    assert alerts(send) == []  # the slowest twentieth begins at 2 ms
    called(3, latency_ms=500.0)
    alerts_judge()
    (alert,) = alerts(send)
    assert "of the latency was 49" in alert["message"]["en"] or "of the latency was 50" in alert["message"]["en"]
    called(200)
    alerts_judge()
    assert alerts(send)[0]["end_message"] is not None


def test_silence_begins_only_after_calls_and_ends_with_the_next(send, watched, called, deployment):
    watched("silence", 3)
    alerts_judge()
    assert alerts(send) == []
    called(1, minutes_ago=200)
    deployment.desired = DesiredState.STOPPED
    deployment.save()
    alerts_judge()
    assert alerts(send) == []  # people stopped it
    deployment.desired = DesiredState.RUNNING
    deployment.save()
    alerts_judge()
    assert alerts(send)[0]["message"]["en"].startswith("There have been no calls for 3 h.")
    called(1)
    alerts_judge()
    assert alerts(send)[0]["end_message"]["en"].startswith("There are calls again.")


class TestChangedAnswers:
    """With enough items in the test."""

    @pytest.fixture
    def version(self, setup):
        return version_make(setup, num_items=400)

    def test_they_are_judged_every_hour_and_too_few_calls_say_nothing(self, send, watched, called, artefact):
        watched("drift")
        chance = random.Random(7)
        for label in chance.choices(["cat", "dog"], [9, 1], k=300):
            called(1, top=[{"label": label, "score": 0.8}])
        alerts_judge()
        assert alerts(send) == []
        alerts_judge(is_slow=True)
        (alert,) = alerts(send)
        assert f"(model {artefact.number}, PSI " in alert["message"]["en"]
        PredictionLog.objects.all().delete()
        alerts_judge(is_slow=True)
        assert alerts(send)[0]["ended_at"] is None
        for label in ["cat", "dog"] * 150:
            called(1, top=[{"label": label, "score": 0.8}])
        alerts_judge(is_slow=True)
        assert alerts(send)[0]["end_message"] is not None


def test_the_end_of_a_rollout_is_reported_once_and_not_afterwards(send, setup, version, watched, deployment, artefact):
    candidate = artefact_make(setup, version)

    def ended(state, minutes_ago):
        at = timezone.now() - timedelta(minutes=minutes_ago)
        fields = {"measure": "errors", "steps": [10], "step_minutes": 1, "step_at": at, "judged_until": at, "created_by": "x"}
        Rollout.objects.create(
            deployment=deployment, baseline=artefact, candidate=candidate, state=state, ended_at=at, **fields
        )

    ended(RolloutState.PROMOTED, 5)
    watched("rollout")
    ended(RolloutState.ROLLED_BACK, 0)
    for _ in range(2):
        alerts_judge()
    (alert,) = alerts(send)
    assert alert["message"]["en"].endswith("proved worse and was rolled back.")
    assert (alert["began_at"], alert["end_message"]) == (alert["ended_at"], None)
    assert [each["event"] for each in alert["deliveries"]] == ["happened"]
    ended(RolloutState.STOPPED, 0)
    alerts_judge()
    assert [each["message"]["zh"][-7:] for each in alerts(send)] == ["已被人工停止。", alert["message"]["zh"][-7:]]
    assert send("get", "/state").json() == {"num_watched": 1, "standing": []}


@pytest.mark.django_db(transaction=True)
class TestWorkers:
    """Several at once, each with a connection of its own."""

    @pytest.fixture
    def artefact(self, setup, version):
        return bare_artefact(setup, version)

    @pytest.fixture
    def deployment(self, setup, artefact):
        return bare_deployment(setup, artefact)

    def test_they_write_one_alert_and_one_end(self, watched, called):
        watched("errors", 5)
        called(40, status=500)
        rules, at = AlertRules.objects.get(), timezone.now()

        def begin():
            alert_begin(rules, "errors", figures={}, at=at)
            alerts_judge()

        at_once(begin)
        assert Alert.objects.count() == AlertDelivery.objects.count() == 1
        PredictionLog.objects.all().delete()
        at_once(alerts_judge)
        assert Alert.objects.get().ended_at is not None
        assert AlertDelivery.objects.count() == 2


def test_a_condition_that_cannot_be_judged_silences_no_other(send, watched, called):
    watched("latency", 100)
    broken = {"is_on": True, "limit": "many", "since": timezone.now().isoformat()}
    rules = AlertRules.objects.get()
    rules.conditions["errors"] = broken
    rules.save()
    called(40, latency_ms=500.0)
    alerts_judge()
    assert list(Alert.objects.values_list("condition", flat=True)) == ["latency"]


def test_every_condition_is_named_as_its_file():
    assert set(conditions()) == set(NAMES)
    for condition in conditions().values():
        limit = condition.limit
        assert limit is None or limit.least <= limit.default <= limit.most


def test_nothing_is_watched_before_somebody_chooses_and_a_standing_alert_ends_with_its_watch(send, watched, called):
    called(40, status=500)
    alerts_judge()
    offered = send("get", "/settings").json()
    assert (offered["is_saved"], offered["webhook_url"], offered["emails"]) == (False, "", [])
    on = {each["condition"]: each["is_on"] for each in offered["conditions"]}
    off = {"latency", "silence", "input_drift"}
    assert on == {name: name not in off for name in conditions()}
    assert send("get", "/state").json() == {"num_watched": 0, "standing": []}
    watched("errors", 5)
    alerts_judge()
    assert [each["condition"] for each in send("get", "/state").json()["standing"]] == ["errors"]
    watched("silence")
    (alert,) = alerts(send)
    assert (alert["ended_at"] is None, alert["end_message"], len(alert["deliveries"])) == (False, None, 1)


@pytest.mark.parametrize(
    ("body", "code", "part"),
    [
        ({"webhook_url": "http://127.0.0.1:9/x"}, "alert_address_refused", "127.0.0.1"),
        ({"webhook_url": "http://[::ffff:10.0.0.1]/x"}, "alert_address_refused", "10"),
        ({"webhook_url": "ftp://example.org"}, "alert_settings_invalid", "https://"),
        ({"webhook_url": "https://me:secret@example.org"}, "alert_settings_invalid", "password"),
        ({"emails": ["nobody"]}, "alert_settings_invalid", "nobody"),
        ({"emails": [f"a{n}@example.org" for n in range(11)]}, "alert_settings_invalid", "10"),
        ({"conditions": [{"condition": "moon", "is_on": True}]}, "alert_settings_invalid", "moon"),
        ({"conditions": [{"condition": "drift", "is_on": True}] * 2}, "alert_settings_invalid", "drift"),
        ({"conditions": [{"condition": "errors", "is_on": True, "limit": 0}]}, "alert_settings_invalid", "0.1"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_the_reason(send, settings, body, code, part):
    settings.HAS_MAIL = True
    reply = send("put", "/settings", body)
    assert (reply.status_code, reply.json()["code"]) == (422, code)
    assert part in reply.json()["detail"]
    assert not AlertRules.objects.exists()


def test_mail_is_offered_only_where_it_is_set_up(send, settings):
    settings.HAS_MAIL = False
    assert send("get", "/settings").json()["has_mail"] is False
    reply = send("put", "/settings", {"emails": ["ops@example.org"]})
    assert (reply.status_code, reply.json()["params"]["reason"]["zh"][:8]) == (422, "本平台不发送邮件")


def test_changes_are_in_the_audit_trail_without_the_addresss_secrets(send, setup, settings):
    settings.SOURCE_NETWORKS = ["127.0.0.0/8"]
    send("put", "/settings", {"webhook_url": "http://127.0.0.1:9/of/ours?token=x"})
    send("post", "/secret")
    changed, renewed = AuditRow.objects.filter(action__startswith="deployment.alert").order_by("id")
    assert changed.detail == {"webhook": "127.0.0.1", "emails": [], "conditions": ["errors", "drift", "rollout", "retraining"]}
    assert renewed.action == "deployment.alert_secret_renewed"
    viewer = setup.member("vera", Role.VIEWER)
    assert send("get", "/settings", user=viewer).status_code == 403
    assert send("get", "/state", user=viewer).status_code == 200
