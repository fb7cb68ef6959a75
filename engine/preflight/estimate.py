"""What a trial takes with the whole version, from what it took with a part of it.

Time is taken apart by stage, each of which grows with something else: reading with all items, learning with the work that
planning counts for the family (``automl.planning``), judging with what is held back; export and the first call do not grow.
Reading is paid for once for each model, as the host keeps what was read. What the first epoch takes beyond the second does not
grow either: each trial is a process of its own, whose first steps find no memory and no compiled operators.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from automl.contracts.dataset import Split
from automl.contracts.job import JobLimits, TrainConfig
from automl.contracts.preflight import PreflightStage, StageOutcome
from automl.planning.facts import VersionFacts
from automl.planning.fit import EXPORT_S, sample_shape_of
from automl.planning.items import FORWARD_SHARE, planned_items
from engine.models import family_part
from engine.preflight.rehearsal import Rehearsal, Spent
from engine.training.config import TrainingRequest
from engine.training.way import Way

LEAST_SLOPE = 0.25
"""Of the time that the larger of two parts took, so much grows at least with what there is: two short times say little."""
_LEAST_CPU_S = 0.01
_FILLED_SHARE = 0.5
"""Of the time that a fit was given: whoever took so much would have taken more of more. A part of it is kept for the export."""
_PATIENCE = 2.0
"""On the clock, in budgets: what other processes take of the processor does not count, up to so much (``table_ensemble``)."""
TRACED_SHARE = 0.8
"""Of the export, and of what comes before a network learns, what is done once on a host for all of a structure: it is traced,
and the quicker precision is found."""
PLACE = Spent(wall_s=0.5)
"""Until the directory of a job is there and its process has begun, and until its result is stored: by other processes."""


@dataclass(frozen=True)
class Estimate:
    """Of one trial with the whole version."""

    whole: Spent
    once: Spent
    """Of this, what the first trial of a model pays for the others."""


def facts_of_part(whole: VersionFacts, sizes: Mapping[Split, int]) -> VersionFacts:
    """Facts of a version with so many items."""
    return VersionFacts(
        num_train=sizes[Split.TRAIN],
        num_validation=sizes[Split.VALIDATION],
        num_test=sizes[Split.TEST],
        num_labels=whole.num_labels,
        rarest_label_items=whole.rarest_label_items,
        commonest_label_items=whole.commonest_label_items,
        num_columns=whole.num_columns,
    )


@dataclass(frozen=True)
class Steps:
    """What a network that learned by steps took, in its last epoch: the first one runs cold."""

    num_steps: int
    """Of an epoch."""
    step: Spent
    judged: Spent
    """After the last step of an epoch."""
    cold: Spent
    """What the epochs before took beyond the last."""
    after: Spent
    """Once they were over."""


@dataclass(frozen=True)
class Timed:
    """A trial that was gone through with a part of the version, and what the part is beside the whole."""

    shown: Rehearsal
    train: TrainConfig
    """Perhaps with fewer epochs."""
    facts: VersionFacts
    """Of the part."""
    is_frozen: bool = False
    """Whether a head is fitted to a backbone that stays as it is."""

    @property
    def before(self) -> Spent:
        """Of the fit, what comes before the model learns: weights are read, graphs are made, the precision is found."""
        clock = self.shown.clock
        return clock.setup if self.is_frozen or not clock.learned else clock.learned[0][1] - clock.features

    @property
    def learning(self) -> Spent:
        """Of the fit, what grows with its work."""
        return self.shown.took(PreflightStage.STEP) - self.shown.clock.features - self.before

    @cached_property
    def steps(self) -> Steps | None:
        """Of a network that learned by steps, what these take; None of others, and where no epoch was done."""
        moments = self.shown.clock.learned
        if not any(part == "epoch" for part, _ in moments):
            return None
        epochs: list[dict[str, list[Spent]]] = [defaultdict(list)]
        for (_, before), (part, after) in pairwise(moments):
            epochs[-1][part].append(after - before)
            if part == "epoch":
                epochs.append(defaultdict(list))
        last, judged = epochs[-2]["step"], epochs[-2]["epoch"][0]
        step = sum(last, Spent()) * (1.0 / len(last))
        usual = step * sum(len(epoch["step"]) for epoch in epochs) + judged * (len(epochs) - 1)
        first = moments[-1][1] - moments[0][1] - usual
        num_steps = max(len(epoch["step"]) for epoch in epochs)
        after = self.learning + moments[0][1] - moments[-1][1]
        return Steps(num_steps, step, judged, cold=first if first.cpu_s > 0.0 else Spent(), after=after)

    @property
    def reading(self) -> Spent:
        """What grows with all items, and is kept for later trials: they are read, and a frozen backbone looks at them."""
        clock = self.shown.clock
        return self.shown.took(PreflightStage.DATA) - clock.loading + clock.features

    @property
    def publishing(self) -> Spent:
        """Export, and the first call; where time was over before, at least as long as is planned for both.

        A frozen backbone was exported before, to look at items, and takes as long once more.
        """
        spent = self.shown.took(PreflightStage.EXPORT, PreflightStage.CALL)
        both = (PreflightStage.EXPORT, PreflightStage.CALL)
        if all(stage.outcome is StageOutcome.PASSED for stage in self.shown.stages if stage.stage in both):
            return spent
        passed = self.shown.took()
        pace = max(1.0, passed.wall_s / max(passed.cpu_s, _LEAST_CPU_S))
        least_s = max(EXPORT_S, self.before.cpu_s if self.is_frozen else 0.0)
        return Spent(max(spent.wall_s, pace * least_s), max(spent.cpu_s, least_s))


def estimated(
    timed: Sequence[Timed],
    request: TrainingRequest,
    whole: VersionFacts,
    *,
    way: Way,
    limits: JobLimits,
    start: Spent,
    hard: Timed,
    is_kept: bool,
    alone: Mapping[str, float],
) -> Estimate:
    """The trial with the whole version.

    Args:
        timed: the trial with one part or two, the larger one last; all their stages passed.
        request: the trial as it will be.
        whole: facts of the version.
        way: of the task.
        limits: of the trial as it will be.
        start: until a process can begin its work.
        hard: the trial with the hardest items, which was the first and ran cold.
        alone: processor time of one fit of other families of the study that are no ensembles, by name.
        is_kept: ``timed`` is ``hard``, and what it made first on this host is kept for the trials that follow.
    """
    work, most_s = _needs(request, request.train, whole)
    works = [_needs(request, each.train, each.facts)[0] for each in timed]
    items = [float(each.facts.num_items) for each in timed]
    fit = _stepped(timed[-1], request, whole)
    if fit is None:  # of a head the hardest items, a batch of them, take little more than its first iterations
        fit = _grown([each.learning for each in timed], works, work, is_short=is_kept and hard.is_frozen)
    if most_s is not None:
        fit = _budgeted(fit, timed[-1].shown, most_s, times=work / max(1.0, works[-1]), alone=alone)
    fit *= 1.0 + way.judging_fits(request, limits, num_items=whole.num_train + whole.num_validation, fit_cpu_s=fit.cpu_s)
    once = _grown([each.reading for each in timed], items, whole.num_items)
    last = timed[-1]
    judged = _judged(last, max(0, whole.num_validation + whole.num_test - last.facts.num_validation - last.facts.num_test))
    fixed = PLACE + start + _fixed(last, hard, is_kept=is_kept)
    return Estimate(whole=once + fit + fixed + judged, once=once)


def _fixed(timed: Timed, hard: Timed, *, is_kept: bool) -> Spent:
    """What does not grow with the items."""
    before = timed.before * (1.0 - TRACED_SHARE if is_kept else 1.0)
    is_traced = is_kept and hard.shown.clock.is_done
    published = timed.publishing - (timed.shown.took(PreflightStage.EXPORT) * TRACED_SHARE if is_traced else Spent())
    cold = hard.steps.cold if hard.steps is not None else Spent()
    return timed.shown.clock.loading + before + cold + published


def _stepped(timed: Timed, request: TrainingRequest, whole: VersionFacts) -> Spent | None:
    """All epochs of a network that learns by steps, at the pace of its last ones; None of others.

    Judging takes a forward pass for each item, and what it took besides.
    """
    steps, facts = timed.steps, timed.facts
    if steps is None or "epochs" not in request.params:
        return None
    num_items = max(1, facts.num_train)
    forward = steps.step * (FORWARD_SHARE * steps.num_steps / num_items)
    more = forward * (whole.num_validation - facts.num_validation)
    num_epochs = int(request.params["epochs"])
    num_steps = max(1.0, steps.num_steps * whole.num_train / num_items)
    return (steps.step * num_steps + steps.judged + more) * num_epochs + steps.after + more


def _judged(timed: Timed, num_more: int) -> Spent:
    """What is held back is judged: the report is written once, and the graph answers to each item."""
    spent, answers_s = timed.shown.took(PreflightStage.EVALUATION), timed.shown.answer_s * num_more
    return spent + Spent(answers_s * max(1.0, spent.wall_s / max(spent.cpu_s, _LEAST_CPU_S)), answers_s)


def ends_by_itself(request: TrainingRequest, whole: VersionFacts) -> bool:
    """Whether a fit uses the time that it is given, up to a number of seconds that the trial says."""
    return _needs(request, request.train, whole)[1] is not None


def _budgeted(fit: Spent, shown: Rehearsal, most_s: float, *, times: float, alone: Mapping[str, float]) -> Spent:
    """The fit of a family that ends by itself after some seconds of its own time.

    One that used up the less that there was here will take as long as it says that it takes with its whole budget; one that
    cannot say it, all of that.
    """
    step = shown.took(PreflightStage.STEP)
    pace = step.wall_s / max(step.cpu_s, _LEAST_CPU_S)
    most = Spent(most_s * min(max(pace, 1.0), _PATIENCE), most_s * min(max(pace, 1.0), _PATIENCE) / pace)
    is_filled = shown.time_s < most_s and step.wall_s > _FILLED_SHARE * shown.time_s
    needs = shown.needs
    if needs is not None:
        usual_s = statistics.mean(alone.values()) if alone else 0.0
        others_s = sum(number * alone.get(family, usual_s) for family, number in needs.others.items())
        cpu_s = min(needs.most_s, (needs.cpu_s + others_s) * times)
        fit = Spent(cpu_s * pace, cpu_s)
    elif is_filled:
        fit = most
    return most if fit.wall_s > most.wall_s else fit


def _grown(spent: Sequence[Spent], amounts: Sequence[float], whole: float, *, is_short: bool = False) -> Spent:
    """With the whole amount, along a line through both that are given, or through nought and the one.

    ``is_short`` says that the one is too short for that: most of it may be what does not grow. The line is one of processor
    time, which other work on the machine hardly bends; the clock goes along as it did.
    """
    last, amount = spent[-1].cpu_s, max(1.0, amounts[-1])
    if not is_short and (len(spent) < 2 or amount <= amounts[0]):
        cpu_s = last * whole / amount
    else:
        slope = max((last - spent[0].cpu_s) / max(1.0, amount - amounts[0]), LEAST_SLOPE * last / amount)
        cpu_s = last + slope * max(0.0, whole - amount)
    taken = sum(spent, Spent())
    pace = taken.wall_s / max(taken.cpu_s, _LEAST_CPU_S)
    return Spent(cpu_s * pace, cpu_s)


def _needs(request: TrainingRequest, train: TrainConfig, facts: VersionFacts) -> tuple[float, float | None]:
    """Operations of a fit, and the seconds after which the family ends it by itself."""
    shape = sample_shape_of(family=request.family, train=train, facts=facts)
    cost = family_part(request.family.name, "family").cost(shape, train.size)
    params = {**request.params, **train.params}
    needs = planned_items(request.family.reads).needs(request.family, request.size, params, cost=cost, facts=facts)
    return needs.flops, needs.most_s
