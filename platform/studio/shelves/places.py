"""Shelves, where the command palette finds them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from studio.projects.models import Project
from studio.projects.places import Places
from studio.shelves.models import Shelf


def places_in(projects: QuerySet[Project]) -> Sequence[Places]:
    """Of each kind, newest first."""
    return [Places("shelf", "deployment.read", Shelf.objects.filter(project__in=projects).order_by("-id"))]
