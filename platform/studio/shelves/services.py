"""Writes of shelves: make, change, delete; packs of a photo into the gallery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.common.events import event_record
from studio.deployments.models import Deployment
from studio.galleries.models import Gallery, GalleryEntry
from studio.galleries.services import NamedPicture, entries_add
from studio.projects.models import Project
from studio.shelves.checking import crop_encoded, photo_open
from studio.shelves.errors import ShelfGalleryError, ShelfModelError
from studio.shelves.models import Shelf
from studio.shelves.report import Box
from studio.shelves.selectors import finds_packs


def shelf_create(
    *, project: Project, name: str, deployment: Deployment, gallery: Gallery, plan: Mapping[str, int], actor: Principal
) -> Shelf:
    """Makes a shelf.

    Raises:
        ShelfModelError: the deployment is another project's, or its model does not answer with boxes.
        ShelfGalleryError: the gallery is another workspace's.
    """
    shelf = Shelf(project=project, name=name, plan=dict(plan), created_by=actor.id)
    _join(shelf, deployment, gallery)
    with transaction.atomic():
        shelf.save()
        _record(shelf, "shelf.created", actor)
    return shelf


def shelf_update(
    *,
    shelf: Shelf,
    name: str | None,
    deployment: Deployment | None,
    gallery: Gallery | None,
    plan: Mapping[str, int] | None,
    actor: Principal,
) -> None:
    """Changes what is given; raises as ``shelf_create``."""
    _join(shelf, deployment, gallery)
    shelf.name = name or shelf.name
    if plan is not None:
        shelf.plan = dict(plan)
    with transaction.atomic():
        shelf.save(update_fields=["name", "deployment", "gallery", "plan"])
        _record(shelf, "shelf.changed", actor)


def shelf_delete(*, shelf: Shelf, actor: Principal) -> None:
    """Forgets a shelf; its deployment and its gallery stay."""
    with transaction.atomic():
        _record(shelf, "shelf.deleted", actor)
        Shelf.objects.filter(id=shelf.id).delete()


def packs_add(
    *, gallery: Gallery, name: str, file: str, data: bytes, boxes: Sequence[Box], actor: Principal
) -> list[GalleryEntry]:
    """Adds packs of a photo to a gallery, all or none: the next check knows the product.

    Args:
        gallery: that names.
        name: of the product.
        file: name of the photo's file.
        data: the photo, as it was checked.
        boxes: of the packs in it.
        actor: who adds them.

    Raises:
        ShelfBoxError: a box does not lie in the photo.
        GalleryPictureError: the file is no usable picture.
        GalleryBatchError, GalleryPictureTakenError, GalleryModelGoneError, StorageQuotaError: as ``entries_add``.
    """
    photo = photo_open(file, data)
    pictures = [NamedPicture(name, file, crop_encoded(photo, box)) for box in boxes]
    return entries_add(gallery=gallery, pictures=pictures, actor=actor)


def _join(shelf: Shelf, deployment: Deployment | None, gallery: Gallery | None) -> None:
    if deployment is not None:
        if deployment.project_id != shelf.project_id or not finds_packs(deployment.artefact):
            raise ShelfModelError
        shelf.deployment = deployment
    if gallery is not None:
        if gallery.project.workspace_id != shelf.project.workspace_id:
            raise ShelfGalleryError
        shelf.gallery = gallery


def _record(shelf: Shelf, action: str, actor: Principal) -> None:
    workspace, project = shelf.project.workspace_id, shelf.project_id
    audit_record(
        workspace=workspace, project=project, actor=actor, action=action, subject=shelf.id, detail={"name": shelf.name}
    )
    event_record(workspace=workspace, project=project, type="shelf.changed", subject=shelf.id)
