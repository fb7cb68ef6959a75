"""Reads of uploads. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.datasets.files.reasons import NOTES
from studio.datasets.items.selectors import within
from studio.datasets.models import Dataset, Upload, UploadKind


def upload_get(sight: Sight, dataset: str, upload: str) -> Upload:
    """Finds an upload with its dataset, project and number of refused files.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _uploads().filter(within(sight, "dataset__project"), id=upload, dataset=dataset).first()
    if found is None:
        raise NotFoundError("There is no such upload.")
    return found


def upload_page(dataset: Dataset, *, cursor: str | None, limit: int) -> Page[Upload]:
    """Cuts a page out of a dataset's uploads, newest first."""
    return page_of(_uploads().filter(dataset=dataset).exclude(kind=UploadKind.PREDICT), cursor=cursor, limit=limit)


def _uploads() -> QuerySet[Upload]:
    # A picture whose label was kept is there all the same: it is listed among the rejects, but it was not refused.
    noted = Q(rejects__code__in=NOTES)
    return Upload.objects.select_related("dataset__project").annotate(
        num_rejected=Count("rejects", filter=~noted), num_noted=Count("rejects", filter=noted)
    )
