"""From rows to what goes over the wire."""

from __future__ import annotations

from automl.search.states import TrialState
from studio.studies.advance import best_of, objective_of
from studio.studies.models import Pruner, Study, StudyState
from studio.studies.plan import StudyPlan
from studio.studies.schemas import PlannedTrialOut, StudyOut, StudyPlanOut, TrialCountsOut, TrialOut
from studio.studies.selectors import TrialView, study_remaining_s, trial_counts


def study_out(study: Study) -> StudyOut:
    """A study; read with its trials prefetched, it costs no query but one for the jobs that run."""
    trials = list(study.trials.all())
    objective = objective_of(study)
    best = best_of(trials, objective)
    return StudyOut(
        id=study.id,
        project=study.project_id,
        version=study.version_id,
        name=study.name,
        state=StudyState(study.state),
        is_finishing=study.is_finishing and study.state == StudyState.RUNNING,
        strategy=study.strategy,
        families=[name for name, _sizes in study.families],
        teacher=study.teacher_id,
        max_trials=study.max_trials,
        concurrency=study.concurrency,
        pruner=Pruner(study.pruner),
        time_limit_s=study.time_limit_s,
        seed=study.seed,
        created_at=study.created_at,
        created_by=study.created_by,
        ended_at=study.ended_at,
        best_trial=best.id if best else None,
        best_value=best.value if best else None,
        objective=objective,
        counts=TrialCountsOut(**trial_counts(trials)),
        estimated_remaining_s=study_remaining_s(study, trials),
        error=study.error,
    )


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
        curve=list(view.curve),
        job=trial.job_id,
        artefact=view.artefact,
        error=trial.error,
        started_at=trial.started_at,
        ended_at=trial.ended_at,
    )


def plan_out(plan: StudyPlan) -> StudyPlanOut:
    """A plan."""
    trials = [
        PlannedTrialOut(
            family=each.train.family,
            size=each.train.size,
            params=dict(each.train.params),
            estimated_s=each.estimated_s,
            memory_bytes=each.memory_bytes,
            fits=each.is_fitting,
        )
        for each in plan.trials
    ]
    return StudyPlanOut(trials=trials, estimated_s=plan.estimated_s, blocking=list(plan.blocking))
