"""Turns rows into the schemas of the API."""

from __future__ import annotations

from django.conf import settings

from automl.search.objectives import SideObjective
from automl.search.states import TrialState
from studio.accounts.sight import Sight
from studio.datasets.items.present import thumbnail_url_if_any
from studio.jobs.models import Job
from studio.jobs.schemas import job_out
from studio.registry.models import Artefact
from studio.studies.advance import objective_of
from studio.studies.cures.kind import Failure
from studio.studies.curing import cures_of, failed_items, last_failed
from studio.studies.gain import Gain
from studio.studies.models import Study, StudyState
from studio.studies.plan import StudyPlan, data_parallel_of, ranges_of
from studio.studies.schemas import (
    CureOut,
    EvidenceOut,
    FailedItemOut,
    GainOut,
    PlannedTrialOut,
    StudyCuredOut,
    StudyFailureOut,
    StudyOut,
    StudyPlanOut,
    StudyStartOut,
    TrialCountsOut,
    TrialOut,
    WarmStudyOut,
)
from studio.studies.selection import equals_of, front_of, interval_of, judged_of, shipped_of
from studio.studies.selectors import TrialView, ended_by_of, shipping_of, study_remaining_s, trial_counts
from studio.studies.warm_start import WarmStudy, warm_studies
from studio.studies.warm_trials import warm_of


def study_out(study: Study) -> StudyOut:
    """A study; read with its trials prefetched, it costs no query but one for the jobs that run."""
    trials = list(study.trials.all())
    objective = objective_of(study)
    best = shipped_of(study, trials, objective)
    judged = judged_of(study, trials, objective)
    equal = equals_of(study, trials, objective)
    interval = interval_of(best, objective) if best else None
    return StudyOut(
        id=study.id,
        project=study.project_id,
        version=study.version_id,
        name=study.name,
        state=StudyState(study.state),
        is_finishing=study.is_finishing and study.state == StudyState.RUNNING,
        paused_at=study.paused_at,
        strategy=study.strategy,
        families=[name for name, _sizes in study.families],
        teacher=study.teacher_id,
        start_from=_start_out(study.start),
        max_trials=study.max_trials,
        concurrency=study.concurrency,
        pruner=study.pruner,
        time_limit_s=study.time_limit_s,
        target=study.target,
        seed=study.seed,
        ranges={family: dict(ranges) for family, ranges in ranges_of(study).items()},
        at_most=study.at_most,
        device="cpu" if study.device == "cpu" else "auto",
        num_processes=study.num_processes,
        num_hosts=study.num_hosts,
        data_parallel=data_parallel_of(study),
        warm_studies=list(dict.fromkeys(one.study for one in warm_of(study))),
        cured_from=_cured_out(study),
        created_at=study.created_at,
        created_by=study.created_by,
        ended_at=study.ended_at,
        best_trial=best.id if best else None,
        best_value=best.value if best else None,
        best_interval=list(interval) if interval else None,
        judged_trial=judged.id if judged else None,
        equal_trials=[trial.id for trial in equal],
        shipping=shipping_of(study, trials),
        ended_by=ended_by_of(study, trials, objective),
        refits=study.refits,
        learns_test=study.learns_test,
        max_answer_ratio=study.max_answer_ratio,
        prefers_fast=study.prefers_fast,
        objective=objective,
        also_improves=[SideObjective(name) for name in study.also_improves],
        front=[trial.id for trial in front_of(study, trials, objective)],
        chosen_trial=study.chosen_trial or None,
        counts=TrialCountsOut(**trial_counts(trials)),
        estimated_remaining_s=study_remaining_s(study, trials),
        error=study.error,
    )


def _start_out(start: Artefact | None) -> StudyStartOut | None:
    return None if start is None else StudyStartOut(id=start.id, project=start.project_id, number=start.number)


def _cured_out(study: Study) -> StudyCuredOut | None:
    earlier = study.cured_from
    return None if earlier is None else StudyCuredOut(id=earlier.id, name=earlier.name, cure=study.cure)


def trial_out(view: TrialView) -> TrialOut:
    """A trial with its curves."""
    trial = view.trial
    return TrialOut(
        id=trial.id,
        study=trial.study_id,
        number=trial.number,
        state=TrialState(trial.state),
        train=trial.train,
        value=trial.value,
        values=trial.values,
        footprint={SideObjective(name): value for name, value in trial.footprint.items()},
        curve=list(view.curve),
        job=trial.job_id,
        artefact=view.artefact,
        error=trial.error,
        started_at=trial.started_at,
        ended_at=trial.ended_at,
        cpu_s=trial.cpu_s,
        evidence=None if trial.evidence is None else EvidenceOut.model_validate(trial.evidence),
        members=view.members,
    )


def failure_out(failure: Failure | None, *, job: Job | None = None, by_trial: bool = True) -> StudyFailureOut:
    """A failure with what cures it; one that was only foreseen has no trial (``by_trial``)."""
    if failure is None:
        return StudyFailureOut(code=None, trial=None, num_items=0, items=[], cures=[], job=None)
    last = last_failed(failure) if by_trial else None
    return StudyFailureOut(
        code=failure.code,
        trial=None if last is None else last.id,
        num_items=len(failure.items),
        items=[
            FailedItemOut(
                id=item.id,
                name=item.name,
                thumbnail_url=thumbnail_url_if_any(item.id, item.blob, item.format),
                is_left_out=item.deleted_at is not None,
            )
            for item in failed_items(failure)
        ],
        cures=[
            CureOut(name=cure.name, title=cure.title, changes=list(plan.changes), page=cure.page)
            for cure, plan in cures_of(failure)
        ],
        job=None if job is None else job_out(job),
    )


def gain_out(gain: Gain | None) -> GainOut:
    """What a search gained."""
    if gain is None:
        return GainOut(default_trial=None, best_trial=None, value=None, interval=None)
    interval = None if gain.interval is None else list(gain.interval)
    return GainOut(default_trial=gain.default.id, best_trial=gain.best.id, value=gain.value, interval=interval)


def _warm_out(study: WarmStudy | None) -> WarmStudyOut | None:
    return None if study is None else WarmStudyOut(id=study.id, name=study.name, project=study.project)


def plan_out(plan: StudyPlan, sight: Sight) -> StudyPlanOut:
    """A plan, as a caller sees it."""
    earlier = warm_studies(plan.warm_trials, sight)
    trials = [
        PlannedTrialOut(
            family=each.train.family,
            size=each.train.size,
            params=dict(each.train.params),
            estimated_s=each.estimated_s,
            memory_bytes=each.memory_bytes,
            fits=each.is_fitting,
            num_windows=each.num_windows,
            warm_start=_warm_out(next((earlier.get(one.study) for one in plan.warm_trials if one.train == each.train), None)),
        )
        for each in plan.trials
    ]
    return StudyPlanOut(
        trials=trials,
        estimated_s=plan.estimated_s,
        refit_s=plan.refit_s,
        max_answer_ratio=plan.max_answer_ratio,
        hosts=list(plan.hosts),
        gather_s=settings.JOB_GATHER_S,
        blocking=list(plan.blocking),
    )
