"""8-bit computing beside float32 in ONNX Runtime, as somebody who keeps a compressed model gets it.

ResNet-18 and a head on EfficientNet-Lite0 learn to tell real digits apart, and the job ``compress`` makes them smaller. Ratios
are of processor time of one answer, one thread, all graphs in turn in the same run. What is lost is claimed too, in points of
right answers to the same test pictures. Processors with VNNI multiply 8-bit numbers faster than those without. The row
of the fastest backend asks both graphs of ResNet-18 with every one that the machine has.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.compression import Candidate, CompressionReport
from automl.contracts.job import TrainConfig
from benchmarks._compressed_digits import Size, compressed, interval_text
from benchmarks._digits import CACHE_DIR, weights_file
from benchmarks.harness import Claim, Options, main
from runtime.backends import NAMES, USUAL, Graph, GraphError, backend_kind

MAX_LOSS_POINTS = 0.5


@dataclass(frozen=True)
class _Model:
    """What is compressed, and how much faster it should be."""

    train: TrainConfig
    speedup: float
    asset: str | None = None
    best_speedup: float | None = None
    """Of the fastest backend with either graph."""


_BEST_ROUNDS = 8
_WARM, _TIMED = 5, 10
"""Answers in a row of each graph in a round: a server has one model, whose weights its caches hold, so that the first ones,
which compile besides, do not count."""
_WHOLE, _QUICK, _SMOKE = Size(300, 60, 1000, 224, 3), Size(120, 40, 80, 128, 2), Size(40, 20, 20, 64, 2)
_LITE = _Model(TrainConfig(family="linear_probe", size="0", params={}), 2.2, "efficientnet_lite0")
_RESNET = _Model(TrainConfig(family="resnet", size="18", params={"augment": "none"}), 2.5, best_speedup=5.0)
_BRIEF = _Model(TrainConfig(family="mobilenet", size="v1_25", params={"augment": "none"}), 1.0, best_speedup=1.0)


def measure(options: Options) -> list[Claim]:
    """A ratio and a loss a model."""
    size = options.pick(_WHOLE, smoke=_SMOKE, quick=_QUICK)
    claims = []
    cache_dir = CACHE_DIR if options.is_smoke else None
    for model in options.pick((_LITE, _RESNET), smoke=(_BRIEF,)):
        if model.asset is not None:
            weights_file(model.asset)
        with tempfile.TemporaryDirectory() as folder:
            report = compressed(_order(model, size), size, Path(folder), cache_dir=cache_dir)
            claims += _claims(model, report, size)
            if model.best_speedup is not None:
                small = Path(folder) / "compressed" / "artefact" / _best(report).method
                claims.append(
                    _fastest(model, Path(folder) / "trained" / "artefact", small, 1 if options.is_smoke else _BEST_ROUNDS)
                )
    return claims


def _best(report: CompressionReport) -> Candidate:
    return max((each for each in report.candidates if each.method.endswith("_8bit")), key=_worth)


def _fastest(model: _Model, original: Path, small: Path, num_rounds: int) -> Claim:
    """Every backend with both graphs, in turn, beside ONNX Runtime with the original."""
    (name,) = (each.name for each in ArtefactManifest.read(original / MANIFEST_FILE).inputs)
    feeds = {name: np.random.default_rng(0).integers(0, 256, (1, 28, 28, 3), dtype=np.uint8)}
    output = ArtefactManifest.read(original / MANIFEST_FILE).outputs[0].name
    graphs: dict[tuple[str, str], Graph] = {}
    for backend in (kind for kind in map(backend_kind, NAMES) if kind.is_there()):
        for numbers, folder in (("float32", original), ("8 bits", small)):
            with suppress(GraphError):  # no such card, no such numbers
                graphs[backend.name, numbers] = backend.open(folder / backend.files[0], output)
    times_ms: dict[tuple[str, str], list[float]] = {key: [] for key in graphs}
    for _ in range(num_rounds):
        for key, graph in graphs.items():
            for place in range(_WARM + _TIMED):
                started_s = time.process_time()
                graph.run(feeds)
                if place >= _WARM:
                    times_ms[key].append(1000.0 * (time.process_time() - started_s))
    found = {key: median(values) for key, values in times_ms.items()}
    whole_ms = found[USUAL, "float32"]
    for (backend_name, numbers), ms in found.items():
        sys.stderr.write(f"{model.train.family}: {backend_name}, graph in {numbers}: {ms:.2f} ms, {whole_ms / ms:.2f} times\n")
    best = min(found, key=lambda key: found[key])
    metric = f"ms an answer of {model.train.family} {model.train.size}, fastest: {best[0]} with the graph in {best[1]}"
    assert model.best_speedup is not None
    return Claim("quantize", metric, found[best], whole_ms, whole_ms / found[best], model.best_speedup)


def _claims(model: _Model, report: CompressionReport, size: Size) -> list[Claim]:
    for each in (*report.candidates, *report.left_out):
        sys.stderr.write(f"{model.train.family}: {each.model_dump_json()}\n")
    best = _best(report)
    family, point, original = model.train.family, best.point, report.original
    bytes_ = f"{point.model_bytes / 1e6:.1f} of {original.model_bytes / 1e6:.1f} MB"
    metric = f"ms an answer of {family} {model.train.size} at {size.side_px} px by {best.method}; {bytes_}"
    lost = f"points of right answers lost by {family}, {report.num_items} test pictures, {interval_text(best)}"
    return [
        Claim("quantize", metric, point.latency_ms, original.latency_ms, best.speedup, model.speedup),
        Claim("quantize", lost, 100 * point.value, 100 * original.value, 100 * best.loss, MAX_LOSS_POINTS, is_at_most=True),
    ]


def _worth(candidate: Candidate) -> tuple[bool, float]:
    """Within the loss first, then the fastest."""
    return 100 * candidate.loss <= MAX_LOSS_POINTS, candidate.speedup


def _order(model: _Model, size: Size) -> TrainConfig:
    """What is trained; a family whose head alone is fitted knows no epochs."""
    own = {"epochs": size.epochs} if model.asset is None else {}
    return model.train.model_copy(update={"params": {**model.train.params, **own}})


if __name__ == "__main__":
    main(measure)
