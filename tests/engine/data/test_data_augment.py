import pytest
import torch

from engine.data.augment import POLICIES, Augmenter, Draws, apply, apply_on_cpu, draw


def _batch(size=32):
    ramp = torch.arange(size, dtype=torch.float32)
    red = (ramp[None, :] * 5).expand(size, size)
    green = (ramp[:, None] * 5).expand(size, size)
    picture = torch.stack([red, green, torch.full((size, size), 90.0)], dim=-1)
    return torch.stack([picture, 255 - picture]).to(torch.uint8).repeat(3, 1, 1, 1)


def _generator(seed):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("policy", POLICIES)
def test_shape_and_type_stay_and_the_input_is_untouched(policy):
    batch = _batch()
    before = batch.clone()
    result = Augmenter(policy)(batch, _generator(1))
    assert result.shape == batch.shape
    assert result.dtype == torch.uint8
    assert torch.equal(batch, before)


def test_none_changes_nothing():
    assert torch.equal(Augmenter("none")(_batch(), _generator(1)), _batch())


@pytest.mark.parametrize("policy", ["light", "strong"])
def test_same_seed_same_result_other_seed_other_result(policy):
    augment = Augmenter(policy)
    assert torch.equal(augment(_batch(), _generator(7)), augment(_batch(), _generator(7)))
    assert not torch.equal(augment(_batch(), _generator(7)), augment(_batch(), _generator(8)))


def test_unknown_policy_lists_the_known():
    with pytest.raises(ValueError, match="none, light, strong"):
        Augmenter("wild")


@pytest.mark.parametrize("policy", ["light", "strong"])
def test_crops_lie_inside_the_picture(policy):
    draws = draw(policy, 500, _generator(0))
    left, top, width, height = draws.crops_B4.unbind(1)
    assert (draws.crops_B4 >= 0).all()
    assert ((left + width) <= 1 + 1e-6).all()
    assert ((top + height) <= 1 + 1e-6).all()
    assert 0.4 < draws.is_flipped_B.float().mean() < 0.6


def _draws(crop=(0, 0, 1, 1), is_flipped=False, color=None, cutout=(0, 0, 0, 0)):
    identity = torch.cat([torch.eye(3), torch.zeros(3, 1)], dim=1)
    return Draws(
        crops_B4=torch.tensor([crop], dtype=torch.float32),
        is_flipped_B=torch.tensor([is_flipped]),
        colors_B34=(identity if color is None else color)[None],
        cutouts_B4=torch.tensor([cutout], dtype=torch.float32),
    )


@pytest.mark.parametrize("apply_draws", [apply, apply_on_cpu])
class TestBothWays:
    def test_whole_picture_stays(self, apply_draws):
        batch = _batch()[:1]
        assert torch.equal(apply_draws(batch, _draws()), batch)

    def test_mirror_is_exact(self, apply_draws):
        batch = _batch()[:1]
        assert torch.equal(apply_draws(batch, _draws(is_flipped=True)), batch.flip(2))

    def test_crop_shows_its_quarter(self, apply_draws):
        result = apply_draws(_batch()[:1], _draws(crop=(0.5, 0, 0.5, 0.5)))
        assert result[0, :, :, 0].float().mean() == pytest.approx(5 * 23.5, abs=1)
        assert result[0, :, :, 1].float().mean() == pytest.approx(5 * 7.5, abs=1)

    def test_cutout_is_grey_and_nothing_else_changes(self, apply_draws):
        batch = _batch()[:1]
        result = apply_draws(batch, _draws(cutout=(0.25, 0.5, 0.25, 0.25)))
        assert (result[0, 16:24, 8:16] == 127).all()
        expected = batch.clone()
        expected[0, 16:24, 8:16] = 127
        assert torch.equal(result, expected)

    def test_colors_saturate_at_the_ends(self, apply_draws):
        brighter = torch.cat([2 * torch.eye(3), torch.full((3, 1), 60.0)], dim=1)
        result = apply_draws(_batch()[:1], _draws(color=brighter))
        assert result[0, 0, -1].tolist() == [255, 60, 240]


def test_both_ways_agree_on_real_draws():
    batch = _batch()
    draws = draw("strong", len(batch), _generator(3))
    difference = (apply(batch, draws).float() - apply_on_cpu(batch, draws).float()).abs()
    # They differ at the rims: bytes are cut at whole pixels, the grid between them.
    assert difference.mean() < 6
