"""Whether projects are open to named people only, counted along with what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, QuerySet, Value

from studio.accounts.models import RestrictedProject

RESTRICTED = "restricted"


def project_counts(project_ids: Sequence[str]) -> list[QuerySet[Any, Any]]:
    """One for each project that is."""
    rows = RestrictedProject.objects.filter(project__in=project_ids).order_by()
    return [rows.values_list("project", Value(RESTRICTED)).annotate(number=Count("project"))]
