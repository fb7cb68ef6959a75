"""Networks with a head for 1,000 classes have as many parameters as their authors, or those who wrote them first, published."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import nn

from automl.contracts.family import FeatureKind
from automl.contracts.modality import Modality
from engine.artefact.graph import export_graph
from engine.models import family_names, family_part, family_spec
from tests.support.once import host_cache

_TORCHVISION = {
    "resnet": {
        "18": 11_689_512,
        "34": 21_797_672,
        "50": 25_557_032,
        "101": 44_549_160,
        "152": 60_192_808,
        "next50_32x4d": 25_028_904,
        "next101_32x8d": 88_791_336,
        "next101_64x4d": 83_455_272,
        "wide50_2": 68_883_240,
        "wide101_2": 126_886_696,
    },
    "mobilenet": {"v2_100": 3_504_872, "v3_small_100": 2_542_856, "v3_large_100": 5_483_032},
    "shufflenet_v2": {"050": 1_366_792, "100": 2_278_604, "150": 3_503_624, "200": 7_393_996},
    "vgg": {"11": 132_868_840, "13": 133_053_736, "16": 138_365_992, "19": 143_678_248},
    "googlenet": {"1": 6_624_904},
    "convnext": {"tiny": 28_589_128, "small": 50_223_688},
}
"""``num_params`` of https://docs.pytorch.org/vision/stable/models.html."""
_PYTORCHCV = {
    "resnet": {
        "next101_32x4d": 44_177_704,
        "se_18": 11_778_592,
        "se_34": 21_958_868,
        "se_50": 28_088_024,
        "se_101": 49_326_872,
        "se_152": 66_821_848,
        "se_next50_32x4d": 27_559_896,
        "se_next101_32x4d": 48_955_416,
        "se_next101_64x4d": 88_232_984,
    },
    "mobilenet": {"v1_25": 470_072, "v1_50": 1_331_592, "v1_75": 2_585_560, "v1_100": 4_231_976},
}
"""https://github.com/osmr/imgclsmob, ``pytorch/README.md``."""
_TIMM = {
    "resnet": {"18d": 11.71, "34d": 21.82, "50d": 25.58, "101d": 44.57, "152d": 60.21},
    "mobilenet": {"v2_50": 1.97, "v2_140": 6.11, "v3_small_75": 2.04, "v3_large_75": 3.99},
    "convnext": {"atto": 3.70, "femto": 5.22, "pico": 9.05, "nano": 15.59},
    "vit": {"tiny_16": 5.72, "small_32": 22.88, "small_16": 22.05},
    "efficientnet_lite": {"0": 4.65, "1": 5.42, "2": 6.09, "3": 8.20, "4": 13.01},
}
"""Millions, https://github.com/huggingface/pytorch-image-models, ``results/results-imagenet.csv``."""
_WITHOUT_NORMS = {"mobilenet": {"v2_35": 1.66, "v2_75": 2.61}}
"""Millions without those of batch norm, https://github.com/tensorflow/models, ``research/slim/nets/mobilenet/README.md``."""
_TABLES = {"torchvision": _TORCHVISION, "pytorchcv": _PYTORCHCV, "timm": _TIMM, "slim": _WITHOUT_NORMS}
_ROWS = [
    (source, family, size, count)
    for source, table in _TABLES.items()
    for family, counts in table.items()
    for size, count in counts.items()
]
_FAMILIES = [
    spec
    for spec in map(family_spec, family_names())
    if (spec.reads, spec.yields, spec.is_frozen) == (Modality.IMAGE, FeatureKind.VECTOR, False)
]
_STEPPED = [(spec.name, spec.sizes[0].name) for spec in _FAMILIES if not spec.is_searched and spec.name != "vgg"]
"""The smallest of each family that no other test trains; half a gigabyte of VGG-11 teaches no more than its layers do."""


def test_every_size_of_every_family_is_compared():
    assert sorted((family, size) for _, family, size, _ in _ROWS) == sorted(
        (spec.name, size.name) for spec in _FAMILIES for size in spec.sizes
    )
    assert len(_ROWS) >= 60


@pytest.mark.parametrize(("source", "family", "size", "count"), _ROWS)
def test_parameters_are_those_published(source, family, size, count):
    with torch.device("meta"):
        model = family_part(family, "network").build(size, 1000)
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)] if source == "slim" else []
    left_out = sum(parameter.numel() for norm in norms for parameter in norm.parameters())
    found = sum(parameter.numel() for parameter in model.parameters()) - left_out
    assert (found if isinstance(count, int) else round(found / 1e6, 2)) == count
    assert family_spec(family).size(size).num_parameters == found + left_out - 1000 * (model.num_features + 1)


@pytest.mark.parametrize(("family", "size"), _STEPPED)
def test_a_network_learns_and_is_exported(tmp_path, family, size):
    """A step on the pictures that it is tried with makes it surer of them, and the graph answers as it does."""
    torch.manual_seed(0)
    model = family_part(family, "network").build(size, 3)
    pictures_BCHW, labels_B = torch.rand(2, 3, 64, 64) * 255, torch.tensor([0, 2])
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(3):
        loss = F.cross_entropy(model.train()(pictures_BCHW), labels_B)
        losses.append(loss.item())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert losses[-1] < losses[0]
    path = tmp_path / "model.onnx"
    names = {"input_name": "pictures", "output_name": "logits"}
    cache_dir = host_cache()
    export_graph(model.eval(), pictures_BCHW, path, dynamic_axes={0: "batch"}, cache_dir=cache_dir, **names)
    with torch.no_grad():
        expected = model(pictures_BCHW).numpy()
    (found,) = onnxruntime.InferenceSession(path).run(None, {"pictures": pictures_BCHW.numpy()})
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
