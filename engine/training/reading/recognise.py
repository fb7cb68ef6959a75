"""Trains the network that reads lines, by connectionist temporal classification (Graves et al. 2006).

After each epoch it reads the lines of validation; the weights that read them best are kept, also those that it began with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from PIL import Image
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from automl.contracts.report import CurvePoint
from engine.errors import LossNotFiniteError
from engine.job import Halt, Job
from engine.tasks.shared.edits import num_edits
from engine.training import optim
from engine.training.config import GradientConfig
from engine.training.reading.batches import LineBatch, LineBatches
from engine.training.reading.data import CutLine
from runtime.pipelines.text_lines import HEIGHT_PX, TextLines

_LONGEST = 5.0
"""Norm of a step's gradient at most: single lines of CTC have very large ones."""


@dataclass
class Learned:
    """The result of training a network."""

    curves: list[CurvePoint]
    halt: Halt | None = None
    epoch: float = 0.0
    """After which the weights were kept; 0 of those that it began with."""


def learn(
    recogniser: nn.Module,
    batches: LineBatches,
    validation: Sequence[CutLine],
    reads: TextLines,
    *,
    config: GradientConfig,
    job: Job,
    span: tuple[float, float],
) -> Learned:
    """Trains until the epochs are done or the job is asked to halt; the weights that read ``validation`` best stay."""
    generator, optimizer = np.random.default_rng(job.spec.seed), optim.build(recogniser, weight_decay=config.weight_decay)
    total, step, learned = config.epochs * len(batches), 0, Learned([])
    measure = partial(_measured, recogniser, validation, reads)
    best, weights = measure(), _copied(recogniser)
    _note(learned, job, CurvePoint(step=0, epoch=0.0, split=Split.VALIDATION, values=best))
    for epoch in range(1, config.epochs + 1):
        recogniser.train()
        losses = []
        for batch in batches.epoch(generator, config.augment):
            optim.set_lr(optimizer, optim.lr_at(step, total_steps=total, peak=config.lr))
            losses.append(_step(recogniser, batch, optimizer))
            step += 1
            job.progress("train", span[0] + (span[1] - span[0]) * step / total)
            learned.halt = job.control.halt()
            if learned.halt is not None:
                break
        values = {"loss": finite(losses, step)}
        _note(learned, job, CurvePoint(step=step, epoch=epoch, split=Split.TRAIN, values=values))
        if not isinstance(learned.halt, StopReason):
            found = measure()
            _note(learned, job, CurvePoint(step=step, epoch=epoch, split=Split.VALIDATION, values=found))
            if found["character_accuracy"] > best["character_accuracy"]:
                best, weights, learned.epoch = found, _copied(recogniser), float(epoch)
        if learned.halt is not None:
            break
    recogniser.load_state_dict(weights)
    return learned


def finite(losses: Sequence[Tensor], step: int) -> float:
    """The mean of losses.

    Raises:
        LossNotFiniteError: it is none.
    """
    loss = float(torch.stack(list(losses)).mean())
    if not np.isfinite(loss):
        raise LossNotFiniteError(f"The loss is not a number any more after {step} steps.")
    return loss


def _step(recogniser: nn.Module, batch: LineBatch, optimizer: torch.optim.Optimizer) -> Tensor:
    device = next(recogniser.parameters()).device
    scores_TBV = recogniser(batch.lines_BHWC.to(device).permute(0, 3, 1, 2)).log_softmax(-1).transpose(0, 1)
    loss = F.ctc_loss(scores_TBV, batch.symbols.to(device), batch.num_steps_B, batch.num_symbols_B, zero_infinity=True)
    loss.backward()
    nn.utils.clip_grad_norm_(recogniser.parameters(), _LONGEST)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return loss.detach()


def _measured(recogniser: nn.Module, lines: Sequence[CutLine], reads: TextLines) -> dict[str, float]:
    """Of lines that are cut out as people drew them."""
    recogniser.eval()
    read = reads.read([_plain(line) for line in lines])
    edits = sum(num_edits(line.text, found.text) for line, found in zip(lines, read, strict=True))
    return {"character_accuracy": max(0.0, 1.0 - edits / max(1, sum(len(line.text) for line in lines)))}


def _plain(line: CutLine) -> Image.Image:
    """Without its margin."""
    picture, margin = line.picture, line.margin_px
    inside = picture.crop((round(margin), round(margin), picture.width - round(margin), picture.height - round(margin)))
    return inside.resize((max(1, round(inside.width * HEIGHT_PX / inside.height)), HEIGHT_PX), Image.Resampling.BILINEAR)


def _copied(network: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}


def _note(learned: Learned, job: Job, point: CurvePoint) -> None:
    learned.curves.append(point)
    job.events.metric(step=point.step, epoch=point.epoch, split=point.split, values=dict(point.values))
