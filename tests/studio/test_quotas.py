"""What a workspace may use at most: said, kept to by callers side by side, counted, overridden."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from automl.contracts.base import Text
from studio.accounts.audit_words import row_sentence
from studio.accounts.errors import ItemsQuotaError, JobsQuotaError, StorageQuotaError
from studio.accounts.models import AuditRow
from studio.accounts.quotas import Quota, quota_claimed, quota_limit, quota_set, quota_used
from studio.datasets.items.announced import COUNTS_FOR
from studio.datasets.models import Upload
from studio.datasets.uploads.services import upload_create
from studio.galleries.models import Gallery, GalleryEntry
from studio.projects.services import project_create, project_delete
from tests.support.project_setup import home, ingest, picture, setup, setup_make, zip_of

__all__ = ["home", "setup"]

JSON = "application/json"


def announce(setup, size_bytes: int):
    body = {"name": "a.png", "size_bytes": size_bytes, "kind": "file"}
    return setup.client().post(f"/api/datasets/{setup.dataset.id}/uploads", body, content_type=JSON)


def test_there_is_no_limit_unless_somebody_sets_one(setup):
    uses = setup.client().get(f"/api/workspaces/{setup.workspace.id}/usage").json()
    assert [(use["quota"], use["limit"]) for use in uses] == [(quota.value, None) for quota in Quota]
    assert announce(setup, 10**6).status_code == 201


def test_storage_is_refused_with_what_is_used(setup):
    quota_set(workspace=setup.workspace, quota=Quota.STORAGE_BYTES, limit=1000)
    assert announce(setup, 900).status_code == 201
    refused = announce(setup, 200)
    assert (refused.status_code, refused.json()["code"]) == (507, "storage_quota_exceeded")
    assert refused.json()["extra"] == {"quota": "storage_bytes", "used": 900, "limit": 1000}
    announce(setup, 200)
    row = AuditRow.objects.get(action="quota.exceeded")
    assert row.detail == {"quota": "storage_bytes", "used": 900, "limit": 1000}
    assert row_sentence(row) == Text(en="The quota “Storage” was reached", zh="已达到配额“存储空间”")
    uses = setup.client().get(f"/api/workspaces/{setup.workspace.id}/usage").json()
    assert (uses[0]["used"], uses[0]["limit"]) == (900, 1000)


def test_items_are_refused(setup):
    quota_set(workspace=setup.workspace, quota=Quota.ITEMS, limit=0)
    refused = announce(setup, 10)
    assert (refused.status_code, refused.json()["code"]) == (403, "items_quota_exceeded")


def test_items_that_are_announced_count(setup):
    quota_set(workspace=setup.workspace, quota=Quota.ITEMS, limit=2)
    assert [announce(setup, 10).status_code for _ in range(3)] == [201, 201, 403]


def test_of_a_forgotten_announcement_what_came_counts(setup):
    quota_set(workspace=setup.workspace, quota=Quota.STORAGE_BYTES, limit=1000)
    quota_set(workspace=setup.workspace, quota=Quota.ITEMS, limit=2)
    assert announce(setup, 900).status_code == 201
    Upload.objects.update(touched_at=timezone.now() - COUNTS_FOR, received_bytes=300)
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) == 300
    assert announce(setup, 701).status_code == 507
    assert [announce(setup, 350).status_code for _ in range(2)] == [201, 201]


def test_a_batch_counts_once_as_announced_or_as_items(setup):
    batch = {"dataset": setup.dataset, "name": "b", "kind": "batch", "size_bytes": 900}
    Upload.objects.create(**batch, received_bytes=300)
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) == 600
    assert quota_used(setup.workspace.id, Quota.ITEMS) == 0
    Upload.objects.update(touched_at=timezone.now() - COUNTS_FOR)
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) == 0


@pytest.mark.parametrize("task", ["image_classification", "tabular_prediction"])
def test_one_file_brings_no_more_items_than_the_quota_holds(db, home, task):
    setup = setup_make(task=task)

    def send(numbers: range) -> Upload:
        if task == "image_classification":
            return ingest(setup.dataset, zip_of({f"{number}.png": picture(number) for number in numbers}))
        table = "\n".join(["name,size", *(f"n{number},{number}" for number in numbers)])
        return ingest(setup.dataset, table.encode(), name="t.csv", kind="file")

    quota_set(workspace=setup.workspace, quota=Quota.ITEMS, limit=5)
    assert send(range(4)).num_items == 4
    with pytest.raises(ItemsQuotaError) as refused:
        send(range(2, 6))
    assert (refused.value.extra["used"], refused.value.extra["limit"]) == (4, 5)
    assert quota_used(setup.workspace.id, Quota.ITEMS) - 1 == 4  # the upload itself is under way until its job ends
    assert AuditRow.objects.filter(action="quota.exceeded").count() == 1


def test_jobs_are_refused_with_a_time_to_come_back(setup):
    quota_set(workspace=setup.workspace, quota=Quota.JOBS, limit=0)
    with pytest.raises(JobsQuotaError) as refused, quota_claimed(setup.workspace.id, {Quota.JOBS: 1}):
        raise AssertionError("let in")
    assert refused.value.extra["retry_after_s"] == 30


def test_the_installation_s_limit_and_a_workspace_s_own(setup, settings):
    settings.QUOTAS = {**settings.QUOTAS, "items": 5}
    assert quota_limit(setup.workspace.id, Quota.ITEMS) == 5
    out = io.StringIO()
    call_command("quota", setup.workspace.id, "items=7", stdout=out)
    assert quota_limit(setup.workspace.id, Quota.ITEMS) == 7
    assert "of 7" in out.getvalue()
    call_command("quota", setup.workspace.id, "items=unlimited", stdout=out)
    assert quota_limit(setup.workspace.id, Quota.ITEMS) is None
    call_command("quota", setup.workspace.id, "items=default", stdout=out)
    assert quota_limit(setup.workspace.id, Quota.ITEMS) == 5
    assert AuditRow.objects.filter(action="quota.set").count() == 3
    for wrong in ("weather=1", "items=many"):
        with pytest.raises(CommandError):
            call_command("quota", setup.workspace.id, wrong, stdout=out)


def test_an_owner_sees_what_takes_the_storage_of_each_project(setup):
    announce(setup, 500)
    gallery = Gallery.objects.create(project=setup.project, name="Faces", false_match_rate="0.01", created_by="usr_x")
    GalleryEntry.objects.create(gallery=gallery, name="a.png", blob="0" * 64, size_bytes=700, created_by="usr_x")
    gone = project_create(workspace=setup.workspace, name="Gone", task="image_similarity", actor=setup.actor)
    other = Gallery.objects.create(project=gone, name="Old", false_match_rate="0.01", created_by="usr_x")
    GalleryEntry.objects.create(gallery=other, name="a.png", blob="0" * 64, size_bytes=90, created_by="usr_x")
    project_delete(project=gone, actor=setup.actor)
    found = setup.client().get(f"/api/workspaces/{setup.workspace.id}/operation").json()["projects"]
    assert [(one["name"], one["is_deleted"], one["storage_bytes"], one["parts"]) for one in found] == [
        ("Flowers", False, 1200, {"data": 500, "galleries": 700}),
        ("Gone", True, 90, {"galleries": 90}),
    ]
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) == 1290


def test_what_others_use_does_not_count(setup):
    other = setup_make(email="eve@example.org")
    announce(other, 500)
    assert quota_used(setup.workspace.id, Quota.STORAGE_BYTES) == 0


@pytest.mark.django_db(transaction=True)
def test_callers_side_by_side_get_no_more_than_there_is(setup):
    quota_set(workspace=setup.workspace, quota=Quota.STORAGE_BYTES, limit=1000)

    def announce_one(number: int) -> bool:
        try:
            upload_create(dataset=setup.dataset, actor=setup.actor, name=f"{number}.png", size_bytes=100, kind="file")
        except StorageQuotaError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        granted = list(pool.map(announce_one, range(24)))
    assert sum(granted) == 10
    assert Upload.objects.filter(dataset=setup.dataset).count() == 10
