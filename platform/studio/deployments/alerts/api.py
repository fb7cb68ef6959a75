"""Endpoints of alerts: what is watched, where alerts go, what was found and what was sent about it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from ninja import Query, Router

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.access import principal_of
from studio.common.paging import PageOut, PageQuery, page_of
from studio.deployments.alerts import schemas, services
from studio.deployments.alerts.condition_settings import ConditionSetting, settings_of
from studio.deployments.alerts.messages import alert_message, alert_title, began_event
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertEvent, AlertRules, Channel, DeliveryState
from studio.deployments.http import deployment_for

words = Words(__file__)
router = Router(tags=["deployments"])


@router.get("/deployments/{deployment_id}/alerts", response=PageOut[schemas.AlertOut], operation_id="alerts_list")
def alerts_list(request: HttpRequest, deployment_id: str, page: Query[PageQuery]) -> PageOut[schemas.AlertOut]:
    """Alerts of a deployment with the messages about them, newest first."""
    alerts = Alert.objects.filter(deployment=deployment_for(request, deployment_id, "deployment.read"))
    found = page_of(alerts.prefetch_related("deliveries"), cursor=page.cursor, limit=page.limit)
    return PageOut[schemas.AlertOut](items=[_alert_out(each) for each in found.items], next_cursor=found.next_cursor)


@router.get("/deployments/{deployment_id}/alerts/state", response=schemas.AlertStateOut, operation_id="alerts_state")
def alerts_state(request: HttpRequest, deployment_id: str) -> schemas.AlertStateOut:
    """Which conditions hold now."""
    deployment = deployment_for(request, deployment_id, "deployment.read")
    standing = Alert.objects.filter(deployment=deployment, ended_at=None).order_by("id").prefetch_related("deliveries")
    watched = [setting for setting in settings_of(services.rules_of(deployment)) if setting.since]
    return schemas.AlertStateOut(num_watched=len(watched), standing=[_alert_out(each) for each in standing])


@router.get("/deployments/{deployment_id}/alerts/settings", response=schemas.AlertSettingsOut, operation_id="alerts_settings")
def alerts_settings(request: HttpRequest, deployment_id: str) -> schemas.AlertSettingsOut:
    """What is watched, and where alerts go. An address of a webhook may hold a secret, so this needs the right to change it."""
    return _settings_out(services.rules_of(deployment_for(request, deployment_id, "deployment.write")))


@router.put("/deployments/{deployment_id}/alerts/settings", response=schemas.AlertSettingsSavedOut, operation_id="alerts_set")
def alerts_set(request: HttpRequest, deployment_id: str, body: schemas.AlertSettingsIn) -> schemas.AlertSettingsSavedOut:
    """Changes what is watched and where alerts go. With the first webhook, a secret is made and shown this once."""
    rules, secret = services.rules_save(
        deployment=deployment_for(request, deployment_id, "deployment.write"),
        webhook_url=body.webhook_url,
        emails=body.emails,
        choices=[services.Choice(each.condition, each.is_on, each.limit) for each in body.conditions],
        actor=principal_of(request),
    )
    return schemas.AlertSettingsSavedOut(**_settings_out(rules).dict(), secret=secret)


@router.post("/deployments/{deployment_id}/alerts/secret", response=schemas.AlertSecretOut, operation_id="alerts_secret")
def alerts_secret(request: HttpRequest, deployment_id: str) -> schemas.AlertSecretOut:
    """Makes another secret, shown this once; webhooks are signed with it from now on."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    return schemas.AlertSecretOut(secret=services.secret_renew(deployment=deployment, actor=principal_of(request)))


@router.post("/deployments/{deployment_id}/alerts/test", response=list[schemas.AlertTestedOut], operation_id="alerts_test")
def alerts_test(request: HttpRequest, deployment_id: str) -> list[schemas.AlertTestedOut]:
    """Sends a test message to every receiver now, and returns the results."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    return [
        schemas.AlertTestedOut(
            channel=each.channel,
            target=each.target,
            is_delivered=each.outcome.is_delivered,
            status=each.outcome.status,
            took_ms=each.took_ms,
            code=each.outcome.code,
            reason=_reason(each.outcome.code),
        )
        for each in services.alerts_test(deployment=deployment)
    ]


def _settings_out(rules: AlertRules | None) -> schemas.AlertSettingsOut:
    return schemas.AlertSettingsOut(
        is_saved=rules is not None,
        webhook_url=rules.webhook_url if rules else "",
        emails=rules.emails if rules else [],
        has_mail=settings.HAS_MAIL,
        conditions=[_condition_out(setting) for setting in settings_of(rules)],
    )


def _condition_out(setting: ConditionSetting) -> schemas.AlertConditionOut:
    condition, limit = setting.condition, None
    if (bounds := condition.limit) is not None:
        value = bounds.default if setting.limit is None else setting.limit
        limit = schemas.AlertLimitOut(value=value, least=bounds.least, most=bounds.most, label=bounds.label)
    return schemas.AlertConditionOut(condition=condition.name, title=condition.title, is_on=setting.is_on, limit=limit)


def _alert_out(alert: Alert) -> schemas.AlertOut:
    is_over = alert.ended_at is not None and not alert.subject
    return schemas.AlertOut(
        id=alert.id,
        condition=alert.condition,
        title=alert_title(alert),
        began_at=alert.began_at,
        ended_at=alert.ended_at,
        message=alert_message(alert, began_event(alert)),
        end_message=alert_message(alert, AlertEvent.ENDED) if is_over else None,
        deliveries=[_delivery_out(each) for each in sorted(alert.deliveries.all(), key=lambda each: each.id)],
    )


def _delivery_out(delivery: AlertDelivery) -> schemas.AlertDeliveryOut:
    return schemas.AlertDeliveryOut(
        id=delivery.id,
        event=AlertEvent(delivery.event),
        channel=Channel(delivery.channel),
        target=delivery.target,
        state=DeliveryState(delivery.state),
        attempts=delivery.attempts,
        sent_at=delivery.sent_at,
        next_at=delivery.next_at if delivery.state == DeliveryState.WAITING else None,
        status=delivery.status,
        code=delivery.code,
        reason=_reason(delivery.code),
    )


def _reason(code: str) -> Text | None:
    return words(f"failed.{code}") if code else None
