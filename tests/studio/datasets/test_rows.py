"""A project of rows by the API alone: a table goes up, a target is chosen, rows are labelled from it, a version is cut."""

from __future__ import annotations

import hashlib
import io
import json

import pyarrow.parquet as pq
import pytest
from django.test import Client

from automl.contracts.dataset import content_hash
from automl.contracts.table import Column, ColumnKind, Row, TableSchema
from studio.common.blobs import blobs
from studio.datasets.files.table_options import TableOptions
from studio.datasets.handlers import job_run
from studio.datasets.items.counts import counts_counted, counts_of
from studio.datasets.models import DatasetVersion, Item
from studio.datasets.tables.errors import TooManyClassesError
from studio.datasets.tables.target import target_suggested
from studio.datasets.tables.targets import category, number
from studio.datasets.versions.manifest import version_all_items
from studio.datasets.versions.shards import version_tree
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, ingest, setup, setup_make, zip_of

pytestmark = pytest.mark.both_databases(
    "platform/studio/datasets/tables/bulk_rows.py",
    "platform/studio/datasets/tables/row_write.py",
)

__all__ = ["home", "setup"]

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
def rows(db, home) -> ProjectSetup:
    """A project that predicts a category."""
    return setup_make(task="tabular_prediction")


@pytest.fixture
def numbers(db, home) -> ProjectSetup:
    """A project that predicts a number."""
    return setup_make(task="tabular_prediction", options={"predicts": "number"})


def columns(client: Client, setup: ProjectSetup) -> dict:
    answer = client.get(f"/api/datasets/{setup.dataset.id}/columns")
    assert answer.status_code == 200, answer.content
    return answer.json()


def columns_put(client: Client, setup: ProjectSetup, body: dict):
    return client.put(f"/api/datasets/{setup.dataset.id}/columns", body, content_type="application/json")


def target_set(client: Client, setup: ProjectSetup, name: str | None, *, is_run: bool = True, **more) -> InMemoryReporter:
    """Chooses a target and runs the job."""
    now = columns(client, setup)
    for column in now["columns"]:
        if column["role"] == "target":
            column["role"] = "feature"
        if column["name"] == name:
            column["role"] = "target"
    answer = columns_put(client, setup, {"columns": now["columns"], "revision": now["revision"], **more})
    assert answer.status_code == 200, answer.content
    reporter = InMemoryReporter()
    if is_run:
        job_run(Job.objects.get(id=answer.json()["job"]["id"]), reporter)
    setup.refresh()
    return reporter


def items(client: Client, setup: ProjectSetup, **query) -> list[dict]:
    answer = client.get(f"/api/datasets/{setup.dataset.id}/items", {"limit": 200, **query})
    assert answer.status_code == 200, answer.content
    return answer.json()["items"]


def test_what_is_measured_in_a_unit_is_not_suggested_as_a_category():
    price = Column(name="price", kind=ColumnKind.NUMBER, units=("¥",))
    schema = TableSchema(
        columns=(price, Column(name="fits", kind=ColumnKind.CATEGORY), Column(name="note", kind=ColumnKind.TEXT))
    )
    assert target_suggested(schema, category.KIND) == "fits"
    assert target_suggested(schema, number.KIND) == "price"


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
    assert first["thumbnail_url"] is None
    assert client.get(f"/api/items/{first['id']}/thumbnail").json()["code"] == "no_thumbnail"

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


def test_equal_rows_of_a_file_count_and_the_file_again_brings_nothing(rows):
    data = b"a,b\n1,x\n1,x\n2,y\n1,x\n"
    first = ingest(rows.dataset, data, name="t.csv", kind="file")
    assert (first.num_items, first.num_duplicates) == (4, 0)
    copies = [json.loads(item.text).get("copy_number", 1) for item in Item.objects.order_by("id")]
    assert copies == [1, 2, 1, 3]
    again = ingest(rows.dataset, data + b"3,z\n", name="t.csv", kind="file")
    assert (again.num_items, again.num_duplicates) == (1, 4)
    other = ingest(rows.dataset, b"b;a\nx;1\n", name="other.csv", kind="file")
    assert (other.num_items, other.num_duplicates) == (0, 1)


def test_a_table_of_rows_is_read_as_a_person_says(rows):
    data = "1.250|Café\n2.500|Thé\n".encode("cp1252")
    said = {"separator": "|", "encoding": "windows-1252", "has_head": False, "decimal": ","}
    url = f"/api/datasets/{rows.dataset.id}/uploads/table-preview"
    query = {**said, "has_head": "false", "name": "prices.csv"}
    shown = rows.client().post(url, data, content_type="application/octet-stream", query_params=query).json()
    assert (shown["columns"], shown["rows"]) == (["", ""], [["1.250", "Café"], ["2.500", "Thé"]])
    assert shown["offered"] == ["decimal", "encoding", "has_head", "separator"]
    guessed = rows.client().post(f"{url}?name=p.csv", b"a;b\n1,5;x\n", content_type="text/csv").json()["options"]
    assert (guessed["separator"], guessed["decimal"], guessed["has_head"]) == (";", ",", True)
    ingest(rows.dataset, data, name="prices.csv", kind="file", table=TableOptions.model_validate(said))
    cells = [json.loads(text)["cells"] for text in Item.objects.order_by("id").values_list("text", flat=True)]
    assert cells == [{"column_1": "1.250", "column_2": "Café"}, {"column_1": "2.500", "column_2": "Thé"}]
    assert [column.get("decimal", ".") for column in columns(rows.client(), rows)["columns"]] == [",", "."]


def test_deleted_rows_come_back_with_the_file(rows):
    client = rows.client()
    ingest(rows.dataset, table(6), name="t.csv", kind="file")
    ids = [one["id"] for one in items(client, rows)]
    client.post(f"/api/datasets/{rows.dataset.id}/items/delete", {"items": ids[:2]}, content_type="application/json")
    again = ingest(rows.dataset, table(6), name="t.csv", kind="file")
    assert again.num_duplicates == 6
    assert [one["id"] for one in items(client, rows)] == ids
    assert counts_of(rows.dataset.id) == counts_counted(rows.dataset.id)


def test_an_archive_of_tables_with_splits_by_name(rows):
    data = zip_of({"train.csv": b"x,y\n1,a\n2,b\n", "test/part.jsonl": b'{"x": 3, "z": "new"}\n', "readme.md": b"hello"})
    upload = ingest(rows.dataset, data, name="all.zip")
    assert upload.num_items == 3
    assert Item.objects.get(name="test/part.jsonl#2").split == "test"
    # Nothing validates: one of the two training rows is set aside.
    assert {item.split for item in Item.objects.filter(name__startswith="train.csv")} == {"train", "validation"}
    assert [column["name"] for column in columns(rows.client(), rows)["columns"]] == ["x", "z", "y"]
    rejects = rows.client().get(f"/api/datasets/{rows.dataset.id}/uploads/{upload.id}/rejects").json()["items"]
    assert ("readme.md", "table_kind_unknown") in [(one["name"], one["code"]) for one in rejects]


def test_what_is_wrong_in_a_table_is_reported(rows):
    client = rows.client()
    data = b'a,b\n1,x\n2,"open\n3,y,z\n4,w\n' + b"".join(b"%d,q,r,s\n" % n for n in range(300))
    upload = ingest(rows.dataset, data, name="t.csv", kind="file")
    assert upload.num_items == 2
    url = f"/api/datasets/{rows.dataset.id}/uploads/{upload.id}/rejects?limit=200"
    page = client.get(url).json()
    rejects = page["items"] + client.get(f"{url}&cursor={page['next_cursor']}").json()["items"]
    assert ("t.csv:3", "table_quote_unclosed") in [(one["name"], one["code"]) for one in rejects]
    assert ("t.csv (× 101)", "table_row_too_wide") in [(one["name"], one["code"]) for one in rejects]
    broken = ingest(rows.dataset, b"PK\x03\x04nonsense", name="t.xlsx", kind="file")
    (only,) = client.get(f"/api/datasets/{rows.dataset.id}/uploads/{broken.id}/rejects").json()["items"]
    assert (broken.num_items, only["code"]) == (0, "label_file_broken")
    picture = client.post(
        f"/api/datasets/{rows.dataset.id}/uploads/batch", {"files": io.BytesIO(b"a,b\n1,2\n"), "paths": '["t.csv"]'}
    ).json()
    assert picture["items"][0]["code"] == "table_in_batch"


@pytest.mark.parametrize("name", ["keeps_annotations", "keeps_said"])
def test_changing_the_target_labels_anew_and_keeps_what_a_person_annotated(rows, name):
    """The second is the earlier name of the field."""
    client = rows.client()
    ingest(rows.dataset, table(12), name="t.csv", kind="file")
    target_set(client, rows, "species")
    first = items(client, rows)[0]
    body = {
        "annotations": [{"kind": "class", "label": "Chinstrap"}],
        "revision": first["revision"],
        "operation": "3f0b9c1e-0000-4b3c-9d2e-0123456789ab",
    }
    assert (
        client.put(f"/api/labeling/items/{first['id']}/annotations", body, content_type="application/json").status_code == 200
    )
    target_set(client, rows, "island")
    labels = [one["annotations"][0]["label"] for one in items(client, rows)]
    assert labels == ["Chinstrap", *["Biscoe", "Dream"] * 5, "Biscoe"]
    assert rows.project.labels.names == ("Chinstrap", "Biscoe", "Dream")
    target_set(client, rows, "island", labels_anew=True, **{name: False})
    assert items(client, rows)[0]["annotations"][0]["label"] == "Dream"
    target_set(client, rows, "species")
    assert [one["annotations"][0]["label"] for one in items(client, rows)][:3] == ["Gentoo", "Adelie", "Chinstrap"]
    assert set(rows.project.labels.names) == set(NAMES)
    target_set(client, rows, None)
    assert {one["state"] for one in items(client, rows)} == {"unlabelled"}
    assert rows.project.labels.names == ()
    assert counts_of(rows.dataset.id) == counts_counted(rows.dataset.id)


def test_rows_that_come_after_the_target_are_labelled_at_once(rows):
    client = rows.client()
    ingest(rows.dataset, table(6), name="t.csv", kind="file")
    target_set(client, rows, "species")
    upload = ingest(rows.dataset, b"species,island,mass_g\nKing,Crozet,15000\n,Crozet,1\n", name="more.csv", kind="file")
    assert (upload.num_items, upload.num_labelled) == (2, 1)
    new = items(client, rows)[-2:]
    assert [one["state"] for one in new] == ["annotated", "unlabelled"]
    assert new[0]["provenance"] == f"import:{upload.id}"
    rows.refresh()
    assert rows.project.labels.names[-1] == "King"
    assert counts_of(rows.dataset.id) == counts_counted(rows.dataset.id)


def test_numbers(numbers):
    client = numbers.client()
    upload = ingest(numbers.dataset, 'price,n\n"1,200.50",1\n€ 3,2\n,3\nunknown,4\n(5),5\n'.encode(), name="p.csv", kind="file")
    assert upload.num_items == 5
    now = columns(client, numbers)
    kinds = {column["name"]: column for column in now["columns"]}
    kinds["price"] |= {"kind": "category", "role": "target"}
    refused = columns_put(client, numbers, {"columns": now["columns"], "revision": now["revision"]})
    assert (refused.status_code, refused.json()["code"]) == (422, "columns_invalid")
    kinds["price"] |= {"kind": "number", "role": "target"}
    answer = columns_put(client, numbers, {"columns": now["columns"], "revision": now["revision"]})
    reporter = InMemoryReporter()
    job_run(Job.objects.get(id=answer.json()["job"]["id"]), reporter)
    values = [[annotation["value"] for annotation in one["annotations"]] for one in items(client, numbers)]
    assert values == [[1200.5], [3.0], [], [], [-5.0]]
    assert any(line.startswith("target_not_number: ") and line.endswith("(× 1)") for line in reporter.lines)
    later = ingest(numbers.dataset, b"price,n\nx,9\n8,8\n", name="q.csv", kind="file")
    assert (later.num_items, later.num_labelled) == (2, 1)
    rejects = client.get(f"/api/datasets/{numbers.dataset.id}/uploads/{later.id}/rejects").json()["items"]
    assert [(one["name"], one["code"]) for one in rejects] == [("q.csv#2", "target_not_number")]
    numbers.refresh()
    assert numbers.project.labels.names == ()


def test_too_many_classes_are_refused_and_nothing_changes(rows):
    client = rows.client()
    ingest(rows.dataset, b"word,n\n" + b"".join(b"w%d,%d\n" % (n, n % 3) for n in range(1001)), name="w.csv", kind="file")
    now = columns(client, rows)
    kinds = {column["name"]: column for column in now["columns"]}
    kinds["word"] |= {"kind": "category", "role": "target"}
    refused = columns_put(client, rows, {"columns": now["columns"], "revision": now["revision"]})
    assert (refused.status_code, refused.json()["code"]) == (422, "too_many_classes")
    assert refused.json()["extra"] == {"column": "word", "most": 1000}
    assert not Job.objects.filter(kind="label_rows").exists()
    assert columns(client, rows)["revision"] == now["revision"]


def test_too_many_classes_that_only_the_last_rows_show_are_refused_by_the_job(rows):
    client = rows.client()
    few, many = (b"".join(b"w%d,%d\n" % (n % most, n) for n in range(num)) for most, num in ((3, 20_000), (1001, 1001)))
    ingest(rows.dataset, b"word,n\n" + few, name="v.csv", kind="file")
    ingest(rows.dataset, b"word,n\n" + many, name="w.csv", kind="file")
    with pytest.raises(TooManyClassesError):
        target_set(client, rows, "word")
    rows.dataset.refresh_from_db()
    assert columns(client, rows)["target"] is None
    assert client.get(f"/api/datasets/{rows.dataset.id}/summary").json()["annotated"] == 0
    rows.refresh()
    assert rows.project.labels.names == ()


def test_somebody_was_faster(rows):
    client = rows.client()
    ingest(rows.dataset, table(6), name="t.csv", kind="file")
    now = columns(client, rows)
    now["columns"][1]["role"] = "ignored"
    body = {"columns": now["columns"], "revision": now["revision"]}
    assert columns_put(client, rows, body).status_code == 200
    stale = columns_put(client, rows, body)
    assert (stale.status_code, stale.json()["code"]) == (409, "columns_stale")
    assert stale.json()["extra"]["revision"] == now["revision"] + 1
    missing = columns_put(client, rows, {"columns": now["columns"][1:], "revision": now["revision"] + 1})
    assert (missing.status_code, missing.json()["code"]) == (422, "columns_invalid")
    two = [column | {"role": "target"} for column in now["columns"]]
    assert columns_put(client, rows, {"columns": two, "revision": now["revision"] + 1}).status_code == 422


def test_a_target_that_is_changed_while_rows_are_labelled_stops_the_first_job(rows):
    client = rows.client()
    ingest(rows.dataset, table(6), name="t.csv", kind="file")
    target_set(client, rows, "species", is_run=False)
    first = Job.objects.get(kind="label_rows")
    target_set(client, rows, "island")
    job_run(first, InMemoryReporter())  # it labels by the target that there is now
    assert {one["annotations"][0]["label"] for one in items(client, rows)} == {"Biscoe", "Dream"}


def test_search_looks_into_cells_and_not_at_names_of_columns(rows):
    client = rows.client()
    ingest(rows.dataset, 'price,note\n1,"100%_sure"\n2,Straße\n3,"a ""b"" c"\n4,价格便宜\n'.encode(), name="t.csv", kind="file")
    assert [one["name"] for one in items(client, rows, q="%_SU")] == ["t.csv#2"]
    assert [one["name"] for one in items(client, rows, q='"b"')] == ["t.csv#4"]
    assert [one["name"] for one in items(client, rows, q="价格")] == ["t.csv#5"]
    assert items(client, rows, q="price") == []
    assert len(items(client, rows, q="t.csv")) == 4


def test_cells_are_changed_with_history_and_undone(rows):
    client = rows.client()
    ingest(rows.dataset, table(6), name="t.csv", kind="file")
    target_set(client, rows, "species")
    before = items(client, rows)[0]

    def patch(cells: dict, blob: str):
        return client.patch(f"/api/items/{before['id']}/cells", {"cells": cells, "blob": blob}, content_type="application/json")

    changed = patch({"island": " Torgersen ", "seen": None}, before["blob"]).json()
    assert changed["row"]["cells"]["island"] == "Torgersen"
    assert "seen" not in changed["row"]["cells"]
    assert changed["media"]["num_cells"] == 4
    assert changed["annotations"] == before["annotations"]
    assert changed["split"] == before["split"]
    assert patch({"island": "x"}, before["blob"]).json()["code"] == "row_stale"
    assert patch({"species": "x"}, changed["blob"]).json()["code"] == "cells_invalid"
    assert patch({"nothing": "x"}, changed["blob"]).json()["code"] == "cells_invalid"
    assert patch(dict.fromkeys(["island", "bill_mm", "mass_g"]), changed["blob"]).status_code == 200
    (latest, first) = client.get(f"/api/items/{before['id']}/cells/history").json()
    assert first["row"]["cells"] == before["row"]["cells"]
    assert first["changed_by"]["id"] == rows.owner.id
    now = client.get(f"/api/items/{before['id']}").json()
    undone = client.post(f"/api/items/{before['id']}/cells/undo", {"blob": now["blob"]}, content_type="application/json").json()
    assert undone["row"] == latest["row"]
    twin = items(client, rows)[1]
    same = {name: cell for name, cell in before["row"]["cells"].items() if name != "species"}
    changed = client.patch(
        f"/api/items/{twin['id']}/cells", {"cells": same, "blob": twin["blob"]}, content_type="application/json"
    ).json()
    assert changed["row"]["cells"]["island"] == before["row"]["cells"]["island"]
    assert counts_of(rows.dataset.id) == counts_counted(rows.dataset.id)


def test_a_project_of_pictures_has_no_columns(setup):
    client = setup.client()
    assert client.get(f"/api/datasets/{setup.dataset.id}/columns").json()["code"] == "no_columns"
