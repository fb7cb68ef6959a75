"""Every endpoint of the platform with a project of rows: what does not fit rows says so, and nothing breaks."""

from __future__ import annotations

import copy
import io
import json
import re
import zipfile

import pytest

from automl.contracts.table import ColumnKind, ColumnRole
from labeling.campaigns.services import CampaignPlan, campaign_create
from labeling.comments.models import Comment
from studio.datasets.handlers import job_run
from studio.datasets.items.table_schema import schema_of
from studio.datasets.models import BulkChange, DatasetVersion, Item
from studio.datasets.tables.columns import columns_set
from studio.datasets.uploads.services import upload_create
from studio.datasets.versions.manifest import version_commit
from studio.jobs.models import Job
from tests.studio import test_rights
from tests.studio.rights import CLASS, ENTRIES, PICTURE, Entry, Ids
from tests.support.project_setup import InMemoryReporter, ProjectSetup, home, ingest, setup_make

pytestmark = pytest.mark.both_databases

__all__ = ["home"]

VALUE = [{"kind": "value", "value": 7.5}]
UNFIT = {
    "GET /items/{item}/thumbnail": "no_thumbnail",
    "GET /labeling/items/{item}/evidence": "evidence_unfit",
    "POST /labeling/map": "map_too_small",
}
"""What rows are not for."""


def table_make(setup: ProjectSetup, *, target: str) -> None:
    """Forty rows, labelled from a column."""
    rows = [f"{('cat', 'dog')[n % 2]},{n * 1.5},{n % 7},{'red' if n % 3 else 'blue'}" for n in range(40)]
    ingest(setup.dataset, "\n".join(["kind,price,age,color", *rows]).encode(), name="pets.csv", kind="file")
    target_choose(setup, target)


def target_choose(setup: ProjectSetup, target: str) -> None:
    setup.dataset.refresh_from_db()
    columns = [
        one.model_copy(
            update={"role": ColumnRole.TARGET, "kind": ColumnKind.NUMBER if target == "price" else ColumnKind.CATEGORY}
        )
        if one.name == target
        else one.model_copy(update={"role": ColumnRole.FEATURE})
        for one in schema_of(setup.dataset).columns
    ]
    revision = setup.dataset.columns_revision
    _, job = columns_set(dataset=setup.dataset, columns=columns, revision=revision, actor=setup.actor)
    job_run(Job.objects.get(id=job.id), InMemoryReporter())
    setup.refresh()
    setup.dataset.refresh_from_db()


@pytest.fixture(params=["category", "number"])
def world(request, db, home) -> tuple[ProjectSetup, Ids, bool]:
    setup = setup_make(task="tabular_prediction", options={"predicts": request.param})
    is_number = request.param == "number"
    table_make(setup, target="price" if is_number else "kind")
    version, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    return setup, Ids(things(setup, version)), is_number


def things(setup: ProjectSetup, version: DatasetVersion) -> dict[str, str]:
    """One of everything that the endpoints of datasets and labelling name."""
    project, workspace = setup.project, setup.workspace
    member = setup.member("member")
    item = Item.objects.filter(dataset=setup.dataset).order_by("id").values_list("id", flat=True)[0]
    campaign = campaign_create(
        dataset=setup.dataset, plan=CampaignPlan(title="C", people=[member.id, setup.owner.id], items=[item]), actor=setup.actor
    )
    by = {"kind": "user", "id": member.id, "name": "M"}
    bulk = BulkChange.objects.create(dataset=setup.dataset, created_by=by, kind="delete", change={}, state="done")
    comment = Comment.objects.create(dataset=setup.dataset, item_id=item, author=f"person:{member.id}", text="?", operation="1")
    upload = upload_create(dataset=setup.dataset, actor=setup.actor, name="a.csv", size_bytes=len(PICTURE), kind="file")
    return {
        "workspace_id": workspace.id,
        "user_id": member.id,
        "project_id": project.id,
        "project": project.id,
        "dataset": setup.dataset.id,
        "item": item,
        "campaign": campaign.id,
        "change": bulk.id,
        "comment": comment.id,
        "upload": upload.id,
        "version": version.id,
        "name": "pets",
    }


def as_number(value):
    """The same request with a number where it says a class."""
    if value == CLASS:
        return VALUE
    if isinstance(value, dict):
        return {key: as_number(one) for key, one in value.items()}
    return [as_number(one) for one in value] if isinstance(value, list) else value


def needs_other(ids: Ids, endpoint: str, entry: Entry) -> bool:
    """Whether a request names a thing of another app: a study, a model, a service."""
    named = re.findall(r"{([a-z_0-9]+)}", f"{endpoint} {entry.query} {json.dumps(entry.body, default=str)}")
    return not set(named) <= set(ids.values)


def test_no_endpoint_breaks(world):
    setup, ids, is_number = world
    client = setup.client()
    answers = {}
    for endpoint, given in ENTRIES.items():
        entry = Entry(**copy.deepcopy(vars(given)))
        if needs_other(ids, endpoint, entry):
            continue
        if is_number and isinstance(entry.body, dict):
            entry = Entry(entry.needs, as_number(entry.body), entry.query, entry.form)
        answer = test_rights.call(client, endpoint, entry, ids)
        answers[endpoint] = answer
        assert answer.status_code != 500, (endpoint, answer.content)
    for endpoint, code in UNFIT.items():
        assert test_rights.code(answers[endpoint]) == code, endpoint
    annotation = answers["PUT /labeling/items/{item}/annotations"]
    assert annotation.status_code == 200, annotation.content
    assert annotation.json()["item"]["row"]["cells"]["age"] == "0"


def test_every_endpoint_answers_what_it_should(world):
    setup, ids, is_number = world
    client = setup.client()
    item = ids.values["item"]
    annotation = VALUE if is_number else CLASS
    body = {"annotations": annotation, "revision": 1, "operation": "3f0b9c1e-0000-4b3c-9d2e-0123456789ab"}
    saved = client.put(f"/api/labeling/items/{item}/annotations", body, content_type="application/json")
    assert saved.status_code == 200, saved.content
    assert saved.json()["item"]["annotations"][0] == saved.json()["item"]["annotations"][0] | annotation[0]
    history = client.get(f"/api/labeling/history?item={item}").json()
    assert history
    wrong = client.put(
        f"/api/labeling/items/{item}/annotations",
        body
        | {"annotations": CLASS if is_number else VALUE, "revision": 2, "operation": "3f0b9c1e-0000-4b3c-9d2e-0123456789ac"},
        content_type="application/json",
    )
    assert wrong.status_code == 422
    twice = {"annotations": [*annotation, *annotation], "revision": 2, "operation": "3f0b9c1e-0000-4b3c-9d2e-0123456789ad"}
    assert client.put(f"/api/labeling/items/{item}/annotations", twice, content_type="application/json").status_code == 422
    diff = client.get(f"/api/projects/{setup.project.id}/diff/items?before={ids.values['version']}&after=working").json()
    assert [one["aspects"] for one in diff["items"]] == [["annotations", "provenance"] if is_number else ["provenance"]]
    written = b"".join(client.get(f"/api/versions/{ids.values['version']}/download"))
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        lines = archive.read("rows.csv").decode("utf-8-sig").splitlines()
    assert lines[0] == "kind,price,age,color,modelyard_target,split,modelyard_item"
    assert lines[1].split(",")[4] == ("0" if is_number else "cat")
    wrong = client.get(f"/api/versions/{ids.values['version']}/download?format=yolo")
    assert (wrong.status_code, "table_rows" in wrong.json()["detail"]) == (422, True)
    assist = client.get(f"/api/labeling/assist?project={setup.project.id}").json()
    assert (assist["search_by"], assist["features_done"]) == (None, 0)


def test_a_version_brings_cells_and_columns_back(world):
    setup, ids, _ = world
    client = setup.client()
    item = ids.values["item"]
    before = client.get(f"/api/items/{item}").json()
    changed = client.patch(
        f"/api/items/{item}/cells", {"cells": {"age": "99"}, "blob": before["blob"]}, content_type="application/json"
    ).json()
    assert changed["row"]["cells"]["age"] == "99"
    columns = client.get(f"/api/datasets/{setup.dataset.id}/columns").json()
    for column in columns["columns"]:
        column["role"] = "ignored" if column["name"] == "color" else column["role"]
    put = client.put(f"/api/datasets/{setup.dataset.id}/columns", columns, content_type="application/json")
    assert put.status_code == 200, put.content
    diff = client.get(f"/api/projects/{setup.project.id}/diff/items?before={ids.values['version']}&after=working").json()[
        "items"
    ]
    assert [(one["aspects"], one["row_before"]["cells"]["age"], one["row_after"]["cells"]["age"]) for one in diff] == [
        (["row"], "0", "99")
    ]
    job = client.post(
        "/api/labeling/restores",
        {"project": setup.project.id, "version": ids.values["version"]},
        content_type="application/json",
    )
    assert job.status_code in {200, 202}, job.content
    found = Job.objects.filter(kind="restore").order_by("-id").first()
    if found.state != "succeeded":
        from labeling.branching.handlers import job_run as restore_run

        restore_run(found, InMemoryReporter())
    after = client.get(f"/api/items/{item}").json()
    assert (after["row"], after["blob"]) == (before["row"], before["blob"])
    roles = {one["name"]: one["role"] for one in client.get(f"/api/datasets/{setup.dataset.id}/columns").json()["columns"]}
    assert roles["color"] == "feature"


def test_numbers_of_several_people_agree_or_wait_for_a_judge(db, home):
    setup = setup_make(task="tabular_prediction", options={"predicts": "number"})
    table_make(setup, target="price")
    people = [setup.member(name) for name in ("bea", "cal")]
    chosen = list(Item.objects.filter(dataset=setup.dataset).order_by("id").values_list("id", flat=True)[:3])
    plan = CampaignPlan(title="C", people=[one.id for one in people], items=chosen, opinions_per_item=2)
    campaign = campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)
    answers = {chosen[0]: (7.5, 7.5), chosen[1]: (0.1 + 0.2, 0.3), chosen[2]: (10.0, 20.0)}
    for at, person in enumerate(people):
        client = setup.client(person)
        for number, (item, values) in enumerate(answers.items()):
            body = {
                "annotations": [{"kind": "value", "value": values[at]}],
                "operation": f"{at}{number}0b9c1e-5a64-4b3c-9d2e-01",
            }
            path = f"/api/labeling/campaigns/{campaign.id}/items/{item}"
            assert client.put(path, body, content_type="application/json").status_code in {200, 204}
    client = setup.client()
    disputes = client.get(f"/api/labeling/campaigns/{campaign.id}/disputes").json()["items"]
    assert [one["item"]["item"] for one in disputes] == [chosen[2]]
    assert set(disputes[0]["item"]["row"]["cells"]) == {"kind", "age", "color"}  # the price would tell the answer
    shown = client.get(f"/api/labeling/campaigns/{campaign.id}/items/{chosen[0]}/picture")
    assert set(shown.json()["cells"]) == {"kind", "age", "color"}
    report = client.get(f"/api/labeling/campaigns/{campaign.id}/report").json()
    assert 0.5 < report["alpha"] < 1.0
    assert report["mean_iou"] is None
    merged = client.post(f"/api/labeling/campaigns/{campaign.id}/merge", {}, content_type="application/json").json()
    assert merged["num_items"] == 0  # a dispute about numbers is for a person
    judged = client.post(
        f"/api/labeling/campaigns/{campaign.id}/disputes/{chosen[2]}",
        {"annotations": [{"kind": "value", "value": 15.0}]},
        content_type="application/json",
    )
    assert judged.status_code in {200, 204}, judged.content
    assert client.get(f"/api/items/{chosen[2]}").json()["annotations"][0]["value"] == 15.0
