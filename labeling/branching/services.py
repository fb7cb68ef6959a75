"""Restoring a version and switching to another branch: requested here, done by a job of kind ``restore``."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.dataset import Label, LabelSet
from automl.contracts.job import JobState
from automl.contracts.words import Words
from labeling.branching.errors import BranchTakenError, BranchUnknownError, RestoreRunningError, RestoreUndoneError
from labeling.branching.restore import Outcome, items_restore
from labeling.services import provenance_of
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.blobs import blob_checked, blobs
from studio.common.events import event_record
from studio.datasets.items.services import item_delete
from studio.datasets.models import Dataset, DatasetVersion
from studio.datasets.versions.branches import branch_head
from studio.datasets.versions.manifest import base_set, version_commit
from studio.datasets.versions.selectors import version_manifest
from studio.datasets.versions.version_note import restore_note
from studio.jobs.handlers import Reporter
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.jobs.states import FINISHED
from studio.projects.hooks import labels_used
from studio.projects.services import labels_set

words = Words(__file__)

KIND = "restore"


def restore_submit(
    *, dataset: Dataset, version: DatasetVersion, actor: Principal, branch: str | None = None, delete: str = ""
) -> Job:
    """Queues the putting back of a dataset to a version; the state before is cut as a version first.

    Args:
        dataset: with its project.
        version: of the same project.
        actor: who asks.
        branch: on which the next version is cut; None stays on the present one.
        delete: blob with the ids of items to delete afterwards, for undoing.

    Raises:
        RestoreRunningError: one is running.
    """
    with transaction.atomic():
        Dataset.objects.select_for_update().get(id=dataset.id)
        if _jobs(dataset).exclude(state__in=[state.value for state in FINISHED]).exists():
            raise RestoreRunningError
        payload = {
            "dataset": dataset.id,
            "version": version.id,
            "branch": branch,
            "branch_before": dataset.branch,
            "delete": delete,
            "actor": {"kind": actor.kind, "id": actor.id, "name": actor.name},
        }
        return job_submit(
            workspace=dataset.project.workspace_id,
            project=dataset.project_id,
            kind=KIND,
            title=words("job.restore", version=version.number),
            subject=dataset.id,
            payload=payload,
        )


def branch_create(*, dataset: Dataset, name: str, version: DatasetVersion, actor: Principal) -> Job:
    """Starts a branch at a version and switches to it.

    Raises:
        BranchTakenError: there is one of that name.
        RestoreRunningError: a restore is running.
    """
    if branch_head(dataset, name) is not None or dataset.branch == name:
        raise BranchTakenError(
            f"There is a branch {name!r}.", hint="Choose another name, or go to that branch.", params={"name": name}
        )
    return restore_submit(dataset=dataset, version=version, actor=actor, branch=name)


def branch_switch(*, dataset: Dataset, name: str, actor: Principal) -> Job:
    """Switches to the head of another branch; what is unsaved on the present one becomes a version there first.

    Raises:
        BranchUnknownError: there is none of that name.
        RestoreRunningError: a restore is running.
    """
    head = branch_head(dataset, name)
    if head is None:
        raise BranchUnknownError(f"There is no branch {name!r}.", params={"name": name})
    return restore_submit(dataset=dataset, version=head, actor=actor, branch=name)


def restore_undo(*, dataset: Dataset, job: Job, actor: Principal) -> Job:
    """Puts back what was before a restore, and deletes again what it had brought back.

    Raises:
        RestoreUndoneError: it is not the last restore of the dataset, or it did not end well.
        RestoreRunningError: a restore is running.
    """
    last = restore_last(dataset)
    if last is None or last.id != job.id:
        raise RestoreUndoneError
    saved = DatasetVersion.objects.select_related("project").get(id=last.payload["saved"])
    payload = last.payload
    return restore_submit(
        dataset=dataset, version=saved, actor=actor, branch=payload["branch_before"], delete=payload["brought_back"]
    )


def restore_last(dataset: Dataset) -> Job | None:
    """The last restore that ended well."""
    return _jobs(dataset).filter(state=JobState.SUCCEEDED.value).order_by("-id").first()


def _jobs(dataset: Dataset) -> QuerySet[Job]:
    return Job.objects.filter(project=dataset.project_id, kind=KIND, subject=dataset.id)


def restore_run(*, job: Job, reporter: Reporter) -> Outcome:
    """Does what a job of kind ``restore`` asks for; going on after an interruption is harmless."""
    payload = job.payload
    dataset = Dataset.objects.select_related("project").get(id=payload["dataset"])
    version = DatasetVersion.objects.get(id=payload["version"], project=dataset.project_id)
    actor = Principal(**payload["actor"])
    reporter.progress("save", 0.0)
    saved = _saved(job, dataset, version, actor)
    reporter.check_cancelled()  # from here on it goes to its end: half a version helps nobody
    _labels_widen(dataset, version, actor)
    if payload["delete"]:
        ids = json.loads(blob_checked(payload["delete"]).read_bytes())
        for start in range(0, len(ids), 2_000):
            item_delete(dataset=dataset, items=ids[start : start + 2_000], actor=actor)
    outcome = items_restore(
        dataset=dataset,
        before=saved,
        after=version,
        cut_at=datetime.fromisoformat(job.payload["cut_at"]),
        operation=f"{KIND}:{job.id}",
        by=provenance_of(actor),
        report=lambda fraction: reporter.progress("restore", 0.1 + 0.85 * fraction),
    )
    _finish(job, dataset, version, actor, outcome)
    return outcome


def _saved(job: Job, dataset: Dataset, version: DatasetVersion, actor: Principal) -> DatasetVersion:
    """The version that holds the state before; an interrupted job finds the one that it cut."""
    if "saved" in job.payload:
        return DatasetVersion.objects.get(id=job.payload["saved"])
    cut_at = timezone.now()
    saved, _ = version_commit(dataset=dataset, actor=actor, note=restore_note(version.number))
    job.payload = {**job.payload, "saved": saved.id, "cut_at": cut_at.isoformat()}
    job.save(update_fields=["payload"])
    return saved


def _labels_widen(dataset: Dataset, version: DatasetVersion, actor: Principal) -> None:
    """Adds the version's labels to those of the project, so that no annotation made meanwhile has an unknown label."""
    dataset.project.refresh_from_db()
    labels = dataset.project.labels
    known = set(labels.names)
    missing = [label for label in version_manifest(version).label_set.labels if label.name not in known]
    if missing:
        wider = [*labels.labels, *(label.model_copy(update={"parent": None}) for label in missing)]
        dataset.project = labels_set(project=dataset.project, labels=wider, actor=actor)


def _labels_fit(dataset: Dataset, version: DatasetVersion, actor: Principal) -> None:
    """Gives the project the version's label set; labels that somebody used meanwhile stay behind it."""
    dataset.project.refresh_from_db()
    label_set_then = version_manifest(version).label_set
    rest = [label for label in dataset.project.labels.labels if label.name not in set(label_set_then.names)]
    used = labels_used(dataset.project, [label.name for label in rest]) if rest else set()
    still_used = [
        Label(name=label.name, color=label.color, attributes=label.attributes) for label in rest if label.name in used
    ]
    label_set = LabelSet(labels=(*label_set_then.labels, *still_used))
    if label_set != dataset.project.labels:
        dataset.project = labels_set(project=dataset.project, labels=label_set.labels, actor=actor)


def _finish(job: Job, dataset: Dataset, version: DatasetVersion, actor: Principal, outcome: Outcome) -> None:
    brought_back = blobs().put_bytes(json.dumps(outcome.brought_back).encode()).sha256 if outcome.brought_back else ""
    counts = {
        "num_changed": outcome.num_changed,
        "num_unlabelled": outcome.num_unlabelled,
        "num_brought_back": len(outcome.brought_back),
        "num_kept": outcome.num_kept,
    }
    with transaction.atomic():
        _labels_fit(dataset, version, actor)
        base_set(dataset=dataset, base=version, branch=job.payload["branch"] or dataset.branch)
        job.payload = {**job.payload, **counts, "brought_back": brought_back}
        job.save(update_fields=["payload"])
        detail = {
            "branch": dataset.branch,
            "version": version.id,
            "number": version.number,
            "saved": job.payload["saved"],
            **counts,
        }
        workspace, project = dataset.project.workspace_id, dataset.project_id
        audit_record(
            workspace=workspace, project=project, actor=actor, action="dataset.restored", subject=dataset.id, detail=detail
        )
        event_record(workspace=workspace, project=project, type="dataset.restored", subject=dataset.id, data=detail)


def blobs_referenced(hashes: Collection[str]) -> set[str]:
    """Lists of items that a restore brought back or is to delete: see ``studio.common.blob_fields``."""
    payloads = Job.objects.filter(kind=KIND).values_list("payload", flat=True)
    return {payload.get(name) for payload in payloads.iterator() for name in ("delete", "brought_back")} & set(hashes)
