"""The head on frozen features learns from few items what holds for others."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from engine.models.linear_probe.fit import solutions


def _items(num_items, seed):
    """Six features that tell three labels apart, and two hundred that are nearly zero but in one item of 25."""
    random = np.random.default_rng(seed)
    labels_N = np.arange(num_items) % 3
    told = random.normal(size=(num_items, 6)) + 2 * np.eye(3)[labels_N].repeat(2, axis=1)
    noise = random.normal(size=(num_items, 200))
    seldom = np.where(random.random(noise.shape) < 0.04, noise, 1e-3 * noise)
    return torch.from_numpy(np.concatenate([told, seldom], axis=1).astype(np.float32)), torch.from_numpy(labels_N)


def test_a_feature_that_few_items_hardly_vary_in_is_not_blown_up():
    features_ND, targets = _items(15, seed=0)
    others_MD, truth = _items(600, seed=1)
    heads = list(solutions(features_ND, targets, 3, cross_entropy))
    logits = [head.logits(others_MD) for head in heads]
    assert max(float(cross_entropy(each_ML, truth)) for each_ML in logits) < np.log(3)  # never worse than knowing nothing
    assert min(float((each_ML.argmax(dim=1) == truth).float().mean()) for each_ML in logits) > 0.75
