"""How soon the samplers find good parameters, all side by side: what is left to the best after 25, 50 and 100 trials.

On tables of real trainings and on functions that are smooth, rugged, noisy, discontinuous, conditional and mixed; one trial
after the other, and eight at once. The claims are of the sampler that studies use unless somebody chooses another. Then the
pruners, beside trials that all run to their end, on learning curves of real networks.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import optuna
from numpy.typing import NDArray
from optuna.samplers import BaseSampler

from automl.search.pruners import NO_PRUNER, build_pruner, pruner_names
from automl.search.samplers import DEFAULT_SAMPLER, build_sampler, sampler_names
from benchmarks._search_tasks import SearchTask, curves, functions, tables
from benchmarks.harness import Claim, Options, SkippedError, main

optuna.logging.set_verbosity(optuna.logging.WARNING)

AT = (25, 50, 100)
TIMES = (10.0, 25.0, 50.0)
"""Limits in mean trainings: a sampler that tries quick settings gets more trials than these numbers, of slow ones fewer."""
MOST_TRIALS = 200
TARGETS = (0.040, 0.025, 0.018)
SECONDS = 0.05
BATCH = 8
ANCHOR = "random_search"
IN_TIME = "tables within a time"
PRUNER, LEAST_TIME, NUM_EPOCHS = "asha", 0.4, 27
OPTUNAS: Mapping[str, Callable[[int], BaseSampler]] = {
    "optuna.cma_es": lambda seed: optuna.samplers.CmaEsSampler(seed=seed),
    "optuna.nsga2": lambda seed: optuna.samplers.NSGAIISampler(seed=seed),
}
"""Optuna's own, with the notes that they keep beside the trials, which studies rebuilt from rows do not have."""


@dataclass(frozen=True)
class Run:
    """What a sampler did with one kind of task."""

    regrets: NDArray[np.float64]
    """(seeds, tasks, places of ``AT`` or ``TIMES``)."""
    seconds: float
    """Of a processor for one trial, the trial itself left out."""


def measure(options: Options) -> list[Claim]:
    """Regrets of the default on the tables, seconds of it for a trial, and what successive halving saves."""
    num_seeds = options.pick(5, smoke=1, quick=1, full=20)
    num_trials = options.pick(max(AT), smoke=14)
    kinds = {"functions": functions(options.pick(6, smoke=2))}
    if not options.is_smoke:
        try:
            kinds = {"tables": tables(), **kinds}
        except SkippedError as error:
            print(f"tables left out: {error}", file=sys.stderr)
    names = sampler_names() if options.is_smoke else (*sampler_names(), *OPTUNAS)
    claims = []
    for kind, tasks in kinds.items():
        for batch in (1, BATCH):
            runs = {name: run(name, tasks, range(num_seeds), num_trials=num_trials, batch=batch) for name in names}
            print(_table(kind, tasks, batch, runs), file=sys.stderr, flush=True)
            if kind == next(iter(kinds)) and batch == 1:
                claims = _claims(kind, runs, num_seeds)
    if "tables" in kinds:
        runs = {name: run_in_time(name, kinds["tables"], range(num_seeds)) for name in names}
        print(_table(IN_TIME, kinds["tables"], 1, runs), file=sys.stderr, flush=True)
    return [*claims, _pruning(options)]


def run(name: str, tasks: Sequence[SearchTask], seeds: Sequence[int], *, num_trials: int, batch: int) -> Run:
    """Lets a sampler search each task with each seed."""
    regrets, spent = [], 0.0
    for seed in seeds:
        row = []
        for task in tasks:
            study, seconds = _searched(task, name, seed, num_trials=num_trials, batch=batch)
            spent += seconds
            row.append(task.regrets(study, [min(num, num_trials) for num in AT]))
        regrets.append(row)
    return Run(np.array(regrets), spent / (len(seeds) * len(tasks) * num_trials))


def run_in_time(name: str, tasks: Sequence[SearchTask], seeds: Sequence[int]) -> Run:
    """Lets a sampler search each task with each seed, one trial after the other, for the time of so many mean trainings."""
    regrets, spent, num_trials = [], 0.0, 0
    for seed in seeds:
        row = []
        for task in tasks:
            study, seconds = _searched(task, name, seed, num_trials=MOST_TRIALS, batch=1, most_time=max(TIMES))
            spent, num_trials = spent + seconds, num_trials + len(study.trials)
            row.append(task.regrets_in_time(study, TIMES))
        regrets.append(row)
    return Run(np.array(regrets), spent / num_trials)


def _searched(
    task: SearchTask, name: str, seed: int, *, num_trials: int, batch: int, most_time: float = math.inf
) -> tuple[optuna.Study, float]:
    """A study of a task, ``batch`` trials at once, and processor seconds of the sampler."""
    sampler = OPTUNAS[name](seed) if name in OPTUNAS else build_sampler(name, seed=seed)
    study = optuna.create_study(sampler=sampler, pruner=optuna.pruners.NopPruner())
    begin = time.process_time()
    done, taken = 0, 0.0
    while done < num_trials and taken < most_time:
        asked = [study.ask() for _ in range(min(batch, num_trials - done))]
        seen = [(trial, task.observed(trial)) for trial in asked]  # parameters are drawn when they are asked for
        for trial, loss in seen:
            study.tell(trial, loss)
            taken += 0.0 if task.training_times is None else task.training_times(trial.params)
        done += len(asked)
    return study, time.process_time() - begin


def _claims(kind: str, runs: Mapping[str, Run], num_seeds: int) -> list[Claim]:
    ours, anchor = runs[DEFAULT_SAMPLER], runs[ANCHOR]
    claims = []
    for place, (num, target) in enumerate(zip(AT, TARGETS, strict=True)):
        mean, other = (float(each.regrets[:, :, place].mean()) for each in (ours, anchor))
        metric = f"mean regret of {DEFAULT_SAMPLER} after {num} trials, {kind}, {num_seeds} seeds"
        claims.append(Claim("hpo", metric, mean, other, mean, target, is_at_most=True))
    metric = f"processor seconds of {DEFAULT_SAMPLER} for a trial, mean of {max(AT)}"
    return [*claims, Claim("hpo", metric, ours.seconds, anchor.seconds, ours.seconds, SECONDS, is_at_most=True)]


def _table(kind: str, tasks: Sequence[SearchTask], batch: int, runs: Mapping[str, Run]) -> str:
    places = [f"{time:g} mean trainings" for time in TIMES] if kind == IN_TIME else [f"{num} trials" for num in AT]
    head = f"{kind}, {batch} at once: regret after {', '.join(places)} (half a 95% interval over seeds), s a trial"
    lines = [head, "sampler           " + "  ".join(f"{task.name[:13]:>13}" for task in tasks)]
    for name, each in runs.items():
        means = each.regrets.mean(axis=1)
        reach = 1.96 * means.std(axis=0, ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.zeros(len(AT))
        overall = ", ".join(f"{mean:.3f} ({half:.3f})" for mean, half in zip(means.mean(axis=0), reach, strict=True))
        by_task = "  ".join(f"{first:6.3f}/{last:6.3f}" for first, last in each.regrets.mean(axis=0)[:, [0, -1]])
        lines.append(f"{name:17} {by_task}  | {overall}, {each.seconds:.4f}")
    return "\n".join(lines)


def _pruning(options: Options) -> Claim:
    """Epochs that successive halving takes of those that all trials together would, and what it loses by that."""
    num, orders = options.pick(60, smoke=8), options.pick(20, smoke=2)
    errors = curves(num, options.pick(NUM_EPOCHS, smoke=3))
    found = {name: [_pruned(name, errors, order) for order in range(orders)] for name in (NO_PRUNER, *pruner_names())}
    lines = [f"pruners, {num} trials of {errors.shape[1]} epochs, {orders} orders: error of the best, share of the epochs"]
    for name, results in found.items():
        best, share = np.mean(results, axis=0)
        lines.append(f"{name:10} {best:.4f} {share:.2f}")
    print("\n".join(lines), file=sys.stderr, flush=True)
    best, share = np.mean(found[PRUNER], axis=0)
    noise = 1.96 * float(np.sqrt(errors[:, -1].min() * (1 - errors[:, -1].min()) / 600))
    lost = best - float(errors[:, -1].min())
    metric = (
        f"share of the epochs that {PRUNER} takes; error of its best {best:.4f}, {lost:.4f} over the best, noise {noise:.4f}"
    )
    return Claim("hpo", metric, float(share), 1.0, float(share), LEAST_TIME, is_at_most=True)


def _pruned(name: str, errors: NDArray[np.float64], order: int) -> tuple[float, float]:
    """The least final error among trials that ended, and the share of all epochs that were taken."""
    pruner = optuna.pruners.NopPruner() if name == NO_PRUNER else build_pruner(name)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=order), pruner=pruner)
    best, taken = 1.0, 0
    for row in np.random.default_rng(order).permutation(len(errors)):
        trial = study.ask()
        for epoch, error in enumerate(errors[row], start=1):
            trial.report(float(error), epoch)
            taken += 1
            if epoch < errors.shape[1] and trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, float(errors[row, -1]))
            best = min(best, float(errors[row, -1]))
    return best, taken / errors.size


if __name__ == "__main__":
    main(measure)
