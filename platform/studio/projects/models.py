"""A project: a workspace's work on one task with one label set."""

from __future__ import annotations

from django.db import models

from automl.contracts.dataset import LabelSet
from studio.common.models import Base
from studio.common.stored import read_stored


class Project(Base):
    """Holds its label set as the contract's JSON; everything else hangs on it by foreign key."""

    ID_PREFIX = "prj"

    workspace = models.ForeignKey("accounts.Workspace", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    description = models.TextField(blank=True, default="")
    task = models.CharField(max_length=64)
    """Name of a folder below ``engine/tasks``."""
    task_options = models.JSONField(default=dict)
    label_set = models.JSONField(default=dict)
    overlap = models.CharField(max_length=8, blank=True, default="")
    """The rule for areas that meet, where somebody chose one: see ``OverlapRule``."""
    deleted_at = models.DateTimeField(null=True)
    is_restorable = models.BooleanField(default=True)
    """Once deleted; what only carried an import, or is left of one that failed, is not."""

    class Meta:
        indexes = [models.Index(fields=["workspace", "id"], name="project_workspace")]

    @property
    def labels(self) -> LabelSet:
        """The label set as a contract."""
        return read_stored(LabelSet, self.label_set, subject=self.id)

    @property
    def default_dataset_id(self) -> str:
        """Id of the one dataset that every project has: the project's own, under the dataset's prefix."""
        return f"dst_{self.id.removeprefix('prj_')}"
