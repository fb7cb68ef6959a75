"""Starts a compression, and keeps a candidate as a model."""

from __future__ import annotations

from django.db import transaction

from automl.contracts.compression import Budget, Candidate, CompressionReport, over_budget
from automl.contracts.dataset import Split
from automl.contracts.words import Words
from engine.compress.methods import methods_for
from engine.tasks import task_spec
from studio.accounts.access import Principal
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blobs import blobs
from studio.common.stored import read_stored
from studio.datasets.versions.selectors import version_manifest
from studio.jobs.services import job_submit_once
from studio.registry.errors import CandidateMissingError, CompressionUnfitError, OverBudgetError
from studio.registry.importing import compressed_import
from studio.registry.models import Artefact, Compression
from studio.registry.recording import artefact_audit

words = Words(__file__)


def compression_start(*, artefact: Artefact, budget: Budget, trains: bool, actor: Principal) -> Compression:
    """Tries to make a model smaller in a job; while such a job waits or runs, asking again gives that try.

    Raises:
        CompressionUnfitError: it is compressed itself, no way is known for its task, or it learned from all items.
    """
    _check(artefact)
    workspace = artefact.project.workspace_id
    with quota_claimed(workspace, {Quota.JOBS: 1}), transaction.atomic():
        job, is_new = job_submit_once(
            workspace=workspace,
            project=artefact.project_id,
            kind="compress",
            title=words("job.compress", model=artefact.number),
            subject=artefact.id,
            payload={"version": artefact.version_id, "trains": trains},
        )
        compression, _ = Compression.objects.get_or_create(
            job=job, defaults={"artefact": artefact, "budget": budget.model_dump(mode="json")}
        )
        if is_new:
            detail = {"budget": compression.budget, "trains": trains}
            artefact_audit(artefact, actor, "artefact.compress", detail)
    return compression


def candidate_keep(*, compression: Compression, method: str, actor: Principal) -> Artefact:
    """Enters a candidate as a model of the project; the second time it is the same model.

    Raises:
        CandidateMissingError: the compression has no such candidate.
        OverBudgetError: it loses or costs more than the budget allows.
        ResultInvalidError: its files are not there.
    """
    candidate = _candidate(compression, method)
    limits = over_budget(candidate, read_stored(Budget, compression.budget, subject=compression.id))
    if limits:
        raise OverBudgetError(limits=list(limits))
    tree = candidate_tree(compression, method)
    blobs().put_tree(tree, blobs().fetch_tree(compression.tree) / method)
    with transaction.atomic():
        artefact, is_new = compressed_import(parent=compression.artefact, tree=tree, job=compression.job)
        if is_new:
            detail = {"artefact": artefact.id, "method": method}
            artefact_audit(compression.artefact, actor, "artefact.candidate_kept", detail)
    return artefact


def candidate_tree(compression: Compression, method: str) -> str:
    """Name of a kept candidate's files in the blob store."""
    return f"compressions/{compression.id}/{method}"


def _candidate(compression: Compression, method: str) -> Candidate:
    report = read_stored(CompressionReport, compression.report, subject=compression.id) if compression.report else None
    found = {each.method: each for each in report.candidates} if report else {}
    if method not in found:
        raise CandidateMissingError(method=method, known=sorted(found))
    return found[method]


def _check(artefact: Artefact) -> None:
    if artefact.parent_id is not None:
        raise CompressionUnfitError(
            "The model is compressed already.",
            hint="Start from the model that it was made of.",
            params={"context": "compressed"},
        )
    if not methods_for(task_spec(artefact.project.task)):
        raise CompressionUnfitError(
            "No way is known to make models of this task smaller.",
            hint="Choose a smaller family in the next study.",
            params={"context": "task"},
        )
    counts = version_manifest(artefact.version).num_items_by_split
    held_back = [split for split in (Split.VALIDATION, Split.TEST) if split not in artefact.facts.learned]
    if not any(counts.get(split, 0) for split in held_back):
        raise CompressionUnfitError(
            "The model has learned from all items, so that nothing shows what a smaller one loses.",
            hint="Train a model that does not learn from the test items.",
            params={"context": "learned"},
        )
