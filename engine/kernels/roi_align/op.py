"""RoIAlign (He et al. 2017, https://arxiv.org/abs/1703.06870) as one operator: regions of feature maps as squares of one size.

It takes all levels of a pyramid at once, each region from its own. On the CPU it is matrix products, on CUDA Triton, in an
exported graph ONNX's own node.

Shapes: B batch, C channels, H height, W width, R regions, P cells of a region's side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from engine.kernels.roi_align import cpu


@torch.library.custom_op("modelyard::roi_align", mutates_args=())
def roi_align(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> Tensor:
    """Cuts regions out of maps, ``_RCPP``: each cell is the mean of bilinear samples. Gradients go to the maps alone.

    Args:
        maps_BCHW: one a level, of as many channels each.
        regions_R6: left, top, right, bottom in pixels of the picture; which picture of the batch; which map it is cut out of.
            Pixel centres lie at halves ("aligned").
        side: P.
        scales: cells of each map for one pixel of the picture, such as 1/16.
        num_samples: in a cell along each axis.
    """
    return _device(regions_R6).forward(maps_BCHW, regions_R6, side, scales, num_samples)


@roi_align.register_fake
def _(maps_BCHW, regions_R6, side, scales, num_samples) -> Tensor:
    return maps_BCHW[0].new_empty((regions_R6.shape[0], maps_BCHW[0].shape[1], side, side))


@torch.library.custom_op("modelyard::roi_align_backward", mutates_args=())
def _backward(
    grad_RCPP: Tensor,
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    scales: Sequence[float],
    num_samples: int,
) -> list[Tensor]:
    """Gradients of the maps; of these only the shapes count."""
    return _device(regions_R6).backward(grad_RCPP, maps_BCHW, regions_R6, scales, num_samples)


@_backward.register_fake
def _(grad_RCPP, maps_BCHW, regions_R6, scales, num_samples) -> list[Tensor]:
    return [torch.empty_like(map_BCHW) for map_BCHW in maps_BCHW]


def _keep(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    maps_BCHW, regions_R6, _, ctx.scales, ctx.num_samples = inputs
    ctx.save_for_backward(*maps_BCHW, regions_R6)


def _gradients(ctx: Any, grad_RCPP: Tensor) -> tuple[list[Tensor] | None, ...]:
    *maps_BCHW, regions_R6 = ctx.saved_tensors
    grads = _backward(grad_RCPP, maps_BCHW, regions_R6, ctx.scales, ctx.num_samples)
    return grads, None, None, None, None


roi_align.register_autograd(_gradients, setup_context=_keep)


def _device(regions_R6: Tensor) -> Any:
    if regions_R6.device.type == "cuda":
        from engine.kernels.roi_align import cuda  # noqa: PLC0415 - Triton is there only beside CUDA

        return cuda
    return cpu


def onnx_translations() -> Mapping[Callable[..., Any], Callable[..., Any]]:
    """How ``torch.onnx.export`` writes the operators of this package: its ``custom_translation_table``."""
    from engine.kernels.roi_align import onnx  # noqa: PLC0415 - onnxscript is slow to import and only exports need it

    return {torch.ops.modelyard.roi_align.default: onnx.roi_align}
