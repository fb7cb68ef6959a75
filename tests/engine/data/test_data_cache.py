import multiprocessing
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from engine.data import cache
from engine.data.cache import PackedPictures
from engine.data.features import FeatureCache
from engine.data.image import PictureUnreadableError, read_picture, resize_picture
from engine.data.mapped import mapped_array
from engine.data.packed import BuildStoppedError, packed_array
from engine.data.version import DatasetVersion
from tests.engine.data.version_factory import encoded, soft_picture

SIDE = 16


def test_room_of_a_mapped_array_is_taken_at_once(tmp_path):
    """A hole in the file would be a write that ends the process once the disk is full."""
    path = tmp_path / "array.npy"
    mapped_array(path, dtype=np.uint8, shape=(1 << 20,))[0] = 1
    assert path.stat().st_blocks * 512 >= path.stat().st_size > 1 << 20
    assert np.load(path).sum() == 1


def test_packed_pictures_equal_decoding_each(make_version, tmp_path):
    version = make_version(num_pictures=7)
    packed = PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    assert packed.pictures_NHWC.shape == (7, SIDE, SIDE, 3)
    for record in version.records():
        pixels = read_picture(version.blob_path(record.blob), min_side_px=SIDE)
        expected = resize_picture(pixels, height_px=SIDE, width_px=SIDE)
        assert np.array_equal(packed.pictures_NHWC[packed.indices([record])[0]], expected)
    assert packed.indices(reversed(version.records())).tolist() == [6, 5, 4, 3, 2, 1, 0]


def test_second_opening_decodes_nothing(make_version, tmp_path):
    version = make_version()
    first = PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    for record in version.records():
        version.blob_path(record.blob).unlink()
    second = PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    assert np.array_equal(first.pictures_NHWC, second.pictures_NHWC)


def test_other_resolution_is_another_array(make_version, tmp_path):
    version = make_version()
    PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    assert PackedPictures.open_or_build(version, tmp_path / "cache", 8).pictures_NHWC.shape == (12, 8, 8, 3)


def test_unreadable_pictures_are_all_named(make_version, tmp_path):
    good = encoded(soft_picture(20, 20), "PNG")
    version = make_version(blobs={"a.png": good, "b.png": b"broken", "c.png": good[:-40]})
    with pytest.raises(PictureUnreadableError, match=r"b\.png, c\.png") as caught:
        PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    assert caught.value.items == ("itm_001", "itm_002")


def test_picture_with_a_wrong_byte_is_not_learned_from(make_version, tmp_path):
    version = make_version()
    record = version.records()[4]
    path = version.blob_path(record.blob)
    whole = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    with pytest.raises(PictureUnreadableError, match=record.name) as caught:
        PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)
    assert (caught.value.code, caught.value.items) == ("item_damaged", (record.item,))
    path.write_bytes(whole)
    PackedPictures.open_or_build(version, tmp_path / "cache", SIDE)


def test_progress_runs_to_the_end(make_version, tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_CHUNK_PICTURES", 5)
    seen = []
    PackedPictures.open_or_build(make_version(), tmp_path / "cache", SIDE, on_progress=lambda *done: seen.append(done))
    assert seen == [(5, 12), (10, 12), (12, 12)]


class _Rows:
    """Counts what is computed."""

    def __init__(self):
        self.requested = []
        self.lock = threading.Lock()

    def __call__(self, places):
        with self.lock:
            self.requested += places
        return np.array([[row, row * row] for row in places], dtype=np.int64)


def test_threads_share_one_build(tmp_path):
    rows = _Rows()
    with ThreadPoolExecutor(6) as pool:
        futures = [pool.submit(packed_array, tmp_path / "x", num_rows=50, rows=rows, chunk_rows=7) for _ in range(6)]
        arrays = [future.result() for future in futures]
    assert sorted(rows.requested) == list(range(50))
    assert all((array[:, 1] == np.arange(50) ** 2).all() for array in arrays)


def _pack_and_count(data_dir, cache_dir, results):
    chunks = []
    packed = PackedPictures.open_or_build(
        DatasetVersion.open(data_dir), cache_dir, SIDE, on_progress=lambda done, _: chunks.append(done)
    )
    results.put((len(chunks), int(packed.pictures_NHWC.sum())))


def test_processes_share_one_build(make_version, tmp_path):
    version = make_version(num_pictures=40)
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    arguments = (version.data_dir, tmp_path / "cache", results)
    workers = [context.Process(target=_pack_and_count, args=arguments) for _ in range(3)]
    for worker in workers:
        worker.start()
    answers = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert len({total for _, total in answers}) == 1
    assert sum(chunks for chunks, _ in answers) == 1, "exactly one process built"


def _pack_until_killed(folder: Path):
    def rows(places):
        if places.start >= 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return _Rows()(places)

    packed_array(folder, num_rows=50, rows=rows, chunk_rows=10)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill so")
def test_killed_build_goes_on_at_the_last_chunk(tmp_path):
    worker = multiprocessing.get_context("spawn").Process(target=_pack_until_killed, args=(tmp_path / "x",))
    worker.start()
    worker.join(60)
    assert worker.exitcode == -signal.SIGKILL
    rows = _Rows()
    array = packed_array(tmp_path / "x", num_rows=50, rows=rows, chunk_rows=10)
    assert rows.requested == list(range(20, 50))
    assert (array[:, 0] == np.arange(50)).all()


@pytest.mark.parametrize("damage", ["count", "array"])
def test_damaged_remains_are_rebuilt(tmp_path, damage):
    stop_after_two = iter([False, False, True]).__next__
    with pytest.raises(BuildStoppedError):
        packed_array(tmp_path / "x", num_rows=50, rows=_Rows(), chunk_rows=10, should_stop=stop_after_two)
    file = {"count": "rows_done", "array": "array.npy"}[damage]
    (tmp_path / "x.partial" / file).write_bytes(b"?")
    rows = _Rows()
    array = packed_array(tmp_path / "x", num_rows=50, rows=rows, chunk_rows=10)
    assert rows.requested == list(range(50))
    assert (array[:, 0] == np.arange(50)).all()


def test_stopped_build_keeps_what_is_done(tmp_path):
    stop_after_two = iter([False, False, True]).__next__
    with pytest.raises(BuildStoppedError):
        packed_array(tmp_path / "x", num_rows=50, rows=_Rows(), chunk_rows=10, should_stop=stop_after_two)
    rows = _Rows()
    packed_array(tmp_path / "x", num_rows=50, rows=rows, chunk_rows=10)
    assert rows.requested == list(range(20, 50))


def test_waiting_builder_can_be_stopped(tmp_path):
    is_building, may_end = threading.Event(), threading.Event()

    def slow_rows(places):
        is_building.set()
        may_end.wait(30)
        return _Rows()(places)

    with ThreadPoolExecutor(1) as pool:
        builder = pool.submit(packed_array, tmp_path / "x", num_rows=5, rows=slow_rows, chunk_rows=5)
        is_building.wait(30)
        with pytest.raises(BuildStoppedError):
            packed_array(tmp_path / "x", num_rows=5, rows=_Rows(), chunk_rows=5, should_stop=lambda: True)
        may_end.set()
        assert len(builder.result()) == 5


def test_features_are_computed_once_per_backbone(make_version, tmp_path):
    version = make_version()
    requested = []

    def compute(places):
        requested.append(len(places))
        return np.full((len(places), 3), len(requested), dtype=np.float64)

    first = FeatureCache.open_or_compute(version, tmp_path, "net-a", compute)
    again = FeatureCache.open_or_compute(version, tmp_path, "net-a", compute)
    other = FeatureCache.open_or_compute(version, tmp_path, "net-b", compute)
    assert requested == [12, 12]
    assert first.features_ND.dtype == np.float32
    assert (first.features_ND == again.features_ND).all()
    assert (other.features_ND == 2).all()
