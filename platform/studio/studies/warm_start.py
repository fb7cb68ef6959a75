"""Settings of earlier studies that a new one begins with, as far as the caller may see these studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from automl.planning.facts import facts_of
from automl.planning.likeness import likeness
from automl.search.space import SearchSpace
from automl.search.states import TrialState
from automl.search.study import TrialRecord
from automl.search.warm_start import EarlierStudy, earlier_settings, num_warm
from studio.accounts.sight import Sight
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.selectors import version_manifest
from studio.studies.advance import objective_of
from studio.studies.models import Study, StudyState, Trial
from studio.studies.strategies import strategy_of
from studio.studies.strategy import families_named
from studio.studies.warm_trials import WarmTrial

RECENT_STUDIES = 20
"""Of the same task, the latest of which are asked."""


@dataclass(frozen=True)
class WarmStudy:
    """An earlier study, as people know it."""

    id: str
    name: str
    project: str


def warm_trials(
    *, sight: Sight, version: DatasetVersion, families: Sequence[str] | None, objective: str, max_trials: int
) -> tuple[WarmTrial, ...]:
    """What a search on a version begins with: what did best in earlier studies of its workspace, on data that are alike.

    Args:
        sight: of the caller; other studies are as if there were none.
        version: to be trained on.
        families: that may be trained; None: all of the task.
        objective: of the study, as it stores it; studies with another one are left out.
        max_trials: of the study.
    """
    num = num_warm(max_trials)
    earlier = list(_earlier(sight, version, objective)) if num else []
    if not earlier:
        return ()
    facts = facts_of(version_manifest(version))
    histories = _histories(earlier)
    asked = [
        EarlierStudy(
            history=histories.get(study.id, ()),
            is_higher_better=objective_of(study).is_higher_better,
            likeness=likeness(facts, facts_of(version_manifest(study.version))),
        )
        for study in earlier
    ]
    found = earlier_settings(asked, space=SearchSpace(families_named(families, version)), num=num)
    return tuple(WarmTrial(study=earlier[one.study].id, train=one.train) for one in found)


def warm_studies(trials: Sequence[WarmTrial], sight: Sight) -> Mapping[str, WarmStudy]:
    """The earlier studies that the caller still sees, by id."""
    rows = Study.objects.filter(sight.of("project"), id__in={one.study for one in trials}, project__deleted_at=None)
    return {row.id: WarmStudy(row.id, row.name, row.project_id) for row in rows}


def _earlier(sight: Sight, version: DatasetVersion, objective: str) -> list[Study]:
    project = version.project
    rows = Study.objects.select_related("project", "version").filter(
        sight.of("project"),
        project__workspace=project.workspace_id,
        project__deleted_at=None,
        project__task=project.task,
        state=StudyState.SUCCEEDED,
        objective=objective,
        start=None,
    )
    latest = rows.order_by("-id")[: 2 * RECENT_STUDIES]
    alike = [row for row in latest if row.project.task_options == project.task_options]
    return [row for row in alike if not strategy_of(row.strategy).is_taught][:RECENT_STUDIES]


def _histories(studies: Sequence[Study]) -> dict[str, list[TrialRecord]]:
    found: dict[str, list[TrialRecord]] = {}
    rows = Trial.objects.filter(study__in=studies, state=TrialState.SUCCEEDED.value, members__isnull=True)
    for row in rows.order_by("study", "number"):
        train = row.train.model_copy(update={"start_from": None})
        record = TrialRecord(number=row.number, state=TrialState.SUCCEEDED, train=train, value=row.value)
        found.setdefault(row.study_id, []).append(record)
    return found
