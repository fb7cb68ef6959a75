"""Tables of galleries: named pictures, and where the gallery's model puts them."""

from __future__ import annotations

from django.db import models

from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base

NAME_LENGTH = 256


class Gallery(Base):
    """Named pictures of a project, compared by one model."""

    ID_PREFIX = "gal"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=120)
    deployment = models.ForeignKey("deployments.Deployment", null=True, on_delete=models.SET_NULL, related_name="+")
    """Whose model the gallery follows; None where it was deleted, and the gallery stays with the model that it has."""
    artefact = models.ForeignKey("registry.Artefact", null=True, on_delete=models.SET_NULL, related_name="+")
    """By which pictures are compared now; None where it was deleted."""
    false_match_rate = models.CharField(max_length=16)
    """A key of the model's thresholds, such as ``0.01``: it says from which similarity on two pictures show the same thing."""
    revision = models.PositiveBigIntegerField(default=0)
    """Grows with every change of what is compared, or of the limit."""
    removal = models.PositiveBigIntegerField(default=0)
    """The revision with which entries, or vectors, last went; 0 where none ever did."""
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    """The newest that brought, or brings, all pictures to another model."""
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="gallery_project")]


class GalleryEntry(Base):
    """A picture with its name."""

    ID_PREFIX = "gle"

    gallery = models.ForeignKey(Gallery, on_delete=models.CASCADE, related_name="entries")
    name = models.CharField(max_length=NAME_LENGTH)
    """Of what it shows; several pictures may share it."""
    blob = BlobField()
    size_bytes = models.BigIntegerField()
    created_by = models.CharField(max_length=ID_LENGTH)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["gallery", "blob"], name="gallery_entry_once")]
        indexes = [models.Index(fields=["gallery", "name"], name="gallery_entry_name")]


class EntryVector(models.Model):
    """Where a model puts an entry. While a gallery goes over to another model, its entries have two."""

    entry = models.ForeignKey(GalleryEntry, on_delete=models.CASCADE, related_name="vectors")
    artefact = models.CharField(max_length=ID_LENGTH)
    values = models.BinaryField()
    """float32, little-endian."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "artefact"], name="entry_vector_once")]
