"""HTTP endpoints of studies."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from automl.contracts.job import DataParallel
from automl.planning.goals import USUAL_ANSWER_RATIO, goal_of
from automl.search.importance import importance
from studio.accounts.access import principal_of, require
from studio.accounts.rates import Rate, rate_check
from studio.accounts.roles import Action
from studio.common.errors import InvalidInputError
from studio.common.paging import PageQuery
from studio.common.readable import ReadablePageOut, rows_shown
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.selectors import version_get
from studio.jobs.schemas import job_out
from studio.projects.access import project_for
from studio.projects.catalog import families_of, task_get
from studio.registry.models import Artefact
from studio.registry.selectors import artefact_get
from studio.studies import curing, selectors, services
from studio.studies.advance import history_of, objective_of
from studio.studies.cure_jobs import cure_job_of, cure_submit
from studio.studies.curing import cure_of, failure_of
from studio.studies.gain import gain_of
from studio.studies.history_files import HISTORY_FILES
from studio.studies.models import Study
from studio.studies.plan import plan_make, space_of
from studio.studies.present import failure_out, gain_out, plan_out, study_out, trial_out
from studio.studies.schemas import (
    USUAL_TRIALS,
    CureJobOut,
    GainOut,
    ImportanceOut,
    StudyExtendIn,
    StudyFailureOut,
    StudyIn,
    StudyOut,
    StudyPlanIn,
    StudyPlanOut,
    StudyShipIn,
    TrialOut,
)
from studio.studies.strategies import strategy_of
from studio.studies.strategy import StudyRequest
from studio.studies.warm_start import warm_trials

router = Router(tags=["studies"])


@router.post("/studies/plan", response=StudyPlanOut, operation_id="study_plan")
def study_plan(request: HttpRequest, body: StudyPlanIn) -> StudyPlanOut:
    """What a study would run, how long it would take and which problems block it; starts nothing."""
    version = version_for(request, body, "study.read")
    rate_check(request, Rate.PLANS)
    plan = plan_make(version=version, request=request_of(request, body, version))
    return plan_out(plan, principal_of(request).sight)


@router.post("/studies", response={201: StudyOut}, operation_id="study_start")
def study_start(request: HttpRequest, body: StudyIn) -> Status[StudyOut]:
    """Starts a study with its first trials."""
    version = version_for(request, body, "study.write")
    study = services.study_start(
        version=version,
        request=request_of(request, body, version),
        pruner=body.pruner,
        actor=principal_of(request),
        name=body.name,
        time_limit_s=body.time_limit_s,
        target=body.target,
        seed=body.seed,
    )
    return Status(201, study_out(study))


@router.get("/studies", response=ReadablePageOut[StudyOut], operation_id="studies_list")
def studies_list(request: HttpRequest, page: Query[PageQuery], project: str) -> ReadablePageOut[StudyOut]:
    """Studies of a project, newest first."""
    found = project_for(request, project, "study.read")
    studies = selectors.study_page(found, cursor=page.cursor, limit=page.limit)
    shown = rows_shown(studies.items, lambda some: [study_out(each) for each in some])
    return ReadablePageOut[StudyOut](items=shown.items, unreadable=shown.unreadable, next_cursor=studies.next_cursor)


@router.get("/studies/{study_id}", response=StudyOut, operation_id="study_get")
def study_get(request: HttpRequest, study_id: str) -> StudyOut:
    """One study."""
    return study_out(_study_for(request, study_id, "study.read"))


@router.post("/studies/{study_id}/cancel", response=StudyOut, operation_id="study_cancel")
def study_cancel(request: HttpRequest, study_id: str) -> StudyOut:
    """Ends a study; trials that run are asked to end, what was found stays."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_cancel(study=study, actor=principal_of(request)))


@router.post("/studies/{study_id}/pause", response=StudyOut, operation_id="study_pause")
def study_pause(request: HttpRequest, study_id: str) -> StudyOut:
    """Starts no trial any more and puts those that run back to their last checkpoint, until the study is resumed."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_pause(study=study, actor=principal_of(request)))


@router.post("/studies/{study_id}/resume", response=StudyOut, operation_id="study_resume")
def study_resume(request: HttpRequest, study_id: str) -> StudyOut:
    """Lets a paused study go on; the pause does not count for its time limit."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_resume(study=study, actor=principal_of(request)))


@router.post("/studies/{study_id}/finish", response=StudyOut, operation_id="study_finish")
def study_finish(request: HttpRequest, study_id: str) -> StudyOut:
    """Ends a study with what it has: trials that run leave what they have learned until now."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_finish(study=study, actor=principal_of(request)))


@router.post("/studies/{study_id}/extend", response=StudyOut, operation_id="study_extend")
def study_extend(request: HttpRequest, study_id: str, body: StudyExtendIn) -> StudyOut:
    """Lets a study go on to a larger number of trials, also when it has ended."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_extend(study=study, max_trials=body.max_trials, actor=principal_of(request)))


@router.post("/studies/{study_id}/ship", response=StudyOut, operation_id="study_ship")
def study_ship(request: HttpRequest, study_id: str, body: StudyShipIn) -> StudyOut:
    """Ships another trial of the front of a study with several objectives; it learns once more if the study does that."""
    study = _study_for(request, study_id, "study.write")
    return study_out(services.study_ship(study=study, trial=body.trial, actor=principal_of(request)))


@router.get("/studies/{study_id}/cures", response=StudyFailureOut, operation_id="study_cures")
def study_cures(request: HttpRequest, study_id: str, trial: str | None = None) -> StudyFailureOut:
    """Why a study failed, which items made it fail, and what cures it; empty of one that needs no cure.

    With ``trial``, why that trial failed.
    """
    study = _study_for(request, study_id, "study.read")
    return failure_out(failure_of(study, trial), job=cure_job_of(study))


@router.post("/studies/{study_id}/cures/{cure}", response={201: StudyOut, 202: CureJobOut}, operation_id="study_cure")
def study_cure(request: HttpRequest, study_id: str, cure: str, trial: str | None = None) -> Status[StudyOut | CureJobOut]:
    """Starts a study with the settings of one that failed, changed by one of its cures; while it runs, returns it again.

    With ``trial``, by a cure of that trial. 202 with the job that does it where items are left out of a large dataset.
    """
    study = _study_for(request, study_id, "study.write")
    found, plan = cure_of(study, cure, trial)
    for action in found.needs:
        require(request, action, study.project.workspace_id, project=study.project_id)
    actor = principal_of(request)
    job = cure_submit(study=study, name=cure, left_out=len(plan.leaves_out), actor=actor, trial=trial)
    if job is not None:
        return Status(202, CureJobOut(job=job_out(job)))
    return Status(201, study_out(curing.study_cure(study=study, name=cure, actor=actor, trial=trial)))


@router.get("/studies/{study_id}/trials", response=list[TrialOut], operation_id="study_trials")
def study_trials(request: HttpRequest, study_id: str) -> list[TrialOut]:
    """The trials of a study with their learning curves, in order."""
    study = _study_for(request, study_id, "study.read")
    return [trial_out(view) for view in selectors.study_trials(study)]


@router.get("/studies/{study_id}/importance", response=ImportanceOut, operation_id="study_importance")
def study_importance(request: HttpRequest, study_id: str) -> ImportanceOut:
    """Which parameters decided how good the trials are."""
    study = _study_for(request, study_id, "study.read")
    space = space_of(study)
    if space is None:
        return ImportanceOut(params={})
    is_higher_better = objective_of(study).is_higher_better
    return ImportanceOut(params=importance(history=history_of(study), space=space, is_higher_better=is_higher_better))


@router.get("/studies/{study_id}/gain", response=GainOut, operation_id="study_gain")
def study_gain(request: HttpRequest, study_id: str) -> GainOut:
    """What the search has found beyond the settings that need no search."""
    study = _study_for(request, study_id, "study.read")
    return gain_out(gain_of(study, list(study.trials.all()), objective_of(study)))


@router.get("/studies/{study_id}/history", response={200: bytes}, operation_id="study_history")
def study_history(
    request: HttpRequest,
    study_id: str,
    format: Literal["csv", "optuna", "tensorboard"] = "csv",  # noqa: A002 - the query's name
) -> HttpResponse:
    """The trials of a study as a file.

    ``csv`` is a table, ``optuna`` a journal that ``optuna.storages.JournalStorage`` opens, ``tensorboard`` an archive with a
    folder for each trial that holds its learning curves: ``tensorboard --logdir`` shows them.
    """
    study = _study_for(request, study_id, "study.read")
    form = HISTORY_FILES[format]
    response = HttpResponse(form.write(study), content_type=form.content_type)
    response["Content-Disposition"] = f'attachment; filename="{study.id}.{form.ending}"'
    response["Cache-Control"] = "no-store"
    return response


def _study_for(request: HttpRequest, study_id: str, action: Action) -> Study:
    study = selectors.study_get(principal_of(request).sight, study_id)
    require(request, action, study.project.workspace_id, project=study.project_id)
    return study


def version_for(request: HttpRequest, body: StudyPlanIn, action: Action) -> DatasetVersion:
    """The version that a study is to be trained on, when the caller may do the action in its project."""
    version = version_get(principal_of(request).sight, body.version)
    require(request, action, version.project.workspace_id, project=version.project_id)
    if version.project_id != body.project:
        raise InvalidInputError("The version belongs to another project.", fields={"version": ["of another project"]})
    return version


def request_of(request: HttpRequest, body: StudyPlanIn, version: DatasetVersion) -> StudyRequest:
    """The study that a body asks for."""
    sight, teacher, start = principal_of(request).sight, None, _start_of(request, body)
    body = _with_goal(body, version, start)
    if body.teacher is not None:
        teacher = artefact_get(sight, body.teacher)
    max_trials, families = body.max_trials or USUAL_TRIALS, body.families
    is_warm = body.warm_start is not False and start is None and "warm_start" in strategy_of(body.strategy).takes
    return StudyRequest(
        strategy=body.strategy,
        teacher=teacher,
        start=start,
        max_trials=max_trials,
        concurrency=body.concurrency,
        families=families,
        single=body.train,
        objective=body.objective,
        also_improves=body.also_improves,
        refits=body.refits,
        learns_test=body.learns_test,
        max_answer_ratio=USUAL_ANSWER_RATIO if body.max_answer_ratio is None else body.max_answer_ratio,
        prefers_fast=bool(body.prefers_fast),
        ranges=body.ranges or {},
        at_most=body.at_most,
        device=body.device or "auto",
        num_processes=body.num_processes or 1,
        num_hosts=body.num_hosts or 1,
        data_parallel=body.data_parallel or DataParallel(),
        warm_start=body.warm_start,
        warm_trials=warm_trials(
            sight=sight, version=version, families=families, objective=body.objective, max_trials=max_trials
        )
        if is_warm
        else (),
    )


def _with_goal(body: StudyPlanIn, version: DatasetVersion, start: Artefact | None) -> StudyPlanIn:
    """The body with what its goal fills in: nothing that was said.

    What is tried of the goal's families holds for these alone, and where training goes on from a model its own size does.
    """
    if body.goal is None:
        return body
    goal = goal_of(body.goal, families_of(task_get(version.project.task)))
    takes_ranges = "ranges" in strategy_of(body.strategy).takes
    fields = ["families", "max_trials", "max_answer_ratio", "prefers_fast"]
    filled: dict[str, Any] = {name: getattr(goal, name) for name in fields if getattr(body, name) is None}
    if body.families is None and start is None and takes_ranges:
        filled["at_most"] = {**goal.at_most, **body.at_most}
        if body.ranges is None:
            filled["ranges"] = goal.ranges
    return body.model_copy(update=filled)


def _start_of(request: HttpRequest, body: StudyPlanIn) -> Artefact | None:
    """The model that every trial begins with, whichever of the two fields names it."""
    artefacts = {body.start_from, body.train.start_from if body.train else None} - {None}
    if len(artefacts) > 1:
        raise InvalidInputError("start_from and train.start_from name two models.", fields={"start_from": ["two models"]})
    return artefact_get(principal_of(request).sight, str(artefacts.pop())) if artefacts else None
