"""Reads of batch predictions. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from django.db.models import QuerySet

from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.predictions.models import PredictionRun
from studio.projects.models import Project


def run_get(sight: Sight, run: str) -> PredictionRun:
    """Finds a run with project, model, version and jobs.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _runs().filter(sight.of("project"), id=run, project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such prediction.")
    return found


def run_page(project: Project, *, cursor: str | None, limit: int) -> Page[PredictionRun]:
    """Cuts a page out of a project's runs, newest first."""
    return page_of(_runs().filter(project=project), cursor=cursor, limit=limit)


def _runs() -> QuerySet[PredictionRun]:
    related = ("project", "artefact__project", "artefact__trial__study", "artefact__version", "version", "job", "suggest_job")
    return PredictionRun.objects.select_related(*related).prefetch_related("files")
