"""A vector for each picture that says what it shows: from a frozen pretrained backbone, or made by hand where there is none.

Shapes: B batch, N pictures, H height, W width, C channels, D features.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor, nn

from engine.artefact.graph import OPSET, export_graph
from engine.assets.fetch import AssetMissingError
from engine.assets.store import weights
from engine.data.backend import FrozenBackbone
from engine.data.image import Pixels
from engine.job import Job
from engine.models import family_part
from engine.quality.measure import FEATURE_SIDE_PX
from engine.quality.orientation import waves_of

FAMILY, SIZE, ASSET = "efficientnet_lite", "0", "efficientnet_lite0"
HANDMADE = "handmade"
_CELLS, _DIRECTIONS, _LEVELS = 4, 8, 4


@dataclass(frozen=True)
class Vectorizer:
    """Turns squares into vectors."""

    name: str
    """The asset, or ``handmade``."""
    compute: Callable[[Pixels], NDArray[np.float32]]
    """Squares ``_BHWC`` to vectors ``_BD``."""


class _Graph(nn.Module):
    """The backbone as ``FrozenBackbone`` takes it."""

    def __init__(self, backbone: nn.Module):
        super().__init__()
        self.backbone = backbone

    def forward(self, pictures_BHWC: Tensor) -> Tensor:
        return self.backbone(pictures_BHWC.permute(0, 3, 1, 2).to(torch.float32))


def vectorizer(job: Job) -> Vectorizer:
    """The backbone if its weights are in the store or can be had; else the vectors made by hand."""
    try:
        path = weights(ASSET, job.assets_dir)
    except AssetMissingError:
        return Vectorizer(HANDMADE, lambda squares_BHWC: np.stack([handmade(square) for square in squares_BHWC]))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:20]
    graph = job.cache_dir / "graphs" / f"{ASSET}-{digest}-{FEATURE_SIDE_PX}px-opset{OPSET}.onnx"
    if not graph.exists():
        network = family_part(FAMILY, "network")
        backbone: nn.Module = network.build(SIZE).eval()
        network.load_pretrained(backbone, load_file(path))
        graph.parent.mkdir(parents=True, exist_ok=True)
        example = torch.zeros((2, FEATURE_SIDE_PX, FEATURE_SIDE_PX, 3), dtype=torch.uint8)
        export_graph(_Graph(backbone), example, graph, input_name="picture", output_name="features", free_axes={0: "batch"})
    return Vectorizer(ASSET, FrozenBackbone(graph, job.spec.limits.num_threads).run)


def handmade(square_HWC: Pixels) -> NDArray[np.float32]:
    """Layout, colours and edge directions of a picture, each part of length one."""
    small_HWC = np.asarray(cv2.resize(square_HWC, (64, 64), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    parts = [waves_of(small_HWC).ravel(), _colours(small_HWC), _edges(small_HWC)]
    return np.concatenate([part / max(float(np.linalg.norm(part)), 1e-6) for part in parts]).astype(np.float32)


def _colours(small_HWC: Pixels) -> NDArray[np.float32]:
    bins = (small_HWC // (256 // _LEVELS)).reshape(-1, 3).astype(np.int64) @ np.array([_LEVELS * _LEVELS, _LEVELS, 1])
    return np.sqrt(np.bincount(bins, minlength=_LEVELS**3)).astype(np.float32)


def _edges(small_HWC: Pixels) -> NDArray[np.float32]:
    """Histograms of gradient directions in 4 x 4 cells (Dalal and Triggs, CVPR 2005, without block normalisation)."""
    grey_HW = cv2.cvtColor(small_HWC, cv2.COLOR_RGB2GRAY).astype(np.float32)
    right_HW, down_HW = cv2.Sobel(grey_HW, cv2.CV_32F, 1, 0), cv2.Sobel(grey_HW, cv2.CV_32F, 0, 1)
    strength_HW, angle_HW = cv2.cartToPolar(right_HW, down_HW)
    direction_HW = (angle_HW / np.pi * _DIRECTIONS).astype(np.int64) % _DIRECTIONS
    row_HW, column_HW = np.mgrid[:64, :64] // (64 // _CELLS)
    bins_HW = (row_HW * _CELLS + column_HW) * _DIRECTIONS + direction_HW
    return np.sqrt(np.bincount(bins_HW.ravel(), strength_HW.ravel(), minlength=_CELLS * _CELLS * _DIRECTIONS))
