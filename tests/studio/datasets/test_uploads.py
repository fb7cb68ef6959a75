"""Uploads in parts: exact offsets, interruptions on either side, checksums; and many small files in one request."""

from __future__ import annotations

import hashlib
import json
import time

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.datasets.files.limits import MAX_PART_BYTES
from studio.datasets.models import Item, Reject, Upload
from studio.datasets.uploads.services import upload_append, upload_seal
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases


@pytest.fixture
def client(setup):
    return setup.client()


def start(client, setup, data: bytes, **fields) -> str:
    body = {"name": "a.zip", "size_bytes": len(data), "kind": "archive"} | fields
    response = client.post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type="application/json")
    assert response.status_code == 201, response.content
    return f"/api/datasets/{setup.dataset.id}/uploads/{response.json()['id']}"


def put(client, url: str, offset: int, data: bytes):
    return client.put(f"{url}/parts?offset={offset}", data, content_type="application/octet-stream")


def finish(client, url: str, labels: str = "none"):
    return client.post(f"{url}/finish", {"labels": labels}, content_type="application/json")


def test_parts_make_a_whole_and_a_wrong_offset_says_where_to_go_on(client, setup):
    data = zip_of({"a.png": picture(1)})
    url = start(client, setup, data)
    assert put(client, url, 0, data[:100]).json()["received_bytes"] == 100
    wrong = put(client, url, 50, data[50:])
    assert wrong.status_code == 409
    assert wrong.json()["code"] == "upload_offset_mismatch"
    assert wrong.json()["extra"]["received_bytes"] == client.get(url).json()["received_bytes"] == 100
    assert put(client, url, 100, data[100:]).json()["received_bytes"] == len(data)
    ended = finish(client, url)
    assert ended.status_code == 202
    assert ended.json()["job"]["kind"] == "ingest"
    sealed = Upload.objects.get(id=url.rsplit("/", 1)[1])
    assert sealed.blob == hashlib.sha256(data).hexdigest()
    assert blobs().local_path(sealed.blob).read_bytes() == data


def test_bytes_that_a_crash_left_behind_are_cut_off(client, setup, home):
    data = bytes(range(200))
    url = start(client, setup, data)
    put(client, url, 0, data[:100])
    part = home / "uploads" / url.rsplit("/", 1)[1]
    with part.open("ab") as file:
        file.write(b"torn")  # written, but the row was not updated any more
    assert client.get(url).json()["received_bytes"] == 100
    put(client, url, 100, data[100:])
    assert finish(client, url).status_code == 202
    assert Upload.objects.get().blob == hashlib.sha256(data).hexdigest()


def test_parts_may_come_in_any_order_and_twice(client, setup, home):
    data = bytes(range(250)) * 4
    url = start(client, setup, data)
    assert put(client, url, 600, data[600:1000]).json()["received_bytes"] == 0
    assert put(client, url, 200, data[200:600]).json()["received_bytes"] == 0
    assert finish(client, url).json()["code"] == "upload_incomplete"
    assert put(client, url, 600, data[600:800]).json()["received_bytes"] == 0
    assert put(client, url, 0, data[:200]).json()["received_bytes"] == 1000
    assert finish(client, url).status_code == 202
    assert Upload.objects.get().blob == hashlib.sha256(data).hexdigest()
    assert list((home / "uploads").iterdir()) == []


def test_parts_beyond_the_end_are_refused(client, setup):
    url = start(client, setup, b"12345")
    assert put(client, url, 6, b"6").json()["code"] == "upload_offset_mismatch"
    refused = put(client, url, 4, b"56").json()
    assert (refused["code"], refused["extra"]["limit_bytes"], refused["extra"]["room_bytes"]) == ("part_too_large", 1, 1)
    assert client.get(url).json()["received_bytes"] == 0


def test_an_upload_names_the_person_or_key_that_sent_it(client, setup):
    url = start(client, setup, b"picture")
    person = {"kind": "user", "id": setup.owner.id, "name": setup.owner.name}
    assert client.get(url).json()["created_by"] == person
    key, secret = key_create(workspace=setup.workspace, name="Camera", role=Role.ENGINEER, actor=setup.actor)
    files = [SimpleUploadedFile("a.png", picture(1))]
    batch = f"/api/datasets/{setup.dataset.id}/uploads/batch"
    assert Client().post(batch, {"files": files}, headers={"Authorization": f"Bearer {secret}"}).status_code == 200
    listed = client.get(f"/api/datasets/{setup.dataset.id}/uploads").json()["items"]
    assert [each["created_by"] for each in listed] == [{"kind": "key", "id": key.id, "name": "Camera"}, person]


def test_a_connection_that_breaks_keeps_what_came(setup):
    upload = Upload.objects.create(dataset=setup.dataset, created_by=setup.owner.id, name="a", kind="file", size_bytes=30)

    def chunks():
        yield b"0123456789"
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        upload_append(upload=upload, offset=0, chunks=chunks())
    upload.refresh_from_db()
    assert upload.received_bytes == 10
    assert upload_append(upload=upload, offset=10, chunks=[b"x" * 20]).received_bytes == 30


def test_more_bytes_than_announced_are_refused(client, setup):
    url = start(client, setup, b"12345")
    answer = put(client, url, 0, b"123456")
    assert answer.status_code == 413
    assert answer.json()["code"] == "part_too_large"
    assert client.get(url).json()["received_bytes"] == 0
    assert MAX_PART_BYTES > 5


def test_an_incomplete_upload_cannot_be_finished(client, setup):
    url = start(client, setup, b"12345")
    put(client, url, 0, b"123")
    answer = finish(client, url)
    assert (answer.status_code, answer.json()["code"]) == (409, "upload_incomplete")


def test_changed_bytes_are_noticed_and_sent_again(client, setup):
    url = start(client, setup, b"12345", sha256=hashlib.sha256(b"12345").hexdigest())
    put(client, url, 0, b"12X45")
    answer = finish(client, url)
    assert (answer.status_code, answer.json()["code"]) == (409, "upload_checksum_mismatch")
    put(client, url, 0, b"12345")
    assert finish(client, url).status_code == 202


def test_a_crash_while_sealing_loses_nothing(client, setup, monkeypatch):
    """The bytes are in the store, the row does not know it yet."""
    data = picture(1)
    url = start(client, setup, data, kind="file")
    put(client, url, 0, data)
    upload = Upload.objects.get()

    def crash(*_args, **_kwargs):
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(Upload, "save", crash)
        with pytest.raises(ConnectionError):
            upload_seal(upload=upload, labels="none")
    assert blobs().exists(hashlib.sha256(data).hexdigest())
    sealed = upload_seal(upload=upload, labels="none")
    assert blobs().local_path(sealed.blob).read_bytes() == data


def test_finishing_twice_gives_the_same_job_and_no_more_parts(client, setup):
    url = start(client, setup, b"12345")
    put(client, url, 0, b"12345")
    jobs = {finish(client, url).json()["job"]["id"] for _ in range(2)}
    assert len(jobs) == 1
    assert put(client, url, 5, b"6").json()["code"] == "upload_ended"


def test_an_upload_can_be_forgotten(client, setup, home):
    url = start(client, setup, b"12345")
    put(client, url, 0, b"123")
    assert client.delete(url).status_code == 204
    assert client.get(url).status_code == 404
    assert list((home / "uploads").iterdir()) == []


def test_an_upload_of_which_items_came_stays(client, setup):
    upload = ingest(setup.dataset, zip_of({"rose/a.png": picture(1)}))
    answer = client.delete(f"/api/datasets/{setup.dataset.id}/uploads/{upload.id}")
    assert (answer.status_code, answer.json()["code"]) == (409, "upload_kept")


def batch(client, setup, files: dict[str, bytes], **query):
    sent = [SimpleUploadedFile(name.rsplit("/", 1)[-1], data) for name, data in files.items()]
    url = f"/api/datasets/{setup.dataset.id}/uploads/batch"
    return client.post(url, {"files": sent, "paths": json.dumps(list(files))}, query_params=query)


def test_a_batch_answers_for_each_file(client, setup):
    files = {"rose/a.png": picture(1), "rose/b.png": picture(1), "rose/.DS_Store": b"x", "c.png": b"", "../d.png": picture(2)}
    answer = batch(client, setup, files, labels="folder")
    assert answer.status_code == 200, answer.content
    found = {one["path"]: (one["state"], one["code"]) for one in answer.json()["items"]}
    assert found == {
        "rose/a.png": ("new", None),
        "rose/b.png": ("duplicate", None),
        "c.png": ("unreadable", "empty_file"),
        "../d.png": ("unreadable", "unsafe_name"),
    }
    item = Item.objects.get()
    assert [one["label"] for one in item.annotations] == ["rose"]
    assert item.provenance == f"import:{answer.json()['upload']}"
    assert Reject.objects.count() == 2
    listed = client.get(f"/api/datasets/{setup.dataset.id}/uploads/{answer.json()['upload']}/rejects").json()["items"]
    assert {one["name"] for one in listed} == {"c.png", "../d.png"}
    assert all(one["reason"]["zh"] for one in listed)


def test_a_batch_whose_paths_do_not_fit_is_refused(client, setup):
    url = f"/api/datasets/{setup.dataset.id}/uploads/batch"
    sent = [SimpleUploadedFile("a.png", picture(1))]
    for paths in ('["a.png", "b.png"]', "no json"):
        answer = client.post(url, {"files": sent, "paths": paths})
        assert (answer.status_code, answer.json()["code"]) == (422, "batch_invalid")
        sent[0].seek(0)


def test_a_foreign_dataset_is_not_there(client, setup):
    other = setup_make(email="eve@example.org")
    answers = [
        other.client().get(f"/api/datasets/{setup.dataset.id}/uploads"),
        other.client().post(
            f"/api/datasets/{setup.dataset.id}/uploads", {"name": "a", "size_bytes": 1}, content_type="application/json"
        ),
        batch(other.client(), setup, {"a.png": picture(1)}),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert Upload.objects.count() == 0


def announced(client, setup, size_bytes: int) -> str:
    body = {"name": "flowers", "size_bytes": size_bytes, "kind": "batch"}
    answer = client.post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return answer.json()["id"]


def test_many_batches_are_one_upload_and_sending_one_again_changes_nothing(client, setup):
    upload = announced(client, setup, 10_000)
    first = {"rose/a.png": picture(1), "rose/b.png": picture(2), "rose/bad.png": b""}
    for files in (first, first, {"rose/c.png": picture(3), "rose/copy.png": picture(1)}):
        assert batch(client, setup, files, labels="folder", upload=upload).status_code == 200
    url = f"/api/datasets/{setup.dataset.id}/uploads/{upload}"
    ended = finish(client, url, labels="folder")
    assert (ended.status_code, ended.json()["job"]) == (202, None)
    (listed,) = client.get(f"/api/datasets/{setup.dataset.id}/uploads").json()["items"]
    assert (listed["state"], listed["num_items"], listed["num_duplicates"], listed["num_rejected"]) == ("done", 3, 1, 1)
    assert Item.objects.count() == 3
    late = batch(client, setup, {"late.png": picture(4)}, upload=upload)
    assert (late.status_code, late.json()["code"]) == (409, "upload_ended")
    assert Item.objects.count() == 3


def test_items_stand_in_the_order_of_the_upload_whichever_batch_comes_first(client, setup, monkeypatch):
    upload = announced(client, setup, 10_000)
    for first in (4, 0, 2, 6, 2):
        files = {f"{first + place}.png": picture(first + place) for place in range(2)}
        assert batch(client, setup, files, upload=upload, first=first).status_code == 200
    names = [f"{place}.png" for place in range(8)]
    assert list(Item.objects.order_by("id").values_list("name", flat=True)) == names
    # What was overtaken long ago does not go back behind those who have read on since.
    began = time.time()
    monkeypatch.setattr("studio.datasets.items.upload_order.time.time", lambda: began + 60)
    assert batch(client, setup, {"late.png": picture(9)}, upload=upload, first=1).status_code == 200
    assert Item.objects.order_by("id").last().name == "late.png"


def test_a_batch_that_fails_leaves_neither_upload_nor_items(client, setup, monkeypatch):
    def crash(**_options):
        raise ConnectionError

    monkeypatch.setattr("studio.datasets.uploads.batch.labels_extend", crash)
    client.raise_request_exception = False
    assert batch(client, setup, {"rose/a.png": picture(1)}, labels="folder").status_code == 500
    assert (Upload.objects.count(), Item.objects.count()) == (0, 0)


def test_a_file_upload_takes_no_batches_and_one_of_batches_no_parts(client, setup):
    url = start(client, setup, b"12345")
    refused = batch(client, setup, {"a.png": picture(1)}, upload=url.rsplit("/", 1)[1])
    assert (refused.status_code, refused.json()["code"]) == (422, "batch_invalid")
    many = f"/api/datasets/{setup.dataset.id}/uploads/{announced(client, setup, 5)}"
    assert put(client, many, 0, b"12345").json()["code"] == "upload_ended"


def known(client, setup, files: dict[str, bytes], labels: str = "none") -> list[int]:
    hashed = [{"path": path, "sha256": hashlib.sha256(data).hexdigest()} for path, data in files.items()]
    body = {"files": hashed, "labels": labels}
    answer = client.post(f"/api/datasets/{setup.dataset.id}/uploads/known", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    return answer.json()["known"]


def test_the_server_says_which_files_would_bring_nothing_new(client, setup):
    files = {"rose/a.png": picture(1), "tulip/b.png": picture(2), "rose/c.png": picture(3)}
    assert known(client, setup, files) == []
    batch(client, setup, {"rose/a.png": files["rose/a.png"]}, labels="folder")
    batch(client, setup, {"tulip/b.png": files["tulip/b.png"]})
    assert known(client, setup, files) == [0, 1]
    # The second has no label yet, so sending it again would bring one.
    assert known(client, setup, files, labels="folder") == [0]
    Item.objects.filter(name="rose/a.png").update(deleted_at="2026-01-01T00:00:00Z")
    assert known(client, setup, files) == [1]


def test_a_second_folder_of_a_picture_counts_where_several_labels_are_allowed(setup_of_several):
    client = setup_of_several.client()
    one = picture(1)
    batch(client, setup_of_several, {"red/a.png": one}, labels="folder")
    assert known(client, setup_of_several, {"red/a.png": one, "round/a.png": one}, labels="folder") == [0]
