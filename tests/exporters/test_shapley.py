"""Shapley values against what is known in closed form, and the axioms that define them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from runtime.shapley import Shapley, evaluations, shapley


def explained(model, row_C, background_BC, **settings) -> Shapley:
    def mixed(is_own_NC, background_N):
        answers = np.asarray(model(np.where(is_own_NC, row_C, background_BC[background_N])))
        return answers if answers.ndim == 2 else answers[:, None]

    return shapley(mixed, num_columns=len(row_C), num_background=len(background_BC), **settings)


def exact(model, row_C, background_BC):
    """By all orders of the columns: the definition."""
    values = np.zeros(len(row_C))
    orders = list(permutations(range(len(row_C))))
    for order in orders:
        for background in background_BC:
            mixture = background.copy()
            before = model(mixture[None])[0]
            for column in order:
                mixture[column] = row_C[column]
                after = model(mixture[None])[0]
                values[column] += after - before
                before = after
    return values / len(orders) / len(background_BC)


@pytest.fixture
def generator():
    return np.random.default_rng(3)


def test_linear_model_is_exact(generator):
    weight_CK = generator.normal(size=(7, 3))
    row_C, background_BC = generator.normal(size=7), generator.normal(size=(5, 7))
    found = explained(lambda rows: rows @ weight_CK + 2.0, row_C, background_BC)
    assert np.allclose(found.values_CK, weight_CK * (row_C - background_BC.mean(axis=0))[:, None])
    assert np.allclose(found.base_K, background_BC.mean(axis=0) @ weight_CK + 2.0)
    assert np.allclose(found.answer_K, row_C @ weight_CK + 2.0)


def test_product_of_two_columns_is_exact_by_one_pair_of_orders(generator):
    row_C, background_BC = np.array([3.0, -2.0, 1.0, 0.5]), generator.normal(size=(4, 4))
    found = explained(lambda rows: rows[:, 0] * rows[:, 1] + rows[:, 2], row_C, background_BC)
    x, y = row_C[:2]
    a, b = background_BC[:, 0], background_BC[:, 1]
    expected = [((x - a) * (y + b) / 2).mean(), ((y - b) * (x + a) / 2).mean(), (1.0 - background_BC[:, 2]).mean(), 0.0]
    assert np.allclose(found.values_CK[:, 0], expected)


def test_interaction_of_three_columns_is_approached_with_more_rounds(generator):
    row_C, background_BC = np.array([2.0, -1.0, 3.0, 1.0]), generator.normal(size=(3, 4))

    def model(rows):
        return rows[:, 0] * rows[:, 1] * rows[:, 2] + np.sin(rows[:, 3] * rows[:, 0] + rows[:, 1])

    truth = exact(model, row_C, background_BC)
    few, many = (explained(model, row_C, background_BC, num_rounds=rounds).values_CK[:, 0] for rounds in (1, 10_000))
    assert np.abs(many - truth).max() < 0.1
    assert np.abs(many - truth).max() < np.abs(few - truth).max()


@pytest.mark.parametrize("num_columns", [1, 2, 9])
def test_values_add_up_to_the_answer_less_the_base_whatever_the_model(generator, num_columns):
    row_C, background_BC = generator.normal(size=num_columns), generator.normal(size=(6, num_columns))
    found = explained(lambda rows: np.exp(rows.sum(axis=1)) * np.sign(rows[:, 0]), row_C, background_BC)
    assert np.allclose(found.values_CK.sum(axis=0), found.answer_K - found.base_K, rtol=0, atol=1e-12)


def test_a_column_without_influence_gets_nothing_and_equal_columns_get_the_same(generator):
    row_C, background_BC = np.array([1.5, 1.5, 4.0]), np.repeat(generator.normal(size=(8, 1)), 3, axis=1)
    found = explained(lambda rows: np.maximum(rows[:, 0] * rows[:, 1], rows[:, 0] + rows[:, 1]), row_C, background_BC)
    first, second, dummy = found.values_CK[:, 0]
    assert dummy == 0.0
    assert first == pytest.approx(second)
    assert first != 0.0


def test_counts_what_it_asks_and_never_asks_for_more_cells_than_allowed(generator):
    row_C, background_BC = generator.normal(size=6), generator.normal(size=(5, 6))
    shapes = []

    def model(rows):
        shapes.append(rows.shape)
        return rows.prod(axis=1)

    whole = explained(model, row_C, background_BC, num_rounds=2, seed=4)
    assert sum(rows for rows, _ in shapes) == whole.num_evaluations == evaluations(6, 5, 2) == 1 + 5 + 2 * 2 * 5 * 5
    shapes.clear()
    parted = explained(model, row_C, background_BC, num_rounds=2, seed=4, max_cells=70)
    assert max(rows * columns for rows, columns in shapes) <= 70
    assert np.allclose(parted.values_CK, whole.values_CK)


def test_the_seed_decides(generator):
    row_C, background_BC = generator.normal(size=5), generator.normal(size=(2, 5))

    def values(seed):
        return explained(lambda rows: rows.prod(axis=1), row_C, background_BC, seed=seed).values_CK

    assert np.array_equal(values(1), values(1))
    assert not np.array_equal(values(1), values(2))


def test_what_cannot_be_explained_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        shapley(lambda own, _: own, num_columns=0, num_background=3)
    with pytest.raises(ValueError, match="shape"):
        shapley(lambda own, _: own.sum(axis=1), num_columns=2, num_background=3)
    with pytest.raises(ValueError, match="no number"):
        shapley(lambda own, _: np.full((len(own), 1), np.nan), num_columns=2, num_background=3)
