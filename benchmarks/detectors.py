"""How well detectors fit their boxes and masks, beside a sibling that began with the same numbers and saw the same pictures.

Pictures of the generator's easy level, ImageNet weights, each family's own learning rate, equal steps. By default pairs of
families on 320 pictures, ten times, at 96 px: about two minutes of one core a network and seed. With ``--full`` the detectors
of boxes on 600 pictures, once each: those in two stages sixteen times at 128 px, as FCOS in the row ``detection``, the others
twelve times at 192 px, since their coarsest cells are larger. Judged on new pictures of
things that were trained on and on things never seen; the claims are of the former, the rest goes to standard error.
"""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import dataclass

import torch

from benchmarks._detectors import SETS, Budget, Drawn, detector, drawn, judged, train
from benchmarks.harness import Claim, Options, Size, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.models import family_spec
from engine.tasks.object_detection import scenes

LEVEL = "easy"
BOXES, MASKS = "object_detection", "instance_segmentation"
_CLAIMED = "new pictures"
_FITTING_AP50 = 0.9
"""What each detector of boxes reaches on pictures of this level."""


@dataclass(frozen=True)
class Pair:
    """A family beside the one that it is to be better than."""

    task: str
    ours: str
    anchor: str
    metric: str
    target: float
    is_at_most: bool = False


PAIRS = (
    Pair(BOXES, "cascade_rcnn", "faster_rcnn", "ap75", 1.0),
    Pair(MASKS, "cascade_mask_rcnn", "mask_rcnn", "ap75", 1.0),
    Pair(MASKS, "blendmask", "mask_rcnn", "ap", 0.9),
    Pair(MASKS, "blendmask", "mask_rcnn", "ms", 0.7, is_at_most=True),
)
SMALL, SMOKE = Budget(320, 10, 96), Budget(2, 1, 64, batch=2)
TWO_STAGES, ONE_STAGE = Budget(600, 16, 128), Budget(600, 12, 192)
ALONE = {"cascade_rcnn": TWO_STAGES, "faster_rcnn": TWO_STAGES, "ssd": ONE_STAGE, "yolo": ONE_STAGE}


def measure(options: Options) -> list[Claim]:
    """One claim a pair, or with ``--full`` one a detector."""
    if options.size is Size.QUICK:
        raise SkippedError("training a detector takes minutes")
    num_judged, num_seeds = options.pick((200, 2), smoke=(2, 1), full=(200, 1))
    torch.set_num_threads(1)
    try:
        if options.size is Size.FULL:
            return [_reached(family, _Judging(budget, num_judged, num_seeds)) for family, budget in ALONE.items()]
        judging = _Judging(options.pick(SMALL, smoke=SMOKE), num_judged, num_seeds)
        return [_compared(pair, judging) for pair in options.pick(PAIRS, smoke=PAIRS[-1:])]
    except AssetMissingError as error:
        raise SkippedError(str(error)) from error


class _Judging:
    """Trains and judges each family once a seed."""

    def __init__(self, budget: Budget, num_judged: int, num_seeds: int):
        self.budget, self._num_judged, self.num_seeds = budget, num_judged, num_seeds
        self._known: dict[tuple[str, str], list[dict[str, float]]] = {}

    def values(self, task: str, family: str) -> list[dict[str, float]]:
        """The metrics on new pictures, seed by seed."""
        if (task, family) not in self._known:
            self._known[task, family] = [self._values(task, family, seed) for seed in range(self.num_seeds)]
        return self._known[task, family]

    def _values(self, task: str, family: str, seed: int) -> dict[str, float]:
        spec = family_spec(family)
        peak_lr = float(next(param.default for param in spec.params if param.name == "lr"))
        model = detector(family, spec.sizes[0].name, seed)
        train(task, model, self._drawn(task, self.budget.num_pictures, seed), seed, self.budget, peak_lr=peak_lr)
        found = {}
        for name, is_held_out in SETS.items():
            pictures = self._drawn(task, self._num_judged, scenes.HELD_OUT_SEED, is_held_out=is_held_out)
            found[name] = judged(task, model, pictures)
            shown = {key: round(found[name][key], 3) for key in ("ap50", "ap75", "ap", "ms")}
            sys.stderr.write(json.dumps({"family": family, "seed": seed, "set": name, **shown}) + "\n")
        return found[_CLAIMED]

    def _drawn(self, task: str, number: int, seed: int, *, is_held_out: bool = False) -> Drawn:
        return drawn(task, number, seed, self.budget.side_px, level=LEVEL, is_held_out=is_held_out)


def _compared(pair: Pair, judging: _Judging) -> Claim:
    ours, anchor = (
        statistics.mean(values[pair.metric] for values in judging.values(pair.task, family))
        for family in (pair.ours, pair.anchor)
    )
    budget = judging.budget
    what = (
        f"{pair.metric} of {pair.task}, {pair.ours} beside {pair.anchor}, {LEVEL}, {budget.side_px} px, {budget.epochs} epochs "
        f"of {budget.num_pictures} pictures, {judging.num_seeds} seeds"
    )
    return Claim("detectors", what, ours, anchor, ours / max(anchor, 1e-3), pair.target, pair.is_at_most)


def _reached(family: str, judging: _Judging) -> Claim:
    (values,) = judging.values(BOXES, family)
    budget = judging.budget
    what = f"AP50, {LEVEL}, {family} at {budget.side_px} px, {budget.epochs} epochs of {budget.num_pictures} pictures"
    return Claim("detectors", what, values["ap50"], _FITTING_AP50, values["ap50"] / _FITTING_AP50, 1.0)


if __name__ == "__main__":
    main(measure)
