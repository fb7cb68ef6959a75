"""Metric learning: a pretrained network that learns to put pictures of the same thing close together."""

from __future__ import annotations

from automl.contracts.family import ChoiceParam, Cost, FamilySpec, FeatureKind, FirstTrial, FloatParam, IntParam, SizeSpec
from automl.contracts.modality import Modality
from automl.contracts.words import Words
from engine.models.efficientnet_lite import family as lite
from engine.models.resnet import family as resnet
from engine.models.shared import params

words = Words(__file__)

LOSSES = ("arcface", "cosface", "triplet")
_LITE, _RESNET = lite.FAMILY, resnet.FAMILY
_BACKBONES = {
    "lite0": (lite, _LITE.size("0")),
    "lite2": (lite, _LITE.size("2")),
    "resnet18": (resnet, _RESNET.size("18")),
}


def _size(name: str) -> SizeSpec:
    _, backbone = _BACKBONES[name]
    return backbone.model_copy(update={"name": name, "title": words(f"size.{name}")})


FAMILY = FamilySpec(
    name="metric_learning",
    title=words("title"),
    summary=words("summary"),
    reads=Modality.IMAGE,
    yields=FeatureKind.EMBEDDING,
    preference=2,
    sizes=tuple(_size(name) for name in _BACKBONES),
    params=(
        ChoiceParam(
            name="loss",
            title=words("loss.title"),
            help=words("loss.help"),
            choices=LOSSES,
            choice_titles={name: words(f"loss.{name}") for name in LOSSES},
            default="arcface",
        ),
        FloatParam(name="margin", title=words("margin.title"), help=words("margin.help"), low=0.1, high=0.5, default=0.3),
        IntParam(name="epochs", title=words("epochs.title"), help=words("epochs.help"), low=0, high=60, default=6),
        params.batch_size(32),
        params.lr(3e-4),
        params.weight_decay(1e-2),
        params.augment("light"),
        params.mirror(),
        params.resolution_px(64, 96, 128, 160, 192),
    ),
    licences=_LITE.licences,
    first_trials=(
        FirstTrial(rank=10, params={"epochs": 0}),
        FirstTrial(rank=20),
        FirstTrial(rank=30, params={"loss": "triplet"}),
        FirstTrial(rank=40, params={"loss": "cosface"}),
    ),
)


def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
    """What one training step of one picture needs.

    Args:
        sample_shape: height, width, channels of what the network sees.
        size: name of one of the sizes.
    """
    module, backbone = _BACKBONES[size]
    found: Cost = module.cost(sample_shape, backbone.name)
    return found
