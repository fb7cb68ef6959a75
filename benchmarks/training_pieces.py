"""What each piece of training that is off by default would add: one at a time beside the defaults, same pictures, same seeds.

Small sets of pictures of several kinds are drawn three times, each with a seed of its own; EfficientNet-Lite0 is fine-tuned on
them and ResNet-18 trained from scratch, by the job ``train`` as a study runs it. The anchor is the share of right answers to
other pictures with the defaults; the ratio is the lower end of the 95 % interval of what a piece adds, in points. A piece that
adds something for certain should be a default: none may. Means, and the gain of every set and seed, go to standard error.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.family import ParamValue
from automl.contracts.job import JobSpec, TrainConfig
from automl.contracts.report import Report
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks.harness import Claim, Options, main
from benchmarks.small_sets._labelled import Labelled, LabelledSet
from benchmarks.small_sets.pictures import load
from engine import run
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.tasks.image_classification.spec import TASK

PIECES: Mapping[str, Mapping[str, ParamValue]] = {
    "label smoothing off": {"label_smoothing": 0.0},
    "mixup": {"mixing": "mixup"},
    "CutMix": {"mixing": "cutmix"},
    "moving average": {"averaging": "ema"},
    "mean of the last quarter": {"averaging": "swa"},
    "focal loss": {"loss": "focal"},
    "balanced sampling": {"is_drawn_evenly": True},
    "balanced weights": {"is_balanced": True},
    "clipping at 1": {"max_gradient_norm": 1},
    "first layers at 10 %": {"first_layer_lr_percent": 10},
    "2 epochs frozen": {"frozen_epochs": 2},
    "early stopping at 3": {"patience": 3},
}
_NETWORKS = {
    "efficientnet_lite": ("0", {"resolution_px": 96, "lr": 3e-4}),  # the first trial of a study on few pictures
    "resnet": ("18", {"resolution_px": 64, "epochs": 12, "batch_size": 16}),
}
_SMOKE_NETWORKS = {"mobilenet": ("v1_25", {"resolution_px": 64})}
_VALIDATION_EVERY = 5
_Z = 1.96


@dataclass(frozen=True)
class _Work:
    sets: tuple[str, ...]
    num_training: int
    num_test: int
    seeds: range
    families: tuple[str, ...]
    pieces: tuple[str, ...]
    params: Mapping[str, ParamValue]


def measure(options: Options) -> list[Claim]:
    """The lower end of what each piece adds, by network."""
    work = _Work(
        sets=options.pick(("stamps", "clothes", "shirts_rare"), smoke=("shirts_rare",)),
        num_training=options.pick(240, smoke=60),
        num_test=options.pick(300, smoke=10),
        seeds=range(options.pick(3, smoke=1)),
        families=options.pick(tuple(_NETWORKS), smoke=tuple(_SMOKE_NETWORKS)),
        pieces=options.pick(tuple(PIECES), smoke=("moving average",)),
        params=options.pick({}, smoke={"epochs": 2}),
    )
    return [_claim(family, piece, work) for family in work.families for piece in work.pieces]


def _claim(family: str, piece: str, work: _Work) -> Claim:
    keys = [(name, seed) for name in work.sets for seed in work.seeds]
    plain = np.array([_points(family, name, seed, work, "") for name, seed in keys])
    with_it = np.array([_points(family, name, seed, work, piece) for name, seed in keys])
    gains = with_it - plain
    spread = _Z * gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else 0.0
    each = ", ".join(f"{name} {seed}: {gain:+.1f}" for (name, seed), gain in zip(keys, gains, strict=True))
    sys.stderr.write(f"{family}, {piece}: {gains.mean():+.2f} +- {spread:.2f} points ({each})\n")
    drawn = f"{len(work.sets)} sets, {len(work.seeds)} seeds"
    metric = f"least points that {piece} adds to {family}; {gains.mean():+.1f} on the mean, {drawn}"
    return Claim(
        "training_pieces",
        metric,
        float(with_it.mean()),
        float(plain.mean()),
        float(gains.mean() - spread),
        0.0,
        is_at_most=True,
    )


@cache
def _points_of(family: str, name: str, seed: int, sizes: tuple[int, int], params: tuple[tuple[str, ParamValue], ...]) -> float:
    """Right answers to the test pictures in percent."""
    size, own = (_NETWORKS | _SMOKE_NETWORKS)[family]
    with tempfile.TemporaryDirectory() as folder:
        workdir = Path(folder) / "job"
        workdir.mkdir()
        version_written(load(name, seed, Path(folder)), workdir / "data", *sizes)
        train = TrainConfig(family=family, size=size, params={**own, **dict(params)})
        common = {"device": "cpu", "cache_dir": str(CACHE_DIR), "assets_dir": str(ASSETS_DIR)}
        JobSpec(id="job_piece", kind="train", task=TASK.name, train=train, seed=seed, **common).write(workdir / "job.json")
        if run.run(workdir) != 0:
            raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8"))
        report = Report.read(workdir / "artefact" / "report.json")
        test = next(each for each in report.splits if each.split is Split.TEST)
        return 100 * test.metrics["accuracy"]


def _points(family: str, name: str, seed: int, work: _Work, piece: str) -> float:
    params = {**work.params, **PIECES.get(piece, {})}
    return _points_of(family, name, seed, (work.num_training, work.num_test), tuple(params.items()))


def version_written(small: LabelledSet, folder: Path, num_training: int, num_test: int) -> None:
    """A version of some of its pictures; of each label every fifth of those that are learned is validation."""
    seen: Counter[str] = Counter()
    items = []
    for each in small.training[:num_training]:
        seen[each.label] += 1
        items.append(_item(each, Split.TRAIN if seen[each.label] % _VALIDATION_EVERY else Split.VALIDATION))
    items += [_item(each, Split.TEST) for each in small.test[:num_test] if each.label in seen]
    write_version(folder, items, Subject(TASK, sorted(seen)))


def _item(each: Labelled, split: Split) -> GeneratedItem:
    with Image.open(io.BytesIO(each.content)) as picture:
        width, height = picture.size
    media = MediaFacts(format="png", size_bytes=len(each.content), width=width, height=height)
    name = f"{hashlib.sha256(each.content).hexdigest()[:12]}.png"
    return GeneratedItem(name, each.content, media, split, (ClassLabel(label=each.label),))


if __name__ == "__main__":
    main(measure)
