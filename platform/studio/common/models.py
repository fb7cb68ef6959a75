"""What every table shares, and the table of events."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from studio.common.ids import new_id

ID_LENGTH = 40


class IdField(models.CharField):  # type: ignore[type-arg]  # generic for type checkers only
    """A primary key whose default is a new id with the model's ``ID_PREFIX``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", ID_LENGTH)
        super().__init__(*args, **kwargs)

    def contribute_to_class(self, cls: type[models.Model], name: str, private_only: bool = False) -> None:
        """Takes the prefix from the class that the field lands in."""
        prefix = getattr(cls, "ID_PREFIX", None)
        if prefix is not None:
            self.default = partial(new_id, prefix)
        super().contribute_to_class(cls, name, private_only)

    def deconstruct(self) -> Any:  # noqa: ANN401 - Django's own signature
        """Leaves the default out of migrations: it is made in Python."""
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("default", None)
        return name, path, args, kwargs


class Base(models.Model):
    """An entity with a typed id. Subclasses set ``ID_PREFIX``."""

    ID_PREFIX: ClassVar[str]

    id = IdField(primary_key=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True


class Event(models.Model):
    """Something that happened in a project, for viewers who watch. Kept for a day; the truth is in the other tables."""

    id = models.BigAutoField(primary_key=True)
    workspace = models.CharField(max_length=ID_LENGTH)
    project = models.CharField(max_length=ID_LENGTH)
    type = models.CharField(max_length=64)
    subject = models.CharField(max_length=ID_LENGTH)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [
            models.Index(fields=["project", "id"], name="event_project"),
            models.Index(fields=["at"], name="event_at"),
        ]
