"""The commonest calls cost a fixed number of queries, whatever they find: a gate against one query a row."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from labeling.assist.models import Assist
from studio.datasets.models import Item, ItemLabel
from tests.support.project_setup import ingest, picture, zip_of

pytestmark = pytest.mark.both_databases("platform/studio/projects/hooks.py", "platform/studio/datasets/uploads/label_import.py")

LIMIT = 8
"""Of a call that reads: session with person and memberships, project or dataset, and six for the work."""
COMMONEST = {
    "who am I": (2, "/api/auth/me"),
    "list of projects": (3, "/api/projects"),
    "project": (3, "/api/projects/{project}"),
    "summary": (5, "/api/datasets/{dataset}/summary"),
    "choices of the filters": (6, "/api/datasets/{dataset}/facets"),
    "page of 50": (4, "/api/datasets/{dataset}/items?limit=50"),
    "page of 50 by label and state": (6, "/api/datasets/{dataset}/items?limit=50&label=rose&state=annotated"),
    "thumbnail": (2, "/api/items/{item}/thumbnail?size=256"),
}
"""The calls of ``benchmarks.web_pages`` that only read, each with its number of queries."""
READS = {
    "projects": "/api/projects",
    "project": "/api/projects/{project}",
    "summary": "/api/datasets/{dataset}/summary",
    "facets": "/api/datasets/{dataset}/facets",
    "items": "/api/datasets/{dataset}/items",
    "items of a label": "/api/datasets/{dataset}/items?label=rose",
    "items of a mixture": "/api/datasets/{dataset}/items?label=rose&split=train&by=person:a&q=rose",
    "positions": "/api/datasets/{dataset}/items/positions",
    "item": "/api/items/{item}",
    "history": "/api/labeling/history?item={item}",
    "uploads": "/api/datasets/{dataset}/uploads",
    "versions": "/api/projects/{project}/versions",
    "jobs": "/api/jobs?project={project}",
    "statistics": "/api/labeling/stats?project={project}",
    "suggestions": "/api/labeling/suggestions?items={item}",
}


@pytest.fixture
def filled(setup):
    ingest(setup.dataset, zip_of({f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n) for n in range(6)}), labels="folder")
    setup.refresh()
    return setup


def queries(call) -> int:
    with CaptureQueriesContext(connection) as caught, TestCase.captureOnCommitCallbacks(execute=True):
        answer = call()
    assert answer.status_code == 200, answer.content
    borders = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
    return len([one for one in caught.captured_queries if not one["sql"].startswith(borders)])


@pytest.mark.parametrize("name", READS)
def test_reading_costs_few_queries(filled, name):
    item = Item.objects.first()
    url = READS[name].format(project=filled.project.id, dataset=filled.dataset.id, item=item.id)
    client = filled.client()
    client.get(url)
    assert queries(lambda: client.get(url)) <= LIMIT


@pytest.mark.parametrize("name", COMMONEST)
def test_the_commonest_reads_cost_just_so_many_queries(filled, name):
    item = Item.objects.first()
    num, address = COMMONEST[name]
    url = address.format(project=filled.project.id, dataset=filled.dataset.id, item=item.id)
    client = filled.client()
    client.get(url)
    assert queries(lambda: client.get(url)) == num


IS_POSTGRES = connection.vendor == "postgresql"
SAVED, SAVED_AGAIN = (4, 5) if IS_POSTGRES else (8, 10)
"""Session with person, item, what is written, and the mark of the head. PostgreSQL takes what is written in one message; on
SQLite these are the item, its label, its history, its lease and the event. Where something was said of the item, its history is
asked too; on SQLite the entry that is missing after an import is added apart."""
NUM_QUERIES = 5 if IS_POSTGRES else 6
"""Session with person, dataset, candidates, leases and items. PostgreSQL takes those that have run out with the candidates."""


def test_saving_a_journal_costs_just_so_many_queries(filled):
    client = filled.client()
    numbers = []
    item = Item.objects.order_by("id")[0]
    Item.objects.filter(id=item.id).update(annotations=None, state="unlabelled", annotated_at=None, revision=0, provenance="")
    ItemLabel.objects.filter(item=item).delete()
    before = None
    for label in ("rose", "tulip", "rose"):  # the first label of an item, and others in its place
        after = [{"kind": "class", "label": label}]
        change = {"item": item.id, "operation": str(uuid.uuid4()), "before": before, "after": after}
        body = {"changes": [change]}
        numbers.append(queries(lambda body=body: client.put("/api/labeling/changes", body, content_type="application/json")))
        before = after
    assert numbers == [SAVED, SAVED_AGAIN, SAVED_AGAIN]


def test_saving_over_an_import_or_in_sight_of_a_suggestion_costs_just_so_many_queries(filled):
    client = filled.client()
    item = Item.objects.order_by("id")[0]  # as it was imported: without an entry in its history
    after = [{"kind": "class", "label": "rose" if item.annotations[0]["label"] == "tulip" else "tulip"}]
    change = {"item": item.id, "operation": str(uuid.uuid4()), "before": item.annotations, "after": after}
    body = {"changes": [change]}
    assert queries(lambda: client.put("/api/labeling/changes", body, content_type="application/json")) == SAVED_AGAIN
    suggestion = {"by": "model:head_1", "annotations": item.annotations}
    back = change | {"operation": str(uuid.uuid4()), "before": after, "after": item.annotations, "suggestion": suggestion}
    number = queries(lambda: client.put("/api/labeling/changes", {"changes": [back]}, content_type="application/json"))
    assert number == SAVED_AGAIN + (not IS_POSTGRES)


def test_taking_the_next_items_costs_just_so_many_queries(filled):
    Item.objects.update(annotations=None, state="unlabelled", annotated_at=None, revision=0, provenance="")
    ids = list(Item.objects.order_by("id").values_list("id", flat=True))
    Assist.objects.create(dataset=filled.dataset, queue=ids[3:])
    client = filled.client()
    body = {"project": filled.project.id, "prefetch": 2, "skip": []}
    numbers = []
    for skip in ([], ids[:2], ids[3:4]):
        request = body | {"skip": skip}
        numbers.append(
            queries(lambda request=request: client.post("/api/labeling/assignments", request, content_type="application/json"))
        )
    assert numbers == [NUM_QUERIES] * 3


def test_saving_costs_a_fixed_number_of_queries(filled):
    client = filled.client()
    numbers = []
    for item in Item.objects.order_by("id")[:3]:
        body = {"annotations": [{"kind": "class", "label": "tulip"}], "revision": item.revision, "operation": str(uuid.uuid4())}
        url = f"/api/labeling/items/{item.id}/annotations"
        numbers.append(queries(lambda url=url, body=body: client.put(url, body, content_type="application/json")))
    assert max(numbers) == (5 if IS_POSTGRES else 9), numbers


def test_labels_of_a_table_cost_no_placeholder_an_item(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(60)}), labels="none")
    nums = []

    def count(execute, sql, params, many, context):
        if not many:
            nums.append(len(params or ()))
        return execute(sql, params, many, context)

    table = "\n".join(["file,label", *(f"{n}.png,rose" for n in range(60))]).encode()
    with connection.execute_wrapper(count):
        upload = ingest(setup.dataset, table, name="labels.csv", kind="labels_csv", labels="csv")
    assert upload.num_labelled == Item.objects.filter(annotations__isnull=False).count() == 60
    assert max(nums) < 60
