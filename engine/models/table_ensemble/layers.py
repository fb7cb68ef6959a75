"""A second layer of members, which see the answers of the first, and what of both layers is shipped.

What the second layer learned from are answers of one model a row, out of fold; a whole bag answers like its models, only
more smoothly, so that one model of all rows does as well in a fraction of the time (see ``speed_up``).

Shapes: N rows, M members.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.models.table_ensemble.mix import JudgedMembers
from engine.models.table_ensemble.model import StackedModel, mean_of, widened
from engine.models.table_ensemble.portfolio import second_layer
from engine.models.table_ensemble.speed_up import speed_up
from engine.models.table_ensemble.trainer import TrainedMember, Trainer

_MAX_BELOW = 5
"""Members whose answers the second layer sees, the best."""
_SHARE_BELOW = 0.7
"""Of the time of an answer, where there are two layers, for the first."""


@dataclass(frozen=True)
class Layer:
    """Members that see the answers of others."""

    trainer: Trainer
    below: tuple[int, ...]
    """The places of those among the members of the first layer."""


def shipped(
    trained: tuple[TrainedMember, ...],
    weights_M: NDArray[np.float64],
    trainer: Trainer,
    layer: Layer | None,
    *,
    rows_per_s: float,
) -> tuple[TrainedMember, ...]:
    """The members as they are shipped. What is below a second layer counts as much as the layer does, each an equal part."""
    num_first = len(trained) if layer is None else len(trained) - len(layer.trainer.trained)
    total_M, own_M = weights_M[:num_first].copy(), weights_M[num_first:]
    if layer is None or not own_M.any():
        return (*speed_up(trained[:num_first], total_M, trainer, rows_per_s=rows_per_s), *trained[num_first:])
    total_M[list(layer.below)] += own_M.sum() / len(layer.below)
    first = speed_up(trained[:num_first], total_M, trainer, rows_per_s=rows_per_s / _SHARE_BELOW)
    models = tuple(first[place].model for place in layer.below)
    layer.trainer.wrap = lambda model: StackedModel(models, model, trainer.task.num_outputs)
    layer.trainer.deadline = trainer.deadline
    second = speed_up(trained[num_first:], own_M, layer.trainer, rows_per_s=rows_per_s / (1.0 - _SHARE_BELOW))
    wrapped = (replace(each, model=layer.trainer.wrap(mean_of(each.models))) for each in second)
    return (*first, *wrapped)


def second_layer_of(trainer: Trainer, judged: JudgedMembers, folds_N: NDArray[np.int64], report: Callable[[], None]) -> Layer:
    """Members that see the answers of the best: of training rows those out of fold, of validation those of the bags."""
    task, weights_M = trainer.task, judged.weights()
    places = [place for place in np.argsort(-weights_M, kind="stable").tolist()[:_MAX_BELOW] if weights_M[place] > 0]
    best = [judged.trained[place] for place in places]
    below = tuple(each.model for each in best)
    above = replace(
        task,
        train=widened(task.train, [each.held_back_HO for each in best]),
        validation=widened(task.validation, [model.answers(task.validation) for model in below]),
    )
    alone = tuple(each.models[0] for each in best)  # of a bag; which models are shipped is decided in the end
    again_s = trainer.again_s()
    deadline = replace(
        trainer.deadline, ends_s=trainer.deadline.ends_s - again_s, own_ends_s=trainer.deadline.own_ends_s - again_s
    )
    layer = Trainer(above, deadline, trainer.time_plan, report, lambda model: StackedModel(alone, model, task.num_outputs))
    layer.cut(folds_N)
    members = second_layer(task.num_labels)
    for member in members:
        if deadline.left_s > 0.0:
            layer.train(member, task.train.columns, is_last=member is members[-1])
    trainer.warnings.extend(layer.warnings)
    return Layer(layer, tuple(places))
