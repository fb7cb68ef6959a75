"""The operator in ONNX: a ``RoiAlign`` for each level, whose regions are picked out before and put back after.

Shapes: B batch, C channels, H height, W width, R regions, P cells of a region's side, S regions of one level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onnxscript import opset20
from onnxscript.onnx_types import FLOAT

op: Any = opset20
"""Its own types refuse Python's numbers, which it takes."""
_INT64 = 7
"""Of ONNX's ``TensorProto``."""


def roi_align(
    maps_BCHW: Sequence[FLOAT],
    regions_R6: FLOAT,
    side: int,
    scales: Sequence[float],
    num_samples: int,
) -> FLOAT:
    """See ``engine.kernels.roi_align.op.roi_align``; its "aligned" is ONNX's ``half_pixel``."""
    boxes_R4 = op.Gather(regions_R6, op.Constant(value_ints=[0, 1, 2, 3]), axis=1)
    pictures_R = op.Cast(op.Gather(regions_R6, op.Constant(value_int=4), axis=1), to=_INT64)
    levels_R = op.Gather(regions_R6, op.Constant(value_int=5), axis=1)
    num_regions_1, num_channels_1 = op.Shape(regions_R6, end=1), op.Shape(maps_BCHW[0], start=1, end=2)
    shape_4 = op.Concat(num_regions_1, num_channels_1, op.Constant(value_ints=[side, side]), axis=0)
    out_RCPP = op.Expand(op.Constant(value_float=0.0), shape_4)
    for level, (map_BCHW, scale) in enumerate(zip(maps_BCHW, scales, strict=True)):
        own_S = op.Squeeze(op.NonZero(op.Equal(levels_R, op.Constant(value_float=float(level)))), op.Constant(value_ints=[0]))
        part_SCPP = op.RoiAlign(
            map_BCHW,
            op.Gather(boxes_R4, own_S),
            op.Gather(pictures_R, own_S),
            coordinate_transformation_mode="half_pixel",
            mode="avg",
            output_height=side,
            output_width=side,
            sampling_ratio=num_samples,
            spatial_scale=scale,
        )
        out_RCPP = op.ScatterND(out_RCPP, op.Unsqueeze(own_S, op.Constant(value_ints=[1])), part_SCPP)
    return out_RCPP
