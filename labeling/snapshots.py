"""Creates versions: runs the task's checker first, then has the data sets write one."""

from __future__ import annotations

from django.db import transaction

from automl.contracts.dataset import SplitShares
from automl.contracts.task import Problem, Severity
from automl.contracts.words import Words
from labeling.errors import VersionBlockedError
from studio.accounts.access import Principal
from studio.datasets.models import Dataset, DatasetVersion
from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.next_splits import rule_set
from studio.datasets.versions.ruled_splits import rule_check
from studio.datasets.versions.split_rule import SplitRule
from studio.datasets.versions.splits import shares_set
from studio.datasets.versions.version_note import VersionNote
from studio.jobs.models import Job
from studio.jobs.services import job_submit

words = Words(__file__)


def snapshot_create(
    *, dataset: Dataset, actor: Principal, note: str = "", shares: SplitShares | None = None, rule: SplitRule | None = None
) -> tuple[DatasetVersion, bool]:
    """Cuts a version of the dataset as it stands; returns also whether it is new. The same state gives the same version.

    Raises:
        VersionBlockedError: problems that must be mended first; the error lists them.
        SharesFixedError: other shares than before, although a version exists.
        SplitFieldError: the field by which items are to be split is not there, is the target, or holds no moments.
    """
    if shares is None and rule is None:
        return version_commit(dataset=dataset, actor=actor, note=VersionNote(note), refuse=_refuse)
    with transaction.atomic():  # moved splits go back when the version is refused
        if shares is not None:
            shares_set(dataset=dataset, shares=shares)
        if rule is not None:
            rule_set(dataset=dataset, rule=rule)
        return version_commit(dataset=dataset, actor=actor, note=VersionNote(note), refuse=_refuse)


def _refuse(problems: list[Problem]) -> None:
    blocking = [problem for problem in problems if problem.severity == Severity.BLOCKING]
    if blocking:
        raise VersionBlockedError(blocking)


def snapshot_submit(
    *, dataset: Dataset, actor: Principal, note: str = "", shares: SplitShares | None = None, rule: SplitRule | None = None
) -> Job:
    """Queues the cutting of a version.

    Raises:
        SplitFieldError: as for ``snapshot_create``.
    """
    if rule is not None:
        rule_check(dataset, rule)
    payload = {
        "dataset": dataset.id,
        "note": note,
        "shares": None if shares is None else shares.model_dump(),
        "rule": None if rule is None else rule.model_dump(mode="json"),
        "actor": {"kind": actor.kind, "id": actor.id, "name": actor.name},
    }
    return job_submit(
        workspace=dataset.project.workspace_id,
        project=dataset.project_id,
        kind="snapshot",
        title=words("job.snapshot", name=dataset.name),
        subject=dataset.id,
        payload=payload,
    )
