"""Texts by what they mean to a frozen encoder and by their n-grams.

Shapes: N texts, D features of the encoder, E features of n-grams.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from automl.contracts.artefact import ArtefactManifest
from engine import reader
from engine.advice.learner import Material
from engine.advice.vectors import VECTORS_FROM, VECTORS_TO, material_of, records_to_learn
from engine.assets.fetch import AssetMissingError
from engine.data.features import FeatureCache
from engine.data.text_tokens import version_texts
from engine.data.version import DatasetVersion
from engine.job import Job
from engine.quality.items.text.vectors import FAMILY, MAX_TOKENS, SIZE, ngrams
from engine.quality.neighbours import unit_rows
from engine.quality.progress import within


class Texts:
    """See ``ItemsKind``."""

    def material(self, job: Job, manifest: ArtefactManifest, version: DatasetVersion) -> Material:
        """See ``ItemsKind``; without the encoder's weights the n-grams stand alone."""
        records = records_to_learn(version)
        ngrams_NE = ngrams(version_texts(version, records), seed=job.spec.seed)
        try:
            meaning_ND = _meaning(job, version)
        except AssetMissingError:
            return material_of(manifest, version, records, ngrams_NE)
        place = {record.item: row for row, record in enumerate(version.records())}
        own_ND = meaning_ND[[place[record.item] for record in records]]
        return material_of(manifest, version, records, np.concatenate([unit_rows(own_ND), unit_rows(ngrams_NE)], axis=1))


def _meaning(job: Job, version: DatasetVersion) -> NDArray[np.float32]:
    """What the encoder makes of all texts of the version.

    Raises:
        AssetMissingError: its weights cannot be had.
        BuildStoppedError: the job was asked to stop.
    """
    encoder = reader.load(
        FAMILY,
        SIZE,
        max_tokens=MAX_TOKENS,
        assets_dir=job.assets_dir,
        cache_dir=job.cache_dir,
        num_threads=job.spec.limits.num_threads,
    )
    everything = version.records()

    def rows(places: range) -> NDArray[np.float32]:
        found = list(encoder.features(version_texts(version, everything[places.start : places.stop])))
        order = np.argsort([row for some, _ in found for row in some])
        return np.concatenate([features_BD for _, features_BD in found])[order]

    cache = FeatureCache.open_or_compute(
        version,
        job.cache_dir,
        f"advice-{FAMILY}-{SIZE}-{MAX_TOKENS}t-1",
        rows,
        on_progress=within(job, "features", VECTORS_FROM, VECTORS_TO),
        should_stop=job.control.is_stopped,
    )
    return cache.features_ND
