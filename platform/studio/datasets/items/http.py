"""What the HTTP endpoints of datasets share: who may come in, and for how long a browser keeps a picture."""

from __future__ import annotations

from collections.abc import Collection

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.common.blobs import blob_checked
from studio.datasets.files.rows import is_row
from studio.datasets.files.thumbnails import thumbnail_read
from studio.datasets.items import selectors
from studio.datasets.models import Dataset, Item

_YEAR_S = 365 * 24 * 3600
_SHOWN_AS_THEY_ARE = frozenset({"jpeg", "png", "webp", "gif", "bmp"})
"""Formats that every browser shows; the others are shown as a large JPEG."""
_SHOWN_PX = 2048


def workspaces_of(request: HttpRequest) -> Collection[str]:
    """Ids of the workspaces that the caller is a member of."""
    return principal_of(request).memberships.keys()


def dataset_for(request: HttpRequest, action: Action, dataset: str) -> Dataset:
    """The dataset, if the caller may do this to it.

    Raises:
        NotFoundError: none in the caller's workspaces.
        PermissionDeniedError: the caller's role does not allow it.
    """
    found = selectors.dataset_get(workspaces_of(request), dataset)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def project_dataset_for(request: HttpRequest, action: Action, project: str) -> Dataset:
    """The project's dataset, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.dataset_of_project(workspaces_of(request), project)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def item_for(request: HttpRequest, action: Action, item: str) -> Item:
    """The item, deleted or not, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.item_get(workspaces_of(request), item)
    allow(request, action, found.dataset.project.workspace_id, project=found.dataset.project_id)
    return found


def item_response(item: Item) -> HttpResponseBase:
    """What an item is: the picture as it was uploaded, or as JPEG when browsers cannot show it; a text as UTF-8; a row as JSON.

    No browser takes such a text for a page, whatever it says.
    """
    if item.text is not None:
        kind = "application/json" if is_row(item.format) else "text/plain; charset=utf-8"
        plain = HttpResponse(item.text, content_type=kind)
        plain["X-Content-Type-Options"] = "nosniff"
        return plain
    if item.format in _SHOWN_AS_THEY_ARE:
        path = blob_checked(item.blob, is_often=True)
        return FileResponse(path.open("rb"), content_type=f"image/{item.format}")
    return HttpResponse(thumbnail_read(blob=item.blob, size_px=_SHOWN_PX), content_type="image/jpeg")


def is_cached(request: HttpRequest, tag: str) -> bool:
    """Whether the browser says that it has this already."""
    return request.headers.get("If-None-Match") == f'"{tag}"'


def cached_until_forever(response: HttpResponseBase, tag: str) -> HttpResponseBase:
    """Lets the caller's own browser, and nobody between, keep what never changes."""
    response["Cache-Control"] = f"private, max-age={_YEAR_S}, immutable"
    response["ETag"] = f'"{tag}"'
    return response
