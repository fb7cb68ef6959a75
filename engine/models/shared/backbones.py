"""The trunks that networks for pictures are built on, as families name them: any network of ``pyramid`` takes any of them.

What differs between networks was counted: of a network on a trunk the parameters, the multiplications and the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from automl.contracts.base import Text
from automl.contracts.family import Cost, FamilySpec, SizeSpec
from automl.contracts.words import Words
from engine.models.shared.cost import step_cost

words = Words(__file__)


@dataclass(frozen=True)
class Backbone:
    """One of ``pyramid.TRUNKS``."""

    title: Text
    asset: str | None = None
    """Card of its pretrained weights; None trains from scratch."""


BACKBONES: Mapping[str, Backbone] = {
    "lite0": Backbone(words("backbone.lite0"), "efficientnet_lite0"),
    "plain": Backbone(words("backbone.plain")),
    "resnet18": Backbone(words("backbone.resnet18")),
}
"""By the name that families give to their sizes."""


@dataclass(frozen=True)
class Counted:
    """Of a network on one backbone, with a head for one label."""

    resolution_px: int
    num_parameters: int
    macs: int
    saved_bytes_per_pixel: int
    """What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""


def sizes(counted: Mapping[str, Counted]) -> tuple[SizeSpec, ...]:
    """The sizes of a family: the backbones that it is built on, the default first."""
    return tuple(
        SizeSpec(
            name=name,
            title=BACKBONES[name].title,
            resolution_px=each.resolution_px,
            num_parameters=each.num_parameters,
            macs=each.macs,
            asset=BACKBONES[name].asset,
        )
        for name, each in counted.items()
    )


def counted_cost(family: FamilySpec, counted: Mapping[str, Counted]) -> Callable[[tuple[int, ...], str], Cost]:
    """The ``cost`` of a family whose networks are trained as a whole.

    Args:
        family: its spec.
        counted: of its network on each backbone.
    """

    def cost(sample_shape: tuple[int, ...], size: str) -> Cost:
        """What one training step of one picture needs.

        Args:
            sample_shape: height, width, channels of what the network sees.
            size: name of one of the sizes.
        """
        return step_cost(family.size(size), counted[size].saved_bytes_per_pixel, sample_shape)

    return cost
