"""Detections of a batch of crowded pictures on a GPU, without waiting for it, against torchvision's operator in a loop."""

from __future__ import annotations

import torch
from torch import Tensor

from benchmarks._gpu import clock, device_for, device_name
from benchmarks.harness import Claim, Options, SkippedError, interleave, main, speedup
from benchmarks.postprocess import NUM_ANCHORS, NUM_LABELS, crowded_picture
from engine.tasks.shared import suppression


def measure(options: Options) -> list[Claim]:
    """Pictures a second."""
    device = device_for(options)
    batch, num_anchors, repeats = options.pick((32, NUM_ANCHORS, 20), smoke=(2, 300, 1))
    boxes_1A4, scores_1AL = crowded_picture(num_anchors)
    boxes_BA4 = boxes_1A4.repeat(batch, 1, 1).to(device)
    scores_BAL = scores_1AL.repeat(batch, 1, 1).to(device)

    def often(work) -> int:
        for _ in range(repeats):
            work(boxes_BA4, scores_BAL)
        return repeats * batch

    seconds = interleave(
        {"ours": lambda: often(suppression.strongest), "theirs": lambda: often(_theirs(options))},
        num_rounds=options.num_rounds,
        clock=clock,
    )
    metric = f"pictures/s, {batch} x {num_anchors} boxes x {NUM_LABELS} labels to detections, {device_name(device)}"
    return [speedup("gpu_postprocess", metric, seconds, ours="ours", anchor="theirs", target=5.0)]


def _theirs(options: Options):
    try:
        from torchvision.ops import batched_nms
    except (ImportError, RuntimeError) as error:
        if options.is_smoke:
            return suppression.strongest
        raise SkippedError("needs torchvision") from error

    def loop(boxes_BA4: Tensor, scores_BAL: Tensor) -> list[Tensor]:
        found = []
        for boxes_A4, scores_AL in zip(boxes_BA4, scores_BAL, strict=True):
            places_N, labels_N = (scores_AL > suppression.MIN_SCORE).nonzero(as_tuple=True)
            scores_N = scores_AL[places_N, labels_N]
            scores_K, order_K = scores_N.topk(min(suppression.MAX_CANDIDATES, len(scores_N)))
            boxes_K4, labels_K = boxes_A4[places_N[order_K]], labels_N[order_K]
            kept = batched_nms(boxes_K4, scores_K, labels_K, suppression.IOU_THRESHOLD)[: suppression.MAX_DETECTIONS]
            found.append(torch.cat([boxes_K4[kept], scores_K[kept, None], labels_K[kept, None]], dim=1))
        return found

    return loop


if __name__ == "__main__":
    main(measure)
