"""Writes of galleries: make, change, delete; pictures in and out; over to another model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.db.models import F, QuerySet
from numpy.typing import NDArray

from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.quotas import Quota, quota_claimed
from studio.common.blob_store import BlobRef
from studio.common.blobs import blobs
from studio.common.events import event_record
from studio.deployments.models import Deployment
from studio.galleries.embedding import vector_of
from studio.galleries.errors import (
    GalleryBatchError,
    GalleryBusyError,
    GalleryCurrentError,
    GalleryModelError,
    GalleryPictureTakenError,
    GalleryRateError,
)
from studio.galleries.models import EntryVector, Gallery, GalleryEntry
from studio.galleries.selectors import compares, next_model, rates_of
from studio.jobs.services import job_submit
from studio.jobs.states import job_is_finished
from studio.projects.models import Project

words = Words(__file__)
MOST_AT_ONCE = 100
"""Pictures that one call adds: each takes some 30 ms."""
USUAL_RATE = "0.01"


@dataclass(frozen=True)
class NamedPicture:
    """A picture to add."""

    name: str
    """Of what it shows."""
    file: str
    data: bytes


def gallery_create(
    *, project: Project, name: str, deployment: Deployment, false_match_rate: str | None, actor: Principal
) -> Gallery:
    """Makes an empty gallery that compares by a deployment's model.

    Raises:
        GalleryModelError: the deployment is another project's, or its model does not compare pictures.
        GalleryRateError: the model has no limit for the rate.
    """
    artefact = deployment.artefact
    rates = rates_of(artefact) if compares(artefact) else []
    if deployment.project_id != project.id or not rates:
        raise GalleryModelError
    rate = false_match_rate or (USUAL_RATE if USUAL_RATE in rates else rates[-1])
    if rate not in rates:
        raise GalleryRateError(rates)
    with transaction.atomic():
        gallery = Gallery.objects.create(
            project=project,
            name=name,
            deployment=deployment,
            artefact=artefact,
            false_match_rate=rate,
            created_by=actor.id,
        )
        audit_record(
            workspace=project.workspace_id, project=project.id, actor=actor, action="gallery.created", subject=gallery.id
        )
        _tell(gallery)
    return gallery


def gallery_update(*, gallery: Gallery, name: str | None, false_match_rate: str | None, actor: Principal) -> None:
    """Changes what is given.

    Raises:
        GalleryRateError: the model has no limit for the rate.
    """
    if false_match_rate is not None:
        rates = rates_of(gallery.artefact) if gallery.artefact else []
        if false_match_rate not in rates:
            raise GalleryRateError(rates)
        gallery.false_match_rate = false_match_rate
    gallery.name = name or gallery.name
    with transaction.atomic():
        gallery.save(update_fields=["name", "false_match_rate"])
        audit_record(
            workspace=gallery.project.workspace_id,
            project=gallery.project_id,
            actor=actor,
            action="gallery.changed",
            subject=gallery.id,
        )
        if false_match_rate is None:
            _tell(gallery)
        else:
            _changed(gallery)  # products of it have its limit


def gallery_delete(*, gallery: Gallery, actor: Principal) -> None:
    """Forgets a gallery with its pictures.

    Raises:
        GalleryBusyError: it goes over to another model.
    """
    with transaction.atomic():
        locked = _locked(gallery)
        if _is_busy(locked):
            raise GalleryBusyError
        audit_record(
            workspace=gallery.project.workspace_id,
            project=gallery.project_id,
            actor=actor,
            action="gallery.deleted",
            subject=gallery.id,
        )
        _tell(gallery)
        locked.delete()


def entries_add(*, gallery: Gallery, pictures: Sequence[NamedPicture], actor: Principal) -> list[GalleryEntry]:
    """Adds pictures, all or none; one that is there under its name already stays as it is.

    Returns:
        The entry of each picture, in their order.

    Raises:
        GalleryBatchError: none, or too many.
        GalleryModelGoneError, GalleryPictureError: as ``embedding.vector_of``.
        GalleryPictureTakenError: a picture is there under another name.
        StorageQuotaError: they exceed the workspace's storage quota.
    """
    if not 1 <= len(pictures) <= MOST_AT_ONCE:
        raise GalleryBatchError(MOST_AT_ONCE)
    vectors = [vector_of(gallery.artefact, each.file, each.data) for each in pictures]
    refs = [blobs().put_bytes(each.data) for each in pictures]
    amounts = {Quota.STORAGE_BYTES: sum(ref.size_bytes for ref in refs)}
    with quota_claimed(gallery.project.workspace_id, amounts), transaction.atomic():
        locked = _locked(gallery)
        if locked.artefact_id != gallery.artefact_id:  # another model came while these were looked at
            raise GalleryBusyError
        found = _entries(locked, pictures, refs, vectors, actor)
        _changed(locked)
        detail = {"count": len(found)}
        audit_record(
            workspace=gallery.project.workspace_id,
            project=gallery.project_id,
            actor=actor,
            action="gallery.added",
            subject=gallery.id,
            detail=detail,
        )
    return found


def _entries(
    gallery: Gallery,
    pictures: Sequence[NamedPicture],
    refs: Sequence[BlobRef],
    vectors: Sequence[NDArray[np.float32]],
    actor: Principal,
) -> list[GalleryEntry]:
    """The entry of each picture, made where there is none."""
    there = {each.blob: each for each in GalleryEntry.objects.filter(gallery=gallery, blob__in=[ref.sha256 for ref in refs])}
    found = []
    for picture, ref, vector in zip(pictures, refs, vectors, strict=True):
        entry = there.get(ref.sha256)
        if entry is None:
            entry = GalleryEntry.objects.create(
                gallery=gallery, name=picture.name, blob=ref.sha256, size_bytes=ref.size_bytes, created_by=actor.id
            )
            EntryVector.objects.create(entry=entry, artefact=gallery.artefact_id, values=vector.tobytes())
            there[ref.sha256] = entry
        elif entry.name != picture.name:
            raise GalleryPictureTakenError(picture.file, entry.name)
        found.append(entry)
    return found


def entries_delete(*, gallery: Gallery, entries: Sequence[str] = (), name: str | None = None, actor: Principal) -> int:
    """Takes entries out, by their ids or all of a name; returns how many there were."""
    with transaction.atomic():
        locked = _locked(gallery)
        rows = GalleryEntry.objects.filter(gallery=locked)
        rows = rows.filter(name=name) if name is not None else rows.filter(id__in=list(entries))
        number = rows.count()
        rows.delete()
        _changed(locked, has_removed=number > 0)
        detail = {"count": number}
        audit_record(
            workspace=gallery.project.workspace_id,
            project=gallery.project_id,
            actor=actor,
            action="gallery.removed",
            subject=gallery.id,
            detail=detail,
        )
    return number


def gallery_follow(*, gallery: Gallery, actor: Principal) -> Gallery:
    """Brings all pictures to the deployment's model, in a job; until it has ended the model before answers.

    Raises:
        GalleryBusyError: that is under way.
        GalleryCurrentError: there is no other model.
        GalleryModelError: the deployment's model does not compare pictures.
    """
    model = next_model(gallery)
    if model is None:
        raise GalleryCurrentError
    if not compares(model):
        raise GalleryModelError
    workspace = gallery.project.workspace_id
    with quota_claimed(workspace, {Quota.JOBS: 1}), transaction.atomic():
        locked = _locked(gallery)
        if _is_busy(locked):
            raise GalleryBusyError
        locked.job = job_submit(
            workspace=workspace,
            project=gallery.project_id,
            kind="gallery",
            title=words("job.gallery", name=gallery.name),
            subject=gallery.id,
            payload={"artefact": model.id},
        )
        locked.save(update_fields=["job"])
        audit_record(
            workspace=workspace, project=gallery.project_id, actor=actor, action="gallery.followed", subject=gallery.id
        )
        _tell(gallery)
    return locked


def gallery_switch(*, gallery: Gallery, artefact: str) -> bool:
    """Goes over to a model if every entry has its vector by it; returns whether it did."""
    with transaction.atomic():
        locked = _locked(gallery)
        if without_vector(locked, artefact).exists():
            return False
        locked.artefact_id = artefact
        locked.save(update_fields=["artefact"])
        EntryVector.objects.filter(entry__gallery=locked).exclude(artefact=artefact).delete()
        _changed(locked, has_removed=True)
    return True


def without_vector(gallery: Gallery, artefact: str) -> QuerySet[GalleryEntry]:
    """Entries that the model has not looked at yet, in the order of their ids."""
    done = EntryVector.objects.filter(entry__gallery=gallery, artefact=artefact).values("entry")
    return GalleryEntry.objects.filter(gallery=gallery).exclude(id__in=done).order_by("id")


def _locked(gallery: Gallery) -> Gallery:
    """The gallery's row, which nobody else changes until the transaction ends."""
    Gallery.objects.select_for_update().get(id=gallery.id)
    return Gallery.objects.select_related("project", "job").get(id=gallery.id)


def _is_busy(gallery: Gallery) -> bool:
    return gallery.job is not None and not job_is_finished(gallery.job)


def _changed(gallery: Gallery, *, has_removed: bool = False) -> None:
    """Under the gallery's lock."""
    changes = {"revision": F("revision") + 1, **({"removal": F("revision") + 1} if has_removed else {})}
    Gallery.objects.filter(id=gallery.id).update(**changes)
    _tell(gallery)


def _tell(gallery: Gallery) -> None:
    event_record(workspace=gallery.project.workspace_id, project=gallery.project_id, type="gallery.changed", subject=gallery.id)
