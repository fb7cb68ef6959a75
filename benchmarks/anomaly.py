"""Planted scratches and stains, found by models that learned from normal parts alone, beside the distance of mean features.

Three materials made by code (``engine/tasks/anomaly_detection/parts.py``), each with scratches and with stains. Nobody chose
anything on the parts that are judged: they come from seeds of their own. The anchor is what needs no place in the picture: the
distance of a picture's mean feature from the nearest mean feature of a normal part, on the same features. Three seeds; what is
claimed is the worst mean of a set.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from automl.contracts.family import ParamValue
from benchmarks._digits import ASSETS_DIR
from benchmarks.harness import Claim, Options, main
from engine.frozen import load_backbone
from engine.models import family_part
from engine.tasks.anomaly_detection.parts import DEFECTS, MATERIALS, Defect, part
from engine.tasks.shared.classification.ranking import area

SIDE_PX = 224
AUROC = 0.95
FAMILIES: dict[str, dict[str, ParamValue]] = {
    "patch_memory": {"memory_size": 1_000},
    "feature_reconstruction": {"kept_variance": 0.9},
}
FIRST = "patch_memory"
"""What is tried first, and claimed."""
ANCHOR = "mean features"
NAMES = (*FAMILIES, ANCHOR)
_JUDGED_SEED = 10_000
_BATCH = 8


Areas = dict[str, float]
"""AUROC by name, of one set and seed."""


@dataclass(frozen=True)
class _Work:
    """How much is done."""

    size: str
    side_px: int
    num_learned: int
    num_judged: int


def measure(options: Options) -> list[Claim]:
    """Worst AUROC over the sets, and the least gain over the anchor; each set on standard error."""
    work = _Work(
        size=options.pick("lite0", smoke="filters"),
        side_px=options.pick(SIDE_PX, smoke=64),
        num_learned=options.pick(60, smoke=4, quick=40),
        num_judged=options.pick(30, smoke=2, quick=16),
    )
    materials = list(MATERIALS)[: options.pick(len(MATERIALS), smoke=1)]
    seeds = range(options.pick(3, smoke=1, quick=1))
    sets: dict[tuple[str, Defect], list[Areas]] = {}
    for material in materials:
        for seed in seeds:
            for defect, judged in _judged(material, seed, work):
                sets.setdefault((material, defect), []).append(judged)
    means = {name: {key: float(np.mean([each[name] for each in judged])) for key, judged in sets.items()} for name in NAMES}
    for key, judged in sets.items():
        line = ", ".join(f"{name} {means[name][key]:.3f} +- {np.std([each[name] for each in judged]):.3f}" for name in NAMES)
        sys.stderr.write(f"{' '.join(key)}: {line}\n")
    worst = min(sets, key=lambda key: means[FIRST][key])
    least = min(sets, key=lambda key: means[FIRST][key] - means[ANCHOR][key])
    gain = means[FIRST][least] - means[ANCHOR][least]
    what = f"AUROC of PatchCore on {' '.join(worst)}, the worst of {len(sets)} sets, over {len(seeds)} seeds"
    beside = f"AUROC above the distance of mean features on {' '.join(least)}, where least is gained"
    return [
        Claim("anomaly", what, means[FIRST][worst], means[ANCHOR][worst], means[FIRST][worst], AUROC),
        Claim("anomaly", beside, means[FIRST][least], means[ANCHOR][least], gain, 0.0),
    ]


def _judged(material: str, seed: int, work: _Work) -> Iterable[tuple[Defect, Areas]]:
    """Learns normal parts of a material, and judges each kind of defect against the same unseen normal parts."""
    torch.manual_seed(seed)
    network = load_backbone(FIRST, work.size, ASSETS_DIR).eval()
    learned, unseen = np.random.default_rng(seed), np.random.default_rng(_JUDGED_SEED + seed)

    def drawn(generator: np.random.Generator, number: int, defect: Defect | None) -> Tensor:
        pictures = [part(material, generator, side_px=work.side_px, defect=defect).picture_HWC for _ in range(number)]
        return torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float()

    with torch.no_grad():
        normal_NHWD = torch.cat([network(batch) for batch in drawn(learned, work.num_learned, None).split(_BATCH)])
        detectors = {}
        for family, params in FAMILIES.items():
            detector = load_backbone(family, work.size, ASSETS_DIR).anomaly_detector(1).eval()  # type: ignore[operator]
            family_part(family, "fit").learn(detector, normal_NHWD.flatten(0, 2), params, on_step=lambda *_: None)
            detectors[family] = detector
        means_ND = normal_NHWD.mean(dim=(1, 2))

        def scores(pictures_NCHW: Tensor) -> dict[str, np.ndarray]:
            given = {name: [] for name in NAMES}
            for batch in pictures_NCHW.split(_BATCH):
                for name, detector in detectors.items():
                    given[name].append(detector.distances(batch).flatten(1).amax(dim=1))
                given[ANCHOR].append(torch.cdist(network(batch).mean(dim=(1, 2)), means_ND).amin(dim=1))
            return {name: torch.cat(parts).numpy() for name, parts in given.items()}

        passed = scores(drawn(unseen, work.num_judged, None))
        truth_N1 = np.repeat([0, 1], work.num_judged)[:, None]
        for defect in DEFECTS:
            found = scores(drawn(unseen, work.num_judged, defect))
            yield defect, {name: area(np.concatenate([passed[name], found[name]])[:, None], truth_N1) for name in NAMES}


if __name__ == "__main__":
    main(measure)
