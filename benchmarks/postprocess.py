"""From a detector's 8,400 boxes with 80 classes to detections: ours against the usual loop over classes and boxes in torch.

Then each family at 640 px as it is shipped, in onnxruntime: the share that the same work takes in the time of the network. The
weights are fresh, for a network's time does not depend on them; the boxes are those of a crowded picture, as many as it gives.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import onnxruntime
import torch
from torch import Tensor, nn

from benchmarks.harness import Claim, Options, interleave, main, speedup
from engine.artefact.graph import export_graph
from engine.kernels.nms import reference
from engine.models import families_for, family_part
from engine.tasks.object_detection.spec import TASK
from engine.tasks.shared import suppression

NUM_ANCHORS, NUM_LABELS = 8400, 80
NUM_THINGS = 60
SIDE_PX = 640
MAX_SHARE = 0.05


def measure(options: Options) -> list[Claim]:
    """The ratio, after the answers were compared, and a share a family."""
    torch.set_num_threads(1)
    num_anchors, num_families = options.pick((NUM_ANCHORS, None), smoke=(500, 1))
    boxes_BA4, scores_BAL = crowded_picture(num_anchors)
    ours, loop = suppression.strongest(boxes_BA4, scores_BAL), _looped(boxes_BA4, scores_BAL)
    if not torch.equal(ours, loop):
        raise AssertionError("the answers differ")
    sys.stderr.write(f"answers are identical; {int((ours[..., 5] >= 0).sum())} detections\n")
    contestants = {
        "ours": lambda: len(suppression.strongest(boxes_BA4, scores_BAL)),
        "loop": lambda: len(_looped(boxes_BA4, scores_BAL)),
    }
    seconds = interleave(contestants, num_rounds=options.num_rounds)
    metric = f"pictures/s/core, {num_anchors} boxes x {NUM_LABELS} classes to detections, identical answers"
    claims = [speedup("postprocess", metric, seconds, ours="ours", anchor="loop", target=8.0)]
    with tempfile.TemporaryDirectory() as folder:
        families = families_for(TASK)[:num_families]
        claims += [_share(family.name, family.sizes[0].name, Path(folder), options) for family in families]
    return claims


class _Candidates(nn.Module):
    """The network up to its boxes and scores, as one tensor."""

    def __init__(self, detector: nn.Module):
        super().__init__()
        self.detector = detector

    def forward(self, pictures_BCHW: Tensor) -> Tensor:
        return torch.cat(self.detector.candidates(self.detector(pictures_BCHW)), dim=-1)  # type: ignore[operator]


class _Tail(nn.Module):
    """From there to detections."""

    def forward(self, candidates_BAC: Tensor) -> Tensor:
        return suppression.strongest(candidates_BAC[..., :4], candidates_BAC[..., 4:])


def _share(family: str, size: str, folder: Path, options: Options) -> Claim:
    """Time of the tail against the network's."""
    torch.manual_seed(0)
    detector = family_part(family, "network").build(size).detector(NUM_LABELS).eval()
    side_px = options.pick(SIDE_PX, smoke=64)
    picture_BCHW = 255 * torch.rand(1, 3, side_px, side_px)
    with torch.no_grad():
        num_boxes = _Candidates(detector)(picture_BCHW).shape[1]
    candidates_BAC = torch.cat(crowded_picture(num_boxes), dim=-1)
    network = _session(_Candidates(detector), picture_BCHW, folder / f"{family}.onnx")
    tail = _session(_Tail(), candidates_BAC, folder / f"{family}-tail.onnx")
    contestants = {
        "tail": lambda: sum(len(tail.run(None, {"given": candidates_BAC.numpy()})) for _ in range(5)),
        "network": lambda: len(network.run(None, {"given": picture_BCHW.numpy()})),
    }
    seconds = interleave(contestants, num_rounds=options.num_rounds)
    shares = [own / whole for own, whole in zip(seconds["tail"], seconds["network"], strict=True)]
    metric = f"ms, {num_boxes} boxes x {NUM_LABELS} classes to detections; the network's: {family} {size} at {side_px} px"
    times_ms = (1000 * statistics.median(seconds[name]) for name in ("tail", "network"))
    return Claim("postprocess", metric, *times_ms, statistics.median(shares), MAX_SHARE, is_at_most=True)


def _session(module: nn.Module, example: Tensor, path: Path) -> onnxruntime.InferenceSession:
    """On one thread, as a server runs it."""
    export_graph(module, example, path, input_name="given", output_name="found", dynamic_axes={})
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])


def crowded_picture(num_boxes: int) -> tuple[Tensor, Tensor]:
    """Sixty things of some classes, each seen by many boxes that nearly agree, as a detector gives them before suppression."""
    generator = torch.Generator().manual_seed(0)
    thing_A = torch.randint(0, NUM_THINGS, (num_boxes,), generator=generator)
    middle_A2 = torch.rand(NUM_THINGS, 2, generator=generator)[thing_A] + 0.02 * torch.randn(num_boxes, 2, generator=generator)
    size_A2 = (0.05 + 0.25 * torch.rand(NUM_THINGS, 2, generator=generator))[thing_A]
    size_A2 = size_A2 * (1 + 0.1 * torch.randn(num_boxes, 2, generator=generator)).clamp(min=0.2)
    boxes_A4 = torch.cat([middle_A2 - size_A2 / 2, middle_A2 + size_A2 / 2], dim=-1).clamp(0, 1)
    scores_AL = 0.02 * torch.rand(num_boxes, NUM_LABELS, generator=generator)
    label_A = torch.randint(0, NUM_LABELS, (NUM_THINGS,), generator=generator)[thing_A]
    scores_AL[torch.arange(num_boxes), label_A] = torch.rand(num_boxes, generator=generator) ** 2
    return boxes_A4[None], scores_AL[None]


def _looped(boxes_BA4: Tensor, scores_BAL: Tensor) -> Tensor:
    """The same rules (a thousand candidates, suppression by class, the best hundred), class by class and box by box."""
    found = []
    for boxes_A4, scores_AL in zip(boxes_BA4, scores_BAL, strict=True):
        best_K, places_K = scores_AL.flatten().topk(suppression.MAX_CANDIDATES)
        boxes_K4, labels_K = boxes_A4[places_K // NUM_LABELS], places_K % NUM_LABELS
        best_K[suppression.NUM_ALWAYS :][best_K[suppression.NUM_ALWAYS :] <= suppression.MIN_SCORE] = 0.0
        best_K[best_K <= suppression.MIN_ALWAYS] = 0.0
        kept_K = reference.nms(boxes_K4[None], best_K[None], labels_K[None], suppression.IOU_THRESHOLD)[0]
        order_D = torch.where(kept_K, best_K, 0.0).topk(suppression.MAX_DETECTIONS).indices
        order_D = order_D[kept_K[order_D]]
        rows_D6 = torch.zeros(suppression.MAX_DETECTIONS, suppression.NUM_COLUMNS)
        rows_D6[:, 5] = -1.0
        chosen_D4 = boxes_K4[order_D]
        rows_D6[: len(order_D), :2] = chosen_D4[:, :2]
        rows_D6[: len(order_D), 2:4] = chosen_D4[:, 2:] - chosen_D4[:, :2]
        rows_D6[: len(order_D), 4], rows_D6[: len(order_D), 5] = best_K[order_D], labels_K[order_D].float()
        found.append(rows_D6)
    return torch.stack(found)


if __name__ == "__main__":
    main(measure)
