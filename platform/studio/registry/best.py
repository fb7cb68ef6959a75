"""Which of a project's models is the best, and which one would use: the one rule that cards, lists and forms follow."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from automl.contracts.dataset import Split
from engine.tasks import task_spec
from studio.projects.models import Project
from studio.registry.hooks import models_served, trials_shipped
from studio.registry.models import Artefact, Stage

FEWEST_ITEMS = 30
"""Below this single items decide a value, and only its interval may be read."""
_SHOWN = (Split.TEST, Split.VALIDATION)


@dataclass(frozen=True)
class ListedModel:
    """As much of a model as the rule reads, with the value that lists show."""

    id: str
    number: int
    """Within the project; the newest has the highest."""
    version: str
    stage: str
    trial: str | None
    metric: str
    split: Split | None
    """On which the value was measured; None of a model without one."""
    value: float
    ends: tuple[float, float] | None
    """95% interval of the value."""
    num_judged: int | None


@dataclass(frozen=True)
class BestModels:
    """What the rule says of one project."""

    first: ListedModel
    """The model that one would use: the one in production, else the best one of the newest version; where none is known to be
    better, the newest that answers at an address, else the newest that a study ships, else the newest."""
    best: list[str] = field(default_factory=list)
    """Ids: of each version at most one."""


def best_models(projects: Sequence[Project]) -> dict[str, BestModels]:
    """The best models of each project, with as many queries for all as for one; those without models are left out.

    Of each version that has two models or more that were judged on the same split, by enough items, one is the best. Models
    whose interval holds the best value are as good: of these it is the one in production, else one that answers at an address,
    else one that its study ships, which more was known of than this split tells, else the one with the best value. Archived
    models are left out.
    """
    objectives = {each.id: task_spec(each.task).objective(each.task_options) for each in projects}
    models: dict[str, list[ListedModel]] = defaultdict(list)
    for row in _rows(list(objectives)):
        models[row["project"]].append(_listed(row, objectives[row["project"]].name))
    served = models_served(list(models))
    shipped = trials_shipped([each.trial for some in models.values() for each in some if each.trial is not None])
    found = {}
    for project, some in models.items():
        favoured = [
            [each for each in some if each.stage == Stage.PRODUCTION],
            [each for each in some if each.id in served],
            [each for each in some if each.trial in shipped],
        ]
        best = _best_by_version(some, favoured, is_higher_better=objectives[project].is_higher_better)
        newest = [each for each in some if each.id == best.get(some[0].version)]
        first = next(each for models in (favoured[0], newest, *favoured[1:], some) for each in models)
        found[project] = BestModels(first, list(best.values()))
    return found


def _rows(projects: Sequence[str]) -> list[dict[str, Any]]:
    """The models of the projects, newest first."""
    rows = Artefact.objects.filter(project__in=projects).exclude(stage=Stage.ARCHIVED).order_by("-id")
    facts = ("manifest__metrics", "manifest__intervals", "manifest__num_judged", "version__manifest__num_items_by_split")
    return list(rows.values("project", "id", "number", "version", "stage", "trial", *facts))


def _listed(row: Mapping[str, Any], metric: str) -> ListedModel:
    metrics = row["manifest__metrics"]
    split = next((split for split in _SHOWN if metric in (metrics.get(split) or {})), None)
    ends = ((row["manifest__intervals"] or {}).get(split) or {}).get(metric)
    num_judged = row["manifest__num_judged"] or row["version__manifest__num_items_by_split"] or {}
    return ListedModel(
        **{name: row[name] for name in ("id", "number", "version", "stage", "trial")},
        metric=metric,
        split=split,
        value=float(metrics[split][metric]) if split else 0.0,
        ends=(min(ends), max(ends)) if ends else None,
        num_judged=num_judged.get(split),
    )


def _best_by_version(
    models: Sequence[ListedModel], favoured: Sequence[Sequence[ListedModel]], *, is_higher_better: bool
) -> dict[str, str]:
    """Version -> id of its best model.

    Args:
        models: of one project, newest first.
        favoured: those that something speaks for beside their numbers, what counts most first.
        is_higher_better: of the values.
    """
    judged = [each for each in models if each.split and (each.num_judged is None or each.num_judged >= FEWEST_ITEMS)]
    best: dict[str, str] = {}
    for version in dict.fromkeys(each.version for each in judged):
        own = sorted(
            (each for each in judged if each.version == version), key=lambda each: each.value, reverse=is_higher_better
        )
        if len(own) < 2 or len({each.split for each in own}) > 1:
            continue
        equal = [each for each in own if _is_equal(each, own[0].value)]
        kept = next((each for some in favoured for each in equal if each in some), None)
        if kept is not None or own[0].value != own[1].value:
            best[version] = (kept or own[0]).id
    return best


def _is_equal(model: ListedModel, best: float) -> bool:
    """Whether lists show the same value, or the model's interval holds the best one."""
    return f"{model.value:.3g}" == f"{best:.3g}" or (model.ends is not None and model.ends[0] <= best <= model.ends[1])
