"""The jobs ``embed`` and ``map``: what they write, what they do with broken pictures and earlier shards, where like goes."""

from __future__ import annotations

import hashlib
import io

import numpy as np
import pytest
from PIL import Image

from automl.contracts.dataset import blob_path
from automl.contracts.job import JobLimits, JobSpec
from engine.embedding.layout import layout
from engine.embedding.spec import (
    BLOBS_FILE,
    FEATURES_FILE,
    MISSING_FILE,
    POSITIONS_FILE,
    SHARDS_DIR,
    ShardDamagedError,
    narrowed,
    shard_read,
    shard_write,
    widened,
)
from tests.engine.jobs import embedding_store, events, run_here


@pytest.fixture(scope="module")
def store():
    """Made-up weights and a cache that keeps the exported graph."""
    return embedding_store()


def picture(color: tuple[int, int, int], seed: int) -> bytes:
    noise = np.random.default_rng(seed).integers(0, 20, (24, 32, 3))
    out = io.BytesIO()
    Image.fromarray((np.array(color) * 0.9 + noise).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def job(workdir, store, kind, blobs=(), shards=(), named=None):
    data = workdir / "data"
    (data / SHARDS_DIR).mkdir(parents=True)
    hashes = []
    for number, content in enumerate(blobs):
        hashes.append((named or {}).get(number, hashlib.sha256(content).hexdigest()))
        path = data / blob_path(hashes[-1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (data / MISSING_FILE).write_text("\n".join(hashes))
    for number, shard in enumerate(shards):
        (data / SHARDS_DIR / str(number)).symlink_to(shard, target_is_directory=True)
    assets, cache = store
    spec = JobSpec(id="job_test", kind=kind, task="image_classification", cache_dir=str(cache), assets_dir=str(assets))
    spec.model_copy(update={"limits": JobLimits(num_threads=1)}).write(workdir / "job.json")
    assert run_here(workdir) == 0, events(workdir)[-1]
    return hashes


def test_pictures_become_a_shard_and_broken_ones_are_counted(tmp_path, store):
    good = [picture((200, 30, 30), seed) for seed in range(3)] + [picture((30, 30, 200), seed) for seed in range(37)]
    hashes = job(tmp_path / "a", store, "embed", [*good, b"no picture"])
    blobs, features = shard_read(tmp_path / "a" / "artefact")
    assert blobs.tolist() == sorted(one.encode() for one in hashes[:-1])
    (finished,) = events(tmp_path / "a", "finished")
    assert finished.metrics == {"num_rows": 40.0, "num_new": 40.0, "num_unreadable": 1.0}
    rows = {blob.decode(): widened(features[at]) for at, blob in enumerate(blobs)}
    red, also_red, blue = (rows[hashes[index]] for index in (0, 1, 5))
    assert np.linalg.norm(red - also_red) < np.linalg.norm(red - blue)

    job(tmp_path / "b", store, "embed", [good[0], picture((30, 200, 30), 1)], [tmp_path / "a" / "artefact"])
    again, unchanged = shard_read(tmp_path / "b" / "artefact")
    assert len(again) == 41
    assert len(set(again.tolist())) == 41
    both = {blob.decode(): widened(unchanged[at]) for at, blob in enumerate(again)}
    assert np.allclose(both[hashes[5]], blue)
    assert np.allclose(both[hashes[0]], red, rtol=0.05, atol=0.01)


def test_a_picture_or_shard_with_a_wrong_byte_is_not_taken(tmp_path, store):
    other = hashlib.sha256(b"what was uploaded").hexdigest()
    hashes = job(tmp_path / "b", store, "embed", [picture((200, 30, 30), 1)], named={0: other})
    assert hashes == [other]
    assert events(tmp_path / "b", "finished")[0].metrics == {"num_rows": 0.0, "num_new": 0.0, "num_unreadable": 1.0}

    shard_write(tmp_path / "shard", np.array(hashes, dtype="S64"), narrowed(np.ones((1, 8), np.float32)))
    features = tmp_path / "shard" / FEATURES_FILE
    whole = features.read_bytes()
    features.write_bytes(whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])
    with pytest.raises(ShardDamagedError, match=FEATURES_FILE):
        shard_read(tmp_path / "shard")
    features.write_bytes(whole)
    assert shard_read(tmp_path / "shard")[0].tolist() == [other.encode()]


def test_nothing_new_makes_an_empty_shard(tmp_path, store):
    job(tmp_path / "a", store, "embed", [b"no picture"])
    blobs, _ = shard_read(tmp_path / "a" / "artefact")
    assert len(blobs) == 0


def test_narrowing_rounds_to_the_nearest():
    values = np.array([0.0, 1.0, 1.00390625, 3.1415927, -2.5, 6.0], dtype=np.float32)
    assert widened(narrowed(values)) == pytest.approx(values, rel=2**-8)
    assert widened(narrowed(values))[1] == 1.0


def kinds(each: int, num_kinds: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    centers = rng.random((num_kinds, 32))
    features = np.concatenate([center + 0.2 * rng.random((each, 32)) for center in centers])
    return features.astype(np.float32), np.repeat(np.arange(num_kinds), each)


def neighbours_agree(positions: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> float:
    hits = []
    for row in rows:
        distance = np.linalg.norm(positions - positions[row], axis=1)
        distance[row] = np.inf
        hits.append((kind[np.argsort(distance)[:5]] == kind[row]).mean())
    return float(np.mean(hits))


def test_like_lies_beside_like(tmp_path, store):
    features, kind = kinds(40)
    names = np.array([hashlib.sha256(bytes([n])).hexdigest() for n in range(160)], dtype="S64")
    shard_write(tmp_path / "one", names[:90], narrowed(features[:90]))
    shard_write(tmp_path / "two", names[80:], narrowed(features[80:]))  # ten pictures are in both
    job(tmp_path / "map", store, "map", shards=[tmp_path / "one", tmp_path / "two"])
    blobs = np.load(tmp_path / "map" / "artefact" / BLOBS_FILE)
    positions = np.load(tmp_path / "map" / "artefact" / POSITIONS_FILE)
    assert blobs.tolist() == sorted(names.tolist())
    assert positions.shape == (160, 2)
    assert 0 <= positions.min() <= positions.max() <= 1
    kind_of = dict(zip(names.tolist(), kind, strict=True))
    sorted_kind = np.array([kind_of[blob] for blob in blobs.tolist()])
    assert neighbours_agree(positions, sorted_kind, np.arange(0, 160, 7)) > 0.95


def test_pictures_outside_the_sample_join_their_kind(monkeypatch):
    monkeypatch.setattr("engine.embedding.layout.SAMPLE", 80)
    features, kind = kinds(60)
    positions = layout(narrowed(features), num_threads=1, seed=1)
    assert neighbours_agree(positions, kind, np.arange(0, 240, 5)) > 0.9
    assert np.array_equal(positions, layout(narrowed(features), num_threads=1, seed=1))


@pytest.mark.parametrize("num", [1, 2, 3, 4, 5, 12])
def test_few_pictures_make_a_map_too(num):
    positions = layout(narrowed(np.random.default_rng(0).random((num, 16), dtype=np.float32)), num_threads=1, seed=0)
    assert positions.shape == (num, 2)
    assert np.isfinite(positions).all()
