"""Forecasts of what more items of a label bring, tried on items that were hidden: half of a label's, on five real sets.

Of each set some items are the pool, the others the test. Half of one label's items in the pool are hidden; the rest is what the
job ``advice`` sees, and it forecasts the gain of as many more. Then the hidden ones are added: the same quick head learns with
and without them, and both answer the test. Counted is how often the measured gain lies within the interval of the forecast,
which is meant to hold nine of ten; and how far the forecast is off on average, against two others of the same run: the gain of
the curve's last doubling again, and no gain at all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from automl.contracts.artefact import RowColumn
from automl.contracts.table import ColumnKind
from automl.contracts.task import MetricSpec
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks._feature_sets import feature_set
from benchmarks._reviews import LABELS, reviews
from benchmarks.harness import Claim, Options, main
from engine import reader
from engine.advice.answers import answers_kind
from engine.advice.curves import FRACTIONS, SubjectCurve, curves, learner_chosen
from engine.advice.items.row.material import views_of
from engine.advice.learner import Material
from engine.advice.plan import plan_of
from engine.advice.vectors import main_axes, measured_by
from engine.advice.work import gain_curves
from engine.quality.items.text.vectors import FAMILY, MAX_TOKENS, SIZE, ngrams
from engine.quality.neighbours import unit_rows
from engine.table.reader import table_of
from engine.tasks import task_spec

COVERED, BETTER = 0.8, 1.0
_KIND = answers_kind("class_scores")
_NUM_REVIEWS = 1_600


@dataclass(frozen=True)
class BackTestSet:
    """A set with more items than its pool takes."""

    name: str
    material: Material
    metric: MetricSpec
    pools: tuple[int, ...]


@dataclass(frozen=True)
class Trial:
    """One label's forecast of one measure, and what became of it."""

    measured: float
    forecast: float
    low: float
    high: float
    last_again: float

    @property
    def is_within(self) -> bool:
        """Whether the measured gain lies within the interval."""
        return self.low <= self.measured <= self.high


def measure(options: Options) -> list[Claim]:
    """All sets; each measure is a claim of its own."""
    sources: Sequence[Callable[[], BackTestSet]] = options.pick(
        (partial(_pictures, "digits", 5_000), partial(_pictures, "fashion", 2_000), _reviews, _cells, _written),
        smoke=(_cells,),
        quick=(_cells,),
    )
    num_seeds, num_labels = options.pick((2, 2), smoke=(1, 1), quick=(1, 2))
    trials: dict[str, list[Trial]] = {"f1": [], "objective": []}
    for source in sources:
        own = source()
        found = list(_trials(own, num_seeds, num_labels, is_smoke=options.is_smoke))
        for measured in trials:
            some = [pair[measured] for pair in found]
            sys.stderr.write(f"{own.name}, {measured} ({own.metric.name}): {_summary(some)}\n")
            trials[measured] += some
    return [claim for measured, some in trials.items() for claim in _claims(measured, some)]


def _summary(some: Sequence[Trial]) -> str:
    gains = np.array([each.measured for each in some])
    width = np.mean([each.high - each.low for each in some])
    errors = {name: 100 * value for name, value in _errors(some).items()}
    within = np.mean([each.is_within for each in some])
    return (
        f"{len(some)} trials, mean gain {100 * gains.mean():+.2f} points, {within:.2f} within, interval {100 * width:.1f} wide;"
        f" mean error {errors['ours']:.2f}, last doubling again {errors['last']:.2f}, none {errors['none']:.2f}"
    )


def _errors(some: Sequence[Trial]) -> dict[str, float]:
    return {
        "ours": float(np.mean([abs(each.measured - each.forecast) for each in some])),
        "last": float(np.mean([abs(each.measured - each.last_again) for each in some])),
        "none": float(np.mean([abs(each.measured) for each in some])),
    }


def _claims(measured: str, some: Sequence[Trial]) -> Iterator[Claim]:
    within, errors = float(np.mean([each.is_within for each in some])), _errors(some)
    what = f"{measured}: gains within the interval, of {len(some)}"
    yield Claim("advice", what, within, COVERED, within, COVERED)
    for other, words in (("last", "the last doubling again"), ("none", "no gain")):
        ratio = errors["ours"] / max(errors[other], 1e-9)
        what = f"{measured}: mean error in points, anchor: {words}"
        yield Claim("advice", what, 100 * errors["ours"], 100 * errors[other], ratio, BETTER, is_at_most=True)


def _trials(own: BackTestSet, num_seeds: int, num_labels: int, *, is_smoke: bool) -> Iterator[dict[str, Trial]]:
    for pool in own.pools[: 1 if is_smoke else None]:
        for seed in range(num_seeds):
            order = np.random.default_rng(seed).permutation(len(own.material.targets))
            chosen, test = order[:pool], order[pool:]
            labels, counts = np.unique(own.material.targets[chosen], return_counts=True)
            enough = labels[counts >= 2 * 15]
            for label in np.random.default_rng(seed + 99).permutation(enough)[:num_labels].tolist():
                num_draws = 1 if is_smoke else plan_of(pool, len(labels)).num_draws
                yield _trial(own, label, _Cut(chosen, test, num_draws, seed))


@dataclass(frozen=True)
class _Cut:
    """Which items are the pool, which the test."""

    pool: np.ndarray
    test: np.ndarray
    num_draws: int
    seed: int


def _trial(own: BackTestSet, label: int, cut: _Cut) -> dict[str, Trial]:
    chosen, test, seed = cut.pool, cut.test, cut.seed
    carriers = np.flatnonzero(own.material.targets[chosen] == label)
    hidden = chosen[carriers[: len(carriers) // 2]]
    shown = np.setdiff1d(chosen, hidden)
    material = _part(own.material, shown)
    learner, _ = learner_chosen(_KIND, material, seed=seed)
    curve = curves(
        _KIND,
        material,
        learner,
        objective=own.metric.name,
        labels=[label],
        num_draws=cut.num_draws,
        seed=seed,
        on_progress=lambda _done, _total: None,
    )[label]
    left = len(carriers) - len(hidden)
    f1, objective = gain_curves(curve, own.metric, num_items=left, more=[len(hidden)])
    assert f1 is not None
    rows_ND, targets_N = own.material.views[learner.style], own.material.targets
    values = []
    for learned in (shown, chosen):
        answers_NL = _KIND.answers(learner, rows_ND[learned], targets_N[learned], rows_ND[test], len(own.material.labels))
        metric = own.material.metrics(answers_NL, targets_N[test])[own.metric.name]
        values.append((_KIND.f1(answers_NL, targets_N[test], label), metric))
    gains = np.subtract(values[1], values[0])
    again = _last_doubling(curve)
    return {
        name: Trial(
            measured=float(gain),
            forecast=one.forecasts[0].gain,
            low=one.forecasts[0].interval[0],
            high=one.forecasts[0].interval[1],
            last_again=last,
        )
        for name, gain, one, last in zip(("f1", "objective"), gains, (f1, objective), again, strict=True)
    }


def _last_doubling(curve: SubjectCurve) -> tuple[float, float]:
    """From half of the items to all, of F1 and of the objective."""
    half = FRACTIONS.index(0.5)
    assert curve.own_RBK is not None
    own, objective = (values_RBK[:, 0].mean(axis=0) for values_RBK in (curve.own_RBK, curve.objective_RBK))
    return float(own[-1] - own[half]), float(objective[-1] - objective[half])


def _part(material: Material, places: np.ndarray) -> Material:
    return replace(
        material,
        views={style: rows_ND[places] for style, rows_ND in material.views.items()},
        targets=material.targets[places],
        groups_N=np.arange(len(places)),
    )


def _set(name: str, task: str, views: dict, targets_N: np.ndarray, *, objective: str, pools: tuple[int, ...]) -> BackTestSet:
    labels = tuple(str(label) for label in range(int(targets_N.max()) + 1))
    metric = next(each for each in task_spec(task).metrics if each.name == objective)
    material = Material(views, targets_N.astype(np.int64), np.arange(len(targets_N)), labels, measured_by(task, labels))
    return BackTestSet(name, material, metric, pools)


def _pictures(name: str, num_pictures: int) -> BackTestSet:
    data = feature_set(name, num_pictures)
    views = {"linear": main_axes(data.features_ND)}
    return _set(name, "image_classification", views, data.targets_N, objective="f1_macro", pools=(400, 800))


def _reviews() -> BackTestSet:
    found = reviews()
    texts = [text for label in LABELS for text in found[label][: _NUM_REVIEWS // 2]]
    targets_N = np.repeat(np.arange(len(LABELS)), _NUM_REVIEWS // 2)
    path = CACHE_DIR / f"advice-reviews-{_NUM_REVIEWS}.npy"
    if not path.exists():
        encoder = reader.load(FAMILY, SIZE, max_tokens=MAX_TOKENS, assets_dir=ASSETS_DIR, cache_dir=CACHE_DIR, num_threads=1)
        parts = list(encoder.features(texts))
        order = np.argsort([row for rows, _ in parts for row in rows])
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.concatenate([features_BD for _, features_BD in parts])[order])
    vectors_ND = np.concatenate([unit_rows(np.load(path)), unit_rows(ngrams(texts, seed=0))], axis=1)
    views = {"linear": main_axes(vectors_ND)}
    return _set("reviews", "text_classification", views, targets_N, objective="accuracy", pools=(200, 600))


def _cells() -> BackTestSet:
    return _table("cells", *load_breast_cancer(return_X_y=True), pools=(150, 250))


def _written() -> BackTestSet:
    return _table("written digits as columns", *load_digits(return_X_y=True), pools=(400, 800))


def _table(name: str, cells_NC: np.ndarray, targets_N: np.ndarray, *, pools: tuple[int, ...]) -> BackTestSet:
    columns = [RowColumn(name=f"c{place}", kind=ColumnKind.NUMBER) for place in range(cells_NC.shape[1])]
    rows = [{column.name: str(cell) for column, cell in zip(columns, row, strict=True)} for row in cells_NC.tolist()]
    return _set(name, "tabular_prediction", views_of(table_of(rows, columns)), targets_N, objective="roc_auc", pools=pools)


if __name__ == "__main__":
    main(measure)
