"""A gallery inside a product: what the graph and the golden samples say, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from automl.contracts.artefact import EXPECTED_FILE, SAMPLES_DIR, GoldenSamples
from automl.contracts.task import OutputKind
from exporters import gallery as galleries
from exporters.build import estimate
from exporters.bundle import manifest_read
from exporters.errors import GalleryNotJoinedError
from exporters.gallery import NamedVectors, gallery_join, gallery_manifest, gallery_sized
from runtime.predictor import Predictor
from tests.exporters.artefact_factory import artefact_write
from tests.exporters.vector_graph import NUM_DIMENSIONS

NAMES = ("mug", "cup", "mug", "bowl", "mug", "cup")


def known(names=NAMES, *, length=NUM_DIMENSIONS, limit=0.5) -> NamedVectors:
    vectors = np.random.default_rng(0).normal(size=(len(names), length)).astype(np.float32)
    return NamedVectors(names, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), limit)


def test_a_name_scores_as_its_most_similar_picture(tmp_path):
    folder = artefact_write(tmp_path / "vectors", output=OutputKind.VECTOR)
    gallery, before, after = known(limit=-0.2), Predictor(), Predictor()
    joined = gallery_join(folder, gallery, tmp_path / "names")
    before.setup(folder)
    after.setup(joined)
    assert set(manifest_read(joined).thresholds.values()) == {0.0}, "scores are none below"
    for sample in GoldenSamples.read(joined / SAMPLES_DIR / EXPECTED_FILE).samples:
        data = (folder / SAMPLES_DIR / sample.file).read_bytes()
        (vector,), (scores,) = (each.predict_many(each.decode(data)) for each in (before, after))
        similarities = gallery.vectors @ vector
        best = [max(0.0, *(s for s, each in zip(similarities, NAMES, strict=True) if each == name)) for name in gallery.labels]
        assert scores == pytest.approx(best, abs=1e-5) == sample.scores


def test_the_size_told_before_a_build_counts_vectors_and_names(tmp_path):
    folder = artefact_write(tmp_path / "vectors", output=OutputKind.VECTOR)
    names = tuple(f"thing number {number // 3}" for number in range(2000))
    joined, sized = (write(folder, known(names), tmp_path / write.__name__) for write in (gallery_join, gallery_sized))
    without, told, right = (estimate("python_sdk", place, {}) for place in (folder, sized, joined))
    assert right > without + 80_000
    assert told == pytest.approx(right, rel=0.02)


def test_what_cannot_be_joined_is_refused(tmp_path, monkeypatch):
    vectors = manifest_read(artefact_write(tmp_path / "vectors", output=OutputKind.VECTOR))
    others = manifest_read(artefact_write(tmp_path / "scores"))
    monkeypatch.setattr(galleries, "MOST_WEIGHTS_BYTES", 4 * NUM_DIMENSIONS * len(NAMES))
    for manifest, gallery, words in (
        (others, known(), "vectors"),
        (vectors, known(()), "empty"),
        (vectors, known(length=5), "another model"),
        (vectors, known(), "too large"),
    ):
        with pytest.raises(GalleryNotJoinedError, match=words):
            gallery_manifest(manifest, gallery)
