"""Writes of deployments that people ask for. The prediction server is notified after each commit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from runtime.answers import answers_kind
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.errors import InvalidInputError
from studio.common.events import event_record
from studio.deployments.errors import (
    DeploymentArtefactError,
    DeploymentSlugTakenError,
    KeepInputsUnfitError,
    RolloutRunningError,
)
from studio.deployments.gateway import deployment_publish
from studio.deployments.logs import inputs_forget, inputs_of
from studio.deployments.models import Deployment, DesiredState, KeepInputs, Rollout, RolloutState, Variant
from studio.projects.models import Project
from studio.registry.models import Artefact


@dataclass(frozen=True)
class DeploymentChanges:
    """What to change of a deployment; None leaves it."""

    name: str | None = None
    artefact: Artefact | None = None
    desired: DesiredState | None = None
    thresholds: Mapping[str, float] | None = None
    keep_inputs: KeepInputs | None = None
    min_uncertainty: float | None = None
    retention_days: int | None = None


def deployment_create(
    *,
    artefact: Artefact,
    name: str,
    actor: Principal,
    slug: str | None = None,
    keep_inputs: KeepInputs = KeepInputs.NONE,
    min_uncertainty: float = 0.5,
    retention_days: int = 30,
) -> Deployment:
    """Publishes a model under an address of its own.

    Args:
        artefact: with its project.
        name: what people call it.
        actor: who publishes.
        slug: the address; None makes one of the name, or of the task where the name has no letters for one.
        keep_inputs: which inputs are kept for later labelling.
        min_uncertainty: what ``uncertain`` means, 0..1.
        retention_days: how long log and inputs are kept.

    Raises:
        DeploymentSlugTakenError: the address given is taken.
        KeepInputsUnfitError: inputs of unsure answers are asked for, and answers have no uncertainty.
    """
    _keeping_check(artefact, keep_inputs)
    project = artefact.project
    chosen = slug or _slug_free(project, name)
    try:
        with transaction.atomic():
            deployment = Deployment.objects.create(
                workspace_id=project.workspace_id,
                project=project,
                artefact=artefact,
                name=name.strip(),
                slug=chosen,
                keep_inputs=keep_inputs,
                min_uncertainty=min_uncertainty,
                retention_days=retention_days,
                created_by=actor.id,
            )
            deployment_record(deployment, "deployment.created", actor, {"artefact": artefact.id, "slug": chosen})
    except IntegrityError as error:
        raise DeploymentSlugTakenError(slug=chosen) from error
    return deployment


def deployment_update(*, deployment: Deployment, changes: DeploymentChanges, actor: Principal) -> Deployment:
    """Changes a deployment; another model replaces the one that answers once it is warm.

    Raises:
        DeploymentArtefactError: the model belongs to another project.
        RolloutRunningError: a rollout decides on the models.
        InvalidInputError: a threshold for a label that the model does not know.
        KeepInputsUnfitError: as in ``deployment_create``.
    """
    fields = {name: value for name, value in vars(changes).items() if value is not None}
    artefact = changes.artefact or deployment.artefact
    artefact_check(deployment, artefact)
    if changes.artefact is not None:
        rollout_check(deployment)
    _keeping_check(artefact, KeepInputs(fields.get("keep_inputs", deployment.keep_inputs)))
    if changes.thresholds is not None:
        _thresholds_check(artefact, changes.thresholds)
    elif changes.artefact is not None:
        known = set(artefact.facts.label_set.names)
        fields["thresholds"] = {label: score for label, score in deployment.thresholds.items() if label in known}
    with transaction.atomic():
        for name, value in fields.items():
            setattr(deployment, name, value)
        deployment.save(update_fields=list(fields))
        if changes.artefact is not None:  # it may have had a share; the first model has what is left
            Variant.objects.filter(deployment=deployment, artefact=artefact).delete()
        detail = {name: value.id if isinstance(value, Artefact) else value for name, value in fields.items()}
        deployment_record(deployment, "deployment.changed", actor, detail)
    return deployment


def artefact_check(deployment: Deployment, artefact: Artefact) -> None:
    """Looks whether a model can be one of a deployment's.

    Raises:
        DeploymentArtefactError: it belongs to another project.
    """
    if artefact.project_id != deployment.project_id:
        raise DeploymentArtefactError("The model belongs to another project.")


def rollout_check(deployment: Deployment) -> None:
    """Looks whether people may change a deployment's models.

    Raises:
        RolloutRunningError: a rollout decides on them.
    """
    if Rollout.objects.filter(deployment=deployment, state=RolloutState.RUNNING).exists():
        raise RolloutRunningError


def deployment_delete(*, deployment: Deployment, actor: Principal) -> None:
    """Takes an address away, with its log and kept inputs."""
    with transaction.atomic():
        inputs = inputs_of(deployment)
        deployment_record(deployment, "deployment.deleted", actor, {"slug": deployment.slug})
        deployment.delete()
        transaction.on_commit(lambda: inputs_forget(inputs))


def deployment_record(deployment: Deployment, action: str, actor: Principal, detail: dict[str, object]) -> None:
    """The audit row and the event of a change, and the word to the server after the commit."""
    workspace, deployment_id = deployment.workspace_id, deployment.id
    audit_record(
        workspace=workspace, project=deployment.project_id, actor=actor, action=action, subject=deployment_id, detail=detail
    )
    event_record(workspace=workspace, project=deployment.project_id, type=action, subject=deployment_id, data=detail)
    transaction.on_commit(lambda: deployment_publish(deployment_id))


def _keeping_check(artefact: Artefact, keep_inputs: KeepInputs) -> None:
    if keep_inputs is KeepInputs.UNCERTAIN and not answers_kind(artefact.facts.output.value).has_uncertainty:
        raise KeepInputsUnfitError


def _slug_free(project: Project, name: str) -> str:
    """A free address made from the name, or from the task where the name has no letters for one, as in Chinese."""
    stem = (slugify(name)[:56].strip("-_") or project.task[:56]).replace("_", "-")
    used = set(Deployment.objects.filter(workspace=project.workspace_id, slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in used:
        number += 1
    return slug


def _thresholds_check(artefact: Artefact, thresholds: Mapping[str, float]) -> None:
    unknown = sorted(set(thresholds) - set(artefact.facts.label_set.names))
    if unknown:
        raise InvalidInputError(
            f"The model does not know {', '.join(unknown)}.", fields={"thresholds": [f"unknown labels: {', '.join(unknown)}"]}
        )
