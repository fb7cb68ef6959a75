"""Which models share the calls of a deployment, and which one is its shadow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.deployments.errors import DeploymentArtefactError, TrafficInvalidError
from studio.deployments.models import Deployment, Variant
from studio.deployments.services import artefact_check, deployment_record, rollout_check
from studio.registry.models import Artefact

words = Words(__file__)
MAX_MODELS = 5
"""That answer callers; each is held in memory by the prediction server."""


@dataclass(frozen=True)
class Traffic:
    """The models of a deployment."""

    shares: Mapping[str, int]
    """Percent of the calls by artefact; they add up to 100."""
    shadow: str | None = None


def traffic_of(deployment: Deployment) -> Traffic:
    """How the calls are shared now, the first model first."""
    variants = list(Variant.objects.filter(deployment=deployment).order_by("id"))
    shares = {each.artefact_id: each.share for each in variants if not each.is_shadow}
    shadow = next((each.artefact_id for each in variants if each.is_shadow), None)
    return Traffic({deployment.artefact_id: 100 - sum(shares.values()), **shares}, shadow)


def traffic_set(
    *, deployment: Deployment, shares: Mapping[str, int], shadow: str | None, models: Sequence[Artefact], actor: Principal
) -> Deployment:
    """Shares the calls among models. New ones answer once they are warm; until then the old ones do.

    The first model stays the first while it has a share; otherwise the one with the largest share follows it.

    Args:
        deployment: which.
        shares: percent of the calls by artefact.
        shadow: artefact that is asked after callers have their answers; None: there is none.
        models: the artefacts that are named.
        actor: who decides.

    Raises:
        RolloutRunningError: a rollout decides on them.
        TrafficInvalidError: the shares do not add up to 100, there are too many, or the shadow has a share too.
        DeploymentArtefactError: a model belongs to another project, or answers in another form.
    """
    rollout_check(deployment)
    _shares_check(shares, shadow)
    named = {artefact.id: artefact for artefact in models}
    first = deployment.artefact_id if shares.get(deployment.artefact_id) else max(shares, key=lambda each: shares[each])
    for artefact in named.values():
        artefact_check(deployment, artefact)
        form_check(named[first], artefact)
    with transaction.atomic():
        traffic_write(deployment, first=first, shares=shares, shadow=shadow)
        detail: dict[str, object] = {"shares": dict(shares), "shadow": shadow}
        deployment_record(deployment, "deployment.traffic_changed", actor, detail)
    return deployment


def traffic_write(deployment: Deployment, *, first: str, shares: Mapping[str, int], shadow: str | None) -> None:
    """Writes the rows; call it inside the transaction that also records it."""
    deployment.artefact_id = first
    deployment.save(update_fields=["artefact"])
    Variant.objects.filter(deployment=deployment).delete()
    for artefact, share in shares.items():
        if artefact != first:
            Variant.objects.create(deployment=deployment, artefact_id=artefact, share=share)
    if shadow is not None:
        Variant.objects.create(deployment=deployment, artefact_id=shadow, is_shadow=True)


def form_check(first: Artefact, other: Artefact) -> None:
    """Looks whether two models can share calls.

    Raises:
        DeploymentArtefactError: they answer in different forms.
    """
    if first.facts.output != other.facts.output or first.facts.decode.kind != other.facts.decode.kind:
        raise DeploymentArtefactError("The model answers in another form than the deployment's first one.")


def _shares_check(shares: Mapping[str, int], shadow: str | None) -> None:
    if sum(shares.values()) != 100:
        raise TrafficInvalidError(words("traffic.sum"))
    if len(shares) > MAX_MODELS:
        raise TrafficInvalidError(words("traffic.models", most=MAX_MODELS))
    if shadow in shares:
        raise TrafficInvalidError(words("traffic.shadow"))
