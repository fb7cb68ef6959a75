"""Reads of batch predictions. What is asked for by id is looked for in the caller's workspaces only."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.predictions.models import PredictionRun
from studio.projects.models import Project


def run_get(workspaces: Collection[str], run: str) -> PredictionRun:
    """Finds a run with project, model, version and jobs.

    Raises:
        NotFoundError: there is none in these workspaces.
    """
    found = _runs().filter(id=run, project__workspace__in=list(workspaces), project__deleted_at=None).first()
    if found is None:
        raise NotFoundError("There is no such prediction.")
    return found


def run_page(project: Project, *, cursor: str | None, limit: int) -> Page[PredictionRun]:
    """Cuts a page out of a project's runs, newest first."""
    return page_of(_runs().filter(project=project), cursor=cursor, limit=limit)


def _runs() -> QuerySet[PredictionRun]:
    related = ("project", "artefact__project", "artefact__trial__study", "artefact__version", "version", "job", "suggest_job")
    return PredictionRun.objects.select_related(*related).prefetch_related("files")
