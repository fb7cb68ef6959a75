"""A project of rows by the API alone: a table goes up, a target is chosen, rows are labelled from it, a version is cut."""

from __future__ import annotations

import hashlib
import json

import pyarrow.parquet as pq
import pytest
from django.test import Client

from automl.contracts.dataset import content_hash
from automl.contracts.table import Row
from studio.common.blobs import blobs
from studio.datasets.handlers import job_run
from studio.datasets.manifest import version_all_items, version_tree
from studio.datasets.models import DatasetVersion, Item
from studio.jobs.models import Job
from tests.data_room import InMemoryReporter, Room, home, ingest, room_make

__all__ = ["home"]

NAMES = ("Gentoo", "Adelie", "Chinstrap")


def table(num_rows: int = 60) -> bytes:
    lines = ["species,island,bill_mm,mass_g,seen"]
    lines += [
        f"{NAMES[row % 3]},{('Dream', 'Biscoe')[row % 2]},{38 + row % 3 * 5 + row / 100},"
        f"{3000 + 7 * row},2024-01-{row % 28 + 1:02d}"
        for row in range(num_rows)
    ]
    return ("\n".join(lines) + "\n").encode()


@pytest.fixture
def rows(db, home) -> Room:
    """A project that predicts a category."""
    return room_make(task="tabular_prediction")


@pytest.fixture
def numbers(db, home) -> Room:
    """A project that predicts a number."""
    return room_make(task="tabular_prediction", options={"predicts": "number"})


def columns(client: Client, room: Room) -> dict:
    answer = client.get(f"/api/datasets/{room.dataset.id}/columns")
    assert answer.status_code == 200, answer.content
    return answer.json()


def columns_put(client: Client, room: Room, body: dict):
    return client.put(f"/api/datasets/{room.dataset.id}/columns", body, content_type="application/json")


def target_set(client: Client, room: Room, name: str | None, *, is_run: bool = True, **more) -> InMemoryReporter:
    """Chooses a target and runs the job."""
    now = columns(client, room)
    for column in now["columns"]:
        if column["role"] == "target":
            column["role"] = "feature"
        if column["name"] == name:
            column["role"] = "target"
    answer = columns_put(client, room, {"columns": now["columns"], "revision": now["revision"], **more})
    assert answer.status_code == 200, answer.content
    reporter = InMemoryReporter()
    if is_run:
        job_run(Job.objects.get(id=answer.json()["job"]["id"]), reporter)
    room.refresh()
    return reporter


def items(client: Client, room: Room, **query) -> list[dict]:
    answer = client.get(f"/api/datasets/{room.dataset.id}/items", {"limit": 200, **query})
    assert answer.status_code == 200, answer.content
    return answer.json()["items"]


def test_a_table_from_upload_to_version(rows):
    client = rows.client()
    assert columns(client, rows)["columns"] == []
    upload = ingest(rows.dataset, table(), name="penguins.csv", kind="file", labels="auto")
    assert (upload.state, upload.num_items, upload.num_labelled, upload.num_duplicates) == ("done", 60, 0, 0)
    found = columns(client, rows)
    kinds = {column["name"]: (column["kind"], column["role"]) for column in found["columns"]}
    assert list(kinds) == ["species", "island", "bill_mm", "mass_g", "seen"]
    assert kinds["species"] == ("category", "feature")
    assert kinds["mass_g"][0] == "number"
    assert kinds["seen"][0] == "datetime"
    assert found["target"] is None
    assert found["suggested_target"] is not None

    page = items(client, rows)
    first = page[0]
    assert (first["name"], first["text"], first["media"]["num_cells"], first["media"]["format"]) == (
        "penguins.csv#2",
        None,
        5,
        "row",
    )
    assert first["row"]["cells"] == {
        "species": "Gentoo", "island": "Dream", "bill_mm": "38.0", "mass_g": "3000", "seen": "2024-01-01"
    }  # fmt: skip
    assert first["blob"] == hashlib.sha256(Row(cells=first["row"]["cells"]).canonical().encode()).hexdigest()
    assert not blobs().exists(first["blob"])
    assert client.get(first["picture_url"]).json() == {"cells": first["row"]["cells"]}
    assert client.get(first["thumbnail_url"]).json()["code"] == "no_thumbnail"

    target_set(client, rows, "species")
    assert rows.project.labels.names == ("Adelie", "Chinstrap", "Gentoo")
    summary = client.get(f"/api/datasets/{rows.dataset.id}/summary").json()
    assert summary["by_label"] == {"Adelie": 20, "Chinstrap": 20, "Gentoo": 20}
    assert (summary["items"], summary["annotated"]) == (60, 60)

    answer = client.post("/api/labeling/snapshots", {"project": rows.project.id}, content_type="application/json")
    assert answer.status_code == 201, answer.content
    version = answer.json()
    assert [column["role"] for column in version["columns"]] == ["target", "feature", "feature", "feature", "feature"]
    records = list(version_all_items(DatasetVersion.objects.get(id=version["id"])))
    manifest = json.loads((version_tree(version["id"]) / "version.json").read_text())
    assert manifest["content_sha256"] == content_hash(records)
    assert [record.row for record in records] == [item.text for item in Item.objects.order_by("id")]
    stored = pq.read_table(version_tree(version["id"]) / "items-00000.parquet")
    assert stored.column("num_cells").to_pylist() == [5] * 60
    shown = client.get(f"/api/versions/{version['id']}/items?limit=100").json()["items"]
    assert [one["row"]["cells"] for one in shown] == [one["row"]["cells"] for one in page]
