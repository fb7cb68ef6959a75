"""Messages of an alert: a sentence, the body of a webhook, a mail."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.models import User
from studio.deployments.alerts.conditions import conditions
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertEvent
from studio.deployments.models import Deployment

words = Words(__file__)


def alert_title(alert: Alert) -> Text:
    """What the alert is about."""
    condition = conditions().get(alert.condition)
    return condition.title if condition else Text.same(alert.condition)


def alert_message(alert: Alert, event: AlertEvent) -> Text | None:
    """What was found when the alert began, ended or happened; None where nobody looked or knows the condition."""
    condition = conditions().get(alert.condition)
    figures = alert.end_figures if event is AlertEvent.ENDED else alert.figures
    return condition.message(event, figures) if condition and figures is not None else None


def began_event(alert: Alert) -> AlertEvent:
    """By what an alert became known."""
    return AlertEvent.HAPPENED if alert.subject else AlertEvent.BEGAN


def webhook_body(delivery: AlertDelivery) -> bytes:
    """What a webhook receives; the same in each attempt."""
    alert, event = delivery.alert, AlertEvent(delivery.event)
    is_end = event is AlertEvent.ENDED
    at = alert.ended_at if is_end and alert.ended_at else alert.began_at
    message = alert_message(alert, event)
    return _body(
        alert.deployment,
        event=f"alert.{event.value}",
        delivery=delivery.id,
        at=at,
        condition=alert.condition,
        message=message.en if message else "",
        figures=(alert.end_figures if is_end else alert.figures) or {},
    )


def test_body(deployment: Deployment, *, delivery: str, at: datetime) -> bytes:
    """What a webhook receives when people try it."""
    message = words("test.message", name=deployment.name).en
    return _body(deployment, event="test", delivery=delivery, at=at, condition=None, message=message, figures={})


def mail_text(delivery: AlertDelivery, address: str) -> tuple[str, str]:
    """Subject and text of a mail, in the language of whom it is for."""
    alert, event = delivery.alert, AlertEvent(delivery.event)
    message = alert_message(alert, event) or alert_title(alert)
    subject = words(f"subject.{event.value}", name=alert.deployment.name, title=alert_title(alert))
    return _mail(alert.deployment, address, subject, message)


def test_mail_text(deployment: Deployment, address: str) -> tuple[str, str]:
    """The same when people try it."""
    name = deployment.name
    return _mail(deployment, address, words("test.subject", name=name), words("test.message", name=name))


def _mail(deployment: Deployment, address: str, subject: Text, message: Text) -> tuple[str, str]:
    text = words("mail.text", message=message, url=_page(deployment))
    language = User.objects.filter(email__iexact=address).values_list("language", flat=True).first() or "en"
    return " ".join(subject.in_language(language).split()), text.in_language(language)


def _body(deployment: Deployment, *, at: datetime, **fields: str | Mapping[str, Any] | None) -> bytes:
    body = {
        **fields,
        "time": at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "deployment": {"id": deployment.id, "name": deployment.name, "slug": deployment.slug},
        "url": _page(deployment),
    }
    return json.dumps(body, ensure_ascii=False).encode()


def _page(deployment: Deployment) -> str:
    return f"{settings.PUBLIC_URL}/projects/{deployment.project_id}/deployments/{deployment.id}?tab=watch"
