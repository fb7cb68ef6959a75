"""Which trial of a study is kept, by what is known of each, and which one is shipped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from automl.contracts.dataset import Split
from automl.contracts.report import Report
from automl.contracts.task import MetricSpec
from automl.search.evidence import Evidence, equals, error_of
from automl.search.front import front
from automl.search.objectives import SideObjective
from automl.search.states import TrialState
from engine.models import family_names, family_spec
from studio.studies.models import Study, Trial


def best_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> Trial | None:
    """The candidate to keep: the best, or of those that the evidence does not separate from it the one that generalises.

    Where the study prefers it, the one of these whose model answers fastest.
    """
    return next(iter(equals_of(study, trials, objective)), None)


def equals_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> list[Trial]:
    """The candidate that is kept, and behind it those that the evidence does not separate from the best."""
    measured = {trial.number: trial for trial in succeeded(trials)}
    evidence = [_evidence(trial, objective, prefers_fast=study.prefers_fast) for trial in measured.values()]
    return [measured[each.number] for each in equals(evidence, is_higher_better=objective.is_higher_better)]


def judged_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> Trial | None:
    """The candidate that the shipped model comes from: the one that a person chose, or the one that is kept."""
    chosen = next((trial for trial in succeeded(trials) if trial.id == study.chosen_trial), None)
    return chosen or best_of(study, trials, objective)


def front_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> list[Trial]:
    """Of a study with several objectives, the candidates that no other one beats in all of them, the best metric first."""
    if not study.also_improves:
        return []
    measured = [trial for trial in succeeded(trials) if set(study.also_improves) <= set(trial.footprint)]
    points = [(trial.value or 0.0, *(trial.footprint[name] for name in study.also_improves)) for trial in measured]
    directions = (objective.is_higher_better, *(False for _ in study.also_improves))
    return [measured[position] for position in front(points, higher_is_better=directions)]


def ordered_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> list[Trial]:
    """All candidates that succeeded: the one to ship, then the others from the best on; those cut off last."""
    chosen = judged_of(study, trials, objective)
    sign = -1.0 if objective.is_higher_better else 1.0
    others = [trial for trial in succeeded(trials) if chosen is None or trial.id != chosen.id]
    others.sort(key=lambda trial: (halted_of(trial) is not None, sign * (trial.value or 0.0), trial.number))
    return [chosen, *others] if chosen is not None else []


def shipped_of(study: Study, trials: Sequence[Trial], objective: MetricSpec) -> Trial | None:
    """The trial whose model is to be used: the one that learned once more from the judged one, or that one itself."""
    last = refit_of(study, trials)
    if last is not None and last.state == TrialState.SUCCEEDED:
        return last
    return judged_of(study, trials, objective)


def refit_of(study: Study, trials: Sequence[Trial]) -> Trial | None:
    """The trial that ships what the candidates so far have found, or the one that a person chose.

    Returns:
        None when there is none, or when another candidate came after it and nobody has chosen.
    """
    if study.chosen_trial:
        own = [trial for trial in trials if trial.members and trial.members[0] == study.chosen_trial]
        return max(own, key=lambda trial: trial.number, default=None)
    last = max(trials, key=lambda trial: trial.number, default=None)
    return None if last is None or last.is_candidate else last


def has_reached(study: Study, trials: Iterable[Trial], objective: MetricSpec) -> bool:
    """Whether a candidate is as good as the study wants it."""
    if study.target is None:
        return False
    sign = 1.0 if objective.is_higher_better else -1.0
    return any(sign * ((trial.value or 0.0) - study.target) >= 0.0 for trial in succeeded(trials))


def halted_of(trial: Trial) -> str | None:
    """Why a trial learned less than it was meant to."""
    halted = (trial.evidence or {}).get("halted")
    return None if halted is None else str(halted)


def interval_of(trial: Trial, objective: MetricSpec) -> tuple[float, float] | None:
    """95% interval of a trial's value; None where it is not known."""
    found = (trial.evidence or {}).get("intervals", {}).get(objective.name)
    return None if found is None else (float(found[0]), float(found[1]))


def evidence_of(report: Report) -> Mapping[str, Any] | None:
    """What a trial keeps of its report."""
    if report.judgement is not None:
        return report.judgement.model_dump(mode="json", include={"by", "num_folds", "num_items", "intervals", "halted"})
    validation = next((split for split in report.splits if split.split is Split.VALIDATION), None)
    if validation is None:
        return None
    intervals = {name: list(ends) for name, ends in validation.intervals.items()}
    return {"by": "split", "num_folds": 1, "num_items": validation.num_items, "intervals": intervals, "halted": None}


def succeeded(trials: Iterable[Trial]) -> list[Trial]:
    """The candidates that ended well."""
    return [each for each in trials if each.is_candidate and each.state == TrialState.SUCCEEDED and each.value is not None]


def _evidence(trial: Trial, objective: MetricSpec, *, prefers_fast: bool) -> Evidence:
    known = trial.evidence or {}
    interval = interval_of(trial, objective)
    return Evidence(
        number=trial.number,
        value=trial.value or 0.0,
        error=error_of(interval) if interval is not None else 0.0,
        judged_on=(known.get("by", ""), known.get("num_items", 0)),
        preference=-_latency_ms(trial) if prefers_fast else _preference(trial.train.family),
        is_whole=halted_of(trial) is None,
    )


def _latency_ms(trial: Trial) -> float:
    """Of a model that is gone nobody knows it: it comes last."""
    return float(trial.footprint.get(SideObjective.LATENCY_MS, math.inf))


def _preference(family: str) -> int:
    return family_spec(family).preference if family in family_names() else 0
