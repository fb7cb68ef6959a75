"""What a workspace may use at most: storage, items, jobs, calls of its deployments.

The limits of the installation come from settings, and a workspace may have its own instead (``manage.py quota``). How much is
used is counted by the app that has it (``hooks.quota_used``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import StrEnum

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts import hooks
from studio.accounts.errors import ItemsQuotaError, JobsQuotaError, StorageQuotaError
from studio.accounts.models import AuditRow, Workspace, WorkspaceQuota
from studio.accounts.security_events import security_event
from studio.common.errors import StudioError

words = Words(__file__)

RECORD_INTERVAL = timedelta(hours=1)
"""The audit trail says at most this often that a quota was reached."""


class Quota(StrEnum):
    """What there can be a limit of."""

    STORAGE_BYTES = "storage_bytes"
    ITEMS = "items"
    JOBS = "jobs"
    PREDICTIONS_PER_MINUTE = "predictions_per_minute"
    PREDICTIONS_PER_DAY = "predictions_per_day"


NAMES: dict[Quota, Text] = {quota: words(f"quota.{quota.value}") for quota in Quota}
_ERRORS: dict[Quota, type[StudioError]] = {
    Quota.STORAGE_BYTES: StorageQuotaError,
    Quota.ITEMS: ItemsQuotaError,
    Quota.JOBS: JobsQuotaError,
}
RETRY_AFTER_S = {Quota.JOBS: 30}
"""When it may be worth trying again, where that comes by itself."""


@dataclass(frozen=True)
class Use:
    """How much of a quota is used."""

    quota: Quota
    used: int
    limit: int | None
    """None: there is none."""


def quota_limit(workspace: str, quota: Quota) -> int | None:
    """The limit of a workspace; None where there is none."""
    row = WorkspaceQuota.objects.filter(workspace_id=workspace, quota=quota.value).first()
    limit: int | None = row.limit if row is not None else settings.QUOTAS[quota.value]
    return limit


def quota_used(workspace: str, quota: Quota) -> int:
    """How much is used now, as the app that has it says."""
    return hooks.quota_used(workspace, quota.value)


def quota_uses(workspace: str) -> list[Use]:
    """How much of each quota is used."""
    return [Use(quota, quota_used(workspace, quota), quota_limit(workspace, quota)) for quota in Quota]


@contextmanager
def quota_claimed(workspace: str, amounts: dict[Quota, int]) -> Iterator[None]:
    """Lets what is made inside come into being, or not. Callers side by side wait for each other where there is a limit.

    Args:
        workspace: whose.
        amounts: how much of each quota is to be used in addition.

    Raises:
        StorageQuotaError, ItemsQuotaError, JobsQuotaError: a quota would be exceeded.
    """
    limits = _limits(workspace, amounts)
    if not limits:
        yield
        return
    refused: Use | None = None
    with transaction.atomic():
        _lock(workspace)
        for quota, limit in limits.items():
            use = Use(quota, quota_used(workspace, quota), limit)
            if use.used + amounts[quota] > limit:
                refused = use
                break
        else:
            yield
    if refused is not None:
        quota_record(workspace, refused)
        raise quota_error(refused)


@contextmanager
def quota_kept(workspace: str, quotas: Collection[Quota], announced: Callable[[], Mapping[Quota, int]]) -> Iterator[None]:
    """A transaction that is rolled back if what was made in it is more than a quota holds.

    For what shows only when it is made how much it is, such as the files of an archive and the rows of a table.

    Args:
        workspace: whose.
        quotas: which are to be kept.
        announced: what counts as used although what is made here comes in its place, by quota.

    Raises:
        StorageQuotaError, ItemsQuotaError: a quota was exceeded, and by what was made here.
    """
    refused: Use | None = None
    try:
        with transaction.atomic():
            limits = _limits(workspace, quotas)
            if limits:
                _lock(workspace)
            before = _used_besides(workspace, limits, announced)
            yield
            for quota, used in _used_besides(workspace, limits, announced).items():
                if used > max(limits[quota], before[quota]):
                    refused = Use(quota, before[quota], limits[quota])
                    raise quota_error(refused)
    finally:
        if refused is not None:
            quota_record(workspace, refused)


def quota_check(
    workspace: str,
    quotas: Collection[Quota],
    announced: Callable[[], Mapping[Quota, int]],
    expected: Mapping[Quota, int] | None = None,
) -> None:
    """Looks whether what was made is within the quotas; whoever made it takes it back otherwise.

    Arguments as of ``quota_kept``, and ``expected``: how much of a quota is still to be made.

    Raises:
        StorageQuotaError, ItemsQuotaError: a quota is exceeded, or would be.
    """
    limits = _limits(workspace, quotas)
    for quota, used in _used_besides(workspace, limits, announced).items():
        if used + (expected or {}).get(quota, 0) > limits[quota]:
            use = Use(quota, used, limits[quota])
            quota_record(workspace, use)
            raise quota_error(use)


def _limits(workspace: str, quotas: Collection[Quota]) -> dict[Quota, int]:
    return {quota: limit for quota in quotas if (limit := quota_limit(workspace, quota)) is not None}


def _used_besides(
    workspace: str, limits: Mapping[Quota, int], announced: Callable[[], Mapping[Quota, int]]
) -> dict[Quota, int]:
    own = announced() if limits else {}
    return {quota: quota_used(workspace, quota) - own[quota] for quota in limits}


def _lock(workspace: str) -> None:
    """Others who use the quotas of the workspace wait; those who only refer to it do not."""
    Workspace.objects.select_for_update(no_key=True).get(id=workspace)


def quota_error(use: Use) -> StudioError:
    """What is answered where a quota is used up."""
    extra: dict[str, object] = {"quota": use.quota.value, "used": use.used, "limit": use.limit}
    if use.quota in RETRY_AFTER_S:
        extra["retry_after_s"] = RETRY_AFTER_S[use.quota]
    return _ERRORS[use.quota](
        f"{NAMES[use.quota].en}: this workspace uses {use.used:,} of {use.limit:,}.",
        hint="Delete what is not needed, or ask whoever runs this installation for more.",
        extra=extra,
    )


def quota_record(workspace: str, use: Use) -> None:
    """Records that a quota was reached, once in a while."""
    since = timezone.now() - RECORD_INTERVAL
    rows = AuditRow.objects.filter(workspace_id=workspace, action="quota.exceeded", detail__quota=use.quota.value)
    if not rows.filter(created_at__gt=since).exists():
        detail = {"quota": use.quota.value, "used": use.used, "limit": use.limit}
        security_event("quota.exceeded", workspace=workspace, subject=workspace, detail=detail)


def quota_set(*, workspace: Workspace, quota: Quota, limit: int | None) -> None:
    """Gives a workspace a limit of its own; None: none at all."""
    with transaction.atomic():
        WorkspaceQuota.objects.update_or_create(workspace=workspace, quota=quota.value, defaults={"limit": limit})
        detail = {"quota": quota.value, "limit": limit}
        security_event("quota.set", workspace=workspace.id, subject=workspace.id, detail=detail)


def quota_reset(*, workspace: Workspace, quota: Quota) -> None:
    """Gives a workspace the installation's limit back."""
    with transaction.atomic():
        WorkspaceQuota.objects.filter(workspace=workspace, quota=quota.value).delete()
        security_event("quota.set", workspace=workspace.id, subject=workspace.id, detail={"quota": quota.value})


def day_end(now: datetime) -> datetime:
    """When the calls of a day begin anew: at midnight in UTC."""
    return datetime.combine(now.date() + timedelta(days=1), time.min, tzinfo=now.tzinfo)
