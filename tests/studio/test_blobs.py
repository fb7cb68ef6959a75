"""The contract of blob stores, run over both: files, and a real S3 server."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from studio.common.blob_store import BlobMissingError, BlobStoreError, blob_subpath
from studio.common.blobs_file import FileBlobs
from studio.common.blobs_s3 import S3Blobs

ABSENT = "0" * 64


@pytest.fixture(params=["file", "s3"])
def stores(request, tmp_path):
    """Makes stores on one place: the second one is another host, with nothing in its cache."""
    if request.param == "file":
        return lambda host="a": FileBlobs(tmp_path / "blobs")
    s3 = request.getfixturevalue("seaweed")
    bucket = "test-" + hashlib.sha256(str(tmp_path).encode()).hexdigest()[:20]
    config = SimpleNamespace(bucket=bucket, **vars(s3))
    return lambda host="a": S3Blobs(config, cache_dir=tmp_path / f"cache-{host}")


@pytest.fixture
def store(stores):
    return stores()


def test_hosts_that_start_at_the_same_moment_share_one_place(stores):
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(stores, "abcdefgh"))
    ref = opened[0].put_bytes(b"hello")
    assert all(store.exists(ref.sha256) for store in opened)


def test_bytes_come_back(store):
    ref = store.put_bytes(b"hello")
    assert ref.sha256 == hashlib.sha256(b"hello").hexdigest()
    assert ref.size_bytes == store.size(ref.sha256) == 5
    assert store.exists(ref.sha256)
    with store.open(ref.sha256) as file:
        assert file.read() == b"hello"
    assert store.local_path(ref.sha256).read_bytes() == b"hello"


def test_empty_blob_is_a_blob(store):
    ref = store.put_bytes(b"")
    assert store.size(ref.sha256) == 0
    assert store.local_path(ref.sha256).read_bytes() == b""


def test_same_bytes_are_one_blob(store, tmp_path):
    path = tmp_path / "picture"
    path.write_bytes(b"same")
    refs = {store.put_bytes(b"same"), store.put_stream(iter([b"sa", b"me"])), store.put_file(path)}
    assert len(refs) == 1
    assert path.exists()


def test_moved_file_is_gone(store, tmp_path):
    for content in (b"first", b"first"):
        path = tmp_path / "picture"
        path.write_bytes(content)
        ref = store.put_file(path, move=True)
        assert not path.exists()
    assert store.local_path(ref.sha256).read_bytes() == b"first"


def test_large_stream(store):
    chunk = bytes(range(256)) * 4096
    ref = store.put_stream(chunk for _ in range(12))
    assert store.size(ref.sha256) == 12 * len(chunk)
    assert hashlib.sha256(store.local_path(ref.sha256).read_bytes()).hexdigest() == ref.sha256


def test_absent_blob_is_named(store):
    assert not store.exists(ABSENT)
    for read in (store.open, store.size, store.local_path):
        with pytest.raises(BlobMissingError):
            read(ABSENT)
    for move in (store.set_aside, store.restore, store.erase):
        move(ABSENT)
    assert not store.exists(ABSENT)


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "A" * 64, "abc"])
def test_what_is_no_hash_is_no_blob(store, name):
    with pytest.raises(BlobMissingError):
        store.local_path(name)


def later() -> datetime:
    return datetime.now(UTC) + timedelta(hours=1)


def test_a_blob_set_aside_is_there_for_whoever_asks_until_it_is_erased(store, stores):
    ref = store.put_bytes(b"short life")
    digit = ref.sha256[0]
    store.set_aside(ref.sha256)
    assert list(store.walk(digit, before=later())) == []
    assert list(store.walk(digit, before=later(), is_aside=True)) == [ref.sha256]
    assert stores("b").local_path(ref.sha256).read_bytes() == b"short life"
    assert list(store.walk(digit, before=later())) == [ref.sha256]
    assert set(store.walk(digit, before=later(), is_aside=True)) <= {ref.sha256}, "a copy may stay until the sweep comes by"
    store.set_aside(ref.sha256)
    store.erase(ref.sha256)
    assert not stores("c").exists(ref.sha256)
    with pytest.raises(BlobMissingError):
        stores("c").local_path(ref.sha256)


def test_bytes_put_again_while_they_are_set_aside_are_a_blob_in_use(store):
    ref = store.put_bytes(b"again")
    store.set_aside(ref.sha256)
    store.put_bytes(b"again")
    store.erase(ref.sha256)
    assert store.local_path(ref.sha256).read_bytes() == b"again"
    store.set_aside(ref.sha256)
    store.put_bytes(b"again")
    store.restore(ref.sha256)
    assert list(store.walk(ref.sha256[0], before=later(), is_aside=True)) == []
    assert store.exists(ref.sha256)


def test_a_walk_gives_the_old_blobs_of_a_digit_in_order(store):
    refs = sorted(store.put_bytes(bytes([number])).sha256 for number in range(60))
    for digit in "0123456789abcdef":
        assert list(store.walk(digit, before=later())) == [ref for ref in refs if ref.startswith(digit)]
        assert list(store.walk(digit, before=datetime.now(UTC) - timedelta(minutes=5))) == []


def test_interrupted_stream_leaves_nothing(store, tmp_path):
    def broken():
        yield b"half"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        store.put_stream(broken())
    assert not store.exists(hashlib.sha256(b"half").hexdigest())
    assert list(tmp_path.rglob(".partial-*")) == []


def test_many_writers_and_readers_of_one_blob(store):
    data = b"x" * 100_000

    def turn(_number: int) -> bytes:
        return store.local_path(store.put_bytes(data).sha256).read_bytes()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(turn, range(32))) == {data}


def test_link_root_holds_blobs_by_their_path(store):
    ref = store.put_bytes(b"linked")
    root = store.link_root()
    if root is not None:
        assert (root / blob_subpath(ref.sha256)).read_bytes() == b"linked"


def test_objects_are_named_and_can_be_replaced(stores, tmp_path):
    path = tmp_path / "log.txt"
    for text in ("one", "two and more"):
        path.write_text(text)
        stores("a").put_object("jobs/job_1/log.txt", path)
        assert stores("a").get_object("jobs/job_1/log.txt").read_text() == text
        assert stores("b").get_object("jobs/job_1/log.txt").read_text() == text
    with pytest.raises(BlobMissingError):
        stores("a").get_object("jobs/job_2/log.txt")


def test_tree_comes_back_on_another_host(stores, tmp_path):
    folder = tmp_path / "artefact"
    (folder / "samples").mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"model")
    (folder / "samples" / "0.png").write_bytes(b"picture")
    stores("a").put_tree("artefacts/art_1", folder)
    found = stores("b").fetch_tree("artefacts/art_1")
    files = {path.relative_to(found).as_posix(): path.read_bytes() for path in found.rglob("*") if path.is_file()}
    assert files == {"model.onnx": b"model", "samples/0.png": b"picture"}


def test_tree_is_written_once(store, tmp_path):
    folder = tmp_path / "artefact"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"first")
    store.put_tree("artefacts/art_1", folder)
    (folder / "model.onnx").write_bytes(b"second")
    store.put_tree("artefacts/art_1", folder)
    assert (store.fetch_tree("artefacts/art_1") / "model.onnx").read_bytes() == b"first"


def test_absent_tree_is_named(store):
    with pytest.raises(BlobMissingError):
        store.fetch_tree("artefacts/art_none")


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", ""])
def test_name_cannot_leave_the_store(store, tmp_path, name):
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(ValueError, match="no name"):
        store.put_object(name, path)


def test_half_written_tree_is_no_tree(seaweed, tmp_path):
    config = SimpleNamespace(bucket="half-tree", **vars(seaweed))
    store = S3Blobs(config, cache_dir=tmp_path / "cache")
    store._client.put_object("half-tree", "objects/artefacts/art_1/model.onnx", io.BytesIO(b"m"), 1)
    with pytest.raises(BlobMissingError):
        store.fetch_tree("artefacts/art_1")


def test_wrong_key_is_explained(seaweed, tmp_path):
    config = SimpleNamespace(endpoint=seaweed.endpoint, access_key="testkey", secret_key="wrong", bucket="test-bucket")
    with pytest.raises(BlobStoreError):
        S3Blobs(config, cache_dir=tmp_path)


def test_store_that_is_away_is_explained(tmp_path):
    config = SimpleNamespace(endpoint="http://127.0.0.1:9", access_key="a", secret_key="b", bucket="test-bucket")
    with pytest.raises(BlobStoreError, match="does not answer"):
        S3Blobs(config, cache_dir=tmp_path)
