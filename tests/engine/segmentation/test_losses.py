"""The loss's terms against their definitions, written out pixel by pixel."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from automl.contracts.family import FeatureKind
from engine.models import families_for
from engine.models.shared.enlarge import enlarged
from engine.tasks import task_spec
from engine.tasks.semantic_segmentation import loss, loss_terms
from engine.tasks.semantic_segmentation.loss_terms import LEAST_HARD, OVERLAP_TERMS, PIXEL_TERMS, SURE
from engine.tasks.semantic_segmentation.raster import IGNORED

TASK = task_spec("semantic_segmentation")
NUM_LABELS = 2
_NUM_CLASSES = 1 + NUM_LABELS
WEIGHTS = (0.5, 1.0, 4.0)


@pytest.fixture(autouse=True, params=[loss_terms.FEW_LOGITS, 0], ids=["at once", "by bands"])
def few_logits(request, monkeypatch):
    """Small batches and large ones are computed in different ways."""
    monkeypatch.setattr(loss_terms, "FEW_LOGITS", request.param)


@pytest.fixture
def batch():
    """Logits of two pictures of 4 x 5 pixels, and truth in which every class occurs."""
    chance = np.random.default_rng(3)
    logits = torch.from_numpy(chance.normal(0, 2, (2, _NUM_CLASSES, 4, 5)).astype(np.float32)).requires_grad_()
    return logits, torch.from_numpy(chance.integers(-1, NUM_LABELS, (2, 4, 5)))


def _loss(name, logits, truth, weights=None):
    weights_L = None if weights is None else torch.tensor(weights)
    return loss.build(torch.nn.Identity(), {}, smoothing=0.0, weights_L=weights_L, name=name)(logits, truth)


def _measure(*asked):
    return float(_loss(*asked).detach())


def _pixels(logits, truth):
    """Of each pixel the scores of the classes, and its class."""
    scores = logits.detach().double().softmax(dim=1).permute(0, 2, 3, 1).reshape(-1, _NUM_CLASSES).tolist()
    return scores, (truth.flatten() + 1).tolist()


def _by_pixel(name, scores, classes, weights):
    entropies = [-math.log(each[right]) for each, right in zip(scores, classes, strict=True)]
    shares = [weights[right] for right in classes]
    if name == "ohem":
        least = sorted(entropies, reverse=True)[int(LEAST_HARD * len(entropies)) - 1]
        shares = [share * (entropy >= min(least, -math.log(SURE))) for share, entropy in zip(shares, entropies, strict=True)]
    factors = [(1 - each[right]) ** 2 if name == "focal" else 1.0 for each, right in zip(scores, classes, strict=True)]
    total = sum(share * factor * entropy for share, factor, entropy in zip(shares, factors, entropies, strict=True))
    return total / sum(shares)


def _jaccard_loss(wrong, true):
    """One less the intersection over union of a label's true pixels and those predicted, where these pixels are wrong."""
    predicted = true ^ wrong
    return 1 - len(true & predicted) / len(true | predicted)


def _lovasz(scores, classes, label):
    """The Lovász extension of the Jaccard loss as it is defined: what each pixel adds to a growing set of wrong ones."""
    true = {place for place, each in enumerate(classes) if each == label}
    errors = [abs((place in true) - each[label]) for place, each in enumerate(scores)]
    wrong, total = set(), 0.0
    for place in sorted(range(len(errors)), key=lambda place: -errors[place]):
        total += errors[place] * (_jaccard_loss(wrong | {place}, true) - _jaccard_loss(wrong, true))
        wrong.add(place)
    return total


def _dice(scores, classes, label):
    shared = sum(each[label] for each, right in zip(scores, classes, strict=True) if right == label)
    return 1 - 2 * shared / (sum(each[label] for each in scores) + classes.count(label))


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("name", PIXEL_TERMS)
def test_terms_of_pixels_are_their_definitions(name, weights, batch):
    expected = _by_pixel(name, *_pixels(*batch), weights or [1.0] * _NUM_CLASSES)
    assert _measure(name, *batch, weights) == pytest.approx(expected, rel=1e-5)


def test_the_hardest_pixels_count_where_all_are_easy(batch):
    _, truth = batch
    one_hot = torch.nn.functional.one_hot(truth + 1, _NUM_CLASSES).permute(0, 3, 1, 2).float()
    logits = one_hot * torch.linspace(4, 6, truth.numel()).reshape(2, 1, 4, 5)
    scores, classes = _pixels(logits, truth)
    hardest, second, *_ = sorted((-math.log(each[right]) for each, right in zip(scores, classes, strict=True)), reverse=True)
    assert hardest < -math.log(SURE)
    assert int(LEAST_HARD * truth.numel()) == 2
    assert _measure("ohem", logits, truth) == pytest.approx((hardest + second) / 2, rel=1e-4)


@pytest.mark.parametrize(("name", "of_label"), [("dice", _dice), ("lovasz", _lovasz)])
def test_terms_of_overlap_are_their_definitions(name, of_label, batch):
    scores, classes = _pixels(*batch)
    expected = sum(of_label(scores, classes, label) for label in range(1, _NUM_CLASSES)) / NUM_LABELS
    assert _measure(name, *batch) == pytest.approx(expected, rel=1e-5)
    logits, truth = batch
    without = truth.where(truth != 1, torch.tensor(-1))  # a label that nothing shows has no part
    alone = of_label(*_pixels(logits, without), 1)
    assert _measure(name, logits, without) == pytest.approx(alone, rel=1e-5)


def test_lovasz_of_sure_answers_is_the_jaccard_loss(batch):
    _, truth = batch
    answers = truth.roll(1, dims=2)
    logits = 50.0 * torch.nn.functional.one_hot(answers + 1, _NUM_CLASSES).permute(0, 3, 1, 2).float()
    expected = [
        1 - ((truth == label) & (answers == label)).sum() / ((truth == label) | (answers == label)).sum()
        for label in range(NUM_LABELS)
    ]
    assert _measure("lovasz", logits, truth) == pytest.approx(float(sum(expected)) / NUM_LABELS, rel=1e-5)


@pytest.mark.parametrize("family", [family.name for family in families_for(TASK)])
def test_every_choice_of_every_segmenter_is_a_sum_of_terms_that_learns(family, batch):
    spec = next(each for each in families_for(TASK) if each.name == family)
    assert spec.yields is FeatureKind.MASKS
    param = next(param for param in spec.params if param.name == "loss")
    terms = {**PIXEL_TERMS, **OVERLAP_TERMS}
    assert {term for choice in param.choices for term in choice.split("+")} == terms.keys()
    assert param.default == loss.DEFAULT
    logits, truth = batch
    for choice in param.choices:
        found = _loss(choice, logits, truth, WEIGHTS)
        parts = [_loss(term, logits, truth, WEIGHTS) for term in choice.split("+")]
        torch.testing.assert_close(found, torch.stack(parts).sum())
        (grads,) = torch.autograd.grad(found, logits)
        assert grads.abs().sum() > 0
        assert math.isfinite(_measure(choice, logits, torch.full_like(truth, -1), WEIGHTS))
        fine = truth.repeat_interleave(4, dim=1).roll(1, dims=1).repeat_interleave(4, dim=2)
        torch.testing.assert_close(
            _loss(choice, logits, fine, WEIGHTS), _loss(choice, enlarged(logits, 4), fine, WEIGHTS), rtol=1e-5, atol=1e-5
        )


def test_a_loss_that_does_not_exist_is_named():
    with pytest.raises(ValueError, match="'tversky'"):
        loss.build(torch.nn.Identity(), {}, smoothing=0.0, weights_L=None, name="tversky+dice")


@pytest.mark.parametrize("name", [*PIXEL_TERMS, *OVERLAP_TERMS])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_pixels_that_do_not_count_have_no_part_in_the_loss(batch, name, weights):
    logits, truth = batch
    marked = truth.clone()
    marked[..., 3:] = IGNORED
    found = _loss(name, logits, marked, weights)
    torch.testing.assert_close(found, _loss(name, logits[..., :3], truth[..., :3], weights))
    found.backward()
    assert (logits.grad[..., 3:] == 0).all()
    assert (logits.grad[..., :3] != 0).any()
    assert _measure(name, logits, torch.full_like(truth, IGNORED), weights) == 0
