"""The commonest calls cost a fixed number of queries, whatever they find: a gate against one query a row."""

from __future__ import annotations

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from studio.datasets.models import Item
from tests.data_room import ingest, picture, zip_of

LIMIT = 8
"""Of a call that reads: session, person, memberships, project or dataset, workspace, and three for the work."""
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
    return len([one for one in caught.captured_queries if "SAVEPOINT" not in one["sql"]])


@pytest.mark.parametrize("name", READS)
def test_reading_costs_few_queries(filled, name):
    item = Item.objects.first()
    url = READS[name].format(project=filled.project.id, dataset=filled.dataset.id, item=item.id)
    client = filled.client()
    client.get(url)
    assert queries(lambda: client.get(url)) <= LIMIT


def test_saving_costs_a_fixed_number_of_queries(filled):
    client = filled.client()
    numbers = []
    for item in Item.objects.order_by("id")[:3]:
        body = {"annotations": [{"kind": "class", "label": "tulip"}], "revision": item.revision, "operation": str(uuid.uuid4())}
        url = f"/api/labeling/items/{item.id}/annotations"
        numbers.append(queries(lambda url=url, body=body: client.put(url, body, content_type="application/json")))
    assert max(numbers) <= 24, numbers
