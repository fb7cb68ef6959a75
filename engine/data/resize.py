"""The resize that is shipped inside a picture model's graph, by operators that every runtime computes alike.

ONNX has ``Resize`` with ``antialias``, but OpenVINO silently ignores the antialiasing. So the resize is written out: bilinear
interpolation is linear in the pixels and treats rows and columns apart, which makes it two matrix products, and both matrices
follow from the sizes alone.

Shapes: B batch, H height, W width, C colour channels, S side after the resize, N pixels before, M after, along an axis.
"""

from __future__ import annotations

import torch
from torch import Tensor


def resize_by_products(pictures_BHWC: Tensor, side_px: int) -> Tensor:
    """Antialiased bilinear resize to a square, without keeping the aspect.

    Equal to ``torch.nn.functional.interpolate(..., mode="bilinear", antialias=True)`` up to rounding of float32.

    Args:
        pictures_BHWC: pixels of any dtype.
        side_px: side of the result.

    Returns:
        float32 pixels of shape ``_BCSS`` on the scale of the input.
    """
    batch, height, width, channels = pictures_BHWC.shape
    rows_SH = interpolation(height, side_px, pictures_BHWC.device)
    columns_SW = interpolation(width, side_px, pictures_BHWC.device)
    # Rows first: in the order in which pixels lie there, this product needs no transposed copy of the large picture.
    lines_BHX = pictures_BHWC.to(torch.float32).reshape(batch, height, width * channels)
    lines_BCSW = torch.matmul(rows_SH, lines_BHX).reshape(batch, side_px, width, channels).permute(0, 3, 1, 2)
    return torch.matmul(lines_BCSW, columns_SW.t())


def interpolation(num_before: int, num_after: int, device: torch.device) -> Tensor:
    """Weights ``_MN`` of the pixels before in each pixel after: a triangle about its centre, as wide as the pixels shrink.

    Those of ``torch.nn.functional.interpolate(..., mode="bilinear", antialias=True)`` along one axis.

    Distances are multiplied by twice the sizes, which makes them whole numbers: these stay exact in runtimes that compute with
    half precision, where a place such as 383.5 would not.
    """
    centres_M = (2 * torch.arange(num_after, device=device) + 1) * num_before
    places_N = (2 * torch.arange(num_before, device=device) + 1) * num_after
    reach = 2 * torch.sym_max(num_before, num_after)
    weights_MN = (reach - (places_N[None] - centres_M[:, None]).abs()).clamp(min=0).to(torch.float32)
    return weights_MN / weights_MN.sum(dim=1, keepdim=True)
