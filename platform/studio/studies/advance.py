"""One step of a study: start what may start, end the study when nothing more can come.

Called at the start, at every end of a trial, and on extension, from any process. The study's row is locked, so there is one
advance at a time; everything is decided from rows, so asking twice gives no twin and a restart loses nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from automl.contracts.base import Text
from automl.contracts.dataset import Split
from automl.contracts.job import TrainConfig
from automl.contracts.task import MetricSpec
from automl.contracts.words import Words
from automl.search.limits import limited
from automl.search.objectives import SideObjective
from automl.search.states import TrialState
from automl.search.study import TrialRecord, ask
from engine.tasks import task_spec
from studio.common.events import event_record
from studio.common.ids import new_id
from studio.jobs.services import job_submit
from studio.studies.models import Study, StudyState, Trial, TrialPoint
from studio.studies.plan import Estimator, family_of, first_trials_of, space_of
from studio.studies.refits import MOST_MEMBERS, refit_pays, refit_seconds
from studio.studies.selection import halted_of, has_reached, ordered_of, refit_of, shipped_of
from studio.studies.states import FINAL, study_move
from studio.studies.strategies import strategy_of

words = Words(__file__)

FAILURES_BEFORE_GIVING_UP = 3
"""A study whose first trials all failed is not helped by more of them."""

_log = logging.getLogger(__name__)


def study_advance(*, study_id: str, clock: Callable[[], datetime] = timezone.now) -> None:
    """Starts the trials that may start now and ends the study when all is done."""
    with transaction.atomic():
        study = _locked(study_id)
        if study is None or study.state != StudyState.RUNNING or study.paused_at is not None:
            return
        trials = list(Trial.objects.filter(study=study).order_by("number"))
        num_open = sum(trial.state not in FINAL for trial in trials)
        while num_open < study.concurrency and _may_start(study, trials, now=clock()):
            train = _next_train(study, trials)
            if train is None:
                break
            trials.append(_trial_start(study, number=len(trials), train=train))
            num_open += 1
        if num_open == 0 and not refit_start(study, trials):
            _finish(study, trials)


def history_of(study: Study) -> list[TrialRecord]:
    """The study's trials as the search sees them: running ones included, curves by epoch."""
    metric = objective_of(study).name
    curves: dict[str, dict[int, float]] = {}
    points = TrialPoint.objects.filter(trial__study=study, split=Split.VALIDATION.value).order_by("step")
    for point in points.iterator():
        value = point.values.get(metric)
        if value is not None:
            curves.setdefault(point.trial_id, {})[round(point.epoch)] = value
    rows = Trial.objects.filter(study=study, members__isnull=True).order_by("number")
    return [
        TrialRecord(
            number=row.number,
            state=TrialState(row.state),
            train=row.train,
            value=row.value,
            curve=curves.get(row.id, {}),
            footprint={SideObjective(name): value for name, value in row.footprint.items()},
        )
        for row in rows
    ]


def objective_of(study: Study) -> MetricSpec:
    """What the study improves, on the validation split."""
    return task_spec(study.project.task).objective(study.project.task_options, study.objective)


def _locked(study_id: str) -> Study | None:
    """The row, held to the end of the transaction. On SQLite a transaction holds the whole database from its beginning."""
    rows = Study.objects.select_for_update(of=("self",)).select_related("project", "version__project", "start__project")
    return rows.filter(id=study_id).first()


def _may_start(study: Study, trials: Sequence[Trial], *, now: datetime) -> bool:
    trials = [trial for trial in trials if trial.is_candidate]
    if study.is_finishing or len(trials) >= study.max_trials:
        return False
    if study.is_over(now) or has_reached(study, trials, objective_of(study)):
        return False
    num_failed = sum(trial.state == TrialState.FAILED for trial in trials)
    has_succeeded = any(trial.state == TrialState.SUCCEEDED for trial in trials)
    return has_succeeded or num_failed < FAILURES_BEFORE_GIVING_UP


def _next_train(study: Study, trials: Sequence[Trial]) -> TrainConfig | None:
    planned = first_trials_of(study)
    num_tried = sum(trial.is_candidate for trial in trials)
    if num_tried < len(planned):
        return planned[num_tried]
    space = space_of(study)
    sampler = strategy_of(study.strategy).searches
    if space is None or sampler is None:
        return None
    return ask(
        history=history_of(study),
        space=space,
        sampler_name=sampler,
        seed=study.seed,
        is_higher_better=objective_of(study).is_higher_better,
        also_improves=[SideObjective(name) for name in study.also_improves],
    )


def _trial_start(study: Study, *, number: int, train: TrainConfig) -> Trial:
    space = space_of(study)
    family = family_of(space.families if space else (), train)
    train = limited(family, train.model_copy(update={"start_from": study.start_id}), study.at_most)
    estimator = Estimator(version=study.version, concurrency=study.concurrency, num_processes=study.num_processes)
    title = words("job.trial", name=study.name, number=number + 1)
    return trial_write(study, number=number, train=train, title=title, estimated_s=estimator.raw(family, train).estimated_s)


def trial_write(
    study: Study,
    *,
    number: int,
    train: TrainConfig,
    title: Text,
    estimated_s: float,
    members: Sequence[str] | None = None,
) -> Trial:
    """Writes the trial and its job in one transaction; the unique number refuses a twin even without the lock."""
    trial_id = new_id("trl")
    job = job_submit(
        workspace=study.project.workspace_id,
        project=study.project_id,
        kind="train",
        title=title,
        subject=trial_id,
        payload={"trial": trial_id},
    )
    trial = Trial.objects.create(
        id=trial_id,
        study=study,
        number=number,
        config=train.model_dump(mode="json"),
        job=job,
        estimated_s=estimated_s,
        members=None if members is None else list(members),
    )
    _event_add(study, "trial.started", trial.id, {"study": study.id, "number": number, "job": job.id})
    return trial


def refit_start(study: Study, trials: list[Trial]) -> bool:
    """Starts the trial that makes what is shipped from the candidates; returns whether it did."""
    if study.is_finishing or refit_of(study, trials) is not None:
        return False
    return refit_try(study, trials)


def refit_try(study: Study, trials: list[Trial]) -> bool:
    """Starts that trial if there is something to gain by it, whatever was tried before; returns whether it did."""
    found = ordered_of(study, trials, objective_of(study))
    if not refit_pays(study, found):
        return False
    members = _members(study, found)
    trial = trial_write(
        study,
        number=len(trials),
        train=members[0].train,
        title=words("job.refit", name=study.name),
        estimated_s=refit_seconds(study, members),
        members=[trial.id for trial in members],
    )
    trials.append(trial)
    return True


def _members(study: Study, ordered: Sequence[Trial]) -> Sequence[Trial]:
    """The trials to ship, the judged one first: alone where the mean of several would be slower and larger than was chosen."""
    if study.also_improves:
        return ordered[:1]
    members = [trial for trial in ordered if halted_of(trial) is None][:MOST_MEMBERS] or ordered[:1]
    return members if members[0] is ordered[0] else [ordered[0], *members][:MOST_MEMBERS]


def _finish(study: Study, trials: Sequence[Trial]) -> None:
    best = shipped_of(study, trials, objective_of(study))
    if best is not None:
        study_move(study, StudyState.SUCCEEDED)
    else:
        study_move(study, StudyState.FAILED, error=_reason(trials))
    _log.info("%s is %s after %d trials", study.id, study.state, len(trials))
    _event_add(study, "study.ended", study.id, {"state": study.state, "best_trial": best.id if best else None})


def _reason(trials: Sequence[Trial]) -> dict[str, Any]:
    """Why a study without a result failed: the last error of its trials."""
    errors = [trial.error for trial in trials if trial.error]
    if errors:
        return dict(errors[-1])
    if trials:
        return {"code": "no_trial_succeeded", "message": "Every trial was stopped or cancelled.", "hint": "Extend the study."}
    hint = "Give it more time or choose other model families, and extend it."
    return {"code": "no_trial_started", "message": "The study ended before a trial could start.", "hint": hint}


def _event_add(study: Study, type: str, subject: str, data: dict[str, Any]) -> None:  # noqa: A002 - the event's word
    event_record(workspace=study.project.workspace_id, project=study.project_id, type=type, subject=subject, data=data)
