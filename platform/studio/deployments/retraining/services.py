"""What people change of the retrain rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.deployments.models import Deployment
from studio.deployments.retraining.errors import RetrainRuleInvalidError
from studio.deployments.retraining.models import RetrainRule
from studio.deployments.retraining.reasons import reasons
from studio.deployments.retraining.reasons.kind import Reason

words = Words(__file__)


@dataclass(frozen=True)
class ReasonSetting:
    """Whether a reason starts a training, and from which limit on."""

    reason: Reason
    is_on: bool
    limit: float


@dataclass(frozen=True)
class ReasonChoice:
    """What a person chooses; a limit of None takes the default."""

    reason: str
    is_on: bool
    limit: float | None = None


def rule_of(deployment: Deployment) -> RetrainRule | None:
    """The rule; None where none is set."""
    return RetrainRule.objects.filter(deployment=deployment).first()


def settings_of(rule: RetrainRule | None) -> list[ReasonSetting]:
    """One for each reason; all are off where no rule is set."""
    stored = rule.reasons if rule is not None else {}
    return [
        ReasonSetting(
            reason,
            is_on=bool(stored.get(name, {}).get("is_on", False)),
            limit=float(stored.get(name, {}).get("limit") or reason.limit.default),
        )
        for name, reason in reasons().items()
    ]


def rule_save(
    *, deployment: Deployment, choices: Sequence[ReasonChoice], starts_rollout: bool, actor: Principal
) -> RetrainRule:
    """Keeps the rule. Reasons that are not named stay as they are; how long they have held is forgotten.

    Raises:
        RetrainRuleInvalidError: a reason is unknown or named twice, or a limit is out of range.
    """
    _choices_check(choices)
    named = {choice.reason: choice for choice in choices}
    with transaction.atomic():
        rule, _ = RetrainRule.objects.select_for_update().get_or_create(deployment=deployment)
        stored: dict[str, dict[str, object]] = {}
        for setting in settings_of(rule):
            name = setting.reason.name
            choice = named.get(name, ReasonChoice(name, setting.is_on, setting.limit))
            limit = setting.reason.limit.default if choice.limit is None else choice.limit
            stored[name] = {"is_on": choice.is_on, "limit": limit}
        rule.reasons, rule.starts_rollout, rule.holds_since, rule.blocked = stored, starts_rollout, {}, None
        rule.save()
        on = [name for name, each in stored.items() if each["is_on"]]
        audit_record(
            workspace=deployment.workspace_id,
            project=deployment.project_id,
            actor=actor,
            action="deployment.retrain_rule_changed",
            subject=deployment.id,
            detail={"reasons": on, "starts_rollout": starts_rollout},
        )
    return rule


def _choices_check(choices: Sequence[ReasonChoice]) -> None:
    left = dict(reasons())
    for choice in choices:
        reason = left.pop(choice.reason, None)
        if reason is None:
            sentence = words("invalid.reason", name=choice.reason)
            raise RetrainRuleInvalidError(sentence, fields={"reasons": ["unknown or twice"]})
        limit = reason.limit
        if choice.limit is not None and not limit.least <= choice.limit <= limit.most:
            sentence = words("invalid.limit", title=reason.title, least=limit.least, most=limit.most)
            raise RetrainRuleInvalidError(sentence, fields={"reasons": [f"limit of {reason.name}"]})
