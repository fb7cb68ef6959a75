"""The model that a study ships: which trials it comes from, what it learns from, and what that takes."""

from __future__ import annotations

import os
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from automl.contracts.dataset import Split
from automl.contracts.job import RefitOrder
from automl.contracts.task import TaskSpec
from automl.planning.facts import VersionFacts, facts_of
from automl.planning.fit import EXPORT_S, TrialEstimate
from automl.planning.items import planned_items
from engine.models import family_names, family_spec
from engine.tasks import task_spec
from runtime.answers import answers_kind
from studio.common.blobs import blobs
from studio.datasets.models import DatasetVersion
from studio.datasets.versions.selectors import version_manifest
from studio.registry.models import Artefact
from studio.studies.models import Study, Trial

MOST_MEMBERS = 4
"""Trials from which the mean that is shipped may come."""
MEMBERS_DIR = "members"


def is_refitted(task: TaskSpec, *, is_taught: bool) -> bool:
    """Whether a study of a task trains its best model again; a student has no teacher's scores of the data held back."""
    return task.can_refit and not is_taught


def is_averaged(task: TaskSpec) -> bool:
    """Whether the mean of several models is a model of the task."""
    return task.consumes.has_mean and any(answers_kind(output.value).is_averaged for output in task.outputs)


def learns_of(study: Study) -> tuple[Split, ...]:
    """What the model that is shipped may learn from."""
    return (Split.TRAIN, Split.VALIDATION, Split.TEST) if study.learns_test else (Split.TRAIN, Split.VALIDATION)


def refit_pays(study: Study, ordered: Sequence[Trial]) -> bool:
    """Whether there is something to gain: more to learn from, or a mean to try.

    Args:
        study: the study.
        ordered: its candidates that succeeded, the one that is kept first.
    """
    if not study.refits or not ordered:
        return False
    artefact = Artefact.objects.filter(trial=ordered[0]).first()
    if artefact is None:
        return False
    is_more = not set(learns_of(study)) <= set(artefact.facts.learned)
    return is_more or (study.max_answer_ratio > 1.0 and len(ordered) > 1 and is_averaged(task_spec(study.project.task)))


def refit_order(trial: Trial) -> RefitOrder:
    """The order for the engine."""
    members = tuple(f"{MEMBERS_DIR}/{number}" for number, _ in enumerate(trial.members or ()))
    study = trial.study
    return RefitOrder(members=members, learns=learns_of(study), max_answer_ratio=study.max_answer_ratio)


def members_place(trial: Trial, workdir: Path) -> None:
    """Puts the judged models into a working directory, in their order."""
    folder = workdir / MEMBERS_DIR
    folder.mkdir(exist_ok=True)
    trees = dict(Artefact.objects.filter(trial__in=trial.members or ()).values_list("trial_id", "tree"))
    for number, member in enumerate(trial.members or ()):
        link = folder / str(number)
        if not os.path.lexists(link):
            link.symlink_to(blobs().fetch_tree(trees[member]), target_is_directory=True)


def refit_seconds(study: Study, members: Sequence[Trial]) -> float:
    """How long the model to ship will take, from how long its members took."""
    facts = facts_of(version_manifest(study.version))
    counted = members if study.max_answer_ratio > 1.0 else members[:1]
    return sum(EXPORT_S + _anew_s(trial.estimated_s, trial.train.family, facts) for trial in counted)


def planned_seconds(estimates: Sequence[TrialEstimate], version: DatasetVersion, *, max_answer_ratio: float) -> float:
    """The most that it will take, before anything is known of which trials are the best."""
    return refit_range(estimates, version, max_answer_ratio=max_answer_ratio, export_s=EXPORT_S).most_s


@dataclass(frozen=True)
class RefitSeconds:
    """What the model to ship takes, before anything is known of which trials are the best."""

    least_s: float
    """Of the cheapest one alone; nothing where a frozen family may win, which has learned all that there is."""
    expected_s: float
    """Half way between one of them and the mean of as many as may be shipped."""
    most_s: float


def refit_range(
    estimates: Sequence[TrialEstimate], version: DatasetVersion, *, max_answer_ratio: float, export_s: float
) -> RefitSeconds:
    """What it will take; ``export_s`` is that of a member of which it was not measured."""
    most = MOST_MEMBERS if max_answer_ratio > 1.0 else 1
    means = _means(estimates, version, export_s)
    if not means:
        return RefitSeconds(0.0, 0.0, 0.0)
    each = [seconds for own in means for seconds in own]
    most_s, one_s = max(sum(own[:most]) for own in means), statistics.mean(each)
    least_s = 0.0 if any(_is_frozen(one.train.family) for one in estimates) else min(each)
    return RefitSeconds(least_s, (one_s + most_s) / 2 if most > 1 else one_s, most_s)


def _means(estimates: Sequence[TrialEstimate], version: DatasetVersion, export_s: float) -> list[list[float]]:
    """What each trial takes as a member, the longest first, apart from those that no graph holds with it.

    A frozen one that is alone takes nothing: it has learned all that there is, and is shipped as it is.
    """
    facts = facts_of(version_manifest(version))
    means: dict[str, list[TrialEstimate]] = defaultdict(list)
    for one in estimates:
        family = family_spec(one.train.family)
        means[planned_items(family.reads).reader(family, family.size(one.train.size))].append(one)
    return [
        [0.0]
        if len(own) == 1 and _is_frozen(own[0].train.family)
        else sorted((_member_s(one, facts, export_s) for one in own), reverse=True)
        for own in means.values()
    ]


def _member_s(one: TrialEstimate, facts: VersionFacts, export_s: float) -> float:
    anew_s = _anew_s(one.estimated_s, one.train.family, facts, one.export_s or EXPORT_S)
    return anew_s + (export_s if one.export_s is None else one.export_s)


def _is_frozen(family: str) -> bool:
    return family in family_names() and family_spec(family).is_frozen


def _anew_s(estimated_s: float, family: str, facts: VersionFacts, export_s: float = EXPORT_S) -> float:
    """Seconds in which one member learns once more.

    A head on features that are there already takes no time worth counting; a network takes as long as its trial, and for the
    items that are new.
    """
    if _is_frozen(family):
        return 0.0
    return max(0.0, estimated_s - export_s) * (1.0 + facts.num_validation / max(1, facts.num_train))
