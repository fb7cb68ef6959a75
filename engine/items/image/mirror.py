"""Whether pictures keep their label when left and right change places: digits and writing do not, most photographs do.

A cheap trial on what carries a label, whole pictures or parts of them: each is compared with others, as it is and mirrored.
Where the mirrored ones find their own label clearly less often, mirroring would teach what is not there. Shapes: N pictures or
parts, D grey values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_COMPARED = 1_000
"""Drawn evenly; more would tell nothing else."""
SMALLEST_PX = 8
"""Shorter side of a part that is looked at: less shows nothing."""
_SIDE_PX = 24
_CLEARLY = 2.0
"""Standard errors of the difference."""
_WORSE_BY = 0.1
"""Share of the right answers that has to be lost: what costs less does no harm either."""
_FEW = 20
"""Fewer have no normal distribution: what became wrong is counted against what became right (sign test)."""
_CHANCE = 0.025
"""That a coin gives as many wrong ones: six of six are enough, five are not."""
_BLOCK = 256


def drawn_evenly(number: int) -> NDArray[np.int64]:
    """Places of at most ``MOST_COMPARED`` of so many."""
    places: NDArray[np.int64] = np.unique(np.linspace(0, number - 1, min(MOST_COMPARED, number)).astype(np.int64))
    return places


def is_label_mirrored(pictures: Sequence[NDArray[np.uint8]], targets: NDArray[np.generic], groups: Sequence[str]) -> bool:
    """Whether mirrored pictures are taken for their own label as often as they are as they stand; True where few cannot tell.

    Args:
        pictures: RGB ``_HWC`` each, of any size, of the training items.
        targets: of them; pictures with the same entry count as alike.
        groups: of them; a picture is never compared with its own group.
    """
    chosen = drawn_evenly(len(pictures))
    if len(chosen) == 0:
        return True
    small_NHW = np.stack([_small(pictures[row]) for row in chosen])
    _, kinds_N = np.unique(targets[chosen], axis=0, return_inverse=True)
    _, groups_N = np.unique([groups[row] for row in chosen], return_inverse=True)
    known_ND, mirrored_ND = _directions(small_NHW), _directions(small_NHW[:, :, ::-1])
    plain_N = _is_right(known_ND, known_ND, kinds_N.ravel(), groups_N)
    turned_N = _is_right(mirrored_ND, known_ND, kinds_N.ravel(), groups_N)
    lost_N = plain_N.astype(np.float64) - turned_N
    if len(lost_N) < _FEW:
        return _chance_of(int((lost_N > 0).sum()), int((lost_N < 0).sum())) > _CHANCE
    error = float(lost_N.std()) / math.sqrt(len(lost_N))
    return not float(lost_N.mean()) > max(_CLEARLY * error, _WORSE_BY * float(plain_N.mean()))


def _chance_of(num_lost: int, num_won: int) -> float:
    """That a fair coin gives at least so many losses of all that changed."""
    changed = num_lost + num_won
    return sum(math.comb(changed, number) for number in range(num_lost, changed + 1)) / 2.0**changed


def _small(picture_HWC: NDArray[np.uint8]) -> NDArray[np.float32]:
    grey_HW = cv2.cvtColor(picture_HWC, cv2.COLOR_RGB2GRAY)
    small_HW: NDArray[np.float32] = cv2.resize(grey_HW, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    return small_HW


def _directions(grey_NHW: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each picture without its brightness and contrast, ``_ND``, of length one."""
    flat_ND = grey_NHW.reshape(len(grey_NHW), -1)
    flat_ND = flat_ND - flat_ND.mean(axis=1, keepdims=True)
    scaled_ND: NDArray[np.float32] = flat_ND / np.maximum(np.linalg.norm(flat_ND, axis=1, keepdims=True), 1e-6)
    return scaled_ND


def _is_right(
    queries_ND: NDArray[np.float32], known_ND: NDArray[np.float32], kinds_N: NDArray[np.int64], groups_N: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether the most alike picture of another group is of the same kind."""
    found = []
    for start in range(0, len(queries_ND), _BLOCK):
        rows = slice(start, start + _BLOCK)
        alike_BN = queries_ND[rows] @ known_ND.T
        alike_BN[groups_N[rows, None] == groups_N[None]] = -np.inf
        found.append(kinds_N[alike_BN.argmax(axis=1)] == kinds_N[rows])
    return np.concatenate(found)
