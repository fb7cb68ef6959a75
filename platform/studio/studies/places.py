"""Studies, where the command palette finds them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from studio.projects.models import Project
from studio.projects.places import Places
from studio.studies.models import Study


def places_in(projects: QuerySet[Project]) -> Sequence[Places]:
    """Of each kind, newest first."""
    return [Places("study", "study.read", Study.objects.filter(project__in=projects).order_by("-id"))]
