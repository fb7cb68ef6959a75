"""Reads of devices. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.deployments.models import Export
from studio.devices.models import Device, DeviceRollout, DeviceUsage, Measurement
from studio.jobs.states import job_is_finished
from studio.projects.models import Project
from studio.registry.models import Artefact

DAY = timedelta(days=1)


def device_get(sight: Sight, device: str) -> Device:
    """Finds a device with what it is to install.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _devices().filter(sight.of("project"), id=device, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such device.")
    return found


def device_page(project: Project, *, cursor: str | None, limit: int) -> Page[Device]:
    """Cuts a page out of a project's devices, newest first."""
    return page_of(_devices().filter(project=project), cursor=cursor, limit=limit)


def is_not_built(update: Export) -> bool:
    """Whether the build of an update has ended without one."""
    return not update.blob and (update.job is None or job_is_finished(update.job))


def models_of(project: Project, ids: Collection[str]) -> dict[str, Artefact]:
    """Models of a project by id: what devices say is a word of theirs."""
    return {artefact.id: artefact for artefact in Artefact.objects.filter(project=project, id__in=set(ids))}


def rollout_newest(project: Project) -> DeviceRollout | None:
    """The newest rollout of a project."""
    rollouts = DeviceRollout.objects.filter(project=project).select_related("artefact", "first", "update__job")
    return rollouts.order_by("-id").first()


def measurement_page(artefact: Artefact, *, cursor: str | None, limit: int) -> Page[Measurement]:
    """Cuts a page out of what was measured of a model, newest first."""
    return page_of(Measurement.objects.filter(artefact=artefact), cursor=cursor, limit=limit)


def _devices() -> QuerySet[Device]:
    newest = DeviceUsage.objects.filter(device=OuterRef("id"), p50_ms__isnull=False).order_by("-ends_at")
    is_of_day = Q(usage__ends_at__gt=timezone.now() - DAY)
    return Device.objects.select_related("project", "assigned__artefact", "assigned__job").annotate(
        num_calls=Sum("usage__num_calls", filter=is_of_day),
        num_failed=Sum("usage__num_failed", filter=is_of_day),
        p50_ms=Subquery(newest.values("p50_ms")[:1]),
        p95_ms=Subquery(newest.values("p95_ms")[:1]),
    )
