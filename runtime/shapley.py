"""How much each column of a row adds to the answer: Shapley values by sampling orders of the columns.

A coalition of columns has the row's cells, all other columns have those of a background row; the value of a column is what the
answer gains when the column joins, averaged over orders and background rows (Strumbelj and Kononenko 2014). Orders come in
antithetic pairs, one the reverse of the other (Mitchell et al. 2022): of two columns each joins first once, so that effects of
single columns and of pairs are exact after one pair, and only interactions of three and more are estimated. Every background
row serves equally often, so that the values always add up to the answer less the mean answer of the background.

The model is a function of which cells are taken from where; whoever calls knows what a cell is. It needs only numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_CELLS = 8_000_000
"""Of one call of the model, unless a single order of the columns has more."""

Mixed = Callable[[NDArray[np.bool_], NDArray[np.intp]], NDArray[Any]]
"""``(is_own_NC, background_N) -> answers_NK``: answers rows whose cells are the row's own where ``is_own_NC``, else those of
the background row with that index."""


class Shapley(NamedTuple):
    """What the columns add to one answer of K numbers."""

    values_CK: NDArray[np.float64]
    """In the unit of the answer; the columns' sum is ``answer_K - base_K``."""
    base_K: NDArray[np.float64]
    """The mean answer of the background."""
    answer_K: NDArray[np.float64]
    """Of the row itself."""
    num_evaluations: int
    """Rows that the model answered."""


def evaluations(num_columns: int, num_background: int, num_rounds: int = 1) -> int:
    """Rows that ``shapley`` asks the model for."""
    return 1 + num_background + 2 * num_rounds * num_background * (num_columns - 1)


def shapley(
    predict: Mixed, *, num_columns: int, num_background: int, num_rounds: int = 1, seed: int = 0, max_cells: int = MAX_CELLS
) -> Shapley:
    """Explains one answer.

    Args:
        predict: the model, for mixtures of the row and the background.
        num_columns: C, at least 1.
        num_background: rows that stand for the others, at least 1.
        num_rounds: pairs of orders a background row; the error falls with the root of their number.
        seed: of the orders; the same seed gives the same values.
        max_cells: rows times columns of one call of the model.

    Raises:
        ValueError: a number is below 1, or the model does not give a finite row of answers for each row.
    """
    if min(num_columns, num_background, num_rounds) < 1:
        raise ValueError("at least one column, one background row and one round are needed")
    ends_NC = np.zeros((1 + num_background, num_columns), dtype=np.bool_)
    ends_NC[0] = True
    ends_NK = _ask(predict, ends_NC, np.concatenate([[0], np.arange(num_background)]))
    answer_K, base_BK = ends_NK[0], ends_NK[1:]
    ranks_PC, background_P = _orders(num_columns, num_background, num_rounds, seed)
    per_call = max(1, max_cells // (num_columns * max(1, num_columns - 1)))
    total_CK = np.zeros((num_columns, len(answer_K)))
    for first in range(0, len(ranks_PC), per_call):
        part = slice(first, first + per_call)
        total_CK += _gains(predict, ranks_PC[part], background_P[part], base_BK, answer_K)
    num_evaluations = evaluations(num_columns, num_background, num_rounds)
    return Shapley(total_CK / len(ranks_PC), base_BK.mean(axis=0), answer_K, num_evaluations)


def _orders(num_columns: int, num_background: int, num_rounds: int, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """When each column joins, 0 first, in each order, and the background row of each: pairs of an order and its reverse."""
    generator = np.random.default_rng(seed)
    in_order = np.tile(np.arange(num_columns), (num_background * num_rounds, 1))
    ranks_HC = generator.permuted(in_order, axis=1)
    background_H = np.repeat(np.arange(num_background), num_rounds)
    ranks_PC = np.stack([ranks_HC, num_columns - 1 - ranks_HC], axis=1).reshape(-1, num_columns)
    return ranks_PC, np.repeat(background_H, 2)


def _gains(
    predict: Mixed,
    ranks_PC: NDArray[np.intp],
    background_P: NDArray[np.intp],
    base_BK: NDArray[np.float64],
    answer_K: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What each column gains in each order, summed over the orders: ``_CK``."""
    num_orders, num_columns = ranks_PC.shape
    steps_PJK = np.empty((num_orders, num_columns + 1, len(answer_K)))
    steps_PJK[:, 0], steps_PJK[:, -1] = base_BK[background_P], answer_K
    if num_columns > 1:
        joined = np.arange(1, num_columns)
        is_own_NC = (ranks_PC[:, None, :] < joined[None, :, None]).reshape(-1, num_columns)
        inner_NK = _ask(predict, is_own_NC, np.repeat(background_P, num_columns - 1), len(answer_K))
        steps_PJK[:, 1:-1] = inner_NK.reshape(num_orders, num_columns - 1, -1)
    by_rank_PCK = np.diff(steps_PJK, axis=1)
    gains: NDArray[np.float64] = np.take_along_axis(by_rank_PCK, ranks_PC[:, :, None], axis=1).sum(axis=0)
    return gains


def _ask(
    predict: Mixed,
    is_own_NC: NDArray[np.bool_],
    background_N: NDArray[np.intp],
    num_answers: int | None = None,
) -> NDArray[np.float64]:
    answers_NK = np.asarray(predict(is_own_NC, background_N), dtype=np.float64)
    if answers_NK.ndim != 2 or len(answers_NK) != len(is_own_NC) or num_answers not in (None, answers_NK.shape[1]):
        raise ValueError(f"the model answers {len(is_own_NC)} rows in shape {answers_NK.shape}")
    if not np.isfinite(answers_NK).all():
        raise ValueError("the model answers with what is no number")
    return answers_NK
