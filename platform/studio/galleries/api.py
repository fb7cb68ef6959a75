"""HTTP endpoints of galleries."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import File, Form, Query, Router, Status, UploadedFile

from studio.accounts.access import allow, principal_of
from studio.accounts.rates import Rate, rate_check
from studio.common.paging import PageOut, PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.datasets.files.limits import LIMITS
from studio.datasets.files.thumbnails import thumbnail_read
from studio.datasets.items.http import cached_until_forever
from studio.deployments.http import deployment_for
from studio.galleries import filling, present, selectors, services
from studio.galleries.errors import GalleryModelGoneError
from studio.galleries.http import gallery_for
from studio.galleries.models import Gallery
from studio.galleries.schemas import (
    MOST_FOUND,
    GalleryEntriesQuery,
    GalleryEntryOut,
    GalleryFilledOut,
    GalleryFillIn,
    GalleryIn,
    GalleryOut,
    GalleryPatchIn,
    GalleryRemovedOut,
    GallerySearchOut,
    GalleryVerifyOut,
    Name,
)
from studio.projects.access import project_for

router = Router(tags=["galleries"])


@router.post("/projects/{project}/galleries", response={201: GalleryOut}, operation_id="gallery_create")
def gallery_create(request: HttpRequest, project: str, body: GalleryIn) -> Status[GalleryOut]:
    """Makes an empty gallery that compares pictures by a deployment's model."""
    found = project_for(request, project, "deployment.write")
    deployment = deployment_for(request, body.deployment, "deployment.read")
    gallery = services.gallery_create(
        project=found,
        name=body.name,
        deployment=deployment,
        false_match_rate=body.false_match_rate,
        actor=principal_of(request),
    )
    return Status(201, _out(request, gallery))


@router.get("/projects/{project}/galleries", response=ReadablePageOut[GalleryOut], operation_id="galleries_list")
def galleries_list(request: HttpRequest, project: str, page: Query[PageQuery]) -> ReadablePageOut[GalleryOut]:
    """Galleries of a project, newest first."""
    found = project_for(request, project, "deployment.read")
    galleries = selectors.gallery_page(found, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(galleries.items, lambda some: [present.gallery_out(each) for each in some])
    return ReadablePageOut[GalleryOut](items=shown.items, unreadable=shown.unreadable, next_cursor=galleries.next_cursor)


@router.get("/galleries/{gallery}", response=GalleryOut, operation_id="gallery_get")
def gallery_get(request: HttpRequest, gallery: str) -> GalleryOut:
    """One gallery."""
    return present.gallery_out(gallery_for(request, "deployment.read", gallery))


@router.patch("/galleries/{gallery}", response=GalleryOut, operation_id="gallery_update")
def gallery_update(request: HttpRequest, gallery: str, body: GalleryPatchIn) -> GalleryOut:
    """Changes a gallery's name, or how many false matches it allows."""
    found = gallery_for(request, "deployment.write", gallery)
    services.gallery_update(gallery=found, name=body.name, false_match_rate=body.false_match_rate, actor=principal_of(request))
    return _out(request, found)


@router.delete("/galleries/{gallery}", response={204: None}, operation_id="gallery_delete")
def gallery_delete(request: HttpRequest, gallery: str) -> Status[None]:
    """Forgets a gallery with its pictures."""
    services.gallery_delete(gallery=gallery_for(request, "deployment.write", gallery), actor=principal_of(request))
    return Status(204, None)


@router.post("/galleries/{gallery}/model", response={202: GalleryOut}, operation_id="gallery_follow")
def gallery_follow(request: HttpRequest, gallery: str) -> Status[GalleryOut]:
    """Brings all pictures to the deployment's model, in a job; until it has ended the model before answers."""
    found = gallery_for(request, "deployment.write", gallery)
    services.gallery_follow(gallery=found, actor=principal_of(request))
    return Status(202, _out(request, found))


@router.get("/galleries/{gallery}/entries", response=PageOut[GalleryEntryOut], operation_id="gallery_entries")
def gallery_entries(
    request: HttpRequest, gallery: str, page: Query[PageQuery], query: Query[GalleryEntriesQuery]
) -> PageOut[GalleryEntryOut]:
    """Pictures of a gallery, newest first."""
    found = gallery_for(request, "deployment.read", gallery)
    entries = selectors.entry_page(found, name=query.name, cursor=page.cursor, limit=page.limit)
    return PageOut[GalleryEntryOut](items=[present.entry_out(each) for each in entries.items], next_cursor=entries.next_cursor)


@router.post("/galleries/{gallery}/entries", response={201: list[GalleryEntryOut]}, operation_id="gallery_add")
def gallery_add(
    request: HttpRequest, gallery: str, name: Form[Name], file: File[list[UploadedFile]]
) -> Status[list[GalleryEntryOut]]:
    """Adds pictures of one thing, all or none. A new thing is recognised at once: nothing is trained."""
    found = gallery_for(request, "deployment.write", gallery)
    rate_check(request, Rate.SEARCHES)
    pictures = [services.NamedPicture(name.strip(), *_read(each)) for each in file]
    entries = services.entries_add(gallery=found, pictures=pictures, actor=principal_of(request))
    return Status(201, [present.entry_out(each) for each in entries])


@router.post("/galleries/{gallery}/items", response=GalleryFilledOut, operation_id="gallery_fill")
def gallery_fill(request: HttpRequest, gallery: str, body: GalleryFillIn) -> GalleryFilledOut:
    """Adds labelled pictures of the gallery's project, each under its label; at most 100, so repeat it while some are left."""
    found = gallery_for(request, "deployment.write", gallery)
    allow(request, "data.read", found.project.workspace_id, project=found.project_id)
    rate_check(request, Rate.SEARCHES)
    filled = filling.gallery_fill(gallery=found, per_name=body.per_name, actor=principal_of(request))
    return GalleryFilledOut(count=filled.count, left=filled.left)


@router.delete("/galleries/{gallery}/entries", response=GalleryRemovedOut, operation_id="gallery_name_delete")
def gallery_name_delete(request: HttpRequest, gallery: str, name: str) -> GalleryRemovedOut:
    """Takes all pictures of a name out."""
    found = gallery_for(request, "deployment.write", gallery)
    return GalleryRemovedOut(count=services.entries_delete(gallery=found, name=name, actor=principal_of(request)))


@router.delete("/galleries/{gallery}/entries/{entry}", response={204: None}, operation_id="gallery_entry_delete")
def gallery_entry_delete(request: HttpRequest, gallery: str, entry: str) -> Status[None]:
    """Takes one picture out."""
    found = gallery_for(request, "deployment.write", gallery)
    services.entries_delete(gallery=found, entries=[selectors.entry_get(found, entry).id], actor=principal_of(request))
    return Status(204, None)


@router.get("/galleries/{gallery}/entries/{entry}/thumbnail", response={200: bytes}, operation_id="gallery_thumbnail")
def gallery_thumbnail(request: HttpRequest, gallery: str, entry: str) -> HttpResponseBase:
    """A small JPEG of a picture."""
    found = selectors.entry_get(gallery_for(request, "deployment.read", gallery), entry)
    response = HttpResponse(thumbnail_read(blob=found.blob), content_type="image/jpeg")
    return cached_until_forever(response, found.blob)


@router.post("/galleries/{gallery}/search", response=GallerySearchOut, operation_id="gallery_search")
def gallery_search(request: HttpRequest, gallery: str, file: File[UploadedFile], top: int = 5) -> GallerySearchOut:
    """The names whose pictures are most similar to a picture, which is not kept."""
    found = gallery_for(request, "deployment.predict", gallery)
    rate_check(request, Rate.SEARCHES)
    matches = selectors.gallery_search(found, *_read(file), top=max(1, min(top, MOST_FOUND)))
    return present.search_out(found, _limit(found), matches, selectors.recall_of(found))


@router.post("/galleries/{gallery}/verify", response=GalleryVerifyOut, operation_id="gallery_verify")
def gallery_verify(
    request: HttpRequest, gallery: str, first: File[UploadedFile], second: File[UploadedFile]
) -> GalleryVerifyOut:
    """Whether two pictures, which are not kept, show the same thing."""
    found = gallery_for(request, "deployment.predict", gallery)
    rate_check(request, Rate.SEARCHES)
    similarity = selectors.similarity_of(found, _read(first), _read(second))
    limit = _limit(found)
    return GalleryVerifyOut(similarity=similarity, limit=limit, is_same=similarity >= limit)


def _out(request: HttpRequest, gallery: Gallery) -> GalleryOut:
    return present.gallery_out(selectors.gallery_get(principal_of(request).sight, gallery.id))


def _limit(gallery: Gallery) -> float:
    limit = selectors.limit_of(gallery)
    if limit is None:
        raise GalleryModelGoneError
    return limit


def _read(file: UploadedFile) -> tuple[str, bytes]:
    return file.name or "file", file.read(LIMITS.max_file_bytes + 1)
