"""Learning curves as power laws, ``error(n) = a + b n^-c``, and what they forecast.

The form is that of J. Hestness et al., "Deep learning scaling is predictable, empirically", 2017, and of R. Figueroa et al.,
"Predicting sample size required for classification performance", BMC Medical Informatics and Decision Making 12, 2012. A single
best ``c`` was decided against: five noisy points fit many, and what they forecast differs. So each of a grid is fitted by least
squares, and forecasts are means weighted by how well each fits.

Shapes: K points, C exponents, M sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
EXPONENTS_C = np.linspace(0.1, 1.5, 29)
_TINY = 1e-12


@dataclass(frozen=True)
class PowerLaw:
    """All curves of the grid with their weights."""

    unit: float
    """Size in which sizes are counted."""
    floors_C: Floats
    scales_C: Floats
    weights_C: Floats
    """They add up to one."""

    def at(self, sizes_M: Floats) -> Floats:
        """Expected errors."""
        return self._curves(sizes_M).T @ self.weights_C

    def drop(self, before: float, after: float) -> tuple[float, float]:
        """By how much the error falls from one size to another, and the variance over the exponents."""
        start_C, end_C = self._curves(np.array([before, after])).T
        mean = float(self.weights_C @ (start_C - end_C))
        return mean, float(self.weights_C @ (start_C - end_C - mean) ** 2)

    def _curves(self, sizes_M: Floats) -> Floats:
        """Errors ``_CM``."""
        fall_CM = (np.asarray(sizes_M)[None, :] / self.unit) ** -EXPONENTS_C[:, None]
        return np.asarray(self.floors_C[:, None] + self.scales_C[:, None] * fall_CM)


def fitted(sizes_K: Floats, errors_K: Floats, spreads_K: Floats, *, may_rise: bool = False) -> PowerLaw:
    """Fits errors to sizes.

    Args:
        sizes_K: items learned, above 0.
        errors_K: the less the better; 0 is the best there can be.
        spreads_K: standard errors, above 0.
        may_rise: whether more items may make the error larger; otherwise such curves count as level.
    """
    unit = float(sizes_K.max())
    fall_CK = (sizes_K[None, :] / unit) ** -EXPONENTS_C[:, None]
    trust_K = 1.0 / np.maximum(spreads_K, _TINY) ** 2
    share_K = trust_K / trust_K.sum()
    mean_C, mean = fall_CK @ share_K, float(share_K @ errors_K)
    off_CK = fall_CK - mean_C[:, None]
    scales_C = (off_CK * (errors_K - mean)) @ share_K / np.maximum(off_CK**2 @ share_K, _TINY)
    if not may_rise:
        scales_C = np.maximum(scales_C, 0.0)
    floors_C = mean - scales_C * mean_C
    below_C = floors_C < 0.0  # no error is less than none
    through_C = (fall_CK * errors_K) @ share_K / np.maximum(fall_CK**2 @ share_K, _TINY)
    scales_C, floors_C = np.where(below_C, through_C, scales_C), np.maximum(floors_C, 0.0)
    misfit_C = (floors_C[:, None] + scales_C[:, None] * fall_CK - errors_K) ** 2 @ trust_K
    looser = max(1.0, float(misfit_C.min()) / max(1, len(sizes_K) - 2))
    weights_C = np.exp(-0.5 * (misfit_C - misfit_C.min()) / looser)
    return PowerLaw(unit, floors_C, scales_C, weights_C / weights_C.sum())
