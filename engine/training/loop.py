"""The training loop. Read this first: one function from top to bottom, with saving, judging and reporting as visible lines.

Nothing in a step waits for the device or touches a file: losses are summed where they arise, and everything slow hangs on
a clock or on the end of an epoch. Shapes: B batch.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from automl.contracts.report import CurvePoint
from automl.contracts.training_profile import TrainingProfile
from engine.data.loader import BatchLoader
from engine.errors import LossNotFiniteError
from engine.job import Halt, Job
from engine.training import optim
from engine.training.averaging import Averaging, WeightAverage
from engine.training.checkpoint import CheckpointStore
from engine.training.data_parallel import PlainGradients, Shards, gradients_of
from engine.training.freezing import Freezer
from engine.training.precision import Precision
from engine.training.profiler import Profiler
from engine.training.world import ALONE, World
from engine.weight_names import renamed_weights

LOOK_EVERY_S = 1.0
"""Seconds between two reports and checks within an epoch."""
CHECKPOINT_EVERY_S = 20.0
"""Seconds between checkpoints: the work that a crash may cost."""
PROGRESS_FROM, PROGRESS_TO = 0.1, 0.85
"""Share of the whole job."""
MAX_SKIPPED = 10
"""Steps in a row whose loss may be no number; with more, the run has diverged."""
_UNWATCHED = nullcontext()


@dataclass(frozen=True)
class Objective:
    """The loss that training minimises, and how a model is judged."""

    loss: Callable[[Any, Tensor], Tensor]
    """Mean loss of what the model gives for a batch against the targets."""
    answer: Callable[[Any], Tensor]
    """What the model gives for a batch, as the shipped graph will answer: one row an item."""
    measure: Callable[[Tensor], dict[str, float]]
    """Metrics of the answers on validation (on the CPU)."""
    is_better: Callable[[dict[str, float], dict[str, float]], bool]
    """Whether the metrics of an epoch, which come first, say that it should be kept in place of the one that was."""
    stored_as: torch.dtype = torch.float32
    """In what precision answers to all items are held."""


@dataclass(frozen=True)
class Plan:
    """What the loop needs besides the model."""

    objective: Objective
    epochs: int
    peak_lr: float
    weight_decay: float
    precision: Precision
    as_input: Callable[[Tensor, torch.device], Tensor]
    """Rows of items as the network takes them, on the device."""
    has_one_shape: bool = False
    """Whether full batches are alike, so that what a GPU chooses for one serves them all."""
    batch_parts: int = 1
    """In how many parts a step learns its batch, as of ``JobLimits``."""
    averaging: Averaging = "none"
    """Of weights, which are judged and kept in place of those of the last step."""
    max_gradient_norm: float = 0.0
    """Of all gradients together; longer ones are shortened (Pascanu et al. 2013), 0 leaves them."""
    first_layer_lr: float = 1.0
    """Learning rate of the first layers as a share of that of the last."""
    frozen_epochs: int = 0
    """At the beginning, in which the last layer alone learns."""
    patience: int = 0
    """Epochs without a better one after which training ends (early stopping); 0 goes on."""
    world: World = ALONE
    """The processes that train together."""
    last_step: int | None = None
    """After which training ends, although its learning rate is that of all epochs; None goes on to their end."""
    span: tuple[float, float] = (PROGRESS_FROM, PROGRESS_TO)
    """Share of the whole job."""
    is_reported: bool = True
    """Whether what is measured belongs to the job's curves."""

    def is_over(self, step: int) -> bool:
        """Whether this step was the last."""
        return self.last_step is not None and step >= self.last_step


@dataclass
class Progress:
    """Where training stands; all of it is in the checkpoint."""

    step: int = 0
    num_taken: int = 0
    """Of the steps; the others were skipped, as their loss was no number."""
    last_taken: int = 0
    """The last look at which a step had been taken since the one before."""
    loss_sum: Tensor = field(default_factory=lambda: torch.zeros(()))
    """Over the steps of this epoch whose loss is a number, on the device."""
    loss_steps: int = 0
    """Of this epoch, those without a number included."""
    loss_skipped: Tensor = field(default_factory=lambda: torch.zeros(()))
    """How many of them have none, on the device."""
    curves: list[CurvePoint] = field(default_factory=list)
    best_metrics: dict[str, float] = field(default_factory=dict)
    best_epoch: float | None = None
    best_weights: dict[str, Tensor] = field(default_factory=dict)
    """Copies on the CPU."""

    def count_step(self, job: Job) -> None:
        """One more, of this epoch."""
        self.step += 1
        self.loss_steps += 1
        job.learned("step")

    def epochs_since_best(self, epoch: int) -> float:
        """Of so many; 0 where none has been judged."""
        return 0.0 if self.best_epoch is None else epoch - self.best_epoch


@dataclass(frozen=True)
class HeldBackAnswers:
    """Answers to items by models that had not learned from them. Shapes: N items, M items of validation, L labels."""

    scores_NL: NDArray[np.float32]
    """Of all items that were held back once: those of validation, or more where parts took turns."""
    targets: NDArray[np.generic]
    """Of the same."""
    validation_NL: NDArray[np.float32]
    """As the shipped graph would have answered the items of validation ``_ML``, had it not learned from them."""
    num_folds: int
    """1 where the items of validation were held back all the time."""


@dataclass(frozen=True)
class FitResult:
    """What training leaves."""

    model: nn.Module
    """With its best weights."""
    metrics: dict[str, float]
    curves: list[CurvePoint]
    halt: Halt | None
    """Why it ended before its end."""
    epoch: float | None = None
    """After which the weights were kept."""
    held_back: HeldBackAnswers | None = None
    """Where the answers of the shipped graph to validation would be no judgement, because it learned from it, or where they are
    there already."""
    learned: tuple[Split, ...] = (Split.TRAIN,)
    """What the weights come from."""
    temperature: float = 1.0
    """By which the logits were divided."""
    profile: TrainingProfile | None = None
    """Where the time went."""
    baseline: Mapping[Split, NDArray[np.float32]] = field(default_factory=dict)
    """What the network that training began with answers to the items held back, one row an item, where it can be asked."""


def fit(
    model: nn.Module, batches: BatchLoader, validation: BatchLoader | None, *, plan: Plan, job: Job, store: CheckpointStore
) -> FitResult:
    """Trains until the epochs are done or the job is asked to halt; goes on from the last checkpoint if there is one.

    Args:
        model: on its device, channels last.
        batches: training items; one pass is one epoch.
        validation: in order, without augmentation; None where nothing is held back, and the last weights are kept.
        plan: how to train.
        job: whose events and control to use.
        store: of checkpoints.

    A step whose loss is no number is skipped and counted, so that one bad batch costs itself alone. ``GradScaler``, which looks
    through all gradients, takes a fifth of a step of a millisecond.

    Raises:
        LossNotFiniteError: training diverged: ``MAX_SKIPPED`` steps in a row, or all of an epoch, were skipped.
        OutOfMemoryError: there is no memory left, or the job uses more than it may.
    """
    device = next(model.parameters()).device
    shards = Shards(model, plan.world, frozen_epochs=plan.frozen_epochs)  # before what takes its parameters
    optimizer = optim.build(model, weight_decay=plan.weight_decay, first_layer_lr=plan.first_layer_lr)
    # Each convolution tries its algorithms once for batches of one shape: ResNet-50 learns half as fast again on a GPU.
    torch.backends.cudnn.benchmark = plan.has_one_shape
    total_steps = plan.epochs * len(batches)
    average, freezer = WeightAverage(plan.averaging, model, total_steps), Freezer(model, plan.frozen_epochs)
    parts, profiler = _Parts(model, optimizer, average, batches, shards), Profiler(model, total_steps, plan.world)
    progress = parts.resumed(plan.world.read(store.load), job) or _begun(device)
    gradients, halt = gradients_of(model, plan.world, partial(_loss, model, plan, device)), cast("Halt | None", None)
    pace = _begun_pace(job, progress.step, plan.last_step or total_steps, plan.span)
    look_at_s = time.monotonic() + LOOK_EVERY_S
    saver = _Saver(parts, store, job, profiler, world=plan.world, is_due=progress.step == 0)

    while batches.epoch < plan.epochs and halt is None and not plan.is_over(progress.step):
        if plan.patience > 0 and plan.world.agreed(progress.epochs_since_best(batches.epoch)) >= plan.patience:
            break
        model.train()
        freezer.begin(batches.epoch)
        gradients.begin()
        for items_B, targets_B in profiler.timed(batches):
            lr_step = average.lr_step(progress.step)
            optim.set_lr(optimizer, optim.lr_at(lr_step, total_steps=total_steps, peak=plan.peak_lr))
            with _UNWATCHED if batches.is_within_epoch or plan.world.is_sharded else profiler.watched():
                loss = _gradients(gradients, items_B, targets_B, plan, profiler)
            _take(optimizer, loss, progress)
            optimizer.zero_grad(set_to_none=True)
            average.update(progress.step)

            progress.count_step(job)
            profiler.count(progress.step, len(items_B))
            halt, is_look_due = profiler.exchanged(plan.world.agreed, (job.control.halt(), time.monotonic() >= look_at_s))
            if halt is not None or plan.is_over(progress.step):
                break
            if is_look_due:
                look_at_s = time.monotonic() + LOOK_EVERY_S
                _raise_if_diverged(progress, optimizer, MAX_SKIPPED)
                _report(job, pace, progress.step)
                # After the last batch the place is the next epoch's, and whoever went on there would never judge this one.
                if batches.is_within_epoch:
                    saver.save_if_due(progress)

        _raise_if_diverged(progress, optimizer, min(MAX_SKIPPED, len(batches)))
        if not isinstance(halt, StopReason):  # an order to stop wants an end, not a measurement
            with average.applied(), profiler.part("evaluate"):
                _judge(parts, validation, progress, plan, job, epoch=progress.step / len(batches))
            job.learned("epoch")
            _report(job, pace, progress.step)
            saver.save_if_due(progress)

    if progress.num_taken < progress.step:
        skipped = progress.step - progress.num_taken
        job.events.warning("steps_skipped", f"{skipped} of {progress.step} steps were skipped: their loss was no number.")
    freezer.end()
    if not progress.best_weights:
        average.keep()
    return FitResult(
        shards.result(progress.best_weights),
        metrics=progress.best_metrics,
        curves=progress.curves,
        halt=halt,
        epoch=progress.best_epoch,
        profile=profiler.result(),
    )


def _take(optimizer: torch.optim.Optimizer, loss: Tensor, progress: Progress) -> None:
    """Takes the step unless the loss is no number; on a GPU the optimiser's kernel decides, so that nothing waits for it."""
    if loss.device.type != "cpu":
        _take_on_device(optimizer, loss, progress)
    elif math.isfinite(loss.item()):
        optimizer.step()
        progress.loss_sum += loss
    else:
        progress.loss_skipped += 1


def _take_on_device(optimizer: torch.optim.Optimizer, loss: Tensor, progress: Progress) -> None:
    is_skipped = torch.isfinite(loss).logical_not_().to(torch.float32)
    optimizer.found_inf = is_skipped  # type: ignore[attr-defined] # what fused optimisers ask for, without a public name
    optimizer.step()
    progress.loss_sum += torch.nan_to_num(loss, nan=0.0, posinf=0.0, neginf=0.0)
    progress.loss_skipped += is_skipped


def _loss(model: nn.Module, plan: Plan, device: torch.device, items_B: Tensor, targets_B: Tensor) -> Tensor:
    with plan.precision.autocast(device):
        given = model(plan.as_input(items_B, device))
    return plan.objective.loss(given, targets_B.to(device))


def _gradients(gradients: PlainGradients, items_B: Tensor, targets_B: Tensor, plan: Plan, profiler: Profiler) -> Tensor:
    """Adds up the gradients of a batch, part by part and over all processes; returns the mean loss, detached."""
    own_B, own_targets_B = plan.world.share(items_B), plan.world.share(targets_B)
    num_parts = min(plan.batch_parts, max(1, len(own_B) // 2))  # one item alone upsets batch norm
    total: Tensor | None = None
    parts = _parts(own_B, own_targets_B, num_parts)
    for number, (part_B, part_targets_B) in enumerate(parts, start=1):
        is_last = number == len(parts)
        loss = gradients.backward(part_B, part_targets_B, share=len(part_B) / len(items_B), is_last=is_last)
        total = loss if total is None else total + loss
    assert total is not None
    total = profiler.exchanged(gradients.added_up, total)
    if plan.max_gradient_norm > 0:
        nn.utils.clip_grad_norm_(gradients.model.parameters(), plan.max_gradient_norm)
    return total


def _parts(items_B: Tensor, targets_B: Tensor, num_parts: int) -> list[tuple[Tensor, Tensor]]:
    if num_parts == 1:
        return [(items_B, targets_B)]
    return list(zip(items_B.chunk(num_parts), targets_B.chunk(num_parts), strict=True))


def predict(
    model: nn.Module,
    batches: BatchLoader,
    precision: Precision,
    answer: Callable[[Any], Tensor],
    as_input: Callable[[Tensor, torch.device], Tensor],
    *,
    stored_as: torch.dtype = torch.float32,
) -> Tensor:
    """Answers to all items in the loader's order, on the CPU; leaves the model in eval mode."""
    device = next(model.parameters()).device
    model.eval()
    found = []
    with torch.no_grad():
        for items_B, _ in batches:
            with precision.autocast(device):
                given = model(as_input(items_B, device))
            found.append(answer(given).to("cpu", stored_as))
    return torch.cat(found)


def _judge(parts: _Parts, validation: BatchLoader | None, progress: Progress, plan: Plan, job: Job, *, epoch: float) -> None:
    """Measures on validation, reports the epoch and keeps the weights if they are the best so far."""
    train_loss = float(progress.loss_sum) / max(1, progress.loss_steps - int(progress.loss_skipped))
    measured: list[tuple[Split, dict[str, float]]] = [(Split.TRAIN, {"loss": train_loss})]
    metrics: dict[str, float] | None = None
    if validation is not None:
        objective = plan.objective
        answers = predict(
            parts.model, validation, plan.precision, objective.answer, plan.as_input, stored_as=objective.stored_as
        )
        metrics = objective.measure(answers)
        measured.append((Split.VALIDATION, metrics))
    for split, values in measured:
        progress.curves.append(CurvePoint(step=progress.step, epoch=epoch, split=split, values=values))
        if plan.is_reported:
            job.events.metric(step=progress.step, epoch=epoch, split=split, values=values)
    progress.loss_sum.zero_()
    progress.loss_steps = 0
    progress.loss_skipped.zero_()
    if metrics is None:
        return
    is_best = not progress.best_metrics or plan.objective.is_better(metrics, progress.best_metrics)
    if plan.world.agreed(is_best) if plan.world.is_sharded else is_best:
        weights = parts.shards.whole(parts.model.state_dict())
        progress.best_metrics, progress.best_epoch = metrics, epoch
        progress.best_weights = {name: tensor.detach().cpu().clone() for name, tensor in weights.items()}


def _raise_if_diverged(progress: Progress, optimizer: torch.optim.Optimizer, max_skipped: int) -> None:
    """Counts the steps that the optimiser took; raises where it took none of so many."""
    num_taken = max((int(state["step"]) for state in optimizer.state.values()), default=0)
    if num_taken > progress.num_taken:
        progress.num_taken, progress.last_taken = num_taken, progress.step
    elif progress.step - progress.last_taken >= max_skipped:
        raise LossNotFiniteError(f"The loss is not a number any more after {progress.step} steps.")


class _Pace:
    """How long the steps of this attempt take: what came before them says nothing of those that are left."""

    def __init__(self, step: int, total_steps: int, span: tuple[float, float]):
        self._began_s, self._began = time.monotonic(), step
        self.total_steps = total_steps
        self.span = span

    def remaining_s(self, step: int) -> float | None:
        """Until the job ends, if what follows the last step takes its share of the time; None before the first."""
        if step == self._began:
            return None
        per_step_s = (time.monotonic() - self._began_s) / (step - self._began)
        start, end = self.span
        return per_step_s * (self.total_steps - step + self.total_steps * (1.0 - end) / (end - start))

    def fraction(self, step: int) -> float:
        """Of the job."""
        start, end = self.span
        return start + (end - start) * min(1.0, step / self.total_steps)


def _begun_pace(job: Job, step: int, total_steps: int, span: tuple[float, float]) -> _Pace:
    """The pace from now on; says that the network begins to learn."""
    pace = _Pace(step, total_steps, span)
    job.learned("begun")
    _report(job, pace, step)
    return pace


def _report(job: Job, pace: _Pace, step: int) -> None:
    job.progress("train", pace.fraction(step), pace.remaining_s(step))


def _save(store: CheckpointStore, state: dict[str, Any], job: Job) -> None:
    store.save(state["step"], state)
    job.events.checkpoint(state["step"])


@dataclass(frozen=True)
class _Parts:
    """What changes as training goes on, beside its progress."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    average: WeightAverage
    batches: BatchLoader
    shards: Shards

    def state(self, progress: Progress, job: Job) -> dict[str, Any]:
        """All of it, as a checkpoint holds it."""
        return {
            "model": self.shards.whole(self.model.state_dict()),
            "optimizer": self.shards.whole(self.optimizer.state_dict()),
            "average": self.shards.whole(self.average.state_dict()),
            "batches": dict(self.batches.state_dict()),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
            "elapsed_s": job.control.elapsed_s,
            "step": progress.step,
            "num_taken": progress.num_taken,
            "last_taken": progress.last_taken,
            "loss_sum": progress.loss_sum,
            "loss_steps": progress.loss_steps,
            "loss_skipped": progress.loss_skipped,
            "curves": [point.model_dump_json() for point in progress.curves],
            "best_metrics": progress.best_metrics,
            "best_epoch": progress.best_epoch,
            "best_weights": progress.best_weights,
        }

    def resumed(self, state: dict[str, Any] | None, job: Job) -> Progress | None:
        """Puts everything back as the last checkpoint has it; None without one."""
        if state is None:
            return None
        self.model.load_state_dict(self.shards.shared(renamed_weights(self.model, state["model"])))
        self.optimizer.load_state_dict(self.shards.shared_optimizer(state["optimizer"], self.optimizer))
        if "average" in state:  # one from before weights were averaged has none
            average = state["average"]
            mean = self.shards.shared(renamed_weights(self.model, average["mean"]))
            self.average.load_state_dict({**average, "mean": mean})
        self.batches.load_state_dict(state["batches"])
        torch.set_rng_state(state["random"])
        if state["random_cuda"] and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["random_cuda"])
        job.control.resume(state["elapsed_s"])
        device = next(self.model.parameters()).device
        return Progress(
            step=state["step"],
            num_taken=state.get("num_taken", state["step"]),  # one from before steps were skipped has none
            last_taken=state.get("last_taken", state["step"]),
            loss_sum=state["loss_sum"].to(device),
            loss_steps=int(state["loss_steps"]),
            loss_skipped=state.get("loss_skipped", torch.zeros(())).to(device),
            curves=[CurvePoint.model_validate_json(text) for text in state["curves"]],
            best_metrics=state["best_metrics"],
            best_epoch=state.get("best_epoch"),  # one from before it was kept has none
            best_weights=renamed_weights(self.model, state["best_weights"]),
        )


class _Saver:
    """Saves checkpoints, by the clock."""

    def __init__(self, parts: _Parts, store: CheckpointStore, job: Job, profiler: Profiler, *, world: World, is_due: bool):
        self._store, self._parts, self._job, self._profiler, self._world = store, parts, job, profiler, world
        self._saved_s = -math.inf if is_due else time.monotonic()

    def save_if_due(self, progress: Progress) -> None:
        """Saves where the last time is long ago; the first process does, and the others help where it needs their shares."""
        is_due = self._world.is_first and time.monotonic() - self._saved_s > CHECKPOINT_EVERY_S
        if self._world.agreed(is_due) if self._world.is_sharded else is_due:
            with self._profiler.part("save"):
                state = self._parts.state(progress, self._job)
                if self._world.is_first:
                    _save(self._store, state, self._job)
            self._saved_s = time.monotonic()


def _begun(device: torch.device) -> Progress:
    return Progress(loss_sum=torch.zeros((), device=device), loss_skipped=torch.zeros((), device=device))
