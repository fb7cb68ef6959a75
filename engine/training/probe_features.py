"""Features of a frozen backbone for all items of a version, by the fastest runtime of this host.

Shapes: N items, D features.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from torch import nn

from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.features import FeatureCache
from engine.data.text_tokens import PackedTokens
from engine.job import Job
from engine.training.prepare import Prepared

FEATURES_FROM, FEATURES_TO = 0.1, 0.6
"""Share of the whole job."""
_BATCH = 32


def version_features(backbone: nn.Module, prepared: Prepared, job: Job) -> np.ndarray:
    """Features ``_ND`` of all items of the version, from the host's cache if it has them.

    Raises:
        BuildStoppedError: the job was asked to stop.
    """

    def on_progress(done: int, total: int) -> None:
        job.progress("features", FEATURES_FROM + (FEATURES_TO - FEATURES_FROM) * done / total)

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
