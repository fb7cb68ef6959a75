"""The blurs that the quality report is judged on have the strength that they say, and series of photographs stay together."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks._blurring import KINDS, MOTION, blurred
from benchmarks._photo_packages import half_of


@pytest.mark.parametrize("sigma_px", [2.0, 4.0, 9.0])
@pytest.mark.parametrize("kind", KINDS)
def test_a_point_is_spread_by_the_standard_deviation(kind, sigma_px):
    point = np.zeros((161, 161, 3), dtype=np.float32)
    point[80, 80] = 1
    spread = blurred(point, kind, sigma_px, np.random.default_rng(3))[..., 0].astype(np.float64)
    assert spread.sum() == pytest.approx(1, abs=1e-3)
    places = np.stack(np.mgrid[:161, :161]).reshape(2, -1) - 80.0
    variances = np.linalg.eigvalsh((places * spread.ravel()) @ places.T)
    assert np.sqrt(variances[1]) == pytest.approx(sigma_px, rel=0.08)
    if kind == MOTION:
        assert np.sqrt(max(variances[0], 0)) < 0.8
    else:
        assert variances[0] == pytest.approx(variances[1], rel=0.05)


def test_photographs_of_a_series_stand_in_one_half():
    assert len({half_of(f"product-{number}-min") for number in range(9)}) == 1
    assert len({half_of("sample1"), half_of("sample6")}) == 1
    assert {half_of(f"A{number:03d}") for number in range(40)} == {"A", "B"}
