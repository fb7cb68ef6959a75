"""Trains a head on a frozen backbone: features once per version and host, then a fit of seconds.

Shapes: N items, H height, W width, C channels, D features, L labels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from automl.contracts.artefact import CurvePoint
from automl.contracts.dataset import Split
from engine.artefact.graph import OPSET, export_graph
from engine.assets.store import weights
from engine.data.backend import FrozenBackbone
from engine.data.features import FeatureCache
from engine.job import Job
from engine.models import family_part
from engine.models.linear_probe.fit import L2_STRENGTHS, LinearHead, solutions
from engine.training.loop import Fitted, Plan
from engine.training.prepare import Prepared

_FEATURES_FROM, _FEATURES_TO, _FIT_TO = 0.1, 0.6, 0.8
_BATCH = 32


class _BackboneGraph(nn.Module):
    """The backbone as ``FrozenBackbone`` takes it: uint8 ``_BHWC`` to features ``_BD``."""

    def __init__(self, backbone: nn.Module):
        super().__init__()
        self.backbone = backbone

    def forward(self, pictures_BHWC: Tensor) -> Tensor:
        return self.backbone(pictures_BHWC.permute(0, 3, 1, 2).to(torch.float32))


def fit(model: nn.Module, prepared: Prepared, *, plan: Plan, job: Job) -> Fitted:
    """Fits the head of ``model`` and leaves its best solution there.

    Args:
        model: a ``backbone`` with its pretrained weights and a linear ``head``.
        prepared: what to train on.
        plan: its loss, measure and rank are used.
        job: whose events and control to use.

    Raises:
        StoppedError: the job was asked to stop.
        BuildStoppedError: so it was, while features were computed.
    """
    linear = model.get_submodule("head")
    assert isinstance(linear, nn.Linear)
    features_ND = torch.from_numpy(np.array(_features(model.get_submodule("backbone"), prepared, job)))
    train_ND, validation_ND = (features_ND[torch.from_numpy(prepared.rows(split))] for split in (Split.TRAIN, Split.VALIDATION))
    targets = torch.from_numpy(prepared.targets[Split.TRAIN])
    curves: list[CurvePoint] = []
    best: tuple[LinearHead, dict[str, float]] | None = None
    for step, head in enumerate(solutions(train_ND, targets, len(prepared.labels), plan.loss), start=1):
        train_loss = float(plan.loss(head.logits(train_ND), targets))
        metrics = plan.measure(head.logits(validation_ND))
        for split, values in ((Split.TRAIN, {"loss": train_loss}), (Split.VALIDATION, metrics)):
            curves.append(CurvePoint(step=step, epoch=float(step), split=split, values=values))
            job.events.metric(step=step, epoch=float(step), split=split, values=values)
        if best is None or plan.rank(metrics) > plan.rank(best[1]):
            best = head, metrics
        job.progress("train", _FEATURES_TO + (_FIT_TO - _FEATURES_TO) * step / len(L2_STRENGTHS))
        job.control.raise_if_stopped()
    assert best is not None
    with torch.no_grad():
        linear.weight.copy_(best[0].weight_LD)
        linear.bias.copy_(best[0].bias_L)
    return Fitted(metrics=best[1], curves=curves, halt=None)


def load_backbone(prepared: Prepared, job: Job) -> nn.Module:
    """The family's network without a head, with its pretrained weights if it has any.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    network = family_part(prepared.family.name, "network")
    backbone: nn.Module = network.build(prepared.size.name)
    if prepared.size.asset is not None:
        network.load_pretrained(backbone, load_file(weights(prepared.size.asset, job.assets_dir)))
    return backbone


def _features(backbone: nn.Module, prepared: Prepared, job: Job) -> np.ndarray:
    """Features ``_ND`` of all items of the version, from the host's cache if it has them."""

    def on_progress(done: int, total: int) -> None:
        job.progress("features", _FEATURES_FROM + (_FEATURES_TO - _FEATURES_FROM) * done / total)

    key = f"{_fingerprint(backbone)}-{prepared.resolution_px}px-opset{OPSET}"
    cache = FeatureCache.open_or_compute(
        prepared.version,
        job.cache_dir,
        key,
        _computer(backbone, prepared, job, key),
        on_progress=on_progress,
        should_stop=job.control.is_stopped,
    )
    return cache.features_ND


def _computer(backbone: nn.Module, prepared: Prepared, job: Job, key: str) -> Callable[[range], np.ndarray]:
    """Computes features by the fastest runtime; it is made only if a feature is missing."""
    runtimes: list[FrozenBackbone] = []

    def compute(rows: range) -> np.ndarray:
        if not runtimes:
            path = job.cache_dir / "graphs" / f"{key}.onnx"
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                side = prepared.resolution_px
                example = torch.zeros((2, side, side, 3), dtype=torch.uint8)
                graph = _BackboneGraph(backbone)
                export_graph(graph, example, path, input_name="picture", output_name="features", free_axes={0: "batch"})
            runtimes.append(FrozenBackbone(path, job.spec.limits.num_threads))
        starts = range(rows.start, rows.stop, _BATCH)
        pictures_NHWC = prepared.pictures.pictures_NHWC
        return np.concatenate([runtimes[0].run(pictures_NHWC[start : min(start + _BATCH, rows.stop)]) for start in starts])

    return compute


def _fingerprint(backbone: nn.Module) -> str:
    """Names the weights by their bytes."""
    digest = hashlib.sha256()
    for name, tensor in backbone.state_dict().items():
        digest.update(name.encode())
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()[:20]
