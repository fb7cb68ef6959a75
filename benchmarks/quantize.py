"""8-bit computing beside float32 in ONNX Runtime, as somebody who keeps a compressed model gets it.

ResNet-18 and a head on EfficientNet-Lite0 learn to tell real digits apart, and the job ``compress`` makes them smaller. Ratios
are of processor time of one answer, one thread, all graphs in turn in the same run. What is lost is claimed too, in points of
right answers to the same test pictures. Processors with VNNI multiply 8-bit numbers faster than those without.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from automl.contracts.annotation import ClassLabel
from automl.contracts.compression import COMPRESSION_FILE, Candidate, CompressionReport
from automl.contracts.dataset import MediaFacts, Split
from automl.contracts.job import CompressOrder, JobSpec, TrainConfig
from benchmarks._digits import ASSETS_DIR, all_digits
from benchmarks.harness import Claim, Options, SkippedError, main
from engine import run
from engine.assets.fetch import AssetMissingError
from engine.assets.store import weights
from engine.data.generated import GeneratedItem, Subject, write_version
from engine.tasks.image_classification.spec import TASK

MAX_LOSS_POINTS = 0.5


@dataclass(frozen=True)
class _Size:
    """Pictures of one run."""

    num_train: int
    num_validation: int
    num_test: int
    side_px: int
    epochs: int


@dataclass(frozen=True)
class _Model:
    """What is compressed, and how much faster it should be."""

    train: TrainConfig
    speedup: float
    asset: str | None = None


_WHOLE, _QUICK, _SMOKE = _Size(300, 60, 300, 224, 3), _Size(120, 40, 80, 128, 2), _Size(40, 20, 20, 64, 2)
_LITE = _Model(TrainConfig(family="linear_probe", size="0", params={}), 2.2, "efficientnet_lite0")
_RESNET = _Model(TrainConfig(family="resnet", size="18", params={"augment": "none"}), 2.5)


def measure(options: Options) -> list[Claim]:
    """A ratio and a loss a model."""
    size = options.pick(_WHOLE, smoke=_SMOKE, quick=_QUICK)
    claims = []
    for model in options.pick((_LITE, _RESNET), smoke=(_RESNET,)):
        if model.asset is not None:
            try:
                weights(model.asset, ASSETS_DIR)
            except AssetMissingError as error:
                raise SkippedError(error.message) from error
        with tempfile.TemporaryDirectory() as folder:
            claims += _claims(model, _compressed(model, size, Path(folder)), size)
    return claims


def _claims(model: _Model, report: CompressionReport, size: _Size) -> list[Claim]:
    for each in (*report.candidates, *report.left_out):
        sys.stderr.write(f"{model.train.family}: {each.model_dump_json()}\n")
    best = max(report.candidates, key=_worth)
    family, point, original = model.train.family, best.point, report.original
    bytes_ = f"{point.model_bytes / 1e6:.1f} of {original.model_bytes / 1e6:.1f} MB"
    metric = f"ms an answer of {family} {model.train.size} at {size.side_px} px by {best.method}; {bytes_}"
    lost = f"points of right answers lost by {family}, {report.num_items} test pictures, {_interval(best)}"
    return [
        Claim("quantize", metric, point.latency_ms, original.latency_ms, best.speedup, model.speedup),
        Claim("quantize", lost, 100 * point.value, 100 * original.value, 100 * best.loss, MAX_LOSS_POINTS, is_at_most=True),
    ]


def _worth(candidate: Candidate) -> tuple[bool, float]:
    """Within the loss first, then the fastest."""
    return 100 * candidate.loss <= MAX_LOSS_POINTS, candidate.speedup


def _interval(candidate: Candidate) -> str:
    low, high = (100 * each for each in candidate.loss_interval)
    return f"95% interval {low:.1f} to {high:.1f}"


def _compressed(model: _Model, size: _Size, folder: Path) -> CompressionReport:
    """Trains, then compresses."""
    trained, compressed = folder / "trained", folder / "compressed"
    compressed.mkdir(parents=True)
    _version(trained / "data", size)
    common = {"task": TASK.name, "device": "cpu", "cache_dir": str(folder / "cache"), "assets_dir": str(ASSETS_DIR)}
    own = {"epochs": size.epochs} if model.asset is None else {}
    train = model.train.model_copy(update={"params": {**model.train.params, **own, "resolution_px": _resolution(size)}})
    JobSpec(id="job_train", kind="train", train=train, **common).write(trained / "job.json")
    order = CompressOrder(parent="art_digits")
    JobSpec(id="job_compress", kind="compress", artefact="model", compress=order, **common).write(compressed / "job.json")
    (compressed / "data").symlink_to(trained / "data", target_is_directory=True)
    (compressed / "model").symlink_to(trained / "artefact", target_is_directory=True)
    for workdir in (trained, compressed):
        if run.run(workdir) != 0:
            raise RuntimeError((workdir / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    return CompressionReport.read(compressed / "artefact" / COMPRESSION_FILE)


def _resolution(size: _Size) -> int:
    """As the families take it: 0 is their own, which is 224."""
    return 0 if size.side_px == 224 else size.side_px


def _version(folder: Path, size: _Size) -> None:
    """As many of each digit as of any other, all of them different pictures."""
    greys_NHW, labels = all_digits()
    digits_N = np.array([int(float(label)) for label in labels])
    shuffled = np.random.default_rng(0).permutation(len(labels))
    by_digit = [shuffled[digits_N[shuffled] == digit] for digit in range(10)]
    numbers = {Split.TRAIN: size.num_train, Split.VALIDATION: size.num_validation, Split.TEST: size.num_test}
    splits = [split for split, number in numbers.items() for _ in range(number)]
    items = [
        _item(greys_NHW[by_digit[number % 10][number // 10]], f"{number % 10}", split) for number, split in enumerate(splits)
    ]
    write_version(folder, items, Subject(TASK, [f"{digit}" for digit in range(10)]))


def _item(grey_HW: np.ndarray, label: str, split: Split) -> GeneratedItem:
    content = cv2.imencode(".png", grey_HW)[1].tobytes()
    media = MediaFacts(format="png", size_bytes=len(content), width=grey_HW.shape[1], height=grey_HW.shape[0])
    name = f"{hashlib.sha256(content).hexdigest()[:8]}.png"
    return GeneratedItem(name, content, media, split, (ClassLabel(label=label),))


if __name__ == "__main__":
    main(measure)
