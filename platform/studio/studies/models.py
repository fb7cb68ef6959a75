"""Tables of the search: a study, its trials, and the points of their learning curves.

These rows are the truth; Optuna is rebuilt from them at each ask (``automl.search.study``). Which artefact a trial left is
asked of the registry, and which trial is the best is computed: what can be counted is not stored.
"""

from __future__ import annotations

from datetime import datetime

from django.db import models

from automl.contracts.dataset import Split
from automl.contracts.job import TrainConfig
from automl.search.states import TrialState
from studio.common.models import ID_LENGTH, Base
from studio.common.stored import read_stored

LEAST_S, LEAST_SHARE = 10.0, 0.25
"""Of a study's time, whichever is less, with less of which a trial would have ended before it is worth something."""


class StudyState(models.TextChoices):
    """The state of a study. The moves allowed are a table in ``states``."""

    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Study(Base):
    """A search for the best model on one dataset version."""

    ID_PREFIX = "stu"

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey("datasets.DatasetVersion", on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=120)
    state = models.CharField(max_length=16, choices=StudyState.choices, default=StudyState.RUNNING)
    strategy = models.CharField(max_length=64)
    """A name of ``strategies.strategy_names()``."""
    families = models.JSONField()
    """``[[family, [size, ...]], ...]``: what may be trained, fixed when the study starts."""
    single = models.JSONField(null=True)
    """The TrainConfig of strategy ``single``."""
    teacher = models.ForeignKey("registry.Artefact", null=True, on_delete=models.PROTECT, related_name="+")
    """The model whose answers are taught, of strategy ``distill``."""
    start = models.ForeignKey("registry.Artefact", null=True, on_delete=models.PROTECT, related_name="+")
    """The model whose weights every trial begins with; None begins anew."""
    max_trials = models.PositiveIntegerField()
    concurrency = models.PositiveIntegerField()
    time_limit_s = models.FloatField(null=True)
    """This long after ``clock_started_at`` those that run finish with what they have; none is started any more shortly
    before (``is_over``)."""
    clock_started_at = models.DateTimeField()
    """When the first trial was started, since the study was started or last extended: waiting for a place costs no time."""
    is_finishing = models.BooleanField(default=False)
    """Somebody asked for the end: no trial is started any more, and those that run leave what they have learned."""
    paused_at = models.DateTimeField(null=True)
    """Since when no trial is started and none goes on, of a study that runs; None of one that is not paused."""
    objective = models.CharField(max_length=64, default="", blank=True)
    """Name of the metric that is improved; empty takes the task's."""
    also_improves = models.JSONField(default=list)
    """Values of ``SideObjective`` that are improved besides; empty of a study with one objective."""
    chosen_trial = models.CharField(max_length=ID_LENGTH, default="", blank=True)
    """The candidate that a person wants shipped; empty ships the one that is kept."""
    refits = models.BooleanField(default=False)
    """Whether the model that is shipped learns once more, from validation too, when all trials have been judged."""
    learns_test = models.BooleanField(default=False)
    """Whether it then learns from the test items too."""
    max_answer_ratio = models.FloatField(default=1.0)
    """How many times as long as the slowest of its trials the mean of several may take to answer; 1 ships one trial alone."""
    prefers_fast = models.BooleanField(default=False)
    """Whether of trials that the evidence does not tell apart the one is kept whose model answers fastest."""
    pruner = models.CharField(max_length=64)
    """Who stops hopeless trials: a name of ``automl.search.pruners``, or ``none``."""
    target = models.FloatField(null=True)
    """The objective is good enough here: no trial is started any more when one has reached it."""
    seed = models.BigIntegerField()
    ranges = models.JSONField(default=dict)
    """What may be tried of each family's parameters, by family and parameter (``automl.search.ranges``)."""
    at_most = models.JSONField(default=dict)
    """Limits by name of a parameter: no trial takes more of it (``automl.search.limits``)."""
    device = models.CharField(max_length=16, default="auto")
    """What its trials run on: ``auto`` takes a GPU where there is one, ``cpu`` never."""
    num_processes = models.PositiveSmallIntegerField(default=1)
    """That train each network together, on each host."""
    num_hosts = models.PositiveSmallIntegerField(default=1)
    """That train each network together."""
    data_parallel = models.JSONField(default=dict)
    """How they do (a ``DataParallel``); empty takes what is usual."""
    warm_trials = models.JSONField(default=list)
    """``[{"study": id, "config": TrainConfig}, ...]``: what did well in earlier studies and is tried early in this one."""
    cured_from = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="cured_by")
    """The study that failed and that this one tries again with something changed."""
    cure = models.CharField(max_length=64, blank=True, default="")
    """A name of ``cures.cures()``: what was changed; empty of a study that tries none again."""
    created_by = models.CharField(max_length=ID_LENGTH)
    error = models.JSONField(null=True)
    """``{code, message, hint}`` of a failed study."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="study_project")]
        constraints = [
            models.CheckConstraint(
                name="study_ended_has_a_time",
                condition=models.Q(state="running", ended_at__isnull=True)
                | (~models.Q(state="running") & models.Q(ended_at__isnull=False)),
            )
        ]

    def left_s(self, now: datetime) -> float | None:
        """Seconds until the time limit, at most 0 when it has passed; None without one. A pause takes none of them."""
        if self.time_limit_s is None:
            return None
        return self.time_limit_s - ((self.paused_at or now) - self.clock_started_at).total_seconds()

    def is_over(self, now: datetime) -> bool:
        """Whether too little time is left for one more trial."""
        left_s = self.left_s(now)
        return left_s is not None and left_s <= min(LEAST_S, LEAST_SHARE * (self.time_limit_s or 0.0))


class Trial(Base):
    """One training of a study."""

    ID_PREFIX = "trl"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="trials")
    number = models.PositiveIntegerField()
    """Counts from 0 within the study."""
    state = models.CharField(
        max_length=16, choices=[(each.value, each.value) for each in TrialState], default=TrialState.QUEUED.value
    )
    config = models.JSONField()
    """A TrainConfig."""
    value = models.FloatField(null=True)
    """The objective on what it was judged on, of a trial that succeeded."""
    values = models.JSONField(default=dict)
    """All metrics on what it was judged on."""
    footprint = models.JSONField(default=dict)
    """What its model takes by ``SideObjective``, of a trial that succeeded; empty where the model is gone."""
    evidence = models.JSONField(null=True)
    """``{by, num_folds, num_items, intervals, halted}`` of a trial that succeeded: what its values rest on."""
    members = models.JSONField(null=True)
    """Ids of trials, the best first, of the trial that makes what is shipped from them; None of one that is a candidate."""
    job = models.ForeignKey("jobs.Job", null=True, on_delete=models.SET_NULL, related_name="+")
    estimated_s = models.FloatField()
    """What planning expected before it was corrected by history."""
    error = models.JSONField(null=True)
    """``{code, message, hint, items}`` of a failed trial."""
    started_at = models.DateTimeField(null=True)
    """Later by as long as the study was paused since."""
    ended_at = models.DateTimeField(null=True)
    cpu_s = models.FloatField(null=True)
    """Processor time of the attempt that succeeded, all cores together."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="trial_number_once")]
        indexes = [models.Index(fields=["job"], name="trial_job")]

    @property
    def is_candidate(self) -> bool:
        """Whether it was tried; the other kind only ships what was."""
        return self.members is None

    @property
    def train(self) -> TrainConfig:
        """The configuration as a contract."""
        return read_stored(TrainConfig, self.config, subject=self.id)


class TrialPoint(models.Model):
    """One point of a trial's learning curves. A retried job that measures a step again writes over it."""

    trial = models.ForeignKey(Trial, on_delete=models.CASCADE, related_name="points")
    split = models.CharField(max_length=16, choices=[(each.value, each.value) for each in Split])
    step = models.PositiveBigIntegerField()
    epoch = models.FloatField()
    values = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["trial", "split", "step"], name="trial_point_once")]
