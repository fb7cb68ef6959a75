"""Pictures by the features of a frozen backbone, computed once a version. Shapes: N pictures, D features."""

from __future__ import annotations

import numpy as np

from automl.contracts.artefact import ArtefactManifest
from engine.advice.learner import Material
from engine.advice.vectors import VECTORS_FROM, VECTORS_TO, material_of, records_to_learn
from engine.data.features import FeatureCache
from engine.data.image import Pixels, read_picture, resize_picture
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.quality.items.image.measure import FEATURE_SIDE_PX
from engine.quality.items.image.vectors import vectorizer
from engine.quality.progress import within


class Images:
    """See ``ItemsKind``."""

    def material(self, job: Job, manifest: ArtefactManifest, version: DatasetVersion) -> Material:
        """See ``ItemsKind``."""
        everything = version.records()
        seen = vectorizer(job)

        def picture(row: int) -> Pixels:
            blob = everything[row].blob
            pixels_HWC = read_picture(version.blob_path(blob), min_side_px=FEATURE_SIDE_PX, sha256=blob)
            return resize_picture(pixels_HWC, height_px=FEATURE_SIDE_PX, width_px=FEATURE_SIDE_PX)

        cache = FeatureCache.open_or_compute(
            version,
            job.cache_dir,
            f"advice-{seen.name}-{FEATURE_SIDE_PX}px-1",
            lambda rows: seen.compute(np.stack([picture(row) for row in rows])),
            on_progress=within(job, "features", VECTORS_FROM, VECTORS_TO),
            should_stop=job.control.is_stopped,
        )
        place = {record.item: row for row, record in enumerate(everything)}
        records = records_to_learn(version)
        return material_of(manifest, version, records, cache.features_ND[[place[record.item] for record in records]])
