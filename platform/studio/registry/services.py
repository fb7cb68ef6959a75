"""Writes of the registry that people ask for: promote, change, evaluate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from django.db import transaction

from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.events import event_record
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.selectors import version_manifest
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.projects.models import Project
from studio.registry.answers import judged_answers
from studio.registry.coverage import CoverageChoice, coverage_chosen
from studio.registry.errors import EvaluationUnfitError, SplitLearnedError, ThresholdsUnfitError
from studio.registry.hooks import thresholds_changed
from studio.registry.models import Artefact, Stage, StageChange
from studio.registry.recording import artefact_audit
from studio.registry.reports import report_of
from studio.registry.stages import REPLACED_BECOMES, stage_check

words = Words(__file__)


def artefact_promote(*, artefact: Artefact, stage: Stage, reason: str, actor: Principal) -> Artefact:
    """Moves a model to a stage; the production model before it steps back.

    Raises:
        ArtefactStageError: the table of stages has no such move.
    """
    with transaction.atomic():
        Project.objects.select_for_update().get(id=artefact.project_id)  # two promotions at once: one after the other
        artefact = Artefact.objects.select_related("project", "trial__study").get(id=artefact.id)
        stage_check(Stage(artefact.stage), stage)
        if stage is Stage.PRODUCTION:
            rows = Artefact.objects.select_related("project").filter(project=artefact.project_id, stage=Stage.PRODUCTION)
            for replaced in rows:
                _stage_write(replaced, REPLACED_BECOMES, f"Replaced by {artefact.id}: {reason}", actor)
        _stage_write(artefact, stage, reason, actor)
    return artefact


def artefact_update(
    *,
    artefact: Artefact,
    note: str | None,
    thresholds: Mapping[str, float] | None,
    coverage: CoverageChoice | None = None,
    actor: Principal,
) -> Artefact:
    """Changes the note of a model, from which scores on it answers, or when it asks a person; None keeps.

    Deployments follow at once, except in thresholds of their own, exports from the next one on.

    Raises:
        ThresholdsUnfitError: the model cannot answer from these scores on.
        CoverageUnfitError: its report has no such guarantee.
    """
    facts = artefact.facts
    if thresholds is not None and not (
        set(thresholds) <= set(facts.label_set.names)
        and judged_answers(facts).thresholds_fit(facts.label_set.names, thresholds)
    ):
        raise ThresholdsUnfitError
    changes = {
        "note": note if note is None else note.strip(),
        "thresholds": thresholds,
        "coverage": None if coverage is None else coverage_chosen(report_of(artefact.tree).coverage, coverage),
    }
    changed = {name: value for name, value in changes.items() if value is not None}
    # The limits of a thousand labels would fill the trail.
    detail = changed if coverage is None else {**changed, "coverage": asdict(coverage)}
    with transaction.atomic():
        for name, value in changed.items():
            setattr(artefact, name, value)
        artefact.save(update_fields=list(changed))
        workspace, project = artefact.project.workspace_id, artefact.project_id
        artefact_audit(artefact, actor, "artefact.changed", detail)
        event_record(workspace=workspace, project=project, type="artefact.changed", subject=artefact.id, data=detail)
        if thresholds is not None or coverage is not None:
            transaction.on_commit(lambda: thresholds_changed(artefact))
    return artefact


def artefact_evaluate(*, artefact: Artefact, version: DatasetVersion, split: Split, actor: Principal) -> Job:
    """Measures a model on a split of a version in a job; while such a job waits or runs, asking again gives that job.

    Raises:
        EvaluationUnfitError: another task, other labels, or the split is empty.
        SplitLearnedError: the model learned from the split.
    """
    manifest = version_manifest(version)
    if version.project_id != artefact.project_id:
        raise EvaluationUnfitError("The version belongs to another project.", params={"context": "project"})
    if manifest.label_set.names != artefact.facts.label_set.names:
        raise EvaluationUnfitError(
            "The version has other labels than the model.",
            hint="Train a model on this version, or choose an older one.",
            params={"context": "labels"},
        )
    if split is not Split.TRAIN and split in artefact.facts.learned:
        raise SplitLearnedError(split=split)
    if not manifest.num_items_by_split.get(split, 0):
        raise EvaluationUnfitError(
            f"The version has no items in {split}.",
            hint="Choose another split or version.",
            params={"context": "split", "split": split.value},
        )
    with quota_claimed(artefact.project.workspace_id, {Quota.JOBS: 1}), transaction.atomic():
        workspace = artefact.project.workspace_id
        detail = {"version": version.id, "split": split.value}
        job, is_new = job_submit_once(
            workspace=workspace,
            project=artefact.project_id,
            kind="evaluate",
            title=_evaluation_title(artefact, version, split),
            subject=artefact.id,
            payload=detail,
            variant=(version.id, split.value),
        )
        if is_new:
            artefact_audit(artefact, actor, "artefact.evaluate", detail)
    return job


def _evaluation_title(artefact: Artefact, version: DatasetVersion, split: Split) -> Text:
    return words("job.evaluate", model=artefact.number, version=version.number, split=words(f"split.{split.value}"))


def _stage_write(artefact: Artefact, stage: Stage, reason: str, actor: Principal) -> None:
    before = artefact.stage
    Artefact.objects.filter(id=artefact.id).update(stage=stage.value)
    artefact.stage = stage.value
    StageChange.objects.create(artefact=artefact, before=before, after=stage.value, reason=reason[:1000], by=actor.id)
    workspace = artefact.project.workspace_id
    detail = {"before": before, "after": stage.value, "reason": reason}
    artefact_audit(artefact, actor, "artefact.promoted", detail)
    event_record(workspace=workspace, project=artefact.project_id, type="artefact.promoted", subject=artefact.id, data=detail)
