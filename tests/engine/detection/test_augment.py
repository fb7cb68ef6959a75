"""Pictures and boxes move together."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from engine.data.paste import Canvas, trimmed, turned
from engine.tasks.shared.boxes_augment import Augmenter
from engine.tasks.shared.scenes import box_around

_SIDE = 64


def _batch(num_pictures=12):
    """Grey pictures with one bright rectangle each, which is the box; every fourth shows nothing."""
    rng = np.random.default_rng(0)
    pictures = np.full((num_pictures, _SIDE, _SIDE, 3), 40, dtype=np.uint8)
    targets = np.tile(np.array([0, 0, 0, 0, -1], dtype=np.float32), (num_pictures, 2, 1))
    for row in range(num_pictures):
        if row % 4 == 3:
            continue
        left, top = rng.integers(0, 24, 2)
        width, height = rng.integers(20, 40, 2)
        pictures[row, top : top + height, left : left + width] = 250
        targets[row, 0] = (left / _SIDE, top / _SIDE, (left + width) / _SIDE, (top + height) / _SIDE, row % 3)
    return torch.from_numpy(pictures), torch.from_numpy(targets)


def _seen(picture_HWC):
    """The bright rectangle's box as fractions."""
    is_bright = picture_HWC.float().mean(dim=-1) > 160
    rows, columns = torch.nonzero(is_bright.any(dim=1))[:, 0], torch.nonzero(is_bright.any(dim=0))[:, 0]
    return torch.tensor([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]) / _SIDE


def test_boxes_follow_what_they_frame():
    pictures, targets = _batch()
    augment = Augmenter("light")
    for seed in range(5):
        moved, found = augment(pictures, targets, torch.Generator().manual_seed(seed))
        assert moved.shape == pictures.shape
        assert moved.dtype == torch.uint8
        for picture, boxes in zip(moved, found, strict=True):
            for box in boxes[boxes[:, 4] >= 0]:
                assert torch.allclose(box[:4], _seen(picture), atol=2.1 / _SIDE)
        assert (found[3, :, 4] == -1).all(), "nothing stays nothing"


@pytest.mark.parametrize("policy", ["light", "strong"])
def test_same_state_of_the_generator_gives_the_same_batch(policy):
    pictures, targets = _batch()
    first = Augmenter(policy)(pictures, targets, torch.Generator().manual_seed(5))
    again = Augmenter(policy)(pictures, targets, torch.Generator().manual_seed(5))
    other = Augmenter(policy)(pictures, targets, torch.Generator().manual_seed(6))
    assert all(torch.equal(one, two) for one, two in zip(first, again, strict=True))
    assert not torch.equal(first[0], other[0])


def test_mosaic_brings_boxes_of_other_pictures_within_the_picture():
    pictures, targets = _batch()
    most = 0
    for seed in range(4):
        _, found = Augmenter("strong")(pictures, targets, torch.Generator().manual_seed(seed))
        boxes = found[found[..., 4] >= 0]
        assert ((boxes[:, :4] >= 0) & (boxes[:, :4] <= 1)).all()
        assert (boxes[:, 2:4] > boxes[:, :2]).all()
        most = max(most, int((found[..., 4] >= 0).sum(dim=1).max()))
    assert most >= 2


def test_none_changes_nothing_and_unknown_policies_are_refused():
    pictures, targets = _batch()
    assert Augmenter("none")(pictures, targets, torch.Generator())[0] is pictures
    with pytest.raises(ValueError, match="strong"):
        Augmenter("wild")


def test_later_things_cover_earlier_ones():
    cutout = np.zeros((20, 30, 4), dtype=np.uint8)
    cutout[5:15, 5:25] = 255
    thing = trimmed(cutout)
    assert thing.shape == (10, 20, 4)
    canvas = Canvas(np.zeros((40, 40, 3), dtype=np.uint8))
    canvas.lay(thing, left=0, top=0)
    canvas.lay(thing, left=10, top=0)
    assert canvas.visible_fraction(0) == pytest.approx(0.5, abs=0.05)
    assert box_around(canvas.masks[0]) == pytest.approx((0, 0, 10, 10), abs=1)
    assert box_around(canvas.masks[1]) == pytest.approx((10, 0, 30, 10), abs=1)
    canvas.lay(thing, left=100, top=0)
    assert canvas.visible_fraction(2) == 0.0
    with pytest.raises(ValueError, match="empty"):
        trimmed(np.zeros((3, 3, 4), dtype=np.uint8))


def test_turned_cutout_keeps_its_length():
    cutout = np.full((10, 40, 4), 255, dtype=np.uint8)
    assert turned(cutout, longest_px=20).shape[:2] == (5, 20)
    assert turned(cutout, longest_px=80, angle_deg=90).shape[:2] == pytest.approx((80, 20), abs=1)
