"""Tables of the registry: artefacts, how they got to their stage, and their evaluations.

The files of an artefact are the result of its training job in the blob store: a tree that is written once.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from automl.contracts.artefact import ArtefactManifest
from automl.contracts.coverage import Coverage
from automl.contracts.dataset import Split
from studio.common.models import ID_LENGTH, Base
from studio.common.stored import read_stored


class Stage(models.TextChoices):
    """What a model is used for. The moves allowed are a table in ``stages``."""

    NONE = "none"
    CANDIDATE = "candidate"
    PRODUCTION = "production"
    ARCHIVED = "archived"


class Artefact(Base):
    """A trained model."""

    ID_PREFIX = "art"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    """Counts from 1 within the project."""
    trial = models.OneToOneField("studies.Trial", null=True, on_delete=models.SET_NULL, related_name="+")
    """One trial leaves at most one artefact."""
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    """The model that this one was made from, smaller."""
    version = models.ForeignKey("datasets.DatasetVersion", on_delete=models.PROTECT, related_name="+")
    tree = models.CharField(max_length=200)
    """Name of its files in the blob store: what a job left, which never changes."""
    stage = models.CharField(max_length=16, choices=Stage.choices, default=Stage.NONE)
    manifest = models.JSONField()
    """``automl.contracts.artefact.ArtefactManifest``, the same as in ``artefact.json``."""
    latency_ms = models.FloatField()
    model_bytes = models.BigIntegerField()
    size_bytes = models.BigIntegerField()
    """Of all files."""
    thresholds = models.JSONField(default=dict)
    """Scores by label that somebody chose over those of the manifest; empty while nobody has."""
    coverage = models.JSONField(default=dict)
    """``automl.contracts.coverage.Coverage`` that somebody chose from the report; empty while nobody has."""
    note = models.CharField(max_length=500, blank=True, default="")
    """What people should know of it."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="artefact_number_once"),
            models.UniqueConstraint(fields=["project"], condition=models.Q(stage="production"), name="artefact_one_production"),
        ]
        indexes = [models.Index(fields=["project", "id"], name="artefact_project")]

    @property
    def facts(self) -> ArtefactManifest:
        """The manifest as a contract."""
        return read_stored(ArtefactManifest, self.manifest, subject=self.id)

    @property
    def answers_from(self) -> dict[str, float]:
        """Lowest score by label with which it answers: those that were chosen, else those that were recommended."""
        return {**self.manifest["thresholds"], **self.thresholds}

    @property
    def covered_by(self) -> Coverage | None:
        """By which answers say whether to ask a person, or how far off a number may be; None where they do not."""
        chosen = self.coverage or self.manifest.get("coverage")
        return read_stored(Coverage, chosen, subject=self.id) if chosen else None


class StageChange(models.Model):
    """Who moved an artefact to which stage, and why. Only ever added to."""

    artefact = models.ForeignKey(Artefact, on_delete=models.CASCADE, related_name="stage_changes")
    before = models.CharField(max_length=16, choices=Stage.choices)
    after = models.CharField(max_length=16, choices=Stage.choices)
    reason = models.CharField(max_length=1000)
    by = models.CharField(max_length=ID_LENGTH)
    at = models.DateTimeField(default=timezone.now)


class Evaluation(Base):
    """How an artefact fares on one split of one dataset version."""

    ID_PREFIX = "evl"

    artefact = models.ForeignKey(Artefact, on_delete=models.CASCADE, related_name="evaluations")
    version = models.ForeignKey("datasets.DatasetVersion", on_delete=models.PROTECT, related_name="+")
    split = models.CharField(max_length=16, choices=[(each.value, each.value) for each in Split])
    metrics = models.JSONField()
    num_items = models.PositiveIntegerField()
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    """The job that measured it."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["artefact", "version", "split"], name="evaluation_once")]


class Compression(Base):
    """A try to make a model smaller."""

    ID_PREFIX = "cpr"

    artefact = models.ForeignKey(Artefact, on_delete=models.CASCADE, related_name="compressions")
    job = models.OneToOneField("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    budget = models.JSONField()
    """``automl.contracts.compression.Budget``."""
    tree = models.CharField(max_length=200, blank=True, default="")
    """Name of the candidates' files in the blob store; empty until the job has succeeded."""
    report = models.JSONField(null=True)
    """``automl.contracts.compression.CompressionReport``, the same as in ``compression.json``."""

    class Meta:
        indexes = [models.Index(fields=["artefact", "id"], name="compression_artefact")]
