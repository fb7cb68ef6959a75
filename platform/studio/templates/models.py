"""The table of templates."""

from __future__ import annotations

from django.db import models

from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base

NAME_LENGTH = 120
SLUG_LENGTH = 64


class Template(Base):
    """A form of a project: its picture, what was read there, and what somebody marked on it.

    It belongs to the project and not to a model: another model of the project reads by the same templates.
    """

    ID_PREFIX = "tpl"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=NAME_LENGTH)
    slug = models.CharField(max_length=SLUG_LENGTH)
    """By which calls name it."""
    blob = BlobField()
    """Of the picture."""
    size_bytes = models.BigIntegerField()
    width = models.PositiveIntegerField()
    """Of the picture, in pixels; so is the height."""
    height = models.PositiveIntegerField()
    lines = models.JSONField(default=list)
    """What a model read there, to be marked by a click: ``text``, ``points``, ``score``."""
    content = models.JSONField(default=dict)
    """``references`` and ``fields``, as ``runtime.templates`` takes them."""
    version = models.CharField(max_length=12)
    """Of the content: the same content has the same one."""
    changed_at = models.DateTimeField()
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "slug"], name="template_slug_once")]
        indexes = [models.Index(fields=["project", "id"], name="template_project")]
