"""A stored blob goes when nothing of any workspace holds it, and not before; and its room is given back in the end."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from automl.contracts.base import Text
from studio.common.blobs import blobs
from studio.datasets.items.services import item_delete
from studio.datasets.models import Dataset, Item, Upload, UploadState
from studio.datasets.uploads.services import upload_delete
from studio.deployments.models import Export
from studio.jobs import blob_sweep
from studio.jobs.blob_sweep import PREFIXES, blobs_sweep
from studio.jobs.models import Job
from studio.jobs.services import job_submit
from studio.projects.services import project_create
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import home, ingest, picture, setup, setup_make, upload_sealed, zip_of

__all__ = ["home", "setup"]


def sweep(hours: float = 2) -> None:
    for digit in PREFIXES:
        blobs_sweep(digit, now=timezone.now() + timedelta(hours=hours))


def export_of(artefact, data: bytes) -> Export:
    """An export whose file has these bytes; the building itself has tests of its own."""
    return Export.objects.create(
        project=artefact.project,
        artefact=artefact,
        target="python_sdk",
        report={"target": "python_sdk", "file": "pets-sdk.zip"},
        blob=blobs().put_bytes(data).sha256,
        created_by="usr_1",
    )


@pytest.fixture
def export(setup):
    return export_of(artefact_make(setup, version_make(setup)), zip_of({"a.png": picture(1), "b.png": picture(2)}))


def announce(client, setup, data: bytes, **fields) -> str:
    body = {"name": "a.zip", "size_bytes": len(data), "kind": "archive"} | fields
    answer = client.post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type="application/json")
    url = f"/api/datasets/{setup.dataset.id}/uploads/{answer.json()['id']}"
    assert client.put(f"{url}/parts?offset=0", data, content_type="application/octet-stream").status_code == 200
    return url


def test_an_export_that_somebody_uploads_as_an_archive_stays(setup, export):
    """Reading the upload lets its bytes go; the export still needs them."""
    data = blobs().local_path(export.blob).read_bytes()
    upload = ingest(setup.dataset, data)
    assert upload.state == UploadState.DONE
    assert upload.blob == export.blob
    sweep()
    sweep(4)
    assert blobs().local_path(export.blob).read_bytes() == data


def test_a_wrong_announced_hash_from_another_workspace_costs_nobody_a_file(setup, export):
    data = blobs().local_path(export.blob).read_bytes()
    other = setup_make(email="mallory@example.org")
    assert other.workspace != setup.workspace
    client = other.client()
    url = announce(client, other, data, sha256="0" * 64)
    refused = client.post(f"{url}/finish", {"labels": "none"}, content_type="application/json")
    assert refused.json()["code"] == "upload_checksum_mismatch"
    assert client.delete(url).status_code == 204
    sweep()
    sweep(4)
    assert blobs().local_path(export.blob).read_bytes() == data


def test_the_space_of_an_archive_that_was_read_is_freed_in_the_end(setup):
    data = zip_of({"a.png": picture(1)})
    upload = ingest(setup.dataset, data)
    sweep(0)
    assert blobs().exists(upload.blob)  # somebody may have put it a moment ago
    Job.objects.update(ended_at=timezone.now())
    sweep()
    sweep(4)
    assert not blobs().exists(upload.blob)
    assert blobs().exists(Item.objects.get().blob)


def test_pictures_that_were_deleted_stay_since_versions_and_undoing_want_them(setup):
    ingest(setup.dataset, zip_of({"a.png": picture(1)}))
    Job.objects.update(ended_at=timezone.now())
    item = Item.objects.get()
    item_delete(dataset=setup.dataset, items=[item.id], actor=setup.actor)
    sweep()
    sweep(4)
    assert blobs().exists(item.blob)


def test_an_upload_that_nobody_has_read_yet_holds_its_bytes(setup):
    upload, job = upload_sealed(setup.dataset, zip_of({"a.png": picture(1)}), name="a.zip")
    Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
    Upload.objects.update(state=UploadState.FAILED)
    sweep()
    sweep(4)
    assert blobs().exists(upload.blob)
    upload_delete(upload=Upload.objects.get())
    sweep()
    sweep(4)
    assert not blobs().exists(upload.blob)


def test_the_lists_that_undo_a_restore_are_held(setup):
    referenced, waste = (blobs().put_bytes(json.dumps([name]).encode()).sha256 for name in ("itm_1", "itm_2"))
    job = job_submit(
        workspace=setup.workspace.id,
        project=setup.project.id,
        kind="restore",
        title=Text(en="Restore", zh="恢复"),
        subject=setup.dataset.id,
        payload={"brought_back": referenced, "delete": ""},
    )
    Job.objects.filter(id=job.id).update(state="succeeded", ended_at=timezone.now())
    sweep()
    sweep(4)
    assert (blobs().exists(referenced), blobs().exists(waste)) == (True, False)


def test_while_a_job_of_the_platform_runs_nothing_that_it_may_have_put_is_touched(setup):
    """An import puts pictures first and writes the rows that hold them hours later."""
    job = job_submit(
        workspace=setup.workspace.id,
        project=setup.project.id,
        kind="archive_import",
        title=Text(en="Import", zh="导入"),
        subject=setup.project.id,
        payload={},
    )
    Job.objects.filter(id=job.id).update(state="running", started_at=timezone.now())
    blob = blobs().put_bytes(b"put by the import").sha256
    sweep(48)
    sweep(96)
    assert blobs().exists(blob)
    Job.objects.filter(id=job.id).update(state="failed", ended_at=timezone.now())
    sweep(48)
    sweep(96)
    assert not blobs().exists(blob)


def test_bytes_put_while_a_sweep_decides_are_there_when_their_row_is(setup, monkeypatch):
    """The sweep has read the rows; then somebody puts the same bytes and writes a row; then the sweep moves them."""
    data = picture(5)
    blob = blobs().put_bytes(data).sha256
    decide = blob_sweep.blobs_referenced

    def slow(hashes):
        found = decide(hashes)
        ingest(setup.dataset, data, name="late.png", kind="file")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(blob_sweep, "blobs_referenced", slow)
        blobs_sweep(blob[0], now=timezone.now() + timedelta(hours=2))
    Job.objects.update(ended_at=timezone.now())
    assert setup.client().get(f"/api/items/{Item.objects.get().id}/picture").status_code in {200, 404}
    sweep(4)
    sweep(6)
    assert blobs().local_path(blob).read_bytes() == data


def test_a_store_that_belongs_to_another_database_is_left_alone(setup, tmp_path):
    blob = blobs().put_bytes(b"of another platform").sha256
    mark = tmp_path / "mark"
    mark.write_text("2020-01-01T00:00:00+00:00")
    blobs().put_object("owner.txt", mark)
    sweep()
    sweep(4)
    assert blobs().exists(blob)


def test_what_many_put_while_it_is_set_aside_is_there_afterwards(setup):
    """Real threads, and far more moves than a sweep would make."""
    ended = threading.Event()
    data = [bytes([number]) * 1000 for number in range(8)]  # few, so that each is often on its way when it is put

    def sweeps() -> None:
        while not ended.is_set():
            for one in data:
                blobs().set_aside(hashlib.sha256(one).hexdigest())

    sweeper = threading.Thread(target=sweeps)
    sweeper.start()
    try:
        for _ in range(25):
            for one in data:
                blobs().put_bytes(one)
    finally:
        ended.set()
        sweeper.join()
    for one in data:
        assert blobs().local_path(hashlib.sha256(one).hexdigest()).read_bytes() == one


# --- random histories -------------------------------------------------------------------------------------------------

CONTENTS = [zip_of({f"{number}.png": picture(number)}) for number in range(3)]


class _KilledError(Exception):
    """Stands for the end of the process."""


class _Killed:
    """The store, whose user dies after so many moves."""

    def __init__(self, store, moves: int) -> None:
        self._store, self._left = store, moves

    def __getattr__(self, name):
        if name in {"set_aside", "restore", "erase"}:
            self._left -= 1
            if self._left < 0:
                raise _KilledError
        return getattr(self._store, name)


def _hours_pass(home, hours: float) -> None:
    for path in (home / "blobs").rglob("*"):
        if path.is_file():
            stat = path.stat()
            os.utime(path, (stat.st_atime, stat.st_mtime - hours * 3600))


steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["upload", "read", "refuse", "export", "forget", "orphan"]), st.integers(0, 2)),
        st.tuples(st.just("hours"), st.sampled_from([1, 2])),
        st.tuples(st.just("sweep"), st.just(99)),
        st.tuples(st.just("killed"), st.integers(0, 2)),
    ),
    min_size=4,
    max_size=14,
)


@pytest.mark.both_databases
@hypothesis_settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(history=steps)
def test_whatever_happens_what_is_held_is_there_and_the_rest_goes_in_the_end(setup, home, export, history, settings):
    if blobs().link_root() is None:
        pytest.skip("the time of a bucket cannot be turned back")
    Upload.objects.all().delete()
    Export.objects.exclude(id=export.id).delete()
    project = project_create(workspace=setup.workspace, name="P", task="image_classification", actor=setup.actor)
    dataset = Dataset.objects.select_related("project").get(project=project)
    for what, number in history:
        _step(what, number, dataset=dataset, artefact=export.artefact, home=home)
        for blob in _referenced():
            assert blobs().exists(blob), (what, number)
    Job.objects.filter(ended_at=None).update(state="failed", ended_at=timezone.now())
    for _ in range(3):
        _hours_pass(home, 2)
        sweep(0)
    stored = {path.name for path in (home / "blobs").rglob("*") if len(path.name) == 64 and path.is_file()}
    assert stored == _referenced()


def _step(what: str, number: int, *, dataset, artefact, home) -> None:
    data = CONTENTS[number] if number < len(CONTENTS) else b""
    open_uploads = list(Upload.objects.exclude(state=UploadState.DONE))
    match what:
        case "upload":
            upload_sealed(dataset, data, name="a.zip")
        case "read":
            ingest(dataset, data)
        case "refuse":
            for upload in open_uploads[: number + 1]:
                Upload.objects.filter(id=upload.id).update(state=UploadState.FAILED)
                upload_delete(upload=upload)
        case "export":
            export_of(artefact, data)
        case "forget":
            Export.objects.filter(blob=hashlib.sha256(data).hexdigest()).delete()
        case "orphan":
            blobs().put_bytes(data)
        case "hours":
            _hours_pass(home, number)
        case "sweep":
            sweep(0)
        case "killed":
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(blob_sweep, "blobs", lambda: _Killed(blobs(), number))
                with contextlib.suppress(_KilledError):
                    sweep(0)


def _referenced() -> set[str]:
    """Told apart from the code under test: what a person could still ask for."""
    uploads = Upload.objects.exclude(state=UploadState.DONE).exclude(blob="").values_list("blob", flat=True)
    exports = Export.objects.exclude(blob="").values_list("blob", flat=True)
    return {*uploads, *exports, *Item.objects.values_list("blob", flat=True)}
