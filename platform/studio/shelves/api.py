"""HTTP endpoints of shelves."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import File, Form, Query, Router, Status, UploadedFile
from pydantic import Field, Json

from studio.accounts.access import allow, principal_of
from studio.accounts.rates import Rate, rate_check
from studio.accounts.roles import Action
from studio.common.paging import PageOut, PageQuery
from studio.datasets.files.limits import LIMITS
from studio.deployments.http import deployment_for, passed_on
from studio.deployments.models import Deployment
from studio.galleries.http import gallery_for
from studio.galleries.models import Gallery
from studio.galleries.present import entry_out
from studio.galleries.schemas import GalleryEntryOut
from studio.galleries.services import MOST_AT_ONCE
from studio.projects.access import project_for
from studio.shelves import checking, present, selectors, services
from studio.shelves.errors import ShelfIncompleteError
from studio.shelves.models import Shelf
from studio.shelves.report import Box
from studio.shelves.schemas import ProductName, ShelfBox, ShelfCheckOut, ShelfIn, ShelfOut, ShelfPatchIn

router = Router(tags=["shelves"])
Boxes = Json[Annotated[list[ShelfBox], Field(min_length=1, max_length=MOST_AT_ONCE)]]


@router.post("/projects/{project}/shelves", response={201: ShelfOut}, operation_id="shelf_create")
def shelf_create(request: HttpRequest, project: str, body: ShelfIn) -> Status[ShelfOut]:
    """Makes a shelf: a deployment that finds packs, a gallery that names them, and what should stand there."""
    found = project_for(request, project, "deployment.write")
    shelf = services.shelf_create(
        project=found,
        name=body.name.strip(),
        deployment=deployment_for(request, body.deployment, "deployment.read"),
        gallery=gallery_for(request, "deployment.read", body.gallery),
        plan=body.plan,
        actor=principal_of(request),
    )
    return Status(201, _out(request, shelf))


@router.get("/projects/{project}/shelves", response=PageOut[ShelfOut], operation_id="shelves_list")
def shelves_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> PageOut[ShelfOut]:
    """Shelves of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    shelves = selectors.shelf_page(found, cursor=page.cursor, limit=page.limit)
    return PageOut[ShelfOut](items=[_out(request, each) for each in shelves.items], next_cursor=shelves.next_cursor)


@router.get("/shelves/{shelf}", response=ShelfOut, operation_id="shelf_get")
def shelf_get(request: HttpRequest, shelf: str) -> ShelfOut:
    """One shelf."""
    return _out(request, _shelf_for(request, "deployment.read", shelf))


@router.patch("/shelves/{shelf}", response=ShelfOut, operation_id="shelf_update")
def shelf_update(request: HttpRequest, shelf: str, body: ShelfPatchIn) -> ShelfOut:
    """Changes a shelf's name, deployment, gallery or plan."""
    found = _shelf_for(request, "deployment.write", shelf)
    services.shelf_update(
        shelf=found,
        name=body.name and body.name.strip(),
        deployment=deployment_for(request, body.deployment, "deployment.read") if body.deployment else None,
        gallery=gallery_for(request, "deployment.read", body.gallery) if body.gallery else None,
        plan=body.plan,
        actor=principal_of(request),
    )
    return _out(request, found)


@router.delete("/shelves/{shelf}", response={204: None}, operation_id="shelf_delete")
def shelf_delete(request: HttpRequest, shelf: str) -> Status[None]:
    """Forgets a shelf; its deployment and its gallery stay."""
    services.shelf_delete(shelf=_shelf_for(request, "deployment.write", shelf), actor=principal_of(request))
    return Status(204, None)


@router.post("/shelves/{shelf}/check", response=ShelfCheckOut, operation_id="shelf_check")
def shelf_check(request: HttpRequest, shelf: str, file: File[UploadedFile]) -> ShelfCheckOut | HttpResponse:
    """Finds the packs on a photo, names each, and reports counts, facings, shares and what is missing or unknown.

    The photo is asked of the deployment through the prediction server, as any other call of it, and is not kept beyond what
    the deployment keeps. The caller must be allowed to predict in the project of the shelf and in that of the gallery.
    409 `shelf_incomplete` when the deployment or the gallery was deleted.
    """
    found = _shelf_for(request, "deployment.predict", shelf)
    deployment, gallery = _parts(request, found, "deployment.predict")
    rate_check(request, Rate.SEARCHES)
    name, data = _read(file)
    answer = checking.detector_asked(deployment, name, data)
    if answer.status != HTTPStatus.OK:
        return passed_on(answer)
    answered = json.loads(answer.body)
    checked = checking.packs_named(gallery, name, data, answered["predictions"][0]["annotations"], found.plan)
    return present.check_out(found.id, answered["model"], gallery.artefact_id or "", checked)


@router.post("/shelves/{shelf}/packs", response={201: list[GalleryEntryOut]}, operation_id="shelf_packs_add")
def shelf_packs_add(
    request: HttpRequest, shelf: str, name: Form[ProductName], boxes: Form[Boxes], file: File[UploadedFile]
) -> Status[list[GalleryEntryOut]]:
    """Adds packs of a photo to the shelf's gallery under a product's name, all or none. Nothing is trained.

    `boxes` is a JSON list of boxes as the check of the same photo answered with: `[{"x", "y", "width", "height"}]`.
    """
    found = _shelf_for(request, "deployment.read", shelf)
    _, gallery = _parts(request, found, "deployment.write")
    rate_check(request, Rate.SEARCHES)
    file_name, data = _read(file)
    entries = services.packs_add(
        gallery=gallery,
        name=name.strip(),
        file=file_name,
        data=data,
        boxes=[Box(each.x, each.y, each.width, each.height) for each in boxes],
        actor=principal_of(request),
    )
    return Status(201, [entry_out(each) for each in entries])


def _shelf_for(request: HttpRequest, action: Action, shelf: str) -> Shelf:
    found = selectors.shelf_get(principal_of(request).sight, shelf)
    allow(request, action, found.project.workspace_id, project=found.project_id, deployment=found.deployment_id)
    return found


def _parts(request: HttpRequest, shelf: Shelf, action: Action) -> tuple[Deployment, Gallery]:
    """Whom to ask; the caller may do this with the gallery, which mostly lies in another project.

    Raises:
        ShelfIncompleteError: one of them was deleted.
        NotFoundError: the caller does not see the gallery's project.
        ForbiddenError: their role or key does not allow it there.
    """
    if shelf.deployment is None or shelf.gallery is None or shelf.gallery.project.deleted_at is not None:
        raise ShelfIncompleteError
    return shelf.deployment, gallery_for(request, action, shelf.gallery.id)


def _out(request: HttpRequest, shelf: Shelf) -> ShelfOut:
    return present.shelf_out(shelf, principal_of(request).sight)


def _read(file: UploadedFile) -> tuple[str, bytes]:
    return file.name or "file", file.read(LIMITS.max_file_bytes + 1)
