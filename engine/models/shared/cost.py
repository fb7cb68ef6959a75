"""What a training step of a picture family needs, from figures that were counted."""

from __future__ import annotations

from automl.contracts.family import Cost, SizeSpec


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
