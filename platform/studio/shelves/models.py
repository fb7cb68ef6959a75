"""The table of shelves."""

from __future__ import annotations

from django.db import models

from studio.common.models import ID_LENGTH, Base

NAME_LENGTH = 120


class Shelf(Base):
    """What is checked by photos: who finds the packs, who names them, and what should stand there.

    It lies in the project of the detector. Photos and results are not kept.
    """

    ID_PREFIX = "shf"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    deployment = models.ForeignKey("deployments.Deployment", null=True, on_delete=models.SET_NULL, related_name="+")
    """Whose boxes are the packs; None where it was deleted."""
    gallery = models.ForeignKey("galleries.Gallery", null=True, on_delete=models.SET_NULL, related_name="+")
    """That names them, of any project of the workspace; None where it was deleted."""
    plan = models.JSONField(default=dict)
    """How many packs of a product should stand there, by its name; empty: nothing is expected."""
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="shelf_project")]
