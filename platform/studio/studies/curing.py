"""Why a study failed, what cures it, and the study that tries again: see ``cures``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction

from automl.contracts.base import Text
from automl.contracts.words import Words
from studio.accounts.access import Principal
from studio.datasets.models import Dataset, DatasetVersion, Item
from studio.projects.models import Project
from studio.studies.advance import objective_of
from studio.studies.again import study_again
from studio.studies.cures import cures
from studio.studies.cures.kind import Cure, CurePlan, Failure
from studio.studies.errors import CureUnsuitableError
from studio.studies.hooks import items_put_aside, version_cut
from studio.studies.models import Study, StudyState, Trial
from studio.studies.selection import halted_of, judged_of
from studio.studies.services import study_record

words = Words(__file__)

TIME_LIMIT = "time_limit"
"""Code of a study whose model learned less than it was meant to, because the time was over."""
SHOWN_ITEMS = 12


def failure_of(study: Study, trial: str | None = None) -> Failure | None:
    """Why a study has no model, or one that its time limit cut off; None where nothing is to be cured.

    Args:
        study: the study.
        trial: id of one of its trials: why that one failed, and the others that did as it did, whatever became of the study.
    """
    trials = list(study.trials.order_by("number"))
    if trial is not None:
        error = next((each.error for each in trials if each.id == trial), None)
        return _failure(study, error, trials) if error else None
    if study.state == StudyState.FAILED:
        return _failure(study, study.error or {}, trials)
    judged = judged_of(study, trials, objective_of(study)) if study.state == StudyState.SUCCEEDED else None
    if judged is not None and halted_of(judged) == TIME_LIMIT:
        return Failure(study, TIME_LIMIT, "The time limit ended the training early.", (), (judged,))
    return None


def _failure(study: Study, error: Mapping[str, Any], trials: Sequence[Trial]) -> Failure:
    code = str(error.get("code", ""))
    failed = [trial for trial in trials if trial.error and trial.error.get("code") == code]
    items = [item for trial in failed for item in (trial.error or {}).get("items", ())]
    return Failure(study, code, str(error.get("message", "")), tuple(dict.fromkeys(items)), tuple(failed))


def cures_of(failure: Failure) -> Iterator[tuple[Cure, CurePlan]]:
    """What may cure a failure and what each would change, the most promising first."""
    for cure in cures().values():
        plan = cure.plan(failure) if failure.code in cure.codes else None
        if plan is not None:
            yield cure, plan


def failed_items(failure: Failure) -> Sequence[Item]:
    """The first of the items that caused a failure, those that were put aside since included."""
    ids = failure.items[:SHOWN_ITEMS]
    return list(Item.objects.filter(dataset__project=failure.study.project_id, id__in=ids).order_by("id"))


def cure_of(study: Study, name: str, trial: str | None = None) -> tuple[Cure, CurePlan]:
    """A cure of a study, or of one of its trials, and what it would change.

    Raises:
        CureUnsuitableError: it is none of those that the study has, or one that a person does on a page.
    """
    failure = failure_of(study, trial)
    found = {cure.name: (cure, plan) for cure, plan in cures_of(failure)} if failure is not None else {}
    applied = {each: pair for each, pair in found.items() if pair[0].page is None}
    if name not in applied:
        raise CureUnsuitableError(cure=name, known=list(applied))
    return applied[name]


def study_cure(*, study: Study, name: str, actor: Principal, trial: str | None = None) -> Study:
    """Starts a study with the settings of one that failed, or of which a trial failed, changed by a cure.

    While such a study runs, asking again returns it. Items that are left out stay aside, too, where it cannot be started.

    Raises:
        CureUnsuitableError: the study has no such cure.
        StudioError: the version without items that are left out cannot be created, or the study cannot be started.
    """
    version, left_out = study.version, cure_of(study, name, trial)[1].leaves_out
    if left_out and _cured_running(study, name) is None:
        note = words("cured.note", count=len(left_out), name=study.name)
        version = version_without(study.project, left_out, note, actor)
    with transaction.atomic():
        study = Study.objects.select_for_update(of=("self",)).select_related("project", "version__project").get(id=study.id)
        earlier = _cured_running(study, name)
        if earlier is not None:
            return earlier
        _, plan = cure_of(study, name, trial)
        cured = study_again(plan.settings, version=version, actor=actor)
        Study.objects.filter(id=cured.id).update(cured_from=study, cure=name)
        study_record(study, "study.cured", actor, {"cure": name, "study": cured.id})
    cured.refresh_from_db()
    return cured


def _cured_running(study: Study, name: str) -> Study | None:
    return Study.objects.filter(cured_from=study, cure=name, state=StudyState.RUNNING).first()


def version_without(project: Project, items: Sequence[str], note: Text, actor: Principal) -> DatasetVersion:
    """Puts items of a project aside and cuts a version without them; ``note`` says why.

    Raises:
        StudioError: problems stand in the way.
    """
    dataset = Dataset.objects.select_related("project").get(id=project.default_dataset_id)
    items_put_aside(dataset, items, actor)
    return version_cut(dataset, note.in_language(actor.language), actor)


def last_failed(failure: Failure) -> Trial | None:
    """The trial that shows the failure best."""
    return failure.trials[-1] if failure.trials else None
