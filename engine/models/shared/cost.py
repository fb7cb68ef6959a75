"""What a training step of a picture family needs, from figures that were counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from automl.contracts.base import Text
from automl.contracts.family import Cost, SizeSpec


@dataclass(frozen=True)
class Counted:
    """Of a network without a head."""

    resolution_px: int
    num_parameters: int
    macs: int
    saved_bytes_per_pixel: int
    """What autograd keeps of one picture for the backward pass, fp32, counted with saved-tensor hooks."""


def sizes_of(
    counted: Mapping[str, Counted],
    titles: Mapping[str, Text],
    *,
    assets: Mapping[str, str] | None = None,
    searched: Sequence[str] = (),
) -> tuple[SizeSpec, ...]:
    """The sizes of a family that tells pictures apart.

    Args:
        counted: by the size's name, in order of cost.
        titles: likewise.
        assets: cards of the pretrained weights, of the sizes that have some.
        searched: sizes that a search tries by itself although they have none.
    """
    cards = assets or {}
    return tuple(
        SizeSpec(
            name=name,
            title=titles[name],
            resolution_px=each.resolution_px,
            num_parameters=each.num_parameters,
            macs=each.macs,
            asset=cards.get(name),
            is_searched=name in cards or name in searched,
        )
        for name, each in counted.items()
    )


def step_cost(size: SizeSpec, saved_bytes_per_pixel: int, sample_shape: tuple[int, ...]) -> Cost:
    """What one training step of one picture needs, where the whole network is trained.

    Args:
        size: of the family.
        saved_bytes_per_pixel: what autograd keeps of a picture for the backward pass, fp32, counted with saved-tensor hooks.
        sample_shape: height, width, channels of what the network sees.
    """
    num_pixels = sample_shape[0] * sample_shape[1]
    flops = 6 * size.macs * num_pixels // size.resolution_px**2  # forward and backward: three passes of two operations
    return Cost(memory_bytes=saved_bytes_per_pixel * num_pixels, flops=flops)
