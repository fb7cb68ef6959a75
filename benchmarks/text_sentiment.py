"""Chinese sentiment from few labelled texts: a frozen multilingual encoder with a linear head against weighted n-grams.

So many texts are labelled in all; a fifth of them chooses how restrained the head is. A thousand other texts judge, the same
for all; means of three seeds. ``--full`` trains the whole encoder too, as the job does it (twelve minutes of one core a seed):
with 800 texts labelled in all, and with 800 to train on and others to choose by. The labels are those of the package and noisy,
which caps all numbers.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from automl.contracts.dataset import Split
from automl.contracts.job import JobLimits, JobSpec, TrainConfig
from automl.contracts.report import Report
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks._reviews import LABELS, NUM_TEST, drawn, version_written
from benchmarks.harness import Claim, Options, Size, SkippedError, main
from engine import frozen, run
from engine.assets.fetch import AssetMissingError
from engine.data.text import TextTokenizer, trimmed
from engine.models import family_part, family_spec
from engine.models.tfidf_linear.network import NgramCounter
from engine.tasks.shared.classification.metrics import metrics

TARGETS = {40: 0.73, 100: 0.76, 200: 0.78, 800: 0.83}
"""Accuracy by texts labelled in all."""
_SEEDS = (0, 1, 2)
_VALIDATION_FRACTION = 0.2
_MAX_TOKENS = 128
_BATCH = 32
_TUNED = 800
_WITH_MORE = "encoder that others choose for"


@dataclass(frozen=True)
class _Texts:
    """Texts with their labels, and the rows of each split."""

    texts: list[str]
    targets_N: np.ndarray
    rows: Mapping[Split, np.ndarray]


def measure(options: Options) -> list[Claim]:
    """Two claims a number of texts: the accuracy itself, and what it gains over n-grams."""
    torch.set_num_threads(1)
    sizes, seeds = options.pick((list(TARGETS), _SEEDS), smoke=([40], _SEEDS[:1]), quick=([40], _SEEDS[:1]))
    num_test = options.pick(NUM_TEST, smoke=20)
    found: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as cache:
        try:
            kept = CACHE_DIR if options.is_smoke else Path(cache)
            read = _encoder(kept, options.pick("multilingual", smoke="english"))
        except AssetMissingError as error:
            raise SkippedError(error.message) from error
        for seed in seeds:
            for size in sizes:
                texts = _texts(size, seed, num_test)
                found.setdefault(("n-grams", size), []).append(_counted(texts))
                found.setdefault(("probe", size), []).append(_probed(texts, read))
            if options.size is Size.FULL:
                chosen_by = int(_TUNED * _VALIDATION_FRACTION)
                for name, num_train in (("encoder", _TUNED - chosen_by), (_WITH_MORE, _TUNED)):
                    found.setdefault((name, _TUNED), []).append(_tuned(num_train, chosen_by, seed, Path(cache)))
    return [claim for size in sizes for claim in _claims(found, size)]


def _claims(accuracies: Mapping[tuple[str, int], list[float]], size: int) -> Iterator[Claim]:
    anchor = statistics.mean(accuracies["n-grams", size])
    for name in ("probe", "encoder", _WITH_MORE):
        if (name, size) in accuracies:
            ours = statistics.mean(accuracies[name, size])
            seeds = ", ".join(f"{value:.3f}" for value in accuracies[name, size])
            metric = f"accuracy of {name}, {size} texts labelled ({seeds}); anchor n-grams"
            yield Claim("text_sentiment", metric, ours, anchor, ours, TARGETS[size])
            yield Claim("text_sentiment", f"{name} over n-grams, {size} texts", ours, anchor, ours / anchor, 1.0)


def _texts(size: int, seed: int, num_test: int) -> _Texts:
    num_validation = int(size * _VALIDATION_FRACTION) // 2 * 2
    numbers = {Split.TEST: num_test, Split.TRAIN: size - num_validation, Split.VALIDATION: num_validation}
    texts, targets, splits = [], [], []
    for text, label, split in drawn(numbers, seed):
        texts.append(text)
        targets.append(LABELS.index(label))
        splits.append(split)
    rows = {split: np.flatnonzero([each is split for each in splits]) for split in Split}
    return _Texts(texts, np.array(targets), rows)


def _best(family: str, features: Mapping[Split, Any], texts: _Texts) -> float:
    """Accuracy on test of the head that is best on validation, by accuracy and then by log loss."""
    targets = {split: texts.targets_N[rows] for split, rows in texts.rows.items()}
    loss = torch.nn.functional.cross_entropy
    best: tuple[tuple[float, float], float] | None = None
    heads = family_part(family, "fit").solutions(
        features[Split.TRAIN], torch.from_numpy(targets[Split.TRAIN]), len(LABELS), loss
    )
    for head in heads:
        judged = {
            split: metrics(torch.softmax(head.logits(features[split]), 1).numpy(), targets[split], LABELS)
            for split in (Split.VALIDATION, Split.TEST)
        }
        rank = judged[Split.VALIDATION]["accuracy"], -judged[Split.VALIDATION]["log_loss"]
        if best is None or rank > best[0]:
            best = rank, judged[Split.TEST]["accuracy"]
    assert best is not None
    return best[1]


def _counted(texts: _Texts) -> float:
    family = family_spec("tfidf_linear")
    size = family.sizes[0]
    learned = [texts.texts[row] for row in texts.rows[Split.TRAIN]]
    build = family_part(family.name, "tokenizer").build
    tokenizer = TextTokenizer(build(size.name, learned, max_tokens=size.max_tokens, assets_dir=ASSETS_DIR))
    tokens = {split: tokenizer.rows([texts.texts[row] for row in rows]) for split, rows in texts.rows.items()}
    counter = NgramCounter(size.num_parameters)
    counter.learn(tokens[Split.TRAIN], {param.name: param.default for param in family.params})
    return _best(family.name, {split: counter.counted(rows_NT) for split, rows_NT in tokens.items()}, texts)


def _probed(texts: _Texts, read: Callable[[list[str]], np.ndarray]) -> float:
    features_ND = torch.from_numpy(read(texts.texts))
    return _best("text_probe", {split: features_ND[torch.from_numpy(rows)] for split, rows in texts.rows.items()}, texts)


def _encoder(cache_dir: Path, size: str) -> Callable[[list[str]], np.ndarray]:
    """Features of texts, each text read once."""
    build = family_part("text_probe", "tokenizer").build
    tokenizer = TextTokenizer(build(size, [], max_tokens=_MAX_TOKENS, assets_dir=ASSETS_DIR))
    runtime = frozen.pretrained_reader("text_probe", size, assets_dir=ASSETS_DIR, cache_dir=cache_dir, num_threads=1)
    known: dict[str, np.ndarray] = {}

    def read(texts: list[str]) -> np.ndarray:
        new = sorted({text for text in texts if text not in known}, key=lambda text: (len(text), text))
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            known.update(zip(batch, runtime.run(trimmed(tokenizer.rows(batch), tokenizer.pad_id)), strict=True))
        return np.stack([known[text] for text in texts])

    return read


def _tuned(num_train: int, num_validation: int, seed: int, cache_dir: Path) -> float:
    """Test accuracy of the whole encoder, trained as a job."""
    with tempfile.TemporaryDirectory() as scratch:
        workdir = Path(scratch)
        numbers = {Split.TEST: NUM_TEST, Split.TRAIN: num_train, Split.VALIDATION: num_validation}
        version_written(workdir / "data", numbers, seed=seed)
        JobSpec(
            id="job_sentiment",
            kind="train",
            task="text_classification",
            train=TrainConfig(family="text_encoder", size="multilingual", params={}),
            seed=seed,
            device="cpu",
            cache_dir=str(cache_dir),
            assets_dir=str(ASSETS_DIR),
            limits=JobLimits(num_threads=1),
        ).write(workdir / "job.json")
        if run.run(workdir) != 0:
            raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])
        report = Report.read(workdir / "artefact" / "report.json")
    return next(split.metrics["accuracy"] for split in report.splits if split.split is Split.TEST)


if __name__ == "__main__":
    main(measure)
