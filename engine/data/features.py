"""Features of a frozen backbone, computed once per (version, backbone) and shared by all trials of a host.

Shapes: N items, D features.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.data.packed import Progress, packed_array
from engine.data.version import DatasetVersion

_CHUNK_ROWS = 128


@dataclass(frozen=True)
class FeatureCache:
    """Features of all items of a version, in the order of ``DatasetVersion.records()``."""

    features_ND: NDArray[np.float32]
    """Memory-mapped, read-only."""

    @classmethod
    def open_or_compute(
        cls,
        version: DatasetVersion,
        cache_dir: Path,
        backbone_key: str,
        compute: Callable[[range], NDArray[np.float32]],
        *,
        on_progress: Progress | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> FeatureCache:
        """Opens the features, computing them first when this host has none yet.

        Args:
            version: the version whose features are computed, all splits.
            cache_dir: folder shared by the jobs of a host.
            backbone_key: names all that the features depend on besides the version: weights, resolution, preprocessing.
            compute: features of the rows of ``version.records()`` asked for.
            on_progress: called with (items done, items in all) while this call computes.
            should_stop: asked between chunks of 128 items, and while waiting for another process.

        Raises:
            BuildStoppedError: ``should_stop`` returned true.
        """
        key = hashlib.sha256(backbone_key.encode()).hexdigest()[:20]
        features_ND = packed_array(
            cache_dir / "features" / f"{version.id}-{key}",
            num_rows=version.manifest.num_items,
            rows=lambda places: np.asarray(compute(places), dtype=np.float32),
            chunk_rows=_CHUNK_ROWS,
            on_progress=on_progress,
            should_stop=should_stop,
        )
        return cls(features_ND=features_ND)
