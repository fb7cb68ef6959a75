"""RoIAlign as the paper describes it, one sample after the other. Nothing runs it but tests.

Shapes: B batch, C channels, H height, W width, R regions, P cells of a region's side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch import Tensor


def roi_align(
    maps_BCHW: Sequence[Tensor],
    regions_R6: Tensor,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> Tensor:
    """See ``engine.kernels.roi_align.op.roi_align``."""
    out_RCPP = maps_BCHW[0].new_zeros((len(regions_R6), maps_BCHW[0].shape[1], side, side))
    for region, (*box_4, picture, level) in enumerate(regions_R6.tolist()):
        features_BCHW, scale = maps_BCHW[int(level)], scales[int(level)]
        height, width = features_BCHW.shape[-2:]
        left, top, right, bottom = (edge * scale - 0.5 for edge in box_4)
        for row in range(side):
            for column in range(side):
                total_C = features_BCHW.new_zeros(features_BCHW.shape[1])
                for y_number in range(num_samples):
                    for x_number in range(num_samples):
                        y = top + (row + (y_number + 0.5) / num_samples) * (bottom - top) / side
                        x = left + (column + (x_number + 0.5) / num_samples) * (right - left) / side
                        if -1 <= y <= height and -1 <= x <= width:
                            total_C = total_C + _bilinear(features_BCHW[int(picture)], y, x)
                out_RCPP[region, :, row, column] = total_C / num_samples**2
    return out_RCPP


def _bilinear(map_CHW: Tensor, y: float, x: float) -> Tensor:
    height, width = map_CHW.shape[-2:]
    y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
    top, left = math.floor(y), math.floor(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    below, beside = y - top, x - left
    upper_C = map_CHW[:, top, left].lerp(map_CHW[:, top, right], beside)
    return upper_C.lerp(map_CHW[:, bottom, left].lerp(map_CHW[:, bottom, right], beside), below)
