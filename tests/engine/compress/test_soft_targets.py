"""Lessons and their loss against the formulas that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)

from engine.compress.soft_targets import Recipe, criterion, distillation_targets, softened

ONE, SEVERAL = {"labels": "one"}, {"labels": "several"}
LOGITS = torch.tensor([[2.0, -1.0, 0.5], [0.1, 0.2, -3.0]])


@pytest.mark.parametrize(("options", "scores"), [(ONE, lambda x: torch.softmax(x, 1)), (SEVERAL, torch.sigmoid)])
@pytest.mark.parametrize("temperature", [1.0, 2.0, 5.0])
def test_softened_scores_are_those_of_divided_logits(options, scores, temperature):
    found = softened(scores(LOGITS).numpy(), options, temperature=temperature)
    np.testing.assert_allclose(found, scores(LOGITS / temperature).numpy(), atol=1e-6)


def test_scores_without_a_doubt_stay_numbers():
    found = softened(np.array([[1.0, 0.0]], dtype=np.float32), ONE, temperature=4.0)
    assert np.isfinite(found).all()
    assert found.sum() == pytest.approx(1.0)


def test_labels_alone_are_the_usual_loss():
    soft = np.full((2, 3), 1 / 3, dtype=np.float32)
    only_labels = Recipe(hard_fraction=1.0)
    table = torch.from_numpy(distillation_targets(np.array([2, 0]), soft))
    usual = F.cross_entropy(LOGITS, torch.tensor([2, 0]))
    torch.testing.assert_close(criterion(ONE, only_labels)(LOGITS, table), usual)
    truth = np.array([[1, 0, 1], [0, 0, 0]], dtype=np.float32)
    table = torch.from_numpy(distillation_targets(truth, soft))
    usual = F.binary_cross_entropy_with_logits(LOGITS, torch.from_numpy(truth))
    torch.testing.assert_close(criterion(SEVERAL, only_labels)(LOGITS, table), usual)


@pytest.mark.parametrize("options", [ONE, SEVERAL])
def test_item_without_labels_learns_from_its_teacher_alone(options):
    soft = np.array([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]], dtype=np.float32)
    targets = np.array([0]) if options is ONE else np.array([[1, 0, 0]], dtype=np.float32)
    table = torch.from_numpy(distillation_targets(targets, soft))
    losses = {share: criterion(options, Recipe(hard_fraction=share)) for share in (0.0, 0.9)}
    torch.testing.assert_close(losses[0.0](LOGITS[1:], table[1:]), losses[0.9](LOGITS[1:], table[1:]))
    assert not torch.allclose(losses[0.0](LOGITS[:1], table[:1]), losses[0.9](LOGITS[:1], table[:1]))


@pytest.mark.parametrize("temperature", [1.0, 4.0])
def test_the_least_loss_is_the_teachers_answer(temperature):
    teacher = torch.tensor([[1.0, -2.0, 0.3]])
    soft = softened(torch.softmax(teacher, 1).numpy(), ONE, temperature=temperature)
    table = torch.from_numpy(distillation_targets(np.zeros(0, dtype=np.int64), soft))
    loss = criterion(ONE, Recipe(temperature=temperature))
    student = teacher.clone().requires_grad_()
    loss(student, table).backward()
    torch.testing.assert_close(student.grad, torch.zeros(1, 3), atol=1e-5, rtol=0)
    assert loss(teacher + torch.tensor([[0.5, 0.0, 0.0]]), table) > loss(teacher, table)


@pytest.mark.parametrize("values", [{"temperature": 0.0}, {"hard_fraction": 1.5}])
def test_recipe_knows_its_ranges(values):
    with pytest.raises(ValueError, match="not"):
        Recipe(**values)
