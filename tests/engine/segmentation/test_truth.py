"""Masks and polygons become pixels, and pictures are varied together with them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from automl.contracts.annotation import Mask, Polygon
from automl.contracts.dataset import ItemRecord, MediaFacts, Split
from engine.errors import DataInvalidError
from engine.tasks.semantic_segmentation import data, loss, scenes
from engine.tasks.semantic_segmentation.augment import Augmenter
from engine.tasks.semantic_segmentation.raster import map_of, runs_of
from engine.tasks.shared.raster import LONGEST_SIDE_PX, nearest
from runtime.run_lengths import counts_of

LABELS = ("cat", "dog")
SIDE = 64


def record_of(*shapes, width=10, height=8, number=0):
    digest = f"{number:064x}"
    return ItemRecord(
        item=f"itm_{number:026d}",
        name=f"{number}.png",
        blob=digest,
        media=MediaFacts(width=width, height=height, format="png", size_bytes=9),
        split=Split.TEST,
        group=digest,
        annotations=shapes,
        provenance="test",
    )


def mask_of(label, is_inside_HW):
    height, width = is_inside_HW.shape
    return Mask(label=label, width=width, height=height, counts=counts_of(is_inside_HW))


def _square(left, top, right, bottom):
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _drawn(*shapes, **size):
    return map_of(data.targets([record_of(*shapes, **size)], LABELS, {})[0])


def test_polygon_holds_the_pixels_whose_middle_lies_inside_but_for_its_holes():
    ring = Polygon(label="dog", points=_square(1, 1, 9, 7), holes=(_square(3, 2, 6, 5),))
    expected_HW = np.full((8, 10), -1)
    expected_HW[1:7, 1:9] = 1
    expected_HW[2:5, 3:6] = -1
    np.testing.assert_array_equal(_drawn(ring), expected_HW)
    slanted = _drawn(Polygon(label="cat", points=((0, 0), (8, 0), (0, 8))))
    assert [int((row == 0).sum()) for row in slanted] == [7, 6, 5, 4, 3, 2, 1, 0], "a middle on the line lies outside"


def test_polygon_is_cut_at_the_edges_of_its_picture():
    over = _drawn(Polygon(label="cat", points=_square(-5, -5, 3, 30)))
    assert (over[:, :3] == 0).all()
    assert (over[:, 3:] == -1).all()
    assert (_drawn(Polygon(label="cat", points=_square(20, 0, 30, 5))) == -1).all()


def test_later_shapes_lie_over_earlier_ones_and_several_of_a_label_are_one():
    is_left_HW, is_upper_HW = np.zeros((2, 8, 10), dtype=bool)
    is_left_HW[:, :5] = is_upper_HW[:4] = True
    drawn = _drawn(mask_of("cat", is_left_HW), mask_of("dog", is_upper_HW), Polygon(label="dog", points=_square(0, 6, 2, 8)))
    assert (drawn[:4] == 1).all()
    assert (drawn[4:6, :5] == 0).all()
    assert (drawn[6:, :2] == 1).all()
    assert (drawn[4:, 5:] == -1).all()
    assert (_drawn() == -1).all(), "nothing there is all background"


def test_truth_of_a_large_picture_is_kept_smaller():
    width, height = 4 * LONGEST_SIDE_PX, 2 * LONGEST_SIDE_PX
    is_right_HW = np.zeros((height, width), dtype=bool)
    is_right_HW[:, width // 2 :] = True
    polygon = Polygon(label="dog", points=_square(0, 0, width / 4, height))
    drawn = _drawn(mask_of("cat", is_right_HW), polygon, width=width, height=height)
    assert drawn.shape == (LONGEST_SIDE_PX // 2, LONGEST_SIDE_PX)
    quarter = LONGEST_SIDE_PX // 4
    assert [int(value) for value in drawn[0, quarter // 2 :: quarter]] == [1, -1, 0, 0]


def test_run_lengths_give_the_map_back_whatever_their_number():
    rng = np.random.default_rng(0)
    maps = [rng.integers(-1, 2, shape).astype(np.int16) for shape in ((3, 5), (1, 1), (6, 2))]
    for runs_K, labels_HW in zip(runs_of(maps), maps, strict=True):
        np.testing.assert_array_equal(map_of(runs_K), labels_HW)


def test_unknown_label_is_refused_with_its_item():
    with pytest.raises(DataInvalidError) as refused:
        data.targets([record_of(Polygon(label="emu", points=_square(0, 0, 3, 3)))], LABELS, {})
    assert refused.value.items == (f"itm_{0:026d}",)


def test_rare_labels_weigh_more():
    targets = data.targets([record_of(Polygon(label="cat", points=_square(0, 0, 2, 2)))], LABELS, {})
    weights = loss.label_weights(targets, len(LABELS))
    assert weights[0] < 1 < weights[1]
    assert weights[2] == 1, "what does not occur has nothing to weigh"


def _batch():
    """Pictures whose red is the label's, three times as large as the network's squares in truth."""
    rng = np.random.default_rng(1)
    maps, pictures = [], []
    for _ in range(6):
        labels_HW = np.full((3 * SIDE, 2 * SIDE), -1, dtype=np.int16)
        left, top = rng.integers(0, SIDE, 2)
        labels_HW[top : top + 90, left : left + 60] = 0
        labels_HW[top + 30 : top + 60, left + 10 : left + 50] = 1
        maps.append(labels_HW)
        small_HW = labels_HW[np.ix_(nearest(3 * SIDE, SIDE), nearest(2 * SIDE, SIDE))]
        pictures.append(np.repeat(((small_HW + 1) * 100 + 20).astype(np.uint8)[..., None], 3, axis=-1))
    return torch.from_numpy(np.stack(pictures)), torch.from_numpy(runs_of(maps))


@pytest.mark.parametrize("policy", ["none", "light", "strong"])
def test_labels_follow_what_they_are_of(policy):
    pictures, targets = _batch()
    for seed in range(3):
        moved, maps = Augmenter(policy)(pictures, targets, torch.Generator().manual_seed(seed))
        assert moved.shape == pictures.shape
        assert maps.shape == pictures.shape[:3]
        for picture, labels_HW in zip(moved.numpy().mean(axis=-1), maps.numpy(), strict=True):
            means = [picture[labels_HW == label].mean() for label in (-1, 0, 1) if (labels_HW == label).sum() > 50]
            spread = [picture[labels_HW == label].std() for label in (-1, 0, 1) if (labels_HW == label).sum() > 50]
            assert means == sorted(means)
            assert min(np.diff(means)) > 40
            assert max(spread) < 25, "only edges are mixed"


def test_pictures_and_labels_are_mirrored_together_or_not_at_all():
    pictures, targets = _batch()
    _, plain = Augmenter("none")(pictures, targets, torch.Generator())
    generators = [torch.Generator().manual_seed(3) for _ in range(2)]
    (_, mirrored), (_, plain_) = (
        Augmenter("light", is_mirrored=is_mirrored)(pictures, targets, generator)
        for is_mirrored, generator in zip((True, False), generators, strict=True)
    )
    is_turned = [bool((one != other).any()) for one, other in zip(mirrored, plain_, strict=True)]
    assert any(is_turned)
    assert all(
        torch.equal(one, other.flip(1)) for one, other, turned in zip(mirrored, plain_, is_turned, strict=True) if turned
    )
    assert plain.shape == plain_.shape


def test_scenes_are_the_same_every_time_and_every_label_occurs(tmp_path):
    manifests = [scenes.write(tmp_path / name, num_items=20, width_px=96, height_px=64) for name in "ab"]
    assert manifests[0] == manifests[1]
    assert min(manifests[0].num_annotations_by_label.values()) > 0
