"""Trains the network for rows, on the CPU, until nothing improves or the time is over.

The learning rate swings four times, each time longer (``coslog4`` of RealMLP), by the share of the epochs or of the time that
has passed, whichever is more: a fit that is short of time has seen the whole schedule all the same. Without a deadline the
same seed gives the same network.

Shapes: N rows, B batch, F columns as prepared, L labels, O outputs (L, or 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor

from engine.errors import LossNotFiniteError
from engine.models.shared.rows import balanced_weights, priors, training_rows
from engine.models.table_network.network import RowNetwork, numbers_among
from engine.table.encode import Preparation
from engine.table.graph import GraphWriter
from engine.table.table import Deadline, RowTask, Table

_BATCHES = ((2_000, 64), (10_000, 128), (50_000, 256))
"""Rows of a step where there are fewer than so many to train on."""
_LARGE_BATCH = 1024
_BETAS = (0.9, 0.95)
_BIAS_LR, _COLUMN_LR, _WAVE_LR = 0.1, 6.0, 0.1
"""Times the learning rate; RealMLP's."""
_NUMBER_LR = 1.75
"""Times the learning rate where a number is predicted; RealMLP-TD-S has 0.07 against 0.04."""
_PATIENCE, _PATIENCE_SHARE = 30, 1.5
"""Ends when so many epochs, and that share of the best one's number, brought nothing."""
_TIME_SHARE = 0.95
"""Of the time that is left; the rest is for what comes after the last step."""
_ANSWER_ROWS = 8192


@dataclass(frozen=True)
class TrainingRecord:
    """How a network was fitted."""

    best_epoch: int
    """The epoch that was kept; 0 before the first."""
    num_epochs: float
    """Length of the schedule: as many as were asked for, or as would have fitted into the time."""


@dataclass(frozen=True)
class NetworkModel:
    """A trained network with its preparation of columns."""

    preparation: Preparation
    network: RowNetwork
    mean: float
    """With the next what the network's number is in the unit of the target; 0 and 1 of labels."""
    std: float
    lowest: float
    """With the next what was seen of the target: no answer lies beyond."""
    highest: float
    record: TrainingRecord

    def answers(self, table: Table) -> NDArray[np.float32]:
        """Probabilities ``_NL`` or numbers ``_N1``."""
        x_NF = torch.from_numpy(np.ascontiguousarray(self.preparation.apply(table), dtype=np.float32))
        with torch.no_grad():
            outputs_NO = _outputs(self.network, x_NF)
            if self.network.is_classifier:
                return torch.softmax(outputs_NO, dim=1).numpy()
            return (outputs_NO * self.std + self.mean).clamp(self.lowest, self.highest).numpy()

    def write(self, graph: GraphWriter) -> str:
        """Adds preparation and network."""
        outputs = self.network.write(graph, self.preparation.write(graph))
        if self.network.is_classifier:
            return graph.add("Softmax", [outputs], axis=1)
        number = graph.add("Add", [graph.add("Mul", [outputs, graph.floats(self.std)]), graph.floats(self.mean)])
        return graph.add("Clip", [number, graph.floats(self.lowest), graph.floats(self.highest)])


def fit(task: RowTask) -> NetworkModel:
    """Trains on ``task.train`` and keeps the epoch that is best on ``task.validation``.

    Raises:
        LossNotFiniteError: the loss was not finite in the first epoch already.
    """
    return _fitted(task, None)


def refit(task: RowTask, models: Sequence[NetworkModel]) -> NetworkModel | None:
    """One network of all rows, trained as many epochs of the same schedule as others have found best.

    Args:
        task: with the same settings as those of the models; its validation is not looked at.
        models: at least one.

    Returns:
        The network; None if the deadline came before the last of the epochs, or there were none.

    Raises:
        LossNotFiniteError: the loss was not finite in the first epoch already.
    """
    best = round(float(np.mean([model.record.best_epoch for model in models])))
    record = TrainingRecord(best, float(np.mean([model.record.num_epochs for model in models])))
    if best == 0 or task.deadline.left_s <= 0.0:
        return None
    model = _fitted(replace(task, validation=task.train.take(slice(0)), validation_targets_N=task.targets_N[:0]), record)
    return model if model.record.best_epoch == best else None


def _fitted(task: RowTask, record: TrainingRecord | None) -> NetworkModel:
    """A trained network; ``record`` says where to end; without it, validation does."""
    allowed = task.deadline.part(_TIME_SHARE)
    train, targets_N = training_rows(task)
    preparation, x_NF = Preparation.learn(train, targets_N, task.num_labels, style="dense", seed=task.seed)
    x_NF = np.ascontiguousarray(x_NF, dtype=np.float32)
    is_classifier = task.num_labels > 0
    is_balanced = is_classifier and bool(task.params["is_balanced"])
    mean = 0.0 if is_classifier else float(np.mean(targets_N))
    std = 1.0 if is_classifier else float(np.std(targets_N)) or 1.0
    generator = torch.Generator().manual_seed(task.seed)
    network = RowNetwork(
        x_NF.shape[1],
        numbers_among(x_NF),
        _log_frequencies(targets_N, task.num_labels, is_balanced) if is_classifier else np.zeros(1, dtype=np.float32),
        width=int(task.params["width"]),
        embedding_size=int(task.params["embedding_size"]),
        dropout=float(task.params["dropout"]),
        generator=generator,
    )
    validation_x = np.ascontiguousarray(preparation.apply(task.validation), dtype=np.float32)
    with _threads(task.num_threads), _seeded(task.seed):
        data = _Data(
            x_NF=torch.from_numpy(x_NF),
            targets_N=_targets(targets_N, is_classifier, mean, std),
            validation_x_MF=torch.from_numpy(validation_x),
            validation_targets_M=_targets(task.validation_targets_N, is_classifier, mean, std),
            label_weights_L=_label_weights(targets_N, task.num_labels) if is_balanced else None,
        )
        record = _train(network, data, task, allowed, generator, unit=std, record=record)
    return NetworkModel(
        preparation=preparation,
        network=network.eval(),
        mean=mean,
        std=std,
        lowest=0.0 if is_classifier else float(np.min(targets_N)),
        highest=1.0 if is_classifier else float(np.max(targets_N)),
        record=record,
    )


def coslog4(progress: float) -> float:
    """Share of the learning rate at a share of the training, 0..1 both (``coslog4``)."""
    return 0.5 * (1 - math.cos(2 * math.pi * math.log2(1 + 15 * min(progress, 1.0))))


@dataclass(frozen=True)
class _Data:
    """Prepared columns and targets as the loss takes them."""

    x_NF: Tensor
    targets_N: Tensor
    validation_x_MF: Tensor
    validation_targets_M: Tensor
    label_weights_L: Tensor | None
    """None: every row weighs the same."""


def _passed(allowed: Deadline, allowed_s: float) -> float:
    """The fraction of a time that is over."""
    left_s = allowed.left_s
    if left_s == math.inf:
        return 0.0
    return 1.0 - left_s / allowed_s if allowed_s > 0 else 1.0


def _train(
    network: RowNetwork,
    data: _Data,
    task: RowTask,
    allowed: Deadline,
    generator: torch.Generator,
    *,
    unit: float,
    record: TrainingRecord | None,
) -> TrainingRecord:
    """Steps until the epochs or the time are over, and leaves the network as it was when it was best.

    With a ``record``, time does not shorten the schedule, and the last epoch is its best.
    """
    num_rows, num_epochs = len(data.x_NF), float(task.params["epochs"]) if record is None else record.num_epochs
    last_epoch = math.ceil(num_epochs) if record is None else record.best_epoch
    batch = min(next((size for limit, size in _BATCHES if num_rows < limit), _LARGE_BATCH), num_rows)
    num_batches = max(1, num_rows // batch)
    optimizer, factors = _optimizer(network, float(task.params["weight_decay"]))
    peak_lr = float(task.params["lr"]) * (1.0 if network.is_classifier else _NUMBER_LR)
    allowed_s = allowed.left_s
    has_validation = len(data.validation_targets_M) > 0
    best_loss, best_epoch = _loss(network, data) if has_validation else math.inf, 0
    best_state, last, epoch, progress = _state(network), best_loss, 0, 0.0
    for epoch in range(last_epoch):
        order_N = torch.randperm(num_rows, generator=generator)
        network.train()
        for number in range(num_batches):
            time_passed = _passed(allowed, allowed_s)
            progress = (epoch + (number + 1) / num_batches) / num_epochs
            progress = max(progress, time_passed) if record is None else progress
            if time_passed >= 1.0:
                break
            for group, factor in zip(optimizer.param_groups, factors, strict=True):
                group["lr"] = peak_lr * factor * coslog4(progress)
            rows_B = order_N[number * batch : (number + 1) * batch]
            optimizer.zero_grad(set_to_none=True)
            loss = _criterion(network(data.x_NF[rows_B]), data.targets_N[rows_B], data.label_weights_L)
            loss.backward()
            optimizer.step()
            last = float(loss.detach())
            task.report(min(progress, 1.0), {})
        value = _loss(network, data) if has_validation else last
        if not math.isfinite(value):
            break
        is_whole = record is None or time_passed < 1.0
        if is_whole and (value < best_loss or not has_validation):
            best_loss, best_epoch, best_state = value, epoch + 1, _state(network)
        task.report(min(progress, 1.0), _measured(value, network.is_classifier, unit) if has_validation else {})
        is_hopeless = has_validation and epoch + 1 - best_epoch > _PATIENCE + _PATIENCE_SHARE * best_epoch
        if time_passed >= 1.0 or is_hopeless:
            break
    if best_epoch == 0 and math.isnan(value):
        raise LossNotFiniteError("The network's loss was not finite from the beginning.")
    network.load_state_dict(best_state)
    task.report(1.0, {})
    return TrainingRecord(best_epoch, max((epoch + 1) / max(progress, 1e-6), 1.0) if record is None else record.num_epochs)


def _optimizer(network: RowNetwork, weight_decay: float) -> tuple[torch.optim.Optimizer, list[float]]:
    """AdamW, and by group what the learning rate is multiplied with."""
    waves: list[Tensor] = [network.frequency_K1W, network.phase_K1W, network.mix_KWE, network.shift_K1E]
    groups: list[tuple[list[Tensor], float, float]] = [
        ([*network.weights, network.last_weight], 1.0, weight_decay),
        ([*network.biases, network.last_bias], _BIAS_LR, 0.0),
        ([network.column_weights], _COLUMN_LR, 0.0),
        (waves if len(network.embedded_K) else [], _WAVE_LR, 0.0),
    ]
    filled = [group for group in groups if group[0]]
    made = [{"params": params, "weight_decay": decay} for params, _, decay in filled]
    return torch.optim.AdamW(made, betas=_BETAS, foreach=True), [factor for _, factor, _ in filled]


def _criterion(outputs_BO: Tensor, targets_B: Tensor, label_weights_L: Tensor | None) -> Tensor:
    if outputs_BO.shape[1] > 1:
        return F.cross_entropy(outputs_BO, targets_B, weight=label_weights_L)
    return F.mse_loss(outputs_BO[:, 0], targets_B)


def _loss(network: RowNetwork, data: _Data) -> float:
    """Mean loss on validation."""
    with torch.no_grad():
        outputs_MO = _outputs(network, data.validation_x_MF)
        return float(_criterion(outputs_MO, data.validation_targets_M, data.label_weights_L))


def _outputs(network: RowNetwork, x_NF: Tensor) -> Tensor:
    network.eval()
    return torch.cat([network(x_BF) for x_BF in x_NF.split(_ANSWER_ROWS)])


def _measured(value: float, is_classifier: bool, unit: float) -> dict[str, float]:
    return {"log_loss": value} if is_classifier else {"rmse": math.sqrt(value) * unit}


def _state(network: RowNetwork) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}


def _targets(targets_N: NDArray[Any], is_classifier: bool, mean: float, std: float) -> Tensor:
    if is_classifier:
        return torch.from_numpy(np.asarray(targets_N, dtype=np.int64))
    return torch.from_numpy(((np.asarray(targets_N, dtype=np.float64) - mean) / std).astype(np.float32))


def _log_frequencies(targets_N: NDArray[np.int64], num_labels: int, is_balanced: bool) -> NDArray[np.float32]:
    """Of labels; where they are balanced they are all alike."""
    weights_N = balanced_weights(targets_N, num_labels) if is_balanced else None
    return np.log(priors(targets_N, num_labels, weights_N)).astype(np.float32)


def _label_weights(targets_N: NDArray[np.int64], num_labels: int) -> Tensor:
    """Of labels, so that all that occur weigh the same together."""
    weights_L = np.zeros(num_labels, dtype=np.float32)
    weights_L[targets_N] = balanced_weights(targets_N, num_labels)
    return torch.from_numpy(weights_L)


@contextmanager
def _threads(number: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Dropout draws from torch's own generator, which is put back afterwards."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield
