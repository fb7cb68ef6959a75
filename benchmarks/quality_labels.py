"""Wrong labels that the quality report names, on real sets with labels flipped by seed: precision and recall, with intervals.

Axes, shrinkage and the like were chosen on the first 2,500 test pictures of Fashion-MNIST and on stamps; judged are MNIST's
digits and 2,500 other pictures of Fashion-MNIST. One in twenty labels is flipped: to any other (``even``), or each to its own
other label (``paired``). A label that is wrong in the original set counts as accused wrongly. Compared are confident learning's
own choice on the same scores (``_confident_learning.py``) and the order by the label's own confidence of a single logistic
head, which is allowed to know the best place to cut. Intervals are 95 % of a bootstrap over seeds.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks._confident_learning import pruned_by_both
from benchmarks._feature_sets import feature_set, pictures_of
from benchmarks.harness import Claim, Options, main
from engine.data.image import resize_picture
from engine.quality.belief import believed, sure
from engine.quality.heads import NUM_AXES, folds, log_softmax, logistic, out_of_fold, tempered
from engine.quality.items.image.measure import FEATURE_SIDE_PX
from engine.quality.items.image.vectors import handmade
from engine.quality.neighbours import principal, unit_rows

SETS = {"digits": (5_000, slice(0, 2_500)), "fashion": (10_000, slice(2_500, 5_000))}
"""Pictures of the set as it is kept, and which of them are judged."""
FLIPPED_FRACTION = 0.05
RECALL, PRECISION = 0.95, 0.9
NUM_BOOTSTRAPS = 2_000


def measure(options: Options) -> list[Claim]:
    """Both ways of flipping on every set."""
    claims = []
    num_judged, num_seeds = options.pick((None, 5), smoke=(60, 1), quick=(800, 2))
    for name, (whole, rows) in list(SETS.items())[: 1 if num_judged else None]:
        num_pictures = options.pick(whole, smoke=60)
        data = feature_set(name, num_pictures)
        targets_N, views = data.targets_N[rows], [data.features_ND[rows], _handmade(name, num_pictures, rows)]
        targets_N, views = targets_N[:num_judged], [view[:num_judged] for view in views]
        for way in ("even", "paired"):
            runs = [_run(views, targets_N, way, seed) for seed in range(num_seeds)]
            sys.stderr.write(f"{name}, {way}: {runs}\n")
            for measured, target in (("recall", RECALL), ("precision", PRECISION)):
                ours = np.array([run[f"ours {measured}"] for run in runs])
                anchor = float(np.mean([run[f"pruned by both {measured}"] for run in runs]))
                low, high = _interval(ours)
                what = f"{name}, {way}: {measured} of the sure suspects ({low:.2f} to {high:.2f}), anchor: pruned by both"
                claims.append(Claim("quality_labels", what, float(ours.mean()), anchor, float(ours.mean()), target))
            best = np.array([run["ours best recall"] for run in runs])
            plain = float(np.mean([run["own confidence best recall"] for run in runs]))
            low, high = _interval(best)
            what = f"{name}, {way}: recall at precision 0.9 ({low:.2f} to {high:.2f}), anchor: own confidence of one head"
            claims.append(Claim("quality_labels", what, float(best.mean()), plain, float(best.mean()) / max(plain, 1e-9), 1.0))
    return claims


def _run(views: list[np.ndarray], targets_N: np.ndarray, way: str, seed: int) -> dict[str, float]:
    given_N, is_wrong_N = _flipped(targets_N, way, seed)
    alone_N = np.arange(len(given_N))
    scores_NL = out_of_fold(views, given_N, alone_N, seed=seed, on_progress=lambda _done, _total: None)
    belief = believed(scores_NL, given_N)
    named_N = np.zeros(len(given_N), dtype=bool)
    named_N[np.argsort(-belief.wrong_N, kind="stable")[: sure(belief.wrong_N)]] = True
    both_N = pruned_by_both(np.exp(tempered(scores_NL, given_N)), given_N)
    plain_NL = np.exp(log_softmax(_one_head(views[0], given_N, seed)))
    return {
        "ours recall": float(is_wrong_N[named_N].sum() / is_wrong_N.sum()),
        "ours precision": float(is_wrong_N[named_N].mean()),
        "ours best recall": _recall_at(belief.wrong_N, is_wrong_N),
        "expected": float(belief.wrong_N.sum()),
        "planted": float(is_wrong_N.sum()),
        "pruned by both recall": float(is_wrong_N[both_N].sum() / is_wrong_N.sum()),
        "pruned by both precision": float(is_wrong_N[both_N].mean()),
        "own confidence best recall": _recall_at(1 - plain_NL[alone_N, given_N], is_wrong_N),
    }


def _one_head(view_ND: np.ndarray, given_N: np.ndarray, seed: int) -> np.ndarray:
    axes_ND = principal(unit_rows(view_ND), NUM_AXES)
    axes_ND /= axes_ND.std()
    fold_N, num_labels = folds(given_N, np.arange(len(given_N)), seed), int(given_N.max()) + 1
    out_NL = np.zeros((len(given_N), num_labels))
    for fold in np.unique(fold_N):
        in_fold_N = fold_N == fold
        out_NL[in_fold_N] = logistic(axes_ND[~in_fold_N], given_N[~in_fold_N], axes_ND[in_fold_N], num_labels)
    return out_NL


def _flipped(targets_N: np.ndarray, way: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1_000 + seed)
    num_labels = int(targets_N.max()) + 1
    is_wrong_N = np.zeros(len(targets_N), dtype=bool)
    is_wrong_N[rng.choice(len(targets_N), int(len(targets_N) * FLIPPED_FRACTION), replace=False)] = True
    step_N = rng.integers(1, num_labels, len(targets_N)) if way == "even" else 1
    return np.where(is_wrong_N, (targets_N + step_N) % num_labels, targets_N), is_wrong_N


def _recall_at(doubt_N: np.ndarray, is_wrong_N: np.ndarray) -> float:
    """The highest recall of all places to cut where precision is met."""
    right_N = np.cumsum(is_wrong_N[np.argsort(-doubt_N, kind="stable")])
    is_precise_N = right_N >= PRECISION * np.arange(1, len(right_N) + 1)
    return float(right_N[is_precise_N].max(initial=0) / is_wrong_N.sum())


def _handmade(name: str, num_pictures: int, rows: slice) -> np.ndarray:
    side = FEATURE_SIDE_PX
    chosen = range(num_pictures)[rows]
    return np.stack(
        [
            handmade(resize_picture(picture, height_px=side, width_px=side))
            for at, picture in enumerate(pictures_of(name, num_pictures))
            if at in chosen
        ]
    )


def _interval(values: np.ndarray) -> tuple[float, float]:
    drawn = np.random.default_rng(0).choice(values, (NUM_BOOTSTRAPS, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main(measure)
