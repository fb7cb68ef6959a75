"""Sends what is due, again and later each time until it arrives or is given up; a process that is cut loses nothing."""

from __future__ import annotations

import logging
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F
from django.utils import timezone

from studio.datasets.uploads.sources.secret import secret_open
from studio.deployments.alerts.messages import mail_text, webhook_body
from studio.deployments.alerts.models import AlertDelivery, AlertRules, Channel, DeliveryState
from studio.deployments.alerts.recording import webhook_host
from studio.deployments.alerts.webhook import Outcome, webhook_post

log = logging.getLogger(__name__)

DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60))
"""After an attempt that failed; after the last one a message is given up."""
LEASE = timedelta(minutes=2)
"""An attempt takes less; what was not settled by then is sent again."""
RUN_S = 30.0
"""No attempt begins later in a run: the next run goes on, beside it where need be."""
_FINAL = {"target_removed"}


def deliveries_send(*, now: datetime | None = None) -> None:
    """Sends what is due, the earliest first.

    Args:
        now: for tests.
    """
    began_s = time.monotonic()
    while time.monotonic() - began_s < RUN_S:
        due = AlertDelivery.objects.filter(state=DeliveryState.WAITING, next_at__lte=now or timezone.now())
        delivery = due.select_related("alert__deployment").order_by("next_at", "id").first()
        if delivery is None:
            return
        at = now or timezone.now()
        mine = AlertDelivery.objects.filter(id=delivery.id, state=DeliveryState.WAITING, next_at=delivery.next_at)
        if mine.update(next_at=at + LEASE, attempts=F("attempts") + 1, sent_at=at):
            delivery.attempts += 1
            _settle(delivery, _send(delivery), at)


def webhook_send(rules: AlertRules, body: bytes) -> Outcome:
    """Signs a message and sends it to the webhook."""
    try:
        secret = secret_open(rules.secret_sealed)
    except ValueError:
        return Outcome("secret_unreadable")
    return webhook_post(rules.webhook_url, body, secret)


def mail_send(address: str, subject: str, text: str) -> Outcome:
    """Hands a mail to the mail server."""
    if not settings.HAS_MAIL:
        return Outcome("mail_off")
    try:
        EmailMessage(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, to=[address]).send()
    except OSError:  # smtplib's errors are such
        log.warning("A mail about an alert was not taken", exc_info=True)
        return Outcome("mail_failed")
    return Outcome()


def _send(delivery: AlertDelivery) -> Outcome:
    if delivery.attempts > len(DELAYS) + 1:
        return Outcome("interrupted")  # in the last attempt
    rules = AlertRules.objects.filter(deployment=delivery.alert.deployment_id).first()
    if delivery.channel == Channel.MAIL:
        if rules is None or delivery.target not in rules.emails:
            return Outcome("target_removed")
        return mail_send(delivery.target, *mail_text(delivery, delivery.target))
    if rules is None or not rules.webhook_url:
        return Outcome("target_removed")
    delivery.target = webhook_host(rules.webhook_url)  # it may have been corrected meanwhile
    return webhook_send(rules, webhook_body(delivery))


def _settle(delivery: AlertDelivery, outcome: Outcome, at: datetime) -> None:
    fields: dict[str, object] = {"target": delivery.target, "status": outcome.status, "code": outcome.code}
    if outcome.is_delivered:
        fields["state"] = DeliveryState.DELIVERED
    elif delivery.attempts > len(DELAYS) or outcome.code in _FINAL:
        fields["state"] = DeliveryState.FAILED
    else:
        fields["next_at"] = at + DELAYS[delivery.attempts - 1]
    AlertDelivery.objects.filter(id=delivery.id).update(**fields)
