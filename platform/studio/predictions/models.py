"""Tables of batch predictions: what was asked, the files that were sent for it, and the results in parts."""

from __future__ import annotations

from django.db import models

from studio.common.blob_fields import BlobField
from studio.common.models import ID_LENGTH, Base


class Source(models.TextChoices):
    """Where the items of a run come from."""

    ITEMS = "items"
    """The project's, those that a filter finds when the run is started."""
    VERSION = "version"
    FILES = "files"
    """Sent for the run; they become no items of the project."""


class PredictionRun(Base):
    """A model's predictions of many items. Its state is its job's."""

    ID_PREFIX = "bpr"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    artefact = models.ForeignKey("registry.Artefact", null=True, on_delete=models.SET_NULL, related_name="+")
    """Of this project, or of another one of the workspace with the same task."""
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    """The newest: a run that was cancelled or failed may go on by another one."""
    created_by = models.CharField(max_length=ID_LENGTH)
    source = models.CharField(max_length=16, choices=Source.choices)
    filter = models.JSONField(null=True)
    """``datasets.items.filters.ItemFilter``, of a run over items."""
    until = models.CharField(max_length=ID_LENGTH, blank=True, default="")
    """The last item there was when the run was started: later ones do not belong to it."""
    version = models.ForeignKey("datasets.DatasetVersion", null=True, on_delete=models.SET_NULL, related_name="+")
    num_expected = models.PositiveIntegerField(null=True)
    """None while it is not known: of files it is known at the end."""
    num_results = models.PositiveIntegerField(default=0)
    """One of each item, failed ones included; the sum over the parts."""
    num_failed = models.PositiveIntegerField(default=0)
    num_asked = models.PositiveIntegerField(default=0)
    """Those that a person should look at; the sum over the parts."""
    coverage = models.JSONField(default=dict)
    """``automl.contracts.coverage.Coverage`` of the model when the run was started; empty where none was chosen."""
    columns = models.JSONField(default=list)
    """Names of the cells that items have, in the order in which they came; none of items without cells."""
    suggest_job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    num_suggested = models.PositiveIntegerField(null=True)
    """Items that were given the results as suggestions; None: that was not requested."""

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="prediction_run_project")]


class PredictionFile(models.Model):
    """A file that was sent for a run."""

    run = models.ForeignKey(PredictionRun, on_delete=models.CASCADE, related_name="files")
    number = models.PositiveIntegerField()
    """Counts from 0, in the order in which they are read."""
    name = models.CharField(max_length=512)
    size_bytes = models.BigIntegerField()
    blob = BlobField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="prediction_file_number_once")]


class PredictionPart(models.Model):
    """Results that follow each other, written once. The next part begins where the last one ends, whoever writes it."""

    run = models.ForeignKey(PredictionRun, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    """Counts from 0."""
    first = models.PositiveIntegerField()
    """Place of its first result in the run, from 0."""
    num_results = models.PositiveIntegerField()
    num_failed = models.PositiveIntegerField()
    num_asked = models.PositiveIntegerField(default=0)
    """0 in parts from before this was written down."""
    position = models.CharField(max_length=ID_LENGTH)
    """From where the source goes on behind it: the id of its last item, or file and place in it, as ``0:5000``."""
    size_bytes = models.BigIntegerField()
    blob = BlobField()
    """A Parquet file: ``parts.SCHEMA``."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="prediction_part_number_once")]
