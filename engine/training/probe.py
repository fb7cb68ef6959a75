"""Trains a head on a frozen backbone: features once per version and host, then a fit of seconds.

A backbone that counts (``tfidf_linear``) first learns from the training items what it counts; its features are sparse and not
worth a cache. Shapes: N items, H height, W width, C channels, T tokens, D features, L labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from automl.contracts.dataset import Split
from automl.contracts.family import FeatureKind
from automl.contracts.report import CurvePoint
from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.features import FeatureCache
from engine.data.text_tokens import PackedTokens
from engine.job import Job
from engine.models import family_part
from engine.training.loop import Fitted, Plan
from engine.training.prepare import Prepared

_FEATURES_FROM, _FEATURES_TO, _FIT_TO = 0.1, 0.6, 0.8
_BATCH = 32
_SPLITS = (Split.TRAIN, Split.VALIDATION)


def fit(model: nn.Module, prepared: Prepared, *, plan: Plan, job: Job) -> Fitted:
    """Fits the head of ``model`` and leaves its best solution there.

    Args:
        model: a ``backbone`` with its pretrained weights and a linear ``head``.
        prepared: what to train on.
        plan: its loss, measure and rank are used.
        job: whose events and control to use.

    Raises:
        StoppedError: the job was asked to stop.
        BuildStoppedError: so it was, while features were computed.
    """
    features = _features(model.get_submodule("backbone"), prepared, job)
    num_steps = len(family_part(prepared.family.name, "fit").L2_STRENGTHS)
    curves: list[CurvePoint] = []
    best: tuple[Any, dict[str, float]] | None = None
    for step, (head, train_loss, metrics) in enumerate(_solved(features, prepared, plan), start=1):
        for split, values in ((Split.TRAIN, {"loss": train_loss}), (Split.VALIDATION, metrics)):
            curves.append(CurvePoint(step=step, epoch=float(step), split=split, values=values))
            job.events.metric(step=step, epoch=float(step), split=split, values=values)
        if best is None or plan.rank(metrics) > plan.rank(best[1]):
            best = head, metrics
        job.progress("train", _FEATURES_TO + (_FIT_TO - _FEATURES_TO) * step / num_steps)
        job.control.raise_if_stopped()
    assert best is not None
    _put(model, best[0])
    return Fitted(metrics=best[1], curves=curves, halt=None)


def begin(model: nn.Module, prepared: Prepared, *, plan: Plan, job: Job) -> None:
    """Leaves the best solution in the head of a model that is then trained as a whole; it is not told as progress.

    Args:
        model: a ``backbone`` with its pretrained weights and a linear ``head``, on the CPU.
        prepared: what to train on.
        plan: its loss, measure and rank are used.
        job: whose cache and control to use.

    Raises:
        BuildStoppedError: the job was asked to stop while features were computed.
    """
    features = _features(model.get_submodule("backbone"), prepared, job)
    _put(model, max(_solved(features, prepared, plan), key=lambda solved: plan.rank(solved[2]))[0])


def _solved(features: Mapping[Split, Tensor], prepared: Prepared, plan: Plan) -> Iterator[tuple[Any, float, dict[str, float]]]:
    """Heads from the most restrained on, each with its loss in training and its metrics on validation."""
    targets = torch.from_numpy(prepared.targets[Split.TRAIN])
    solutions = family_part(prepared.family.name, "fit").solutions
    for head in solutions(features[Split.TRAIN], targets, len(prepared.labels), plan.loss):
        train_loss = float(plan.loss(head.logits(features[Split.TRAIN]), targets))
        yield head, train_loss, plan.measure(plan.answer(head.logits(features[Split.VALIDATION])))


def _put(model: nn.Module, head: Any) -> None:
    linear = model.get_submodule("head")
    assert isinstance(linear, nn.Linear)
    with torch.no_grad():
        linear.weight.copy_(head.weight_LD)
        linear.bias.copy_(head.bias_L)


def _features(backbone: nn.Module, prepared: Prepared, job: Job) -> Mapping[Split, Tensor]:
    """Features ``_ND`` of what is trained and judged on."""
    rows = {split: prepared.rows(split) for split in _SPLITS}
    if prepared.family.yields is FeatureKind.VECTOR and hasattr(backbone, "learn"):
        backbone.learn(prepared.items.array[rows[Split.TRAIN]], prepared.params)  # type: ignore[operator] # it has it
        return {split: backbone.counted(prepared.items.array[rows[split]]) for split in _SPLITS}  # type: ignore[operator]
    features_ND = torch.from_numpy(np.array(_cached(backbone, prepared, job)))
    return {split: features_ND[torch.from_numpy(rows[split])] for split in _SPLITS}


def _cached(backbone: nn.Module, prepared: Prepared, job: Job) -> np.ndarray:
    """Features ``_ND`` of all items of the version, from the host's cache if it has them."""

    def on_progress(done: int, total: int) -> None:
        job.progress("features", _FEATURES_FROM + (_FEATURES_TO - _FEATURES_FROM) * done / total)

    weights = frozen.fingerprint(backbone)
    if isinstance(prepared.items, PackedTokens):
        name = frozen.reader_name(weights)
        key, compute = f"{name}-{prepared.items.key}", partial(_read, prepared.items)
        export = partial(frozen.exported_reader, backbone, name=name)
    else:
        key = name = frozen.graph_name(weights, prepared.resolution_px)
        compute = partial(_seen, prepared)
        export = partial(frozen.exported, backbone, name=name, resolution_px=prepared.resolution_px)
    runtimes: list[FrozenBackbone] = []

    def rows(wanted: range) -> np.ndarray:
        if not runtimes:  # it is made only if a feature is missing
            runtimes.append(export(cache_dir=job.cache_dir, num_threads=job.spec.limits.num_threads))
        found: np.ndarray = compute(runtimes[0], wanted)
        return found

    cache = FeatureCache.open_or_compute(
        prepared.version, job.cache_dir, key, rows, on_progress=on_progress, should_stop=job.control.is_stopped
    )
    return cache.features_ND


def _seen(prepared: Prepared, runtime: FrozenBackbone, rows: range) -> np.ndarray:
    """Features of pictures, in their order."""
    starts = range(rows.start, rows.stop, _BATCH)
    array = prepared.items.array
    return np.concatenate([runtime.run(array[start : min(start + _BATCH, rows.stop)]) for start in starts])


def _read(texts: PackedTokens, runtime: FrozenBackbone, rows: range) -> np.ndarray:
    """Features of texts; those of like length go together, so that little padding is computed."""
    wanted = np.arange(rows.start, rows.stop)
    order = np.argsort(texts.lengths(wanted), kind="stable")
    batches = [wanted[order[start : start + _BATCH]] for start in range(0, len(order), _BATCH)]
    found = np.concatenate([runtime.run(texts.graph_input(batch)) for batch in batches])
    return found[np.argsort(order)]
