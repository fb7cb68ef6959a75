"""Brings what a deployed model was unsure of, or its shadow answers otherwise, back to the labellers.

The input becomes an item, the answer a suggestion. Only inputs that the deployment's policy kept are there to be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations
from automl.contracts.words import Words
from labeling.services import suggestion_put
from labeling.validation import usable
from studio.accounts.access import Principal
from studio.datasets.items.annotations import chunks
from studio.datasets.items.creation import item_ingest
from studio.datasets.items.incoming import IncomingFile
from studio.datasets.items.label_set import takes_several
from studio.datasets.models import Dataset, Item, ItemState, LabelSource, Reject, Upload, UploadKind, UploadState
from studio.deployments.comparison import disagreements_of
from studio.deployments.logs import input_path
from studio.deployments.models import Deployment, PredictionLog, ShadowCall
from studio.jobs.models import Job
from studio.jobs.services import job_submit_once
from studio.projects.catalog import annotation_schema

words = Words(__file__)

_BATCH = 32
"""Inputs held in memory at once."""

Report = Callable[[float], None]


class FeedbackReason(StrEnum):
    """Why an input should be labelled."""

    UNCERTAIN = "uncertain"
    """The model was unsure."""
    DISAGREEMENT = "disagreement"
    """The shadow answers otherwise."""


def feedback_candidates(deployment: Deployment, *, reason: FeedbackReason, min_uncertainty: float) -> QuerySet[Any]:
    """Calls with a kept input that is no item yet, those first that are most in doubt: ``PredictionLog`` or ``ShadowCall``.

    Where a number is predicted nothing says how sure the model is: all kept inputs come, the oldest first.
    """
    known = Item.objects.filter(dataset__project=deployment.project_id).values("blob")
    if reason is FeedbackReason.DISAGREEMENT:
        return disagreements_of(deployment).exclude(input_sha256__in=known).order_by("-disagreement", "id")
    is_unsure = Q(uncertainty__gte=min_uncertainty) | Q(uncertainty__isnull=True)
    rows = PredictionLog.objects.filter(is_unsure, deployment=deployment, input_sha256__isnull=False)
    return rows.exclude(input_sha256__in=known).order_by(F("uncertainty").desc(nulls_last=True), "id")


def feedback_submit(
    *, deployment: Deployment, actor: Principal, reason: FeedbackReason, min_uncertainty: float, limit: int
) -> tuple[int, Job | None]:
    """Queues a job that makes items of doubtful inputs; returns how many calls there are, and no job if there are none."""
    num_calls = feedback_candidates(deployment, reason=reason, min_uncertainty=min_uncertainty)[:limit].count()
    if num_calls == 0:
        return 0, None
    job, _ = job_submit_once(
        workspace=deployment.project.workspace_id,
        project=deployment.project_id,
        kind="feedback",
        title=words("job.feedback", name=deployment.name),
        subject=deployment.id,
        payload={
            "deployment": deployment.id,
            "reason": reason.value,
            "min_uncertainty": min_uncertainty,
            "limit": limit,
            "actor": actor.id,
        },
    )
    return num_calls, job


def feedback_run(
    *, deployment: Deployment, created_by: str, reason: FeedbackReason, min_uncertainty: float, limit: int, report: Report
) -> int:
    """Makes items of inputs; returns how many. Repeating it after a crash takes the rest."""
    dataset = Dataset.objects.select_related("project").get(project=deployment.project_id)
    calls = list(feedback_candidates(deployment, reason=reason, min_uncertainty=min_uncertainty)[:limit])
    upload = Upload.objects.create(
        dataset=dataset,
        created_by=created_by,
        name=f"Feedback of {deployment.name}",
        kind=UploadKind.FEEDBACK,
        labels=LabelSource.NONE,
        size_bytes=0,
    )
    for done, chunk in enumerate(chunks(calls, _BATCH)):
        report(done * _BATCH / len(calls))
        _take(dataset, upload, chunk)
    upload.state = UploadState.DONE
    upload.ended_at = timezone.now()
    upload.save(update_fields=["state", "ended_at"])
    return upload.num_items


def _take(dataset: Dataset, upload: Upload, calls: Sequence[PredictionLog | ShadowCall]) -> None:
    found = [(call, path) for call in calls if (path := input_path(str(call.input_sha256))) is not None]
    files = [IncomingFile(f"feedback/{call.id}", path.read_bytes()) for call, path in found]
    results = item_ingest(dataset=dataset, upload=upload, files=files, takes_several=takes_several(dataset.project))
    items = Item.objects.in_bulk([result.item for result in results if result.item is not None])
    for (call, _), result in zip(found, results, strict=True):
        suggested = _answer(call, dataset)
        if suggested and result.item is not None and items[result.item].state == ItemState.UNLABELLED:
            suggestion_put(
                item=items[result.item],
                annotations=suggested,
                provenance=f"model:{call.answered_by if isinstance(call, ShadowCall) else call.artefact}",
                uncertainty_fraction=call.disagreement if isinstance(call, ShadowCall) else call.uncertainty,
            )
    rejects = [Reject(upload=upload, name=one.name, code=one.code) for one in results if one.code is not None]
    Reject.objects.bulk_create(rejects)
    upload.num_items += sum(one.state == "new" for one in results)
    upload.num_duplicates += sum(one.state == "duplicate" for one in results)
    upload.save(update_fields=["num_items", "num_duplicates"])


def _answer(call: PredictionLog | ShadowCall, dataset: Dataset) -> list[Annotation]:
    """What the model held to be there, but for labels that the project has no more."""
    project = dataset.project
    answered = Annotations.validate_python(call.held or ())
    return usable(answered, schema=annotation_schema(project), labels=project.labels.names)
