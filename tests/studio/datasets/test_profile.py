"""The profile of a table by the API: started, made, read, stale once something has changed."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from django.db import transaction
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from automl.contracts.job import JobState
from automl.contracts.table import COLUMNS_FILE, ROWS_FILE, TableProfile, TableSchema
from studio.common.models import Event
from studio.datasets.items.annotations import AnnotationWrite, annotations_write
from studio.datasets.models import Item
from studio.datasets.tables.profile_jobs import job_ended, job_prepare
from studio.jobs.models import Job
from studio.jobs.workdir import SPEC_FILE, job_workdir, workdir_keep
from tests.engine.jobs import run_here
from tests.studio.datasets.test_rows import columns, columns_put, rows, table, target_set
from tests.support.project_setup import ProjectSetup, home, ingest, setup_make

pytestmark = pytest.mark.both_databases("platform/studio/datasets/tables/profile_jobs.py")

__all__ = ["home", "rows"]


def url(setup: ProjectSetup) -> str:
    return f"/api/datasets/{setup.dataset.id}/profile"


def profile(setup: ProjectSetup) -> dict:
    answer = setup.client().get(url(setup))
    assert answer.status_code == 200, answer.content
    return answer.json()


def make(setup: ProjectSetup) -> Job:
    """Asks for a profile and makes it as a worker does."""
    answer = setup.client().post(url(setup))
    assert answer.status_code == 202, answer.content
    job = Job.objects.get(id=answer.json()["id"])
    workdir = job_workdir(job.id)
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / SPEC_FILE)
    assert run_here(workdir) == 0, (workdir / "events.jsonl").read_text()[-600:]
    workdir_keep(job.id, has_result=True)
    Job.objects.filter(id=job.id).update(state=JobState.SUCCEEDED.value, ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))
    return job


@pytest.fixture
def penguins(rows) -> ProjectSetup:
    ingest(rows.dataset, table(120), name="penguins.csv", kind="file", labels="auto")
    rows.refresh()
    rows.dataset.refresh_from_db()
    return rows


def test_a_profile_is_made_and_read(penguins):
    assert profile(penguins) | {"dataset": ""} == {
        "dataset": "", "profile": None, "profiled_at": None, "is_stale": False, "job": None
    }  # fmt: skip
    target_set(penguins.client(), penguins, "species")
    job = make(penguins)
    found = profile(penguins)
    assert not found["is_stale"]
    assert found["job"]["id"] == job.id
    assert found["profiled_at"] is not None
    made = TableProfile.model_validate(found["profile"])
    assert made.num_rows == 120
    by_name = {column.name: column for column in made.columns}
    assert {one.value: one.count for one in by_name["species"].top} == {"Gentoo": 40, "Adelie": 40, "Chinstrap": 40}
    assert by_name["species"].target_association is None
    assert by_name["bill_mm"].target_association > 0.9
    assert by_name["island"].target_association < 0.1
    assert {(one.code.value, one.column) for one in made.warnings} >= {("leaks_target", "bill_mm")}
    assert Event.objects.filter(type="profile.made", subject=penguins.dataset.id).count() == 1


def test_the_job_is_given_all_living_rows_as_they_stand(penguins, tmp_path):
    target_set(penguins.client(), penguins, "species")
    first, second, third = Item.objects.order_by("id")[:3]
    Item.objects.filter(id=first.id).update(deleted_at=timezone.now())
    Item.objects.filter(id=second.id).update(annotations=None, state="unlabelled", annotated_at=None, provenance="")
    job = Job.objects.get(id=penguins.client().post(url(penguins)).json()["id"])
    spec = job_prepare(job, tmp_path)
    assert (spec.kind, spec.task) == ("profile", "tabular_prediction")
    written = pq.read_table(tmp_path / "data" / ROWS_FILE).to_pylist()
    living = list(Item.objects.filter(deleted_at=None).order_by("id"))
    assert [row["row"] for row in written] == [item.text for item in living]
    assert [row["split"] for row in written] == [item.split for item in living]
    assert written[0]["annotations"] == ""
    assert '"label"' in written[1]["annotations"]
    assert third.id == living[1].id
    penguins.dataset.refresh_from_db()
    assert TableSchema.read(tmp_path / "data" / COLUMNS_FILE) == TableSchema.model_validate(penguins.dataset.columns)


def change_column(setup: ProjectSetup, **changes: str) -> None:
    now = columns(setup.client(), setup)
    now["columns"][1].update(changes)
    assert columns_put(setup.client(), setup, now).status_code == 200


def edit_cell(setup: ProjectSetup) -> None:
    """Another island of as many letters: neither the number of rows nor that of bytes changes."""
    item = Item.objects.filter(dataset=setup.dataset, deleted_at=None, text__contains="Dream").first()
    answer = setup.client().patch(
        f"/api/items/{item.id}/cells", {"cells": {"island": "Tower"}, "blob": item.blob}, content_type="application/json"
    )
    assert answer.status_code == 200, answer.content


def say_otherwise(setup: ProjectSetup) -> None:
    item = Item.objects.filter(dataset=setup.dataset).order_by("id").first()
    label = next(name for name in setup.project.labels.names if name != item.annotations[0]["label"])
    write = AnnotationWrite(item, [ClassLabel(label=label)], "person:usr_x")
    with transaction.atomic():
        annotations_write(writes=[write], at=timezone.now())


CHANGES = {
    "kind of a column": lambda setup: change_column(setup, kind="text"),
    "more rows": lambda setup: ingest(setup.dataset, table(130), name="more.csv", kind="file", labels="auto"),
    "fewer rows": lambda setup: Item.objects.filter(id=Item.objects.order_by("id")[4].id).update(deleted_at=timezone.now()),
    "cell": edit_cell,
    "label": say_otherwise,
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_profile_is_stale_once_something_has_changed(penguins, change):
    target_set(penguins.client(), penguins, "species")
    make(penguins)
    assert not profile(penguins)["is_stale"]
    CHANGES[change](penguins)
    found = profile(penguins)
    assert found["is_stale"]
    assert found["profile"] is not None
    make(penguins)
    assert not profile(penguins)["is_stale"]


def test_a_profile_holds_when_a_column_is_ignored_until_it_is_learned_from_again(penguins):
    target_set(penguins.client(), penguins, "species")
    make(penguins)
    change_column(penguins, role="ignored")
    assert not profile(penguins)["is_stale"]
    make(penguins)
    assert not profile(penguins)["is_stale"]
    change_column(penguins, role="feature")
    assert profile(penguins)["is_stale"]


def test_a_repeated_request_gives_one_job_and_the_old_profile_stays_meanwhile(penguins):
    made = make(penguins)
    first, second = (penguins.client().post(url(penguins)).json() for _ in range(2))
    assert first["id"] == second["id"] != made.id
    found = profile(penguins)
    assert found["job"]["id"] == first["id"]
    assert found["profile"]["num_rows"] == 120
    Job.objects.filter(id=first["id"]).update(state=JobState.FAILED.value, ended_at=timezone.now())
    assert profile(penguins)["profile"]["num_rows"] == 120
    assert penguins.client().post(url(penguins)).json()["id"] != first["id"]


def test_a_profile_whose_file_is_lost_counts_as_none(penguins):
    job = penguins.client().post(url(penguins)).json()
    Job.objects.filter(id=job["id"]).update(state=JobState.SUCCEEDED.value, ended_at=timezone.now())
    found = profile(penguins)
    assert (found["profile"], found["is_stale"], found["job"]["id"]) == (None, False, job["id"])


def test_a_table_without_rows_and_items_that_are_no_rows_are_distinguished(rows):
    answer = rows.client().post(url(rows))
    assert (answer.status_code, answer.json()["code"]) == (422, "profile_empty")
    pictures = setup_make(email="bob@example.org")
    for ask in (pictures.client().get, pictures.client().post):
        answer = ask(url(pictures))
        assert (answer.status_code, answer.json()["code"]) == (404, "no_columns")
