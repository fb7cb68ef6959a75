"""The cache of a host stays within its limit: what nobody has used for longest goes first, and what is not a job's stays."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from engine.data.packed import packed_array
from studio.jobs.host_cache import FRESH_S, cache_entries, cache_prune

NOW_S = 2_000_000_000.0
HOUR_S = 3600.0


def made(path: Path, *, size_bytes: int, hours_ago: float) -> Path:
    """A file of the cache that was last used some time ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size_bytes)
    for each in (path, path.parent):
        os.utime(each, (NOW_S - hours_ago * HOUR_S,) * 2)
    return path


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    made(tmp_path / "graphs/old.onnx", size_bytes=100, hours_ago=90)
    made(tmp_path / "pictures/dsv_a-224px-1/array.npy", size_bytes=400, hours_ago=50)
    made(tmp_path / "graphs/newer.onnx", size_bytes=100, hours_ago=20)
    made(tmp_path / "features/dsv_a-x/array.npy", size_bytes=200, hours_ago=0.5)
    made(tmp_path / "graphs/search-1/graph.onnx", size_bytes=900, hours_ago=900)
    made(tmp_path / "blobs/ab/cdef", size_bytes=900, hours_ago=900)
    made(tmp_path / "thumbnails/256/ab/cdef.jpg", size_bytes=900, hours_ago=900)
    made(tmp_path / "pictures/dsv_b-224px-1.partial/array.npy", size_bytes=900, hours_ago=900)
    return tmp_path


def left(cache: Path) -> set[str]:
    return {entry.path.name for entry in cache_entries(cache)}


def test_what_was_used_longest_ago_goes_first_and_only_as_much_as_needed(cache: Path) -> None:
    sizes = {entry.path.name: entry.size_bytes for entry in cache_entries(cache)}
    assert list(sizes)[:2] == ["old.onnx", "dsv_a-224px-1"]
    limit = sum(sizes.values()) - 150  # more than the oldest one gives
    assert cache_prune(cache, limit_bytes=limit, now_s=NOW_S) == sizes["old.onnx"] + sizes["dsv_a-224px-1"]
    assert left(cache) == {"newer.onnx", "dsv_a-x"}
    assert cache_prune(cache, limit_bytes=limit, now_s=NOW_S) == 0


def test_what_is_in_use_or_not_made_by_jobs_stays_whatever_the_limit(cache: Path) -> None:
    before = {path for path in cache.rglob("*") if path.is_file()}
    cache_prune(cache, limit_bytes=1, now_s=NOW_S)
    assert left(cache) == {"dsv_a-x"}
    gone = {path.relative_to(cache).as_posix() for path in before if not path.exists()}
    assert gone == {"graphs/old.onnx", "graphs/newer.onnx", "pictures/dsv_a-224px-1/array.npy"}


def test_no_limit_keeps_all_but_what_a_killed_process_had_begun_to_remove(cache: Path) -> None:
    made(cache / "pictures/dsv_c-1.77.gone/array.npy", size_bytes=10, hours_ago=1)
    names = left(cache)
    assert cache_prune(cache, limit_bytes=0, now_s=NOW_S) == 0
    assert left(cache) == names
    assert not (cache / "pictures/dsv_c-1.77.gone").exists()


def test_opening_an_array_is_a_use_and_what_was_cleared_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "features" / "dsv_a-x"

    def opened() -> np.ndarray:
        return packed_array(folder, num_rows=3, rows=lambda wanted: np.array(wanted, np.int64), chunk_rows=2)

    assert opened().tolist() == [0, 1, 2]
    (entry,) = cache_entries(tmp_path)
    os.utime(folder, (entry.used_at_s - 9 * FRESH_S,) * 2)
    (old,) = cache_entries(tmp_path)
    in_use = opened()
    (used,) = cache_entries(tmp_path)
    assert used.used_at_s > old.used_at_s + 8 * FRESH_S
    assert cache_prune(tmp_path, limit_bytes=1, now_s=used.used_at_s + 2 * FRESH_S) > 0
    assert cache_entries(tmp_path) == []
    assert in_use.tolist() == [0, 1, 2]
    assert opened().tolist() == [0, 1, 2]
