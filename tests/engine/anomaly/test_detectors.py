"""What detectors learn of normal places, on a bank of filters, which needs no weights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch

from engine.models import family_part
from engine.models.patch_memory.fit import coreset
from engine.models.shared.patches import FARTHEST_SHARE
from engine.tasks.anomaly_detection.parts import DEFECTS, MATERIALS, part

PARAMS = {"patch_memory": {"memory_size": 200}, "feature_reconstruction": {"kept_variance": 0.9}}
SIDE_PX = 96


def pictures(generator, number, defect=None):
    drawn = [part("wood", generator, side_px=SIDE_PX, defect=defect).picture_HWC for _ in range(number)]
    return torch.from_numpy(np.stack(drawn)).permute(0, 3, 1, 2).float()


@pytest.fixture(scope="module", params=PARAMS)
def learned(request):
    torch.manual_seed(0)
    network = family_part(request.param, "network").build("filters").eval()
    detector, left = network.anomaly_detector(2).eval(), []
    with torch.no_grad():
        places = network(pictures(np.random.default_rng(0), 20)).flatten(0, 2)
        family_part(request.param, "fit").learn(
            detector, places, PARAMS[request.param], on_step=lambda _, much: left.append(much)
        )
    return detector, left


def test_more_steps_leave_less(learned):
    _, left = learned
    assert len(left) > 1
    assert all(after <= before + 1e-5 for before, after in pairwise(left))


def test_a_picture_is_as_far_as_its_farthest_places_are_on_the_mean(learned):
    detector, _ = learned
    given = pictures(np.random.default_rng(2), 3)
    with torch.no_grad():
        alone, together = (each.flatten(1).numpy() for each in (detector.place_distances(given), detector.distances(given)))
    num_farthest = alone.shape[1] // FARTHEST_SHARE
    assert num_farthest > 1
    means = np.sort(alone, axis=1)[:, -num_farthest:].mean(axis=1)
    assert (means < alone.max(axis=1)).all()
    np.testing.assert_allclose(together.max(axis=1), means, rtol=1e-5)
    np.testing.assert_array_equal(together.argmax(axis=1), alone.argmax(axis=1))


def test_a_stain_is_farther_from_normal_than_unseen_normal_parts_and_lies_where_it_is(learned):
    detector, _ = learned
    generator = np.random.default_rng(1)
    stained = [part("wood", generator, side_px=SIDE_PX, defect="stain") for _ in range(6)]
    with torch.no_grad():
        normal = detector.distances(pictures(generator, 6)).flatten(1).amax(dim=1)
        given = detector.distances(
            torch.from_numpy(np.stack([each.picture_HWC for each in stained])).permute(0, 3, 1, 2).float()
        )
    assert given.flatten(1).amax(dim=1).median() > normal.max()
    shares = []
    for each, plane in zip(stained, given.numpy(), strict=True):
        row, column = np.unravel_index(plane.argmax(), plane.shape)
        near = each.defect_HW[max(0, 8 * row - 8) : 8 * row + 16, max(0, 8 * column - 8) : 8 * column + 16]
        shares.append(near.any())
    assert sum(shares) >= 5


def test_scores_are_one_half_at_the_limit(learned):
    detector, _ = learned
    detector.calibrate(2.0, 3.0)
    scores = detector.scores(torch.tensor([0.0, 1.0, 2.0, 4.0]))
    assert scores[2] == pytest.approx(0.5)
    assert scores[3] == pytest.approx(8 / 9, abs=1e-5)
    assert 0.0 <= scores[0] < scores[1] < scores[2]


def test_a_coreset_covers_all_groups_before_it_takes_a_second_of_one():
    torch.manual_seed(0)
    centres = torch.tensor([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0], [10.0, 10.0]])
    places = centres.repeat_interleave(20, dim=0) + 0.1 * torch.randn(80, 2)
    chosen = coreset(places, 4, on_step=lambda *_: None)
    assert sorted((chosen // 20).tolist()) == [0, 1, 2, 3]
    assert len(set(coreset(places, 200, on_step=lambda *_: None).tolist())) == 80


@pytest.mark.parametrize("material", MATERIALS)
def test_parts_are_repeatable_and_a_defect_changes_its_place_alone(material):
    for defect in DEFECTS:
        first, again = (part(material, np.random.default_rng(3), side_px=64, defect=defect) for _ in range(2))
        assert (first.picture_HWC == again.picture_HWC).all()
        assert 0 < first.defect_HW.mean() < 0.2
    assert not part(material, np.random.default_rng(3), side_px=64).defect_HW.any()
