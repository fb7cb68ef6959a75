"""Labels that a person gives until the head is nearly as good on Chinese reviews as with all labels, by order of the queue.

As ``live_suggestions``, on texts: a person who is always right labels what the queue gives, ten at a time; after each ten the
head is fitted anew and judged on a third of the reviews that the queue never sees. Counted are the labels until it reaches 95 %
of the accuracy of a head that is given every label of the other two thirds. The labels are those of the package and noisy.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks._feature_sets import FeatureSet
from benchmarks._reviews import LABELS, reviews
from benchmarks.harness import Claim, Options, SkippedError, main
from benchmarks.live_suggestions import COMPARED, interval, labels_needed, target
from engine.assets.fetch import AssetMissingError
from engine.embedding.items.text import work as texts
from engine.embedding.spec import MAX_TOKENS, READER, TEXT_EDITION, narrowed, widened
from engine.reader import Reader, load
from labeling.assist.strategies import Strategy


def measure(options: Options) -> list[Claim]:
    """Every strategy against random order."""
    num_texts, num_seeds = options.pick((2_000, 10), smoke=(30, 1), quick=(300, 2))
    data, seeds = _features(num_texts, options), range(num_seeds)
    needed = {one: np.array([labels_needed(data, one, seed) for seed in seeds]) for one in (*COMPARED, Strategy.RANDOM)}
    random = needed[Strategy.RANDOM]
    claims = []
    for strategy in COMPARED:
        ratios = random / needed[strategy]
        low, high = interval(ratios)
        what = f"{len(data.targets_N)} Chinese reviews: labels to 95 %, {strategy.value} (ratio {low:.2f} to {high:.2f})"
        ours, anchor = float(needed[strategy].mean()), float(random.mean())
        claims.append(Claim("text_suggestions", what, ours, anchor, float(ratios.mean()), target(strategy)))
    sys.stderr.write(f"{ ({one.value: rows.tolist() for one, rows in needed.items()}) }\n")
    return claims


def _features(num_texts: int, options: Options) -> FeatureSet:
    """Stored as the platform stores them; kept, since they are what takes long."""
    path = CACHE_DIR / f"reviews-{num_texts}-{TEXT_EDITION}.npz"
    if not path.exists():
        some = _drawn(num_texts)
        with tempfile.TemporaryDirectory() as scratch:
            try:
                reader = _smoke_reader() if options.is_smoke else texts.reader_load(ASSETS_DIR, Path(scratch), 1)
            except AssetMissingError as error:
                raise SkippedError(error.message) from error
            rows_of = {
                row: feature
                for rows, found_BD in reader.features([text for text, _ in some])
                for row, feature in zip(rows, found_BD, strict=True)
            }
        features_ND = np.stack([rows_of[row] for row in range(len(some))])
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, features=narrowed(features_ND), targets=np.array([LABELS.index(label) for _, label in some]))
    with np.load(path) as file:
        return FeatureSet("reviews", widened(file["features"]), file["targets"])


def _smoke_reader() -> Reader:
    """A smaller one, which is exported in seconds."""
    return load(READER, "english", max_tokens=MAX_TOKENS, assets_dir=ASSETS_DIR, cache_dir=CACHE_DIR, num_threads=1)


def _drawn(num_texts: int) -> list[tuple[str, str]]:
    """As many of either label, in an order that says nothing of it."""
    rng = np.random.default_rng(0)
    lines = reviews()
    drawn = [(lines[label][at], label) for label in LABELS for at in rng.permutation(len(lines[label]))[: num_texts // 2]]
    return [drawn[at] for at in rng.permutation(len(drawn))]


if __name__ == "__main__":
    main(measure)
