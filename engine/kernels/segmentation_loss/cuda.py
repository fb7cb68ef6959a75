"""Tiles of pixels: their logits are made of a few cells, class by class, and never leave the chip.

Enlarging is two small products a tile and class. The forward pass goes over the classes once for the softmax's sum, and again
for the sums of scores, one partial sum a tile; the backward pass adds its tiles' gradients up in the cells.

Shapes: B batch, C classes, h and w cells along an axis, H height, W width, T tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import triton
import triton.language as tl
from torch import Tensor

from engine.kernels.segmentation_loss.doubling import weights

_ROWS, _COLUMNS = 16, 32
"""Pixels of a tile."""
_LEAST = 16
"""Along each axis of a product."""


@triton.jit
def _axis(weights, first, num_cells, num_pixels, tile, PIXELS: tl.constexpr, CELLS: tl.constexpr):  # noqa: PLR0917
    """Weights of the tile's cells for its pixels, pixels first; places of the cells."""
    pixels = tile * PIXELS + tl.arange(0, PIXELS)
    cells = tl.load(first + tile * PIXELS) + tl.arange(0, CELLS)
    is_there = (pixels < num_pixels)[:, None] & (cells < num_cells)[None, :]
    return tl.load(weights + pixels[:, None] * num_cells + cells[None, :], mask=is_there, other=0.0), cells


@triton.jit
def _enlarged(cells, at, is_cell, rows, columns):
    own = tl.load(cells + at, mask=is_cell, other=0.0).to(tl.float32)
    # Weights are sums of a few halves, exact in TF32; three products keep what the logits have in fp32.
    return tl.dot(tl.dot(rows, own, input_precision="tf32x3"), tl.trans(columns), input_precision="tf32x3")


@triton.jit
def _forward_kernel(  # noqa: PLR0917
    cells, classes, row_weights, column_weights, row_first, column_first, right, log_sums, sums,
    num_classes, num_rows, num_columns, height, width,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, CELLS: tl.constexpr, HAS_OVERLAP: tl.constexpr,
):  # fmt: skip
    row_tile, column_tile, picture = tl.program_id(0), tl.program_id(1), tl.program_id(2).to(tl.int64)
    rows, cell_rows = _axis(row_weights, row_first, num_rows, height, row_tile, ROWS, ROWS)
    columns, cell_columns = _axis(column_weights, column_first, num_columns, width, column_tile, COLUMNS, CELLS)
    is_cell = (cell_rows < num_rows)[:, None] & (cell_columns < num_columns)[None, :]
    at = picture * num_classes * num_rows * num_columns + cell_rows[:, None] * num_columns + cell_columns[None, :]
    y, x = row_tile * ROWS + tl.arange(0, ROWS), column_tile * COLUMNS + tl.arange(0, COLUMNS)
    is_pixel = (y < height)[:, None] & (x < width)[None, :]
    pixel_at = picture * height * width + y[:, None] * width + x[None, :]
    truth = tl.load(classes + pixel_at, mask=is_pixel, other=-1)
    highest = tl.full([ROWS, COLUMNS], -3.0e38, tl.float32)
    total = tl.zeros([ROWS, COLUMNS], tl.float32)
    own = tl.zeros([ROWS, COLUMNS], tl.float32)
    for number in range(num_classes):
        logits = _enlarged(cells, at + number * num_rows * num_columns, is_cell, rows, columns)
        higher = tl.maximum(highest, logits)
        total = total * tl.exp(highest - higher) + tl.exp(logits - higher)
        highest = higher
        own = tl.where(truth == number, logits, own)
    log_sum = highest + tl.log(total)
    tl.store(right + pixel_at, tl.where(truth >= 0, own - log_sum, 0.0), mask=is_pixel)
    tl.store(log_sums + pixel_at, log_sum, mask=is_pixel)
    if HAS_OVERLAP:
        tile = (picture * tl.num_programs(0) + row_tile) * tl.num_programs(1) + column_tile
        for number in range(num_classes):
            logits = _enlarged(cells, at + number * num_rows * num_columns, is_cell, rows, columns)
            scores = tl.where(truth >= 0, tl.exp(logits - log_sum), 0.0)
            shared = tl.where(truth == number, scores, 0.0)
            tl.store(sums + tile * 2 * num_classes + number, tl.sum(tl.sum(shared, axis=1), axis=0))
            tl.store(sums + (tile * 2 + 1) * num_classes + number, tl.sum(tl.sum(scores, axis=1), axis=0))


@triton.jit
def _backward_kernel(  # noqa: PLR0917
    cells, classes, row_weights, column_weights, row_first, column_first, right, log_sums,
    grad_right, grad_shared, grad_predicted, grad_cells,
    num_classes, num_rows, num_columns, height, width,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr, CELLS: tl.constexpr, HAS_OVERLAP: tl.constexpr,
):  # fmt: skip
    row_tile, column_tile, picture = tl.program_id(0), tl.program_id(1), tl.program_id(2).to(tl.int64)
    rows, cell_rows = _axis(row_weights, row_first, num_rows, height, row_tile, ROWS, ROWS)
    columns, cell_columns = _axis(column_weights, column_first, num_columns, width, column_tile, COLUMNS, CELLS)
    is_cell = (cell_rows < num_rows)[:, None] & (cell_columns < num_columns)[None, :]
    at = picture * num_classes * num_rows * num_columns + cell_rows[:, None] * num_columns + cell_columns[None, :]
    y, x = row_tile * ROWS + tl.arange(0, ROWS), column_tile * COLUMNS + tl.arange(0, COLUMNS)
    is_pixel = (y < height)[:, None] & (x < width)[None, :]
    pixel_at = picture * height * width + y[:, None] * width + x[None, :]
    truth = tl.load(classes + pixel_at, mask=is_pixel, other=-1)
    log_sum = tl.load(log_sums + pixel_at, mask=is_pixel, other=0.0)
    own = tl.load(grad_right + pixel_at, mask=is_pixel & (truth >= 0), other=0.0)
    if HAS_OVERLAP:
        of_class = tl.load(grad_shared + truth, mask=truth >= 0, other=0.0)
        own += of_class * tl.exp(tl.load(right + pixel_at, mask=is_pixel, other=0.0))
    pull = own
    if HAS_OVERLAP:
        for number in range(num_classes):
            logits = _enlarged(cells, at + number * num_rows * num_columns, is_cell, rows, columns)
            pull += tl.where(truth >= 0, tl.exp(logits - log_sum), 0.0) * tl.load(grad_predicted + number)
    is_used = is_cell & (tl.sum(rows, axis=0) > 0)[:, None] & (tl.sum(columns, axis=0) > 0)[None, :]
    for number in range(num_classes):
        logits = _enlarged(cells, at + number * num_rows * num_columns, is_cell, rows, columns)
        push = -pull
        if HAS_OVERLAP:
            push += tl.load(grad_predicted + number)
        grads = tl.where(truth >= 0, tl.exp(logits - log_sum) * push + tl.where(truth == number, own, 0.0), 0.0)
        narrow = tl.dot(grads, columns, input_precision="tf32x3")
        low = tl.dot(tl.trans(rows), narrow, input_precision="tf32x3")
        tl.atomic_add(grad_cells + at + number * num_rows * num_columns, low, mask=is_used)


def forward(cells_BChw: Tensor, classes_BHW: Tensor, has_overlap: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """See ``engine.kernels.segmentation_loss.op``."""
    num_classes = cells_BChw.shape[1]
    right_BHW, log_sum_BHW = (torch.empty_like(classes_BHW, dtype=torch.float32) for _ in range(2))
    grid = _grid(classes_BHW)
    sums_T2C = cells_BChw.new_empty((grid[0] * grid[1] * grid[2] if has_overlap else 0, 2, num_classes))
    _forward_kernel[grid](
        *_given(cells_BChw, classes_BHW), right_BHW, log_sum_BHW, sums_T2C, *_sizes(cells_BChw, classes_BHW),
        **_tile(cells_BChw, classes_BHW), HAS_OVERLAP=has_overlap,
    )  # fmt: skip
    shared_C, predicted_C = sums_T2C.sum(dim=0).unbind()
    return right_BHW, log_sum_BHW, shared_C.clone(), predicted_C.clone()


def backward(
    grad_right_BHW: Tensor, grad_shared_C: Tensor, grad_predicted_C: Tensor, kept: Sequence[Tensor], has_overlap: bool
) -> Tensor:
    """Gradients of the cells; see ``engine.kernels.segmentation_loss.cpu``."""
    cells_BChw, classes_BHW, right_BHW, log_sum_BHW = kept
    grad_BChw = torch.zeros(cells_BChw.shape, device=cells_BChw.device)
    _backward_kernel[_grid(classes_BHW)](
        *_given(cells_BChw, classes_BHW), right_BHW, log_sum_BHW,
        grad_right_BHW.contiguous(), grad_shared_C.contiguous(), grad_predicted_C.contiguous(), grad_BChw,
        *_sizes(cells_BChw, classes_BHW), **_tile(cells_BChw, classes_BHW), HAS_OVERLAP=has_overlap,
    )  # fmt: skip
    return grad_BChw


def _grid(classes_BHW: Tensor) -> tuple[int, int, int]:
    batch, height, width = classes_BHW.shape
    return triton.cdiv(height, _ROWS), triton.cdiv(width, _COLUMNS), batch


def _tile(cells_BChw: Tensor, classes_BHW: Tensor) -> dict[str, int]:
    """Pixels of a tile, and room for the cells that one of its rows is made of; of rows there are no more than pixels."""
    factor = classes_BHW.shape[-1] // cells_BChw.shape[-1]
    return {"ROWS": _ROWS, "COLUMNS": _COLUMNS, "CELLS": _LEAST if _COLUMNS // factor + 2 <= _LEAST else _COLUMNS}


def _given(cells_BChw: Tensor, classes_BHW: Tensor) -> tuple[Tensor, ...]:
    """The tensors that both kernels take first."""
    factor = classes_BHW.shape[-1] // cells_BChw.shape[-1]
    rows_Hh, columns_Ww = (weights(num_cells, factor, cells_BChw) for num_cells in cells_BChw.shape[-2:])
    first_H, first_W = ((each != 0).to(torch.int32).argmax(dim=1).to(torch.int32) for each in (rows_Hh, columns_Ww))
    return cells_BChw.contiguous(), classes_BHW.contiguous(), rows_Hh, columns_Ww, first_H, first_W


def _sizes(cells_BChw: Tensor, classes_BHW: Tensor) -> tuple[int, ...]:
    return (*cells_BChw.shape[1:], *classes_BHW.shape[1:])
