"""What people change of alerts: what is watched, where alerts go, the secret; and a test."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import httpcore
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.ids import new_id
from studio.datasets.uploads.sources.guard import AddressRefusedError, addresses_judged, networks_read
from studio.datasets.uploads.sources.secret import secret_seal
from studio.datasets.uploads.sources.web import FetchRefusedError, url_parse
from studio.deployments.alerts.condition_settings import settings_of
from studio.deployments.alerts.conditions import conditions
from studio.deployments.alerts.errors import AlertAddressRefusedError, AlertSettingsInvalidError, AlertTargetMissingError
from studio.deployments.alerts.messages import test_body, test_mail_text
from studio.deployments.alerts.models import Alert, AlertDelivery, AlertRules, Channel
from studio.deployments.alerts.recording import webhook_host
from studio.deployments.alerts.sending import mail_send, webhook_send
from studio.deployments.alerts.webhook import Outcome
from studio.deployments.models import Deployment

words = Words(__file__)
MOST_EMAILS = 10
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Choice:
    """Whether a condition is watched, and its limit; None takes the default."""

    condition: str
    is_on: bool
    limit: float | None = None


@dataclass(frozen=True)
class DeliveryTest:
    """How a test went at one receiver."""

    channel: Channel
    target: str
    outcome: Outcome
    took_ms: float


def rules_of(deployment: Deployment) -> AlertRules | None:
    """What is watched; None where nothing was chosen yet."""
    return AlertRules.objects.filter(deployment=deployment).first()


def rules_save(
    *,
    deployment: Deployment,
    webhook_url: str | None,
    emails: Sequence[str] | None,
    choices: Sequence[Choice],
    actor: Principal,
) -> tuple[AlertRules, str | None]:
    """Keeps what is watched and where alerts go; gives the secret that webhooks are signed with if it was made just now.

    Args:
        deployment: which.
        webhook_url: empty for none; None leaves it as it is.
        emails: mail addresses; None leaves them as they are.
        choices: conditions that are not named stay as they are.
        actor: who chooses.

    Raises:
        AlertSettingsInvalidError: an address or a limit is not acceptable.
        AlertAddressRefusedError: the webhook lies in a private network.
    """
    targets = _targets(webhook_url, emails)
    _choices_check(choices)
    now, secret = timezone.now(), None
    with transaction.atomic():
        rules, _ = AlertRules.objects.select_for_update().get_or_create(deployment=deployment)
        for name, value in targets.items():
            setattr(rules, name, value)
        rules.conditions = _conditions(rules, {each.condition: each for each in choices}, now)
        if rules.webhook_url and not rules.secret_sealed:
            secret = _secret_set(rules)
        rules.save()
        on = [name for name, stored in rules.conditions.items() if stored["is_on"]]
        Alert.objects.filter(deployment=deployment, ended_at=None).exclude(condition__in=on).update(ended_at=now)
        detail: dict[str, object] = {"webhook": webhook_host(rules.webhook_url), "emails": rules.emails, "conditions": on}
        _record(deployment, "deployment.alerts_changed", actor, detail)
    return rules, secret


def secret_renew(*, deployment: Deployment, actor: Principal) -> str:
    """Makes another secret; webhooks are signed with it from now on.

    Raises:
        AlertTargetMissingError: there is no webhook.
    """
    with transaction.atomic():
        rules = AlertRules.objects.select_for_update().filter(deployment=deployment).exclude(webhook_url="").first()
        if rules is None:
            raise AlertTargetMissingError("The deployment has no webhook.")
        secret = _secret_set(rules)
        rules.save(update_fields=["secret_sealed"])
        _record(deployment, "deployment.alert_secret_renewed", actor, {})
    return secret


def alerts_test(*, deployment: Deployment) -> list[DeliveryTest]:
    """Sends a test message to every receiver now, and returns the results.

    Raises:
        AlertTargetMissingError: there is no receiver.
    """
    rules = rules_of(deployment)
    if rules is None or not (rules.webhook_url or rules.emails):
        raise AlertTargetMissingError("The deployment has neither a webhook nor a mail address.")
    results = []
    if rules.webhook_url:
        body = test_body(deployment, delivery=new_id(AlertDelivery.ID_PREFIX), at=timezone.now())
        target = webhook_host(rules.webhook_url)
        results.append(_timed(Channel.WEBHOOK, target, lambda: webhook_send(rules, body)))
    for email in rules.emails:
        subject, text = test_mail_text(deployment, email)
        results.append(_timed(Channel.MAIL, email, lambda: mail_send(email, subject, text)))  # noqa: B023 - called at once
    return results


def _timed(channel: Channel, target: str, send: Callable[[], Outcome]) -> DeliveryTest:
    began_s = time.perf_counter()
    outcome = send()
    return DeliveryTest(channel, target, outcome, round(1000 * (time.perf_counter() - began_s), 1))


def _targets(webhook_url: str | None, emails: Sequence[str] | None) -> dict[str, object]:
    """Those that are given, checked, as ``AlertRules`` has them."""
    given: dict[str, object] = {}
    if webhook_url is not None:
        given["webhook_url"] = url = webhook_url.strip()
        _webhook_check(url)
    if emails is not None:
        given["emails"] = addresses = list(dict.fromkeys(each.strip() for each in emails))
        _emails_check(addresses)
    return given


def _webhook_check(url: str) -> None:
    if not url:
        return
    try:
        parts = url_parse(url)
        host = parts.hostname or ""
        addresses_judged(host, parts.port or _PORTS[parts.scheme], networks_read(settings.SOURCE_NETWORKS))
    except FetchRefusedError:
        raise AlertSettingsInvalidError(words("invalid.webhook"), fields={"webhook_url": ["is no address"]}) from None
    except AddressRefusedError:
        raise AlertAddressRefusedError(host=host) from None
    except httpcore.ConnectError:
        return  # it may get an address; a test tells


def _emails_check(emails: Sequence[str]) -> None:
    if emails and not settings.HAS_MAIL:
        raise AlertSettingsInvalidError(words("invalid.mail_off"), fields={"emails": ["mail is not set up"]})
    if len(emails) > MOST_EMAILS:
        raise AlertSettingsInvalidError(words("invalid.emails", most=MOST_EMAILS), fields={"emails": ["too many"]})
    for email in emails:
        try:
            validate_email(email)
        except ValidationError:
            reason = words("invalid.email", email=email)
            raise AlertSettingsInvalidError(reason, fields={"emails": ["no mail address"]}) from None


def _choices_check(choices: Sequence[Choice]) -> None:
    left = dict(conditions())
    for choice in choices:
        condition = left.pop(choice.condition, None)
        if condition is None:
            reason = words("invalid.condition", name=choice.condition)
            raise AlertSettingsInvalidError(reason, fields={"conditions": ["unknown or twice"]})
        limit = condition.limit
        if limit and choice.limit is not None and not limit.least <= choice.limit <= limit.most:
            reason = words("invalid.limit", title=condition.title, least=limit.least, most=limit.most)
            raise AlertSettingsInvalidError(reason, fields={"conditions": [f"limit of {condition.name}"]})


def _conditions(rules: AlertRules, choices: Mapping[str, Choice], now: datetime) -> dict[str, object]:
    """As ``AlertRules`` keeps them; what was on already is on since then."""
    stored: dict[str, object] = {}
    for setting in settings_of(rules):
        name = setting.condition.name
        choice = choices.get(name, Choice(name, setting.is_on, setting.limit))
        since = (setting.since or now).isoformat() if choice.is_on else None
        stored[name] = {"is_on": choice.is_on, "limit": choice.limit if setting.condition.limit else None, "since": since}
    return stored


def _secret_set(rules: AlertRules) -> str:
    secret = secrets.token_urlsafe(32)
    rules.secret_sealed = secret_seal(secret)
    return secret


def _record(deployment: Deployment, action: str, actor: Principal, detail: dict[str, object]) -> None:
    audit_record(
        workspace=deployment.workspace_id,
        project=deployment.project_id,
        actor=actor,
        action=action,
        subject=deployment.id,
        detail=detail,
    )
