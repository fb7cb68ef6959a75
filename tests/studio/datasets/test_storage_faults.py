"""A full disk and damaged files are told in words, and nothing that was taken is lost."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import zipfile

import pytest

from studio.common.blob_store import BlobDamagedError, StorageFullError, space_needed, spool
from studio.common.blobs import blob_checked, blobs
from studio.common.blobs_file import FileBlobs
from studio.datasets.models import Item, Upload
from studio.datasets.versions.manifest import version_commit
from tests.studio.datasets.test_uploads import finish, put, start
from tests.support.project_setup import home, ingest, picture, setup, zip_of

__all__ = ["home", "setup"]


@pytest.fixture
def client(setup):
    return setup.client()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of two megabytes; where none can be mounted there is the kernel's own full device for the other tests."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_part_that_finds_no_space_is_reported_and_counts_for_nothing(client, setup, home):
    data = os.urandom(5000)
    url = start(client, setup, data)
    assert put(client, url, 0, data[:1000]).json()["received_bytes"] == 1000
    part = home / "uploads" / url.rsplit("/", 1)[1]
    content = part.read_bytes()
    part.unlink()
    part.symlink_to("/dev/full")
    refused = put(client, url, 1000, data[1000:])
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    assert "room" in refused.json()["hint"]
    part.unlink()
    part.write_bytes(content)
    assert client.get(url).json()["received_bytes"] == 1000
    assert put(client, url, 1000, data[1000:]).status_code == 200
    assert finish(client, url).status_code == 202
    assert blobs().local_path(Upload.objects.get().blob).read_bytes() == data


def test_an_upload_onto_a_disk_that_gets_full_goes_on_when_there_is_space(client, setup, home, small_disk):
    (home / "uploads").symlink_to(small_disk, target_is_directory=True)
    data = os.urandom(3 * 2**20)
    subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
    url = start(client, setup, data)
    (small_disk / "of-somebody-else").write_bytes(bytes(2 * 2**20))
    assert put(client, url, 0, data[: 2**20]).status_code == 200
    refused = put(client, url, 2**20, data[2**20 :])
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    received = client.get(url).json()["received_bytes"]
    assert 2**20 <= received <= 2 * 2**20
    assert put(client, url, received, data[received:]).json()["received_bytes"] == len(data)
    assert finish(client, url).status_code == 202
    assert Upload.objects.get().blob == hashlib.sha256(data).hexdigest()


def test_a_file_larger_than_what_is_free_is_refused_before_a_byte_is_sent(client, setup, home, small_disk):
    (home / "uploads").symlink_to(small_disk, target_is_directory=True)
    body = {"name": "a.zip", "size_bytes": 3 * 2**20, "kind": "archive"}
    refused = client.post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    assert refused.json()["extra"] == {"size_bytes": 3 * 2**20, "free_bytes": 2 * 2**20}
    assert refused.json()["params"]["context"] == "announced"
    assert not Upload.objects.exists()


def test_a_store_on_a_full_disk_says_so_and_keeps_what_it_has(small_disk, tmp_path):
    store = FileBlobs(small_disk)
    ref = store.put_bytes(b"kept")
    for _ in range(2):
        with pytest.raises(StorageFullError):
            store.put_bytes(os.urandom(3 * 2**20))
    assert store.local_path(ref.sha256).read_bytes() == b"kept"
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "large").write_bytes(os.urandom(3 * 2**20))
    with pytest.raises(StorageFullError):
        store.put_tree("trees/1", folder)
    assert list(small_disk.rglob(".partial-*")) == []
    store.put_bytes(os.urandom(2**20))


def test_the_system_s_own_word_for_a_full_disk_is_ours(tmp_path):
    full = tmp_path / "full"
    full.symlink_to("/dev/full")
    with pytest.raises(StorageFullError), space_needed():
        spool([b"x" * 100_000], full)
    with pytest.raises(FileNotFoundError), space_needed():
        spool([b"x"], tmp_path / "absent" / "file")


def damage(blob: str) -> None:
    if blobs().link_root() is None:
        pytest.skip("the bytes of a bucket are the store's own to check")
    path = blobs().local_path(blob)
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:-20])


@pytest.fixture
def version(setup):
    setup.labels("rose")
    ingest(setup.dataset, zip_of({"rose/a.png": picture(1), "rose/b.png": picture(2)}), labels="folder")
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


def test_a_cut_picture_is_reported_and_not_shown(client, setup, version):
    url = client.get(f"/api/datasets/{setup.dataset.id}/items").json()["items"][0]["picture_url"]
    good = client.get(url)
    assert good.status_code == 200
    assert b"".join(good.streaming_content)
    for one in Item.objects.all():
        damage(one.blob)
    refused = client.get(url)
    assert (refused.status_code, refused.json()["code"]) == (500, "blob_damaged")


def test_a_download_with_a_damaged_or_missing_file_fails_before_its_first_byte(client, version):
    url = f"/api/versions/{version.id}/download"
    answer = client.get(url)
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
    item = Item.objects.first()
    damage(item.blob)
    refused = client.get(url)
    assert (refused.status_code, refused.json()["code"]) == (500, "blob_damaged")
    blobs().local_path(item.blob).unlink()
    refused = client.get(url)
    assert (refused.status_code, refused.json()["code"]) == (404, "blob_missing")


def test_bytes_of_the_right_size_and_other_content_are_found_by_their_hash(setup, version):
    item = Item.objects.first()
    damage(item.blob)
    path = blobs().local_path(item.blob)
    path.write_bytes(path.read_bytes() + b"\0" * 20)
    assert path.stat().st_size == item.size_bytes
    for is_often in (False, True):
        with pytest.raises(BlobDamagedError):
            blob_checked(item.blob, is_often=is_often)


def test_a_picture_or_thumbnail_with_a_wrong_byte_is_not_sent(setup, version):
    item = Item.objects.first()
    path = blobs().local_path(item.blob)
    whole = path.read_bytes()
    addresses = [f"/api/items/{item.id}/picture", f"/api/items/{item.id}/thumbnail?size=1024"]
    client = setup.client()
    assert client.get(addresses[0]).status_code == 200
    path.chmod(0o644)
    path.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    for address in addresses:
        refused = client.get(address)
        assert (refused.status_code, refused.json()["code"]) == (500, "blob_damaged")
    path.write_bytes(whole)
    assert [client.get(address).status_code for address in addresses] == [200, 200]
