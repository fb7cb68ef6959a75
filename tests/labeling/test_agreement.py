"""Agreement equals the reference implementations; overlaps equal exact geometry."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from nltk.metrics import masi_distance
from nltk.metrics.agreement import AnnotationTask
from shapely import affinity, geometry

from automl.contracts.annotation import Box, ClassLabel, Mask, Polygon, RotatedBox
from labeling.agreement import cohen_kappa, interval, krippendorff_alpha, masi, object_agreement
from labeling.geometry import iou, polygon_pixels
from runtime.run_lengths import counts_of

LABELS = ("a", "b", "c")


def _ratings(seed: int, people: int = 2, gaps: float = 0.0) -> list[tuple[str, int, str]]:
    """(person, item, label), related but not equal."""
    dice = random.Random(seed)
    rows = []
    for item in range(40):
        truth = dice.choice(LABELS)
        for person in range(people):
            if dice.random() >= gaps:
                rows.append((f"p{person}", item, truth if dice.random() < 0.7 else dice.choice(LABELS)))
    return rows


def _units(rows) -> list[list]:
    items = sorted({item for _, item, _ in rows})
    return [[value for _, one, value in rows if one == item] for item in items]


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_the_reference(seed):
    rows = _ratings(seed)
    mine = cohen_kappa([v for p, _, v in rows if p == "p0"], [v for p, _, v in rows if p == "p1"])
    assert mine == pytest.approx(AnnotationTask(data=rows).kappa(), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_the_reference_also_with_gaps(seed):
    rows = _ratings(seed, people=4, gaps=0.2)
    units = [unit for unit in _units(rows) if len(unit) > 1]
    paired = {item for item, unit in enumerate(_units(rows)) if len(unit) > 1}
    task = AnnotationTask(data=[row for row in rows if sorted({r[1] for r in rows}).index(row[1]) in paired])
    assert krippendorff_alpha(units) == pytest.approx(task.alpha(), abs=1e-12)


def test_alpha_of_sets_is_the_reference():
    dice = random.Random(3)
    rows = [(f"p{p}", item, frozenset(dice.sample(LABELS, dice.randint(1, 3)))) for item in range(30) for p in range(3)]
    task = AnnotationTask(data=rows, distance=masi_distance)
    assert krippendorff_alpha(_units(rows), masi) == pytest.approx(task.alpha(), abs=1e-12)


def test_alpha_of_krippendorffs_own_example():
    """The table of "Computing Krippendorff's alpha-reliability", section C: four observers, twelve units, gaps."""
    nan = None
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
        [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    ]
    units = [[value for value in column if value is not None] for column in zip(*table, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(units, interval) == pytest.approx(0.849, abs=5e-4)


def test_there_is_no_agreement_without_variety():
    assert cohen_kappa([], []) is None
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None
    with pytest.raises(ValueError, match="same items"):
        cohen_kappa(["a"], [])


def _rotated(box: RotatedBox) -> geometry.Polygon:
    upright = geometry.box(
        box.center_x - box.width / 2, box.center_y - box.height / 2, box.center_x + box.width / 2, box.center_y + box.height / 2
    )
    return affinity.rotate(upright, box.angle_deg)


@pytest.mark.parametrize("seed", range(20))
def test_overlap_is_exact_geometry(seed):
    dice = np.random.default_rng(seed)
    boxes = [
        Box(label="a", x=x, y=y, width=w, height=h) for x, y, w, h in dice.uniform((0, 0, 20, 20), (30, 30, 60, 60), (2, 4))
    ]
    shapes = [geometry.box(one.x, one.y, one.x + one.width, one.y + one.height) for one in boxes]
    assert iou(*boxes) == pytest.approx(shapes[0].intersection(shapes[1]).area / shapes[0].union(shapes[1]).area, abs=1e-9)
    turned = [
        RotatedBox(label="a", center_x=x, center_y=y, width=w, height=h, angle_deg=a)
        for x, y, w, h, a in dice.uniform((40, 40, 20, 20, -90), (60, 60, 60, 60, 90), (2, 5))
    ]
    outlines = [_rotated(one) for one in turned]
    exact = outlines[0].intersection(outlines[1]).area / outlines[0].union(outlines[1]).area
    assert iou(*turned) == pytest.approx(exact, abs=0.015)


def test_holes_do_not_overlap():
    ring = Polygon(
        label="a", points=((0, 0), (100, 0), (100, 100), (0, 100)), holes=(((20, 20), (80, 20), (80, 80), (20, 80)),)
    )
    inner = Polygon(label="a", points=((25, 25), (75, 25), (75, 75), (25, 75)))
    assert iou(ring, inner) == 0.0
    assert iou(ring, ring) == 1.0


def test_an_area_is_the_same_as_mask_and_as_outline():
    outline = Polygon(label="a", points=((2, 1), (9, 1), (9, 5), (2, 5)))
    pixels = polygon_pixels([outline], width=12, height=8)
    mask = Mask(label="a", width=12, height=8, counts=counts_of(pixels))
    assert iou(mask, outline) == iou(outline, mask) == 1.0
    assert object_agreement((mask,), (outline,)).f1 == 1.0
    assert iou(mask, Box(label="a", x=2, y=1, width=7, height=4)) == 0.0


def test_objects_pair_up_best_first():
    first = (
        Box(label="a", x=0, y=0, width=10, height=10),
        Box(label="b", x=50, y=0, width=10, height=10),
        ClassLabel(label="z"),
    )
    second = (Box(label="a", x=1, y=0, width=10, height=10), Box(label="a", x=0, y=0, width=10, height=10))
    fit = object_agreement(first, second)
    assert math.isclose(fit.f1, 0.5)
    assert fit.mean_iou == 1.0
    assert object_agreement((), ()).f1 == 1.0
    assert object_agreement(first, ()).f1 == 0.0
