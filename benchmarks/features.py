"""A pass of the frozen backbone (EfficientNet-Lite0, pretrained) and the accuracy of a linear head on what it yields."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file

from benchmarks._digits import digits, weights_file
from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.artefact.graph import export_graph
from engine.data.backend import FrozenBackbone
from engine.models.efficientnet_lite.network import EfficientNetLite, build, load_pretrained
from engine.models.linear_probe.fit import solutions

SIDE_PX = 96
BATCH = 50


class Graph(torch.nn.Module):
    """Bytes to features, as the probe exports its backbone."""

    def __init__(self, backbone: EfficientNetLite):
        super().__init__()
        self.backbone = backbone

    def forward(self, pictures_BHWC: torch.Tensor) -> torch.Tensor:
        """Features ``_BD``."""
        return self.backbone(pictures_BHWC.permute(0, 3, 1, 2).to(torch.float32))


def measure(options: Options) -> list[Claim]:
    """onnxruntime and the best backend over plain torch; accuracy where there is time for it."""
    backbone = build("0").eval()
    load_pretrained(backbone, load_file(weights_file("efficientnet_lite0")))
    batch = options.pick(BATCH, smoke=2)
    num_train, num_test = options.pick((1000, 1500), smoke=(40, 10), quick=(0, 0))
    pictures_NHWC, digits_N = digits(max(batch, num_train + num_test), SIDE_PX)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "backbone.onnx")
        example = torch.from_numpy(pictures_NHWC[:2])
        export_graph(Graph(backbone), example, path, input_name="picture", output_name="features", dynamic_axes={0: "batch"})
        exact, best = FrozenBackbone(path, backend="onnxruntime"), FrozenBackbone(path)
        runs = {"torch": lambda pictures: _torch(backbone, pictures), "onnxruntime": exact.run, "best": best.run}
        contestants = {name: _on_a_batch(run, pictures_NHWC[:batch]) for name, run in runs.items()}
        seconds = interleave(contestants, num_rounds=options.num_rounds)
        sys.stderr.write(f"best backend: {best.name}\n")
        what = f"pictures/s/core, {SIDE_PX} px, batch {batch}"
        claims = [
            speedup("features", f"{what}, onnxruntime", seconds, ours="onnxruntime", anchor="torch", target=2.6),
            speedup("features", f"{what}, {best.name}", seconds, ours="best", anchor="torch", target=5.0),
        ]
        if num_train:
            claims.append(_accuracy(runs, pictures_NHWC, digits_N, num_train))
    return claims


def _torch(backbone: EfficientNetLite, pictures_BHWC: np.ndarray) -> np.ndarray:
    with torch.no_grad():
        return backbone(torch.from_numpy(pictures_BHWC).permute(0, 3, 1, 2).contiguous().float()).numpy()


def _on_a_batch(run, pictures_BHWC: np.ndarray):
    return lambda: len(run(pictures_BHWC))


def _accuracy(runs, pictures_NHWC: np.ndarray, digits_N: np.ndarray, num_train: int) -> Claim:
    """Loss of accuracy in points, each head fitted on its own features."""
    points = {name: 100 * _probe(run, pictures_NHWC, torch.from_numpy(digits_N), num_train) for name, run in runs.items()}
    loss = points["torch"] - min(points["onnxruntime"], points["best"])
    metric = f"accuracy lost in points, {num_train} training and {len(digits_N) - num_train} test digits"
    return Claim("features", metric, points["best"], points["torch"], loss, 0.3, is_at_most=True)


def _probe(run, pictures_NHWC: np.ndarray, digits_N: torch.Tensor, num_train: int) -> float:
    batches = range(0, len(pictures_NHWC), BATCH)
    features_ND = torch.from_numpy(np.concatenate([run(pictures_NHWC[start : start + BATCH]) for start in batches]))
    heads = solutions(features_ND[:num_train], digits_N[:num_train], 10, torch.nn.functional.cross_entropy)
    answers = [head.logits(features_ND[num_train:]).argmax(dim=1) for head in heads]
    return max(float((answer == digits_N[num_train:]).float().mean()) for answer in answers)


if __name__ == "__main__":
    main(measure)
