"""What the HTTP endpoints of datasets share: who may come in, and for how long a browser keeps a picture."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from studio.accounts.access import allow, principal_of
from studio.accounts.roles import Action
from studio.accounts.sight import Sight
from studio.datasets.items import selectors
from studio.datasets.items.kinds import kind_of_format
from studio.datasets.models import Dataset, Item

_YEAR_S = 365 * 24 * 3600


def sight_of(request: HttpRequest) -> Sight:
    """The projects that are there for the caller."""
    return principal_of(request).sight


def dataset_for(request: HttpRequest, action: Action, dataset: str) -> Dataset:
    """The dataset, if the caller may do this to it.

    Raises:
        NotFoundError: none that the caller sees.
        PermissionDeniedError: the caller's role does not allow it.
    """
    found = selectors.dataset_get(sight_of(request), dataset)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def project_dataset_for(request: HttpRequest, action: Action, project: str) -> Dataset:
    """The project's dataset, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.dataset_of_project(sight_of(request), project)
    allow(request, action, found.project.workspace_id, project=found.project_id)
    return found


def item_for(request: HttpRequest, action: Action, item: str) -> Item:
    """The item, deleted or not, if the caller may do this to it; raises as ``dataset_for``."""
    found = selectors.item_get(sight_of(request), item)
    allow(request, action, found.dataset.project.workspace_id, project=found.dataset.project_id)
    return found


def item_response(item: Item) -> HttpResponseBase:
    """The whole item, as browsers and programs take its kind."""
    return kind_of_format(item.format).response(item)


def is_cached(request: HttpRequest, tag: str) -> bool:
    """Whether the browser says that it has this already."""
    return request.headers.get("If-None-Match") == f'"{tag}"'


def cached_until_forever(response: HttpResponseBase, tag: str) -> HttpResponseBase:
    """Lets the caller's own browser, and nobody between, keep what never changes."""
    response["Cache-Control"] = f"private, max-age={_YEAR_S}, immutable"
    response["ETag"] = f'"{tag}"'
    return response
