"""Reads of studies. Look-ups by id find only what the caller may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.db.models import QuerySet
from django.utils import timezone

from automl.contracts.dataset import Split
from automl.contracts.report import CurvePoint
from automl.contracts.task import MetricSpec
from automl.planning.fit import EXPORT_S
from automl.search.states import TrialState
from studio.accounts.sight import Sight
from studio.common.errors import NotFoundError
from studio.common.paging import Page, page_of
from studio.jobs.models import Job
from studio.projects.models import Project
from studio.registry.models import Artefact
from studio.studies.models import Study, StudyState, Trial, TrialPoint
from studio.studies.selection import halted_of, has_reached, refit_of
from studio.studies.states import FINAL

LEAST_FRACTION = 0.1
"""Of a job that is late, before its progress says how long the rest takes: the first steps are the slowest."""


@dataclass(frozen=True)
class TrialView:
    """A trial with what belongs to it in other tables."""

    trial: Trial
    curve: tuple[CurvePoint, ...]
    artefact: str | None
    members: list[str] | None
    """Trials that it ships, the best first: those offered to it until its model says which it took."""


def study_get(sight: Sight, study: str) -> Study:
    """Finds a study with its project and version.

    Raises:
        NotFoundError: there is none within sight.
    """
    found = _studies(sight).filter(id=study).first()
    if found is None:
        raise NotFoundError("There is no such study.")
    return found


def study_page(project: Project, *, cursor: str | None, limit: int) -> Page[Study]:
    """Cuts a page out of a project's studies, newest first."""
    rows = (
        Study.objects.filter(project=project)
        .select_related("project", "version", "start", "cured_from")
        .prefetch_related("trials")
    )
    return page_of(rows, cursor=cursor, limit=limit)


def study_trials(study: Study) -> list[TrialView]:
    """The trials of a study with curves and artefacts, in four queries."""
    trials = list(Trial.objects.filter(study=study).order_by("number"))
    curves: dict[str, list[CurvePoint]] = {trial.id: [] for trial in trials}
    for point in TrialPoint.objects.filter(trial__study=study).order_by("step", "split").iterator():
        # The values were checked when they came in, and there may be thousands.
        curves[point.trial_id].append(
            CurvePoint.model_construct(step=point.step, epoch=point.epoch, split=Split(point.split), values=point.values)
        )
    rows = Artefact.objects.filter(trial__study=study).values_list("trial_id", "id", "manifest__lineage__members")
    artefacts = {trial: (artefact, members) for trial, artefact, members in rows}
    found = []
    for trial in trials:
        artefact, taken = artefacts.get(trial.id, (None, None))
        members = trial.members and (taken or trial.members)
        found.append(TrialView(trial, tuple(curves[trial.id]), artefact, members))
    return found


def trial_counts(trials: Collection[Trial]) -> dict[str, int]:
    """Trials that are compared, by state; states without trials count zero."""
    found = Counter(trial.state for trial in trials if trial.is_candidate)
    return {state.value: found.get(state.value, 0) for state in TrialState}


Shipping = Literal["judged", "refitted", "to_come", "running", "unneeded", "failed", "cancelled"]
_SHIPPING: dict[TrialState, Shipping] = {
    TrialState.QUEUED: "running",
    TrialState.RUNNING: "running",
    TrialState.SUCCEEDED: "refitted",
    TrialState.PRUNED: "unneeded",
    TrialState.FAILED: "failed",
    TrialState.CANCELLED: "cancelled",
}


def shipping_of(study: Study, trials: Collection[Trial]) -> Shipping:
    """What became of the model that a study ships."""
    last = refit_of(study, list(trials))
    if last is not None:
        return _SHIPPING[TrialState(last.state)]
    if not study.refits:
        return "judged"
    if study.state == StudyState.RUNNING:
        return "cancelled" if study.is_finishing else "to_come"
    if study.state == StudyState.SUCCEEDED:
        return "cancelled" if study.is_finishing and not study.chosen_trial else "unneeded"
    return "judged"


def ended_by_of(
    study: Study, trials: Collection[Trial], objective: MetricSpec
) -> Literal["done", "time_limit", "finish", "target"] | None:
    """Why a study started no more trials; None while it runs, and of one that was cancelled."""
    if study.ended_at is None or study.state == StudyState.CANCELLED:
        return None
    if study.is_finishing:
        return "finish"
    candidates = [trial for trial in trials if trial.is_candidate]
    if len(candidates) < study.max_trials and has_reached(study, candidates, objective):
        return "target"
    if any(halted_of(trial) == "time_limit" for trial in candidates):
        return "time_limit"
    is_cut = len(candidates) < study.max_trials and study.is_over(study.ended_at)
    return "time_limit" if is_cut else "done"


def study_remaining_s(study: Study, trials: Collection[Trial]) -> float | None:
    """How long a running study will take from now: what its jobs say, and for those to come what was planned for them.

    Plans are corrected by how much longer or shorter the ended trials took than planned.

    Returns:
        Seconds; None when the study does not run or is paused, and where a job that is late says nothing of its time.
    """
    if study.state != StudyState.RUNNING or study.paused_at is not None:
        return None
    ended = [each for each in trials if each.state == TrialState.SUCCEEDED and each.started_at and each.ended_at]
    seconds = [(each.ended_at - each.started_at).total_seconds() for each in ended if each.ended_at and each.started_at]
    planned_s = sum(each.estimated_s for each in ended)
    pace = sum(seconds) / planned_s if planned_s > 0 else 1.0
    mean_s = pace * sum(trial.estimated_s for trial in trials) / max(1, len(trials))
    still_open = [trial for trial in trials if trial.state not in FINAL]
    jobs = Job.objects.only("remaining_s", "progress_fraction").in_bulk([each.job_id for each in still_open if each.job_id])
    known_s = [_open_s(trial, jobs.get(trial.job_id or ""), pace * trial.estimated_s) for trial in still_open]
    open_s = [seconds for seconds in known_s if seconds is not None]
    if len(open_s) < len(known_s):
        return None
    num_tried = sum(trial.is_candidate for trial in trials)
    num_to_come = max(0, study.max_trials - num_tried) * (not study.is_finishing)
    total = max([(sum(open_s) + num_to_come * mean_s) / max(1, study.concurrency), *open_s])
    left_s = study.left_s(timezone.now())
    if left_s is not None:
        total = min(total, max(left_s, 0.0) + EXPORT_S)  # the trials that run then still have to leave their models
    return total


def _open_s(trial: Trial, job: Job | None, planned_s: float) -> float | None:
    """Of one trial, as its job says, or as was planned; a late one goes on at its pace, once there is one to speak of."""
    if job is not None and job.remaining_s is not None:
        return job.remaining_s
    if trial.started_at is None:
        return planned_s
    passed_s = (timezone.now() - trial.started_at).total_seconds()
    if passed_s < planned_s:
        return planned_s - passed_s
    fraction = job.progress_fraction if job is not None else 0.0
    return passed_s * (1.0 - fraction) / fraction if fraction >= LEAST_FRACTION else None


def _studies(sight: Sight) -> QuerySet[Study]:
    rows = Study.objects.select_related("project", "version__project", "start", "cured_from")
    return rows.filter(sight.of("project"), project__deleted_at=None)
