"""Suppression on CUDA in two launches and without waiting for the device.

The first kernel writes for each candidate, as bits, which later ones it would suppress; the second walks down the candidates of
each picture once and keeps the ones that nobody kept before has struck out. As the bit-mask kernels of the detection libraries
do it, but for the whole batch, with labels, and with the walk on the device. Shapes: B batch, K candidates, W words of 32 bits.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

_WORD = 32
_BLOCK = 64
"""Candidates whose words one program writes."""


@triton.jit
def _mask_kernel(boxes, labels, scores, words, num_candidates, num_words, iou_threshold, BLOCK: tl.constexpr):  # noqa: PLR0917
    picture, block, word = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows = block * BLOCK + tl.arange(0, BLOCK)
    columns = word * 32 + tl.arange(0, 32)
    base = picture * num_candidates
    is_row, is_column = rows < num_candidates, columns < num_candidates
    row_at, column_at = (base + rows) * 4, (base + columns) * 4
    left = tl.load(boxes + row_at, mask=is_row, other=0.0)[:, None]
    top = tl.load(boxes + row_at + 1, mask=is_row, other=0.0)[:, None]
    right = tl.load(boxes + row_at + 2, mask=is_row, other=0.0)[:, None]
    bottom = tl.load(boxes + row_at + 3, mask=is_row, other=0.0)[:, None]
    other_left = tl.load(boxes + column_at, mask=is_column, other=0.0)[None, :]
    other_top = tl.load(boxes + column_at + 1, mask=is_column, other=0.0)[None, :]
    other_right = tl.load(boxes + column_at + 2, mask=is_column, other=0.0)[None, :]
    other_bottom = tl.load(boxes + column_at + 3, mask=is_column, other=0.0)[None, :]
    width = tl.maximum(tl.minimum(right, other_right) - tl.maximum(left, other_left), 0.0)
    height = tl.maximum(tl.minimum(bottom, other_bottom) - tl.maximum(top, other_top), 0.0)
    inter = width * height
    union = (right - left) * (bottom - top) + (other_right - other_left) * (other_bottom - other_top) - inter
    overlap = tl.where(union > 0, inter / tl.maximum(union, 1e-37), 0.0)
    label = tl.load(labels + base + rows, mask=is_row, other=-1)[:, None]
    other_label = tl.load(labels + base + columns, mask=is_column, other=-2)[None, :]
    other_score = tl.load(scores + base + columns, mask=is_column, other=0.0)[None, :]
    strikes = (overlap > iou_threshold) & (label == other_label) & (columns[None, :] > rows[:, None]) & (other_score > 0)
    bits = tl.sum(tl.where(strikes, 1 << tl.arange(0, 32)[None, :].to(tl.int64), 0), axis=1)
    tl.store(words + (base + rows) * num_words + word, bits, mask=is_row)


@triton.jit
def _walk_kernel(words, scores, kept, num_candidates, num_words, WORDS: tl.constexpr):  # noqa: PLR0917
    picture = tl.program_id(0)
    base = picture * num_candidates
    places = tl.arange(0, WORDS)
    struck = tl.zeros([WORDS], dtype=tl.int64)
    for row in range(num_candidates):
        own = tl.sum(tl.where(places == row // 32, struck, 0), axis=0)
        score = tl.load(scores + base + row)
        is_kept = (((own >> (row % 32)) & 1) == 0) & (score > 0)
        mine = tl.load(words + (base + row) * num_words + places, mask=places < num_words, other=0)
        struck = tl.where(is_kept, struck | mine, struck)
        tl.store(kept + base + row, is_kept.to(tl.int8))


def nms(boxes_BK4: Tensor, scores_BK: Tensor, labels_BK: Tensor, iou_threshold: float) -> Tensor:
    """Says which candidates survive; see ``engine.kernels.nms.op.nms``. The device is not waited for."""
    scores_BK, order_BK = scores_BK.float().sort(dim=1, descending=True, stable=True)
    boxes_BK4 = boxes_BK4.float().gather(1, order_BK[..., None].expand(-1, -1, 4)).contiguous()
    labels_BK = labels_BK.gather(1, order_BK).to(torch.int32).contiguous()
    batch, num_candidates = scores_BK.shape
    num_words = triton.cdiv(num_candidates, _WORD)
    words_BKW = torch.empty((batch, num_candidates, num_words), dtype=torch.int64, device=scores_BK.device)
    kept_BK = torch.empty((batch, num_candidates), dtype=torch.int8, device=scores_BK.device)
    grid = (batch, triton.cdiv(num_candidates, _BLOCK), num_words)
    _mask_kernel[grid](boxes_BK4, labels_BK, scores_BK, words_BKW, num_candidates, num_words, iou_threshold, BLOCK=_BLOCK)
    words_to = triton.next_power_of_2(num_words)
    _walk_kernel[(batch,)](words_BKW, scores_BK, kept_BK, num_candidates, num_words, WORDS=words_to)
    return torch.zeros_like(kept_BK, dtype=torch.bool).scatter(1, order_BK, kept_BK.bool())
