"""Terms of which the loss of a segmenter is made: of each pixel by itself, or of what truth and answer share.

Pixels with a negative class count in none of them: the loss is that of a batch which ends where they begin.

Shapes: B batch, C classes (none of the labels, then each label), h and w cells along an axis, H height, W width, P
pixels of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from torch import Tensor

from engine.kernels.segmentation_loss.doubling import enlarged
from engine.kernels.segmentation_loss.op import pixel_scores

FOCUS = 2.0
"""Exponent of ``focal``: the paper's."""
SURE = 0.7
"""A pixel is hard whose true class gets less."""
FEW_LOGITS = 1 << 22
"""Of a batch, on the CPU: so few are enlarged at once, since by bands a step would take up to a tenth longer."""
LEAST_HARD = 1 / 16
"""Share of the batch's pixels that is learned from in any case."""
_IGNORED = -1
_LEAST_WEIGHT = 1e-6
"""Of all pixels of a batch together, so that one in which none counts has the loss 0."""


@dataclass(frozen=True)
class Batch:
    """What a network says of a batch, and the truth."""

    cells_BChw: Tensor
    """Logits in float32, of pixels or of larger cells."""
    classes_BHW: Tensor
    """Negative where a pixel does not count."""
    weights_C: Tensor | None
    """None weighs the classes alike."""
    smoothing: float
    """Share of a pixel's target that is spread over all classes."""
    has_overlap: bool
    """Whether Dice is asked for, which needs more of the scores than each pixel's own."""

    @cached_property
    def pixel_scores(self) -> tuple[Tensor, Tensor, Tensor]:
        """Logarithms ``_BHW`` of the right classes' scores, and sums ``_C`` of scores where a class is there, and anywhere."""
        is_small = self.classes_BHW.numel() * self.cells_BChw.shape[1] <= FEW_LOGITS
        if is_small and self.cells_BChw.device.type == "cpu":
            return self._scores_at_once()
        return pixel_scores(self.cells_BChw, self.classes_BHW, has_overlap=self.has_overlap)

    def _scores_at_once(self) -> tuple[Tensor, Tensor, Tensor]:
        """The same from the logits of all pixels; the sums are 0 where nobody asks for them."""
        logarithms_BCHW = self.all_logits.log_softmax(dim=1)
        right_BHW = logarithms_BCHW.gather(1, self.known_classes()[:, None])[:, 0] * self.is_counted()
        shared_C = self.cells_BChw.new_zeros(self.cells_BChw.shape[1])
        if not self.has_overlap:
            return right_BHW, shared_C, shared_C
        scores_BHW = right_BHW.exp() * self.is_counted()
        shared_C = shared_C.index_add(0, self.known_classes().flatten(), scores_BHW.flatten())
        return right_BHW, shared_C, (logarithms_BCHW.exp() * self.is_counted()[:, None]).sum(dim=(0, 2, 3))

    @cached_property
    def all_logits(self) -> Tensor:
        """Logits ``_BCHW`` of pixels, for what cannot do with less."""
        return enlarged(self.cells_BChw, self.classes_BHW.shape[-1] // self.cells_BChw.shape[-1])

    def is_counted(self) -> Tensor:
        """1 where a pixel counts, else 0, ``_BHW``."""
        return (self.classes_BHW >= 0).to(self.cells_BChw.dtype)

    def known_classes(self) -> Tensor:
        """The class of each pixel, ``_BHW``; 0 where it does not count."""
        return self.classes_BHW.clamp(min=0)

    def entropies(self, *, is_weighted: bool = True) -> Tensor:
        """Cross-entropy of each pixel, ``_BHW``; 0 where it does not count."""
        weights_C = self.weights_C if is_weighted else None
        if self.smoothing == 0:
            entropies_BHW = -self.pixel_scores[0]
            return entropies_BHW if weights_C is None else entropies_BHW * weights_C[self.known_classes()]
        return F.cross_entropy(
            self.all_logits,
            self.classes_BHW.clamp(min=_IGNORED),
            weights_C,
            ignore_index=_IGNORED,
            reduction="none",
            label_smoothing=self.smoothing,
        )

    def pixel_weights(self) -> Tensor:
        """What each pixel weighs by its class, ``_BHW``; 0 where it does not count."""
        return self.is_counted() if self.weights_C is None else self.weights_C[self.known_classes()] * self.is_counted()

    def pixels_by_class(self) -> Tensor:
        """How many pixels of each class count, ``_C``. Nothing waits for the device."""
        counts_C = self.cells_BChw.new_zeros(self.cells_BChw.shape[1])
        return counts_C.index_add_(0, self.known_classes().flatten(), self.is_counted().flatten())


def cross_entropy(batch: Batch) -> Tensor:
    """Mean cross-entropy of the pixels."""
    return _mean(batch.entropies(), batch.pixel_weights())


def focal(batch: Batch) -> Tensor:
    """Cross-entropy that counts the less, the surer the right answer is (Lin et al. 2017, https://arxiv.org/abs/1708.02002)."""
    return _mean(batch.entropies() * (1 - batch.pixel_scores[0].exp()) ** FOCUS, batch.pixel_weights())


def ohem(batch: Batch) -> Tensor:
    """Cross-entropy of the hard pixels alone (online hard example mining, Shrivastava et al. 2016, https://arxiv.org/abs/1604.03540).

    Hard are those whose true class gets less than ``SURE``, and in any case the hardest ``LEAST_HARD`` of the batch.
    """
    hardness_BHW = batch.entropies(is_weighted=False).detach()
    num_least = max(1, int(LEAST_HARD * hardness_BHW.numel()))
    limit = hardness_BHW.flatten().topk(num_least).values[-1].clamp(max=-math.log(SURE))
    is_hard_BHW = (hardness_BHW >= limit).to(hardness_BHW.dtype)
    return _mean(batch.entropies() * is_hard_BHW, batch.pixel_weights() * is_hard_BHW)


def dice(batch: Batch) -> Tensor:
    """One less the mean soft Dice of the labels that the batch shows; 0 where it shows none.

    Milletari et al. 2016, https://arxiv.org/abs/1606.04797.
    """
    _, shared_C, predicted_C = batch.pixel_scores
    shared_C, predicted_C, there_C = shared_C[1:], predicted_C[1:], batch.pixels_by_class()[1:]
    return _mean_there(1 - 2 * shared_C / (predicted_C + there_C).clamp(min=1.0), there_C)


def lovasz(batch: Batch) -> Tensor:
    """Mean Lovász-softmax of the labels that the batch shows; 0 where it shows none.

    The tightest convex surrogate of one less the intersection over union, of the batch as a whole (Berman et al. 2018,
    https://arxiv.org/abs/1705.08790).
    """
    scores_BCHW, is_class_BCHW = _scores_and_truth(batch)
    errors_CP, is_class_CP = (
        each.transpose(0, 1).flatten(1)[1:] for each in ((is_class_BCHW - scores_BCHW).abs(), is_class_BCHW)
    )
    there_C = is_class_CP.sum(dim=1)
    losses = [_lovasz_extension(errors_P, is_class_P) for errors_P, is_class_P in zip(errors_CP, is_class_CP, strict=True)]
    return _mean_there(torch.stack(losses), there_C)


PIXEL_TERMS: Mapping[str, Callable[[Batch], Tensor]] = {"cross_entropy": cross_entropy, "focal": focal, "ohem": ohem}
"""Of each pixel by itself; they heed the classes' weights."""
OVERLAP_TERMS: Mapping[str, Callable[[Batch], Tensor]] = {"dice": dice, "lovasz": lovasz}
"""Of what truth and answer share of a label, which counts alike however few pixels it has."""


def _scores_and_truth(batch: Batch) -> tuple[Tensor, Tensor]:
    """How likely each class is, and whether it is there, ``_BCHW`` each; 0 where a pixel does not count."""
    counts_B1HW = batch.is_counted()[:, None]
    scores_BCHW = batch.all_logits.softmax(dim=1)
    is_class_BHWC = F.one_hot(batch.known_classes(), scores_BCHW.shape[1])
    return scores_BCHW * counts_B1HW, is_class_BHWC.permute(0, 3, 1, 2) * counts_B1HW


def _mean(losses_BHW: Tensor, weights_BHW: Tensor) -> Tensor:
    """0 where no pixel counts."""
    return losses_BHW.sum() / weights_BHW.sum().clamp(min=_LEAST_WEIGHT)


def _mean_there(losses_C: Tensor, there_C: Tensor) -> Tensor:
    is_there_C = (there_C > 0).to(losses_C.dtype)
    return (losses_C * is_there_C).sum() / is_there_C.sum().clamp(min=1.0)


def _lovasz_extension(errors_P: Tensor, is_class_P: Tensor) -> Tensor:
    """Errors from the largest to the smallest, each times what the Jaccard loss grows by when its pixel is wrong, too."""
    sorted_P, order_P = errors_P.sort(descending=True)
    true_P = is_class_P[order_P]
    num_true = true_P.sum()
    jaccard_P = 1 - (num_true - true_P.cumsum(0)) / (num_true + (1 - true_P).cumsum(0)).clamp(min=1.0)
    return (sorted_P * jaccard_P.diff(prepend=jaccard_P.new_zeros(1))).sum()
