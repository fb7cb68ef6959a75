"""Fits both networks: pretrained ones are taken as they are, and learn as long as the trial says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn

from automl.contracts.dataset import Split
from automl.contracts.job import StopReason
from engine.assets.card import read_card
from engine.assets.store import weights
from engine.job import Halt, Job
from engine.models import family_part
from engine.tasks import task_part
from engine.training import steps
from engine.training.config import GradientConfig
from engine.training.loop import PROGRESS_TO, FitResult
from engine.training.reading import detect, recognise
from engine.training.reading.batches import LineBatches
from engine.training.reading.data import PreparedReading
from engine.training.reading.graphs import spec_of, torch_pipeline
from engine.training.reading.judge import answers_of
from runtime.pipelines.text_lines import TextLines

_BASELINE_AT, _TRAIN_FROM = 0.12, 0.2
_DETECTOR_SHARE = 0.5


@dataclass(frozen=True)
class FittedReader(FitResult):
    """What training leaves."""

    symbols: Sequence[str] = ()
    """That the recogniser knows, in the order of its outputs behind the blank."""


def fit(prepared: PreparedReading, job: Job) -> FittedReader:
    """Networks that find and read lines of text.

    Raises:
        AssetMissingError: the weights are not in the store and cannot be had.
        LossNotFiniteError: training diverged.
        StoppedError: the job was asked to stop.
    """
    torch.manual_seed(job.spec.seed)
    torch.set_num_threads(job.spec.limits.num_threads)
    reader, symbols = _begun(prepared, job)
    reader.to(steps.device_of(job.spec.device))
    config = GradientConfig.of(prepared.params)
    is_pretrained = prepared.size.asset is not None
    detector_epochs = int(prepared.params["detector_epochs"]) if is_pretrained else config.epochs
    pipeline = torch_pipeline(reader, spec_of(symbols, int(prepared.params["side_px"])))
    baseline = _baseline(pipeline, prepared, job) if is_pretrained and (config.epochs or detector_epochs) else {}
    middle = _TRAIN_FROM + (PROGRESS_TO - _TRAIN_FROM) * (_DETECTOR_SHARE if detector_epochs else 0.0)
    halt = None
    if detector_epochs:
        own = replace(config, epochs=detector_epochs)
        how = _Detection(pipeline, baseline, own, (_TRAIN_FROM, middle))
        halt = _detector_fit(reader.get_submodule("detector"), how, prepared, job)
    learned = recognise.Learned([])
    if config.epochs and not isinstance(halt, StopReason):
        batches = LineBatches(
            prepared.lines[Split.TRAIN], {each: place + 1 for place, each in enumerate(symbols)}, config.batch_size
        )
        recogniser, validation = reader.get_submodule("recogniser"), prepared.lines[Split.VALIDATION]
        span = (middle, PROGRESS_TO)
        learned = recognise.learn(recogniser, batches, validation, pipeline, config=config, job=job, span=span)
    return FittedReader(
        model=reader.eval().cpu(),
        metrics={},
        curves=learned.curves,
        halt=halt or learned.halt,
        epoch=learned.epoch if config.epochs else None,
        baseline=baseline,
        symbols=symbols,
    )


@dataclass(frozen=True)
class _Detection:
    """How the detector is trained."""

    pipeline: TextLines
    """That has it."""
    baseline: Mapping[Split, NDArray[np.float32]]
    config: GradientConfig
    span: tuple[float, float]


def _detector_fit(detector: nn.Module, how: _Detection, prepared: PreparedReading, job: Job) -> Halt | None:
    """Trains the detector, and takes that back if it finds fewer of the lines of validation than before."""
    before = {name: tensor.clone() for name, tensor in detector.state_dict().items()}
    halt = detect.learn(detector, prepared, config=how.config, job=job, span=how.span)
    if Split.VALIDATION in how.baseline and not isinstance(halt, StopReason):
        records, targets = prepared.records[Split.VALIDATION], prepared.targets[Split.VALIDATION]
        after = answers_of(how.pipeline, prepared.version, records, job=job, span=(how.span[1], how.span[1]))
        measure = task_part(prepared.task.name, "metrics").metrics
        found, known = (measure(each, targets, prepared.labels) for each in (after, how.baseline[Split.VALIDATION]))
        if found["detection_f1"] < known["detection_f1"]:
            detector.load_state_dict(before)
    return halt


def _begun(prepared: PreparedReading, job: Job) -> tuple[nn.Module, tuple[str, ...]]:
    """The networks as training begins, with room for every character of the lines to learn from."""
    network = family_part(prepared.family.name, "network")
    used = sorted(set(chain.from_iterable(line.text for line in prepared.lines[Split.TRAIN])))
    if prepared.size.asset is None:
        return network.build(prepared.size.name, len(used)), tuple(used)
    reads = load_file(weights(prepared.size.asset, job.assets_dir))
    finds = read_card(prepared.size.asset).detector
    assert finds is not None  # of every card of weights that read lines
    known = list(network.symbols_of(reads))
    reader: nn.Module = network.build(prepared.size.name, len(known))
    network.load_pretrained(reader.recogniser, reads)
    network.load_pretrained(reader.detector, load_file(weights(finds, job.assets_dir)))
    more = sorted(set(used) - set(known))
    if more and prepared.params["epochs"]:
        network.extend(reader, len(more))
        known += more
    return reader, tuple(known)


def _baseline(pipeline: TextLines, prepared: PreparedReading, job: Job) -> Mapping[Split, NDArray[np.float32]]:
    """What the pretrained networks answer to the items that are held back."""
    splits = [split for split in (Split.VALIDATION, Split.TEST) if prepared.records[split]]
    step = (_TRAIN_FROM - _BASELINE_AT) / max(1, len(splits))
    spans = [(_BASELINE_AT + number * step, _BASELINE_AT + (number + 1) * step) for number in range(len(splits))]
    return {
        split: answers_of(pipeline, prepared.version, prepared.records[split], job=job, span=span)
        for split, span in zip(splits, spans, strict=True)
    }
