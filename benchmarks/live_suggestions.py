"""Labels that a person gives until the head is nearly as good as with all labels, for each order of the queue.

A person who is always right labels what the queue gives, ten at a time; after each ten the head is fitted anew and judged on
a third of the set that the queue never sees. Counted are the labels until it reaches 95 % of the accuracy of a head that is
given every label of the other two thirds. Ten seeds: each cuts the set anew. Ratios are the mean of the paired ratios to random
order, with the 95 % interval of a bootstrap over seeds. Where a run never gets there, all labels count.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks._feature_sets import FeatureSet, feature_set
from benchmarks.harness import Claim, Options, main
from labeling.assist.head import Head, head_can_fit, head_fit
from labeling.assist.strategies import Strategy, order

SETS = {"stamps": 10_000, "digits": 2_000, "fashion": 3_000}
QUICK_SETS = {"digits": 400}
SMOKE_SETS = {"digits": 45}
STEP = 10
SHARE = 0.95
NUM_BOOTSTRAPS = 2_000
COMPARED = (Strategy.MIXED, Strategy.MARGIN, Strategy.UNCERTAINTY, Strategy.DIVERSITY)


def measure(options: Options) -> list[Claim]:
    """Every strategy on every set."""
    claims = []
    num_seeds = options.pick(10, smoke=1, quick=2)
    for name, num_pictures in options.pick(SETS, smoke=SMOKE_SETS, quick=QUICK_SETS).items():
        data = feature_set(name, num_pictures)
        needed = {
            one: np.array([labels_needed(data, one, seed) for seed in range(num_seeds)]) for one in (*COMPARED, Strategy.RANDOM)
        }
        random = needed[Strategy.RANDOM]
        for strategy in COMPARED:
            ratios = random / needed[strategy]
            low, high = interval(ratios)
            what = f"{name}, {len(data.targets_N)} pictures: labels to 95 %, {strategy.value} (ratio {low:.2f} to {high:.2f})"
            ours, anchor = float(needed[strategy].mean()), float(random.mean())
            claims.append(Claim("live_suggestions", what, ours, anchor, float(ratios.mean()), target(strategy)))
        sys.stderr.write(f"{name}: { ({one.value: rows.tolist() for one, rows in needed.items()}) }\n")
    return claims


def labels_needed(data: FeatureSet, strategy: Strategy, seed: int) -> int:
    """How many labels a run takes."""
    rows_N = np.random.default_rng(seed).permutation(len(data.targets_N))
    test_T, pool_P = np.split(rows_N, [len(rows_N) // 3])
    enough = SHARE * _accuracy(_fit(data, pool_P, pool_P), data, test_T)
    labelled: list[int] = []
    rest = pool_P
    head: Head | None = None
    while len(rest):
        scores_NL = None if head is None else head.scores(data.features_ND[rest])
        chosen = order(
            strategy,
            num=len(rest),
            scores_NL=scores_NL,
            take=lambda rows, rest=rest: data.features_ND[rest[rows]],
            labelled_KD=data.features_ND[labelled],
            is_several=False,
            count=STEP,
            seed=seed * 1000 + len(labelled),
        )
        labelled += rest[chosen].tolist()
        rest = np.delete(rest, chosen)
        head = _fit(data, np.array(labelled), pool_P)
        if head is not None and _accuracy(head, data, test_T) >= enough:
            break
    return len(labelled)


def _fit(data: FeatureSet, rows: np.ndarray, pool: np.ndarray) -> Head | None:
    targets = data.targets_N[rows]
    labels, counts = np.unique(targets, return_counts=True)
    if not head_can_fit(counts.tolist()):
        return None
    head, _ = head_fit(
        features_MD=data.features_ND[rows],
        is_label_ML=targets[:, None] == labels,
        labels=[str(label) for label in labels],
        is_several=False,
        background_BD=data.features_ND[pool[:1_000]],
        is_judged=False,
    )
    return head


def _accuracy(head: Head | None, data: FeatureSet, rows: np.ndarray) -> float:
    assert head is not None
    predicted = np.array([int(label) for label in head.labels])[head.scores(data.features_ND[rows]).argmax(axis=1)]
    return float((predicted == data.targets_N[rows]).mean())


def interval(values: np.ndarray) -> tuple[float, float]:
    """95 % of a bootstrap of the mean."""
    rng = np.random.default_rng(0)
    means = rng.choice(values, (NUM_BOOTSTRAPS, len(values))).mean(axis=1)
    return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))


def target(strategy: Strategy) -> float:
    """What is given out unless somebody chooses otherwise has to save labels; the others are there to compare."""
    return 1.1 if strategy is Strategy.MIXED else 0.0


if __name__ == "__main__":
    main(measure)
