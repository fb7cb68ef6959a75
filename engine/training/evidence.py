"""What trials are compared by, and whether scores may be read as probabilities. Shapes: N items, L labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from automl.contracts.dataset import Split
from automl.contracts.report import Judgement, SplitReport, Tempering
from engine.job import EarlyEnd
from engine.tasks.shared.classification.metrics import Answers, intervals, metrics_of
from engine.tasks.shared.classification.ranking import calibration_error
from engine.training.loop import FitResult
from engine.training.prepare import PreparedTrial

FOLDS_BELOW = 1_000
"""Items to learn from. Where there are fewer, all of them judge a trial that could hold each of them back; where there are
more, those of validation say enough, and they are the same for every trial."""


def judgement_of(
    fitted: FitResult, labels: Sequence[str], splits: Sequence[SplitReport], thresholds: Mapping[str, float]
) -> Judgement:
    """Says what a trial is compared by: all items that took turns at being held back, or those of validation."""
    validation = next(report for report in splits if report.split is Split.VALIDATION)
    halted = fitted.halt.value if isinstance(fitted.halt, EarlyEnd) else None
    held_back = fitted.held_back
    num_folds = held_back.num_folds if held_back is not None else 1
    if held_back is None or num_folds == 1 or len(held_back.scores_NL) >= FOLDS_BELOW:
        return Judgement(
            by="folds" if num_folds > 1 else "split",
            num_folds=num_folds,
            num_items=validation.num_items,
            metrics=validation.metrics,
            intervals=validation.intervals,
            epoch=fitted.epoch,
            halted=halted,
        )
    limits_L = np.array([thresholds[label] for label in labels]) if thresholds else None
    answers = Answers.of(held_back.scores_NL, held_back.targets, limits_L)
    return Judgement(
        by="folds",
        num_folds=num_folds,
        num_items=len(held_back.scores_NL),
        metrics=metrics_of(answers),
        intervals=intervals(answers),
        epoch=fitted.epoch,
        halted=halted,
    )


def turns_of(fitted: FitResult, prepared: PreparedTrial) -> dict[Split, NDArray[np.float32]]:
    """The answers to each item of training while it was held back, where few items took turns and each had its own."""
    held_back, num_train = fitted.held_back, len(prepared.records[Split.TRAIN])
    num_items = num_train + len(prepared.records[Split.VALIDATION])
    if held_back is None or held_back.num_folds == 1 or len(held_back.scores_NL) != num_items or num_items >= FOLDS_BELOW:
        return {}
    return {Split.TRAIN: held_back.scores_NL[:num_train]}


def tempering_of(divisor: float, prepared: PreparedTrial, answers: Mapping[Split, NDArray[np.float32]]) -> Tempering | None:
    """The calibration error of each split before and after tempering; None of answers that are no scores.

    Args:
        divisor: of the logits.
        prepared: the items.
        answers: answers ``_NL`` by split, from logits that were divided already.
    """
    averaging = prepared.answers.averaging
    if averaging is None:
        return None
    after, before = {}, {}
    for split, scores_NL in answers.items():
        targets = prepared.targets[split]
        plain_NL = averaging.tempered(scores_NL, 1.0 / divisor)
        after[split] = calibration_error(scores_NL, targets)
        before[split] = calibration_error(plain_NL, targets)
    return Tempering(temperature=divisor, before=before, after=after)
