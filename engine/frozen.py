"""A backbone whose weights stay as they are, run by the fastest runtime of this host.

It is exported once a host. The file is named after the weights' bytes, so that other weights never meet an old graph.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from engine.artefact.graph import OPSET, export_graph
from engine.assets.store import weights
from engine.data.backend import FrozenBackbone
from engine.data.used import mark_used
from engine.models import family_part, family_spec

_EXAMPLE_TOKENS = (2, 11)
"""Batch, length."""


class _Graph(nn.Module):
    """The backbone as ``FrozenBackbone`` takes it: uint8 ``_BHWC`` to features ``_BD``."""

    def __init__(self, backbone: nn.Module):
        super().__init__()
        self.backbone = backbone

    def forward(self, pictures_BHWC: Tensor) -> Tensor:
        return self.backbone(pictures_BHWC.permute(0, 3, 1, 2).to(torch.float32))


def load_backbone(family: str, size: str, assets_dir: Path) -> nn.Module:
    """The family's network without a head, with its pretrained weights if it has any.

    Raises:
        ValueError: there is no such family or size.
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    network = family_part(family, "network")
    backbone: nn.Module = network.build(size)
    asset = family_spec(family).size(size).asset
    if asset is not None:
        network.load_pretrained(backbone, load_file(weights(asset, assets_dir)))
    return backbone


def fingerprint(backbone: nn.Module) -> str:
    """Names the weights by their bytes, and by what the backbone says of itself (``extra_repr``): 20 hexadecimal digits."""
    digest = hashlib.sha256(backbone.extra_repr().encode())
    for name, tensor in backbone.state_dict().items():
        digest.update(name.encode())
        digest.update(tensor.numpy().tobytes())
    return digest.hexdigest()[:20]


def graph_name(weights_name: str, resolution_px: int) -> str:
    """Names a backbone's graph and what it computes.

    Args:
        weights_name: says which weights, by their bytes.
        resolution_px: side of the pictures.
    """
    return f"{weights_name}-{resolution_px}px-opset{OPSET}"


def reader_name(weights_name: str) -> str:
    """Names the graph of a backbone that reads tokens."""
    return f"{weights_name}-tokens-opset{OPSET}"


def exported(backbone: nn.Module, *, name: str, resolution_px: int, cache_dir: Path, num_threads: int) -> FrozenBackbone:
    """The backbone as a runtime, exported unless this host has done so before.

    Args:
        backbone: on the CPU.
        name: of the graph, from ``graph_name``.
        resolution_px: side of the pictures.
        cache_dir: of the host.
        num_threads: of the runtime.
    """
    path = _path(cache_dir, name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        example = torch.zeros((2, resolution_px, resolution_px, 3), dtype=torch.uint8)
        export_graph(_Graph(backbone), example, path, input_name="picture", output_name="features", dynamic_axes={0: "batch"})
    return _opened(path, num_threads)


def exported_reader(backbone: nn.Module, *, name: str, cache_dir: Path, num_threads: int) -> FrozenBackbone:
    """The same for a backbone that reads tokens ``_BT``.

    Args:
        backbone: on the CPU.
        name: of the graph; it must hold all that the features depend on besides the tokens.
        cache_dir: of the host.
        num_threads: of the runtime.
    """
    path = _path(cache_dir, name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        example = torch.ones(_EXAMPLE_TOKENS, dtype=torch.int64)
        export_graph(
            backbone, example, path, input_name="tokens", output_name="features", dynamic_axes={0: "batch", 1: "length"}
        )
    return _opened(path, num_threads)


def pretrained(
    family: str, size: str, *, resolution_px: int, assets_dir: Path, cache_dir: Path, num_threads: int
) -> FrozenBackbone:
    """A family's backbone with its pretrained weights; the network is built only where the graph is missing.

    Raises:
        ValueError: there is no such family or size, or it has no pretrained weights.
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    asset = family_spec(family).size(size).asset
    if asset is None:
        raise ValueError(f"{family} {size} has no pretrained weights.")
    digest = hashlib.sha256(weights(asset, assets_dir).read_bytes()).hexdigest()[:20]
    name = graph_name(f"{asset}-{digest}", resolution_px)
    if _path(cache_dir, name).exists():
        return _opened(_path(cache_dir, name), num_threads)
    backbone = load_backbone(family, size, assets_dir)
    return exported(backbone, name=name, resolution_px=resolution_px, cache_dir=cache_dir, num_threads=num_threads)


def pretrained_reader(family: str, size: str, *, assets_dir: Path, cache_dir: Path, num_threads: int) -> FrozenBackbone:
    """The same for a family that reads tokens ``_BT``.

    Raises:
        ValueError: there is no such family or size, or it has no pretrained weights.
        AssetMissingError: the weights are not in the store and cannot be had.
    """
    asset = family_spec(family).size(size).asset
    if asset is None:
        raise ValueError(f"{family} {size} has no pretrained weights.")
    digest = hashlib.sha256(weights(asset, assets_dir).read_bytes()).hexdigest()[:20]
    name = reader_name(f"{asset}-{digest}")
    if _path(cache_dir, name).exists():
        return _opened(_path(cache_dir, name), num_threads)
    backbone = load_backbone(family, size, assets_dir).eval()
    return exported_reader(backbone, name=name, cache_dir=cache_dir, num_threads=num_threads)


def _path(cache_dir: Path, name: str) -> Path:
    return cache_dir / "graphs" / f"{name}.onnx"


def _opened(path: Path, num_threads: int) -> FrozenBackbone:
    mark_used(path)
    return FrozenBackbone(path, num_threads)
