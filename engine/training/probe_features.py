"""Features of a frozen backbone for all items of a version, by the fastest runtime of this host.

Shapes: N items, D features.
"""

from __future__ import annotations

import numpy as np
from torch import nn

from engine import frozen
from engine.data.backend import FrozenBackbone
from engine.data.features import FeatureCache
from engine.data.items import PackedItems
from engine.job import Job
from engine.training.prepare import PreparedTrial

FEATURES_FROM, FEATURES_TO = 0.1, 0.6
"""Share of the whole job."""
_BATCH = 32


def version_features(backbone: nn.Module, prepared: PreparedTrial, job: Job) -> np.ndarray:
    """Features ``_ND`` of all items of the version, from the host's cache if it has them.

    Raises:
        BuildStoppedError: the job was asked to stop.
    """

    def on_progress(done: int, total: int) -> None:
        job.progress("features", FEATURES_FROM + (FEATURES_TO - FEATURES_FROM) * done / total)

    found = prepared.reader.frozen(frozen.fingerprint(backbone))
    runtimes: list[FrozenBackbone] = []

    def rows(places: range) -> np.ndarray:
        if not runtimes:  # it is made only if a feature is missing
            runtimes.append(found.export(backbone, job.cache_dir, job.spec.limits.num_threads))
            job.progress("features", FEATURES_FROM)
        return _computed(prepared.items, runtimes[0], np.arange(places.start, places.stop))

    cache = FeatureCache.open_or_compute(
        prepared.version, job.cache_dir, found.key, rows, on_progress=on_progress, should_stop=job.control.is_stopped
    )
    return cache.features_ND


def _computed(items: PackedItems, runtime: FrozenBackbone, rows_N: np.ndarray) -> np.ndarray:
    """Features of the rows, in their order."""
    batches = items.batches(rows_N, _BATCH)
    found_ND = np.concatenate([runtime.run(items.graph_input(rows_N[places])) for places in batches])
    return found_ND[np.argsort(np.concatenate(batches))]
