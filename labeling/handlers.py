"""What this app does when a lower one calls: its jobs, and a label's new name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from automl.contracts.annotation import Annotation
from automl.contracts.dataset import SplitShares
from labeling.feedback import FeedbackReason, feedback_run
from labeling.snapshots import snapshot_create
from labeling.suggestions import suggestions_import
from studio.accounts.access import Principal
from studio.datasets.models import Dataset, DatasetVersion
from studio.datasets.versions.split_rule import SplitRule
from studio.deployments.models import Deployment
from studio.jobs.handlers import Executor, Reporter
from studio.jobs.models import Job

EXECUTORS: Mapping[str, Executor] = {"feedback": "platform", "snapshot": "platform"}


def job_run(job: Job, reporter: Reporter) -> None:
    """Cuts a version, or takes over uncertain inputs."""
    if job.kind == "snapshot":
        _snapshot(job, reporter)
    else:
        _feedback(job, reporter)


def predictions_imported(dataset_id: str, predictions: Mapping[str, Sequence[Annotation]], source: str) -> None:
    """What an upload proposes waits with the other suggestions."""
    suggestions_import(dataset=dataset_id, proposed=predictions, provenance=source)


def version_cut(dataset: Dataset, note: str, actor: Principal) -> DatasetVersion:
    """Creates a version for a retrain rule, or for a training that is tried again."""
    version, _ = snapshot_create(dataset=dataset, actor=actor, note=note)
    return version


def _snapshot(job: Job, reporter: Reporter) -> None:
    payload = job.payload
    dataset = Dataset.objects.select_related("project").get(id=payload["dataset"])
    shares = None if payload["shares"] is None else SplitShares.model_validate(payload["shares"])
    rule = None if payload.get("rule") is None else SplitRule.model_validate(payload["rule"])
    actor = Principal(kind=payload["actor"]["kind"], id=payload["actor"]["id"], name=payload["actor"]["name"])
    version, is_new = snapshot_create(dataset=dataset, actor=actor, note=payload["note"], shares=shares, rule=rule)
    reporter.log(f"version {version.number} ({version.id}), {'new' if is_new else 'the same state as before'}")


def _feedback(job: Job, reporter: Reporter) -> None:
    def report(fraction: float) -> None:
        reporter.check_cancelled()
        reporter.progress("feedback", fraction)

    payload = job.payload
    num_items = feedback_run(
        deployment=Deployment.objects.select_related("project").get(id=payload["deployment"]),
        created_by=payload["actor"],
        reason=FeedbackReason(payload.get("reason", FeedbackReason.UNCERTAIN)),
        min_uncertainty=payload["min_uncertainty"],
        limit=payload["limit"],
        report=report,
    )
    reporter.log(f"{num_items} inputs became items")
