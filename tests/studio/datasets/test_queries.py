"""The commonest calls cost a fixed number of queries, whatever they find: a gate against one query a row."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studio.datasets.models import Item
from tests.data_room import ingest, picture, zip_of

LIMIT = 8
"""Of a call that reads: session, person with memberships, project or dataset, and five for the work."""
COMMONEST = {
    "who am I": (3, "/api/auth/me"),
    "list of projects": (4, "/api/projects"),
    "project": (4, "/api/projects/{project}"),
    "summary": (6, "/api/datasets/{dataset}/summary"),
    "choices of the filters": (7, "/api/datasets/{dataset}/facets"),
    "page of 50": (5, "/api/datasets/{dataset}/items?limit=50"),
    "page of 50 by label and state": (7, "/api/datasets/{dataset}/items?limit=50&label=rose&state=annotated"),
    "thumbnail": (3, "/api/items/{item}/thumbnail?size=256"),
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
def filled(room):
    ingest(room.dataset, zip_of({f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n) for n in range(6)}), labels="folder")
    room.refresh()
    return room


def queries(call) -> int:
    with CaptureQueriesContext(
        connection,
    ) as caught:
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


def test_saving_a_journal_costs_just_so_many_queries(filled):
    client = filled.client()
    numbers = []
    for item in Item.objects.order_by("id")[:3]:
        after = [{"kind": "class", "label": "tulip"}]
        change = {"item": item.id, "operation": str(uuid.uuid4()), "before": item.annotations, "after": after}
        body = {"changes": [change]}
        numbers.append(queries(lambda body=body: client.put("/api/labeling/changes", body, content_type="application/json")))
    assert max(numbers) <= 13, numbers


def test_taking_the_next_items_costs_just_so_many_queries(filled):
    client = filled.client()
    body = {"project": filled.project.id, "prefetch": 4, "skip": []}
    numbers = [
        queries(lambda: client.post("/api/labeling/assignments", body, content_type="application/json")) for _ in range(2)
    ]
    assert max(numbers) <= 12, numbers


def test_saving_costs_a_fixed_number_of_queries(filled):
    client = filled.client()
    numbers = []
    for item in Item.objects.order_by("id")[:3]:
        body = {"annotations": [{"kind": "class", "label": "tulip"}], "revision": item.revision, "operation": str(uuid.uuid4())}
        url = f"/api/labeling/items/{item.id}/annotations"
        numbers.append(queries(lambda url=url, body=body: client.put(url, body, content_type="application/json")))
    assert max(numbers) <= 14, numbers
