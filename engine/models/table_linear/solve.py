"""Solves ridge and softmax regression along a path of strengths, strongest first, each solution begun from the last.

Shapes: N rows, F features, K columns of weights (1 for a number or two labels, else one a label).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from engine.table.table import Deadline

L2_STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
"""Weight of half the squared weights beside the mean loss, on features of unit size."""
USUAL_L2 = 0.003
"""Where there is nothing to choose by."""
_LEAST_ROWS = 0.1
"""The weakest penalty weighs as much as this part of a row (``C`` of 10 in libraries): where a plane parts few rows perfectly,
validation alone would ask for certainty without end."""
_MAX_ITERATIONS = 60
_ITERATIONS_AT_ONCE = 10
_SETTLED = 3e-5
"""Of the loss: where so many steps gain less, the next strength is begun."""
_CHUNK_ROWS = 20_000


class _OverError(Exception):
    """The deadline passed before the solution was found."""


def strengths_for(num_rows: int) -> tuple[float, ...]:
    """The strengths that are tried on so many rows, strongest first."""
    return tuple(l2 for l2 in L2_STRENGTHS if l2 * num_rows >= _LEAST_ROWS or l2 == L2_STRENGTHS[0])


def ridge_path(x_NF: NDArray[np.float32], y_NK: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yields weights ``_FK`` by strength: the least mean of half the squared errors and half of l2 times the squared weights.

    Args:
        x_NF: features, each with a mean of 0 over the rows.
        y_NK: targets, each with a mean of 0.
    """
    num_rows, num_features = x_NF.shape
    gram_FF = np.zeros((num_features, num_features))
    moment_FK = np.zeros((num_features, y_NK.shape[1]))
    for start in range(0, num_rows, _CHUNK_ROWS):
        part_NF = x_NF[start : start + _CHUNK_ROWS].astype(np.float64)
        gram_FF += part_NF.T @ part_NF
        moment_FK += part_NF.T @ y_NK[start : start + _CHUNK_ROWS]
    for l2 in strengths_for(num_rows):
        yield np.linalg.solve(gram_FF / num_rows + l2 * np.eye(num_features), moment_FK / num_rows)


def softmax_path(
    x_NF: NDArray[np.floating],
    targets_N: NDArray[np.int64],
    *,
    weights_N: NDArray[np.float64],
    priors_L: NDArray[np.float64],
    deadline: Deadline,
    tick: Callable[[], None],
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yields weights ``_FK`` and offsets ``_K`` by strength; ends when the deadline has come, with what there is by then.

    Args:
        x_NF: features; sums are made in their precision.
        targets_N: indices of labels.
        weights_N: of the rows, with a mean of 1.
        priors_L: shares of the labels, where the offsets begin.
        deadline: looked at before each pass over the rows.
        tick: called every few steps; what it raises goes through.
    """
    # Columns lie one behind the other, since products with few columns of weights are twice as fast so (measured with 310).
    x_FN = torch.from_numpy(np.ascontiguousarray(x_NF.T))
    targets, row_weights_N = torch.from_numpy(targets_N), torch.from_numpy(weights_N).to(x_FN.dtype)
    num_columns = 1 if len(priors_L) == 2 else len(priors_L)
    logs_L = torch.from_numpy(np.log(priors_L)).to(x_FN.dtype)
    weights_KF = torch.zeros((num_columns, len(x_FN)), dtype=x_FN.dtype, requires_grad=True)
    offsets_K = (logs_L[1:] - logs_L[:1] if num_columns == 1 else logs_L).clone().requires_grad_()

    def loss() -> Tensor:
        logits_KN = weights_KF @ x_FN + offsets_K[:, None]
        logits_LN = torch.cat([-logits_KN / 2, logits_KN / 2]) if num_columns == 1 else logits_KN
        return (cross_entropy(logits_LN.T, targets, reduction="none") * row_weights_N).mean()

    for l2 in strengths_for(len(x_NF)):
        is_whole = _descend(weights_KF, offsets_K, loss, l2=l2, deadline=deadline, tick=tick)
        yield weights_KF.detach().double().numpy().T.copy(), offsets_K.detach().double().numpy().copy()
        if not is_whole:
            return


def _descend(
    weights_KF: Tensor,
    offsets_K: Tensor,
    loss: Callable[[], Tensor],
    *,
    l2: float,
    deadline: Deadline,
    tick: Callable[[], None],
) -> bool:
    """L-BFGS from where the weights are; False when the deadline ended it, with the best weights that were met."""
    best: tuple[float, Tensor, Tensor] = (float("inf"), weights_KF.detach().clone(), offsets_K.detach().clone())
    optimizer = torch.optim.LBFGS(
        [weights_KF, offsets_K],
        max_iter=_ITERATIONS_AT_ONCE,
        history_size=20,
        tolerance_grad=1e-6,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        nonlocal best
        if deadline.left_s <= 0.0:
            raise _OverError
        optimizer.zero_grad()
        value = loss() + 0.5 * l2 * weights_KF.square().sum()
        value.backward()
        if value.item() < best[0]:
            best = (value.item(), weights_KF.detach().clone(), offsets_K.detach().clone())
        return value

    try:
        for done in range(_ITERATIONS_AT_ONCE, _MAX_ITERATIONS + 1, _ITERATIONS_AT_ONCE):
            before = best[0]
            optimizer.step(closure)
            tick()
            has_settled = before - best[0] < _SETTLED * abs(best[0])
            if has_settled or optimizer.state[weights_KF]["n_iter"] < done:  # or it found nothing to improve
                break
    except _OverError:
        with torch.no_grad():
            weights_KF.copy_(best[1])
            offsets_K.copy_(best[2])
        return False
    return True
