"""Endpoints of the retrain rule."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router

from studio.accounts.access import principal_of
from studio.deployments.http import deployment_for
from studio.deployments.models import Deployment, Rollout, RolloutState
from studio.deployments.retraining import schemas
from studio.deployments.retraining.judge import retrainings_of
from studio.deployments.retraining.models import Retraining, RetrainingState, RetrainRule
from studio.deployments.retraining.reasons import reasons
from studio.deployments.retraining.services import ReasonChoice, ReasonSetting, rule_of, rule_save, settings_of

router = Router(tags=["deployments"])


@router.get("/deployments/{deployment_id}/retraining", response=schemas.RetrainOut, operation_id="retrain_rule")
def retrain_rule(request: HttpRequest, deployment_id: str) -> schemas.RetrainOut:
    """When the deployment's model is trained again, and the results."""
    return _out(deployment_for(request, deployment_id, "deployment.read"))


@router.put("/deployments/{deployment_id}/retraining", response=schemas.RetrainOut, operation_id="retrain_rule_set")
def retrain_rule_set(request: HttpRequest, deployment_id: str, body: schemas.RetrainRuleIn) -> schemas.RetrainOut:
    """Sets when the deployment's model is trained again, and whether the new model begins a rollout by itself."""
    deployment = deployment_for(request, deployment_id, "deployment.write")
    rule_save(
        deployment=deployment,
        choices=[ReasonChoice(each.reason, each.is_on, each.limit) for each in body.reasons],
        starts_rollout=body.starts_rollout,
        actor=principal_of(request),
    )
    return _out(deployment)


def _out(deployment: Deployment) -> schemas.RetrainOut:
    rule = rule_of(deployment)
    found = retrainings_of(deployment)
    candidates = [each.artefact_id for each in found if each.artefact_id]
    rollouts = Rollout.objects.filter(deployment=deployment, candidate__in=candidates).order_by("id")
    states = {each.candidate_id: RolloutState(each.state) for each in rollouts}
    return schemas.RetrainOut(
        starts_rollout=rule is not None and rule.starts_rollout,
        reasons=[_reason_out(each, rule) for each in settings_of(rule)],
        blocked=schemas.RetrainBlockedOut(**rule.blocked) if rule is not None and rule.blocked else None,
        trainings=[_retraining_out(each, states.get(each.artefact_id or "")) for each in found],
    )


def _reason_out(setting: ReasonSetting, rule: RetrainRule | None) -> schemas.RetrainReasonOut:
    reason, limit = setting.reason, setting.reason.limit
    since = None if rule is None else rule.holds_since.get(reason.name)
    return schemas.RetrainReasonOut(
        reason=reason.name,
        title=reason.title,
        is_on=setting.is_on,
        limit=schemas.RetrainLimitOut(value=setting.limit, least=limit.least, most=limit.most, label=limit.label),
        holds_since=None if since is None else datetime.fromisoformat(since),
    )


def _retraining_out(retraining: Retraining, rollout: RolloutState | None) -> schemas.RetrainingOut:
    reason = reasons()[retraining.reason]
    return schemas.RetrainingOut(
        id=retraining.id,
        created_at=retraining.created_at,
        ended_at=retraining.ended_at,
        reason=retraining.reason,
        title=reason.title,
        message=reason.message(retraining.figures),
        state=RetrainingState(retraining.state),
        code=retraining.code,
        version=retraining.version_id,
        version_number=retraining.version.number,
        study=retraining.study_id,
        artefact=retraining.artefact_id,
        rollout=rollout,
    )
