"""Golden samples: inputs with what the torch model said of them, and how far another answer is from that."""

from __future__ import annotations

import numpy as np

from automl.contracts.artefact import GoldenSample
from automl.contracts.task import OutputKind

LOWEST_SCORE = 0.05
"""Boxes from this score on are all compared; of those below, which nobody acts on, the best few."""
NUM_ALWAYS = 10
"""So many of the best boxes of each side are compared whatever their score: a weak detector has no others."""
_LEAST_SCORE = LOWEST_SCORE / 50
"""Below it the last digits of a written score would weigh too much."""
MISSING = 1.0
"""Difference that counts for a box which only one side knows."""


def golden_sample(file: str, answer: np.ndarray, output: OutputKind) -> GoldenSample:
    """Keeps one answer.

    Args:
        file: below ``samples/``.
        answer: the graph's row for it: scores ``_L`` or detections ``_D6``.
        output: what the row is.
    """
    if output is not OutputKind.BOXES:
        return GoldenSample(file=file, scores=tuple(answer.tolist()))
    rows = [(*map(float, row[:5]), int(row[5])) for row in answer if row[4] > 0]
    return GoldenSample.model_validate({"file": file, "scores": (), "detections": rows})


def difference(sample: GoldenSample, answer: np.ndarray, output: OutputKind) -> float:
    """The largest difference of a score (and of a box's side, as a fraction of the picture) between a sample and an answer.

    Scores of boxes below ``LOWEST_SCORE`` are measured as if they stood there: a tenth of a small score counts like a tenth of
    a large one.

    Args:
        sample: what the torch model said.
        answer: the row of another runtime, as in ``golden_sample``.
        output: what the row is.
    """
    if output is not OutputKind.BOXES:
        return float(np.abs(answer - np.array(sample.scores)).max())
    expected_D6 = np.array(sample.detections, dtype=np.float64).reshape(-1, 6)
    given_D6 = answer[answer[:, 4] > 0].astype(np.float64)
    return max(_unmatched(*pair, most=len(answer)) for pair in ((expected_D6, given_D6), (given_D6, expected_D6)))


def _unmatched(wanted_D6: np.ndarray, there_D6: np.ndarray, *, most: int) -> float:
    """How far the worst of the wanted boxes, which are best first, is from the nearest of its label.

    The last of several stands where the list was cut, by its length ``most`` or by a low score. Which of two equals came to
    stand there is a matter of rounding, so it need not be found.
    """
    worst, last = 0.0, len(wanted_D6) - 1
    for place, row_6 in enumerate(wanted_D6):
        is_low = row_6[4] <= LOWEST_SCORE
        is_at_cut = place == last > 0 and (is_low or len(wanted_D6) == most)
        if is_at_cut or (is_low and place >= NUM_ALWAYS):
            continue
        same_D6 = there_D6[there_D6[:, 5] == row_6[5]]
        if len(same_D6) == 0:
            return MISSING
        apart_D5 = np.abs(same_D6[:, :5] - row_6[:5])
        apart_D5[:, 4] *= LOWEST_SCORE / np.clip(np.maximum(same_D6[:, 4], row_6[4]), _LEAST_SCORE, LOWEST_SCORE)
        worst = max(worst, float(np.nan_to_num(apart_D5.max(axis=1), nan=MISSING).min()))
    return worst
