"""Bands of rows whose logits stay in the processor's cache; columns are enlarged before, rows only in their band.

Shapes: B batch, C classes, h and w cells along an axis, H height, W width, P pixels of a band, Q cells of a band's rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.kernels.segmentation_loss.doubling import weights

_LOGITS = 1 << 18
"""Of a band, at most. With 20 classes at 512 px: half or twice as many are as fast, a whole picture takes twice the time."""

_ROWS = 64
"""Of a band, at most: the product that enlarges rows grows with their square; 16, and all 192 of small pictures, are slower."""


@dataclass(frozen=True)
class _Band:
    """Some rows of a picture."""

    rows: slice
    """Of pixels."""
    cells: slice
    """Rows of cells from which these are enlarged."""
    weights_RQ: Tensor
    """Of the latter for the former."""


def forward(cells_BChw: Tensor, classes_BHW: Tensor, has_overlap: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """See ``engine.kernels.segmentation_loss.op``."""
    num_classes, factor = cells_BChw.shape[1], classes_BHW.shape[-1] // cells_BChw.shape[-1]
    right_BHW, log_sum_BHW = (torch.empty_like(classes_BHW, dtype=cells_BChw.dtype) for _ in range(2))
    shared_C, predicted_C = (cells_BChw.new_zeros(num_classes) for _ in range(2))
    columns_wW, bands = weights(cells_BChw.shape[-1], factor, cells_BChw).T, _bands(cells_BChw, factor)
    for picture, cells_Chw in enumerate(cells_BChw):
        wide_ChW = torch.matmul(cells_Chw, columns_wW)
        for band in bands:
            logits_CP = _enlarged(wide_ChW, band)
            classes_P, counts_P = _truth(classes_BHW[picture, band.rows], logits_CP.dtype)
            right_P = logits_CP.gather(0, classes_P[None])[0]
            highest_P = logits_CP.amax(dim=0)
            total_P = logits_CP.sub_(highest_P).exp_().sum(dim=0)
            log_sum_P = total_P.log().add_(highest_P)
            right_P.sub_(log_sum_P).mul_(counts_P)
            right_BHW[picture, band.rows].view(-1).copy_(right_P)
            log_sum_BHW[picture, band.rows].view(-1).copy_(log_sum_P)
            if has_overlap:
                predicted_C += logits_CP @ counts_P.div(total_P)
                shared_C.index_add_(0, classes_P, right_P.exp_().mul_(counts_P))
    return right_BHW, log_sum_BHW, shared_C, predicted_C


def backward(
    grad_right_BHW: Tensor, grad_shared_C: Tensor, grad_predicted_C: Tensor, kept: Sequence[Tensor], has_overlap: bool
) -> Tensor:
    """Gradients of the cells.

    Args:
        grad_right_BHW: of the first result of ``forward``.
        grad_shared_C: of the third.
        grad_predicted_C: of the fourth.
        kept: cells, classes, and the first two results of ``forward``.
        has_overlap: as of ``forward``; else the gradients of the sums do not count.
    """
    cells_BChw, classes_BHW, right_BHW, log_sum_BHW = kept
    factor = classes_BHW.shape[-1] // cells_BChw.shape[-1]
    columns_wW, bands = weights(cells_BChw.shape[-1], factor, cells_BChw).T, _bands(cells_BChw, factor)
    grad_BChw = torch.empty(cells_BChw.shape, dtype=cells_BChw.dtype)
    for picture, cells_Chw in enumerate(cells_BChw):
        wide_ChW = torch.matmul(cells_Chw, columns_wW)
        grad_ChW = torch.zeros_like(wide_ChW)
        for band in bands:
            classes_P, counts_P = _truth(classes_BHW[picture, band.rows], cells_BChw.dtype)
            scores_CP = _enlarged(wide_ChW, band).sub_(log_sum_BHW[picture, band.rows].reshape(-1)).exp_()
            own_P = grad_right_BHW[picture, band.rows].reshape(-1) * counts_P
            if has_overlap:
                scores_CP.mul_(counts_P)
                own_P.addcmul_(right_BHW[picture, band.rows].reshape(-1).exp().mul_(counts_P), grad_shared_C[classes_P])
                pull_P = (grad_predicted_C @ scores_CP).add_(own_P)
                scores_CP.mul_(grad_predicted_C[:, None] - pull_P)
            else:
                scores_CP.mul_(-own_P)
            scores_CP.scatter_add_(0, classes_P[None], own_P[None])
            grad_ChW[:, band.cells] += torch.matmul(band.weights_RQ.T, scores_CP.view(len(scores_CP), -1, wide_ChW.shape[-1]))
        torch.matmul(grad_ChW, columns_wW.T, out=grad_BChw[picture])
    return grad_BChw


def _bands(cells_BChw: Tensor, factor: int) -> Sequence[_Band]:
    _, num_classes, num_cells, width = cells_BChw.shape
    rows_Hh = weights(num_cells, factor, cells_BChw)
    step = max(1, min(_ROWS, _LOGITS // (num_classes * width * factor)))
    found = []
    for low in range(0, len(rows_Hh), step):
        rows = slice(low, min(low + step, len(rows_Hh)))
        # However often cells are doubled, a pixel is made of its own and of neighbours.
        cells = slice(max(0, rows.start // factor - 1), min(num_cells, (rows.stop - 1) // factor + 2))
        found.append(_Band(rows, cells, rows_Hh[rows, cells]))
    return found


def _enlarged(wide_ChW: Tensor, band: _Band) -> Tensor:
    """Logits of the band's pixels, ``_CP``."""
    return torch.matmul(band.weights_RQ, wide_ChW[:, band.cells]).flatten(1)


def _truth(classes_RW: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Classes of the pixels ``_P``, 0 where one does not count, and 1 where it does."""
    classes_P = classes_RW.reshape(-1)
    return classes_P.clamp(min=0), (classes_P >= 0).to(dtype)
