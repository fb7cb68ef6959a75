"""Records that a condition begins or ends, with the messages to send; two processes at once record it once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlsplit

from django.db import IntegrityError, transaction

from studio.deployments.alerts.models import Alert, AlertDelivery, AlertEvent, AlertRules, Channel

Figures = Mapping[str, int | float | str]


def alert_begin(rules: AlertRules, condition: str, *, figures: Figures, at: datetime) -> None:
    """Records that a condition holds from now on, unless another process has done so."""
    alert = Alert(deployment_id=rules.deployment_id, condition=condition, began_at=at, figures=dict(figures))
    _write(rules, alert, AlertEvent.BEGAN)


def alert_happened(rules: AlertRules, condition: str, *, subject: str, figures: Figures, at: datetime) -> None:
    """Records something that happened once."""
    alert = Alert(
        deployment_id=rules.deployment_id,
        condition=condition,
        subject=subject,
        began_at=at,
        ended_at=at,
        figures=dict(figures),
    )
    _write(rules, alert, AlertEvent.HAPPENED)


def alert_end(rules: AlertRules, alert: Alert, *, figures: Figures, at: datetime) -> None:
    """Records that a condition no longer holds."""
    with transaction.atomic():
        standing = Alert.objects.filter(id=alert.id, ended_at=None)
        if standing.update(ended_at=at, end_figures=dict(figures)):
            _deliver(rules, alert, AlertEvent.ENDED, at)


def webhook_host(url: str) -> str:
    """What of a webhook's address is shown: the rest may hold a secret."""
    return (urlsplit(url).hostname or "")[:253]


def _write(rules: AlertRules, alert: Alert, event: AlertEvent) -> None:
    try:
        with transaction.atomic():
            alert.save(force_insert=True)
            _deliver(rules, alert, event, alert.began_at)
    except IntegrityError:
        return  # another process wrote it, or the deployment is gone


def _deliver(rules: AlertRules, alert: Alert, event: AlertEvent, at: datetime) -> None:
    targets = [(Channel.WEBHOOK, webhook_host(rules.webhook_url))] if rules.webhook_url else []
    targets += [(Channel.MAIL, email) for email in rules.emails]
    AlertDelivery.objects.bulk_create(
        AlertDelivery(alert=alert, event=event, channel=channel, target=target, next_at=at) for channel, target in targets
    )
