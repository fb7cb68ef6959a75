"""A full disk and damaged files are told in words, and nothing that was taken is lost."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from studio.common.blob_store import BlobDamagedError, StorageFullError, space_needed, spool
from studio.common.blobs import blob_checked, blobs
from studio.common.blobs_file import FileBlobs
from studio.datasets.items.announced import COUNTS_FOR, KEPT_FOR
from studio.datasets.models import Item, Upload, UploadState
from studio.datasets.tasks import uploads_prune_task
from studio.datasets.uploads.services import upload_create, uploads_prune
from studio.datasets.versions.manifest import version_commit
from tests.studio.datasets.test_uploads import finish, put, start
from tests.support.project_setup import home, ingest, picture, setup, setup_make, zip_of

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
    assert refused.json()["extra"] == {"size_bytes": 3 * 2**20, "free_bytes": 2 * 2**20, "awaited_bytes": 0}
    assert refused.json()["params"]["context"] == "announced"
    assert not Upload.objects.exists()


def announced(client, setup, size_bytes: int):
    body = {"name": "a.zip", "size_bytes": size_bytes, "kind": "archive"}
    return client.post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type="application/json")


def test_what_is_announced_and_has_not_come_takes_room_on_the_disk_of_all(client, setup, home, small_disk):
    (home / "uploads").symlink_to(small_disk, target_is_directory=True)
    first = announced(client, setup, 2**20 + 2**19)
    assert first.status_code == 201
    other = setup_make(email="eve@example.org")
    size = 2**20 + 2**10
    refused = announced(other.client(), other, size)
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_full")
    half = 2**20  # what others announced takes half of the disk at most
    assert refused.json()["extra"] == {"size_bytes": size, "free_bytes": 2 * 2**20, "awaited_bytes": half}
    assert announced(client, setup, 2**20).json()["extra"]["awaited_bytes"] == 2**20 + 2**19  # one's own takes all
    url = f"/api/datasets/{setup.dataset.id}/uploads/{first.json()['id']}"
    assert put(client, url, 0, bytes(2**20)).status_code == 200
    assert announced(other.client(), other, 2**20).json()["extra"]["awaited_bytes"] == 2**19  # the rest is no longer free
    assert client.delete(url).status_code == 204
    assert announced(other.client(), other, 2**20).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_announcements_side_by_side_get_no_more_room_than_there_is(setup, home, small_disk):
    (home / "uploads").symlink_to(small_disk, target_is_directory=True)

    def announce_one(number: int) -> bool:
        try:
            upload_create(dataset=setup.dataset, actor=setup.actor, name=f"{number}.png", size_bytes=2**18, kind="file")
        except StorageFullError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(announce_one, range(24))) == 8


def test_an_announcement_that_nobody_goes_on_with_takes_no_room(client, setup, home, small_disk):
    (home / "uploads").symlink_to(small_disk, target_is_directory=True)
    url = start(client, setup, bytes(2**20 + 2**19))
    Upload.objects.update(touched_at=timezone.now() - COUNTS_FOR)
    assert announced(client, setup, 2**20).status_code == 201
    assert put(client, url, 0, bytes(2**19)).status_code == 200  # it can go on, and counts again
    assert announced(client, setup, 2**19).json()["extra"]["awaited_bytes"] == 2 * 2**20


def test_an_upload_that_nobody_goes_on_with_for_a_week_goes_with_its_bytes(client, setup, home):
    urls = [start(client, setup, bytes(1000)) for _ in range(2)]
    assert all(put(client, url, 0, bytes(10)).status_code == 200 for url in urls)
    Upload.objects.filter(id=urls[0].rsplit("/", 1)[1]).update(touched_at=timezone.now() - KEPT_FOR)
    uploads_prune_task()
    assert [client.get(url).status_code for url in urls] == [404, 200]
    assert {file.name for file in (home / "uploads").iterdir() if file.name != ".announcing"} == {urls[1].rsplit("/", 1)[1]}
    batch = Upload.objects.create(dataset=setup.dataset, name="b", kind="batch", size_bytes=10, num_items=1)
    uploads_prune(batch.touched_at + KEPT_FOR)
    batch.refresh_from_db()
    assert batch.state == UploadState.RECEIVING
    uploads_prune(batch.touched_at + 2 * KEPT_FOR)
    batch.refresh_from_db()
    assert batch.state == UploadState.DONE  # items lead back to it
    assert Upload.objects.count() == 1


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
