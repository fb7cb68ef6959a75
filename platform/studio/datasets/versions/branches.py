"""Branches: lines of versions with one name.

A branch has no row of its own, it is what its versions say; so it begins with its first version, and a dataset that has just
been put on a new one keeps the name until then.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max

from studio.datasets.models import Dataset, DatasetVersion


@dataclass(frozen=True)
class Branch:
    """A line of versions."""

    name: str
    head: DatasetVersion
    """Its newest version."""
    num_versions: int


def branch_list(dataset: Dataset) -> list[Branch]:
    """The branches of a dataset, the one that grew last first."""
    versions = DatasetVersion.objects.filter(project=dataset.project_id)
    rows = list(versions.values_list("branch").annotate(last=Max("number"), num=Count("id")).order_by("-last"))
    heads = {version.number: version for version in versions.filter(number__in=[last for _, last, _ in rows]).defer("manifest")}
    return [Branch(name=name, head=heads[last], num_versions=num) for name, last, num in rows]


def branch_head(dataset: Dataset, name: str) -> DatasetVersion | None:
    """The newest version of a branch; None when there is no such branch."""
    versions = DatasetVersion.objects.filter(project=dataset.project_id, branch=name)
    return versions.select_related("project").order_by("-number").first()
