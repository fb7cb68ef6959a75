"""A project of texts by the API alone: a table goes up, its rows become items that their words find, a version is cut."""

from __future__ import annotations

import random

import pyarrow.parquet as pq
import pytest
from django.test import Client

from studio.datasets.handlers import job_run
from studio.datasets.versions.shards import version_tree
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, home, setup

__all__ = ["home", "setup"]

GOOD = ("服务很好", "房间干净，早餐丰富", "lovely staff,\nlovely view")
BAD = ("太吵了", "床单有污渍，前台态度差", 'the "sea view" is a car park')


def table() -> bytes:
    """Sixty reviews in the encoding of a Chinese Windows; two without a label."""
    chance, rows = random.Random(7), []
    for number in range(30):
        for words, label in ((GOOD, "好评"), (BAD, "差评")):
            text = f"{chance.choice(words)}（第{number}条）".replace('"', '""')
            rows.append(f'{number},"{text}",{label if number < 29 else ""}')
    return ("序号,评论内容,情感\r\n" + "\r\n".join(rows) + "\r\n").encode("gb18030")


@pytest.fixture
def client(setup) -> Client:
    return setup.client()


def post(client: Client, path: str, body: dict) -> dict:
    answer = client.post(path, body, content_type="application/json")
    assert answer.status_code in {200, 201, 202}, answer.content
    return answer.json()


def test_a_project_of_texts_from_a_table_to_a_version(setup, client):
    body = {"workspace": setup.workspace.id, "name": "Reviews", "task": "text_classification"}
    project = post(client, "/api/projects", body)
    dataset = project["dataset"]
    data = table()
    upload = post(client, f"/api/datasets/{dataset}/uploads", {"name": "评论.csv", "size_bytes": len(data), "kind": "file"})
    parts = f"/api/datasets/{dataset}/uploads/{upload['id']}/parts?offset=0"
    assert client.put(parts, data, content_type="application/octet-stream").status_code == 200
    job = post(client, f"/api/datasets/{dataset}/uploads/{upload['id']}/finish", {"labels": "auto"})["job"]
    job_run(Job.objects.get(id=job["id"]), InMemoryReporter())
    ended = client.get(f"/api/datasets/{dataset}/uploads/{upload['id']}").json()
    assert (ended["state"], ended["num_items"], ended["num_labelled"]) == ("done", 60, 58)

    page = client.get(f"/api/datasets/{dataset}/items?limit=100").json()["items"]
    first = page[0]
    assert len(page) == 60
    assert (first["name"], first["media"]["num_characters"]) == ("评论.csv#2", len(first["text"]))
    assert "（第0条）" in first["text"]
    assert [one["label"] for one in first["annotations"]] == ["好评"]
    assert client.get(first["picture_url"]).content.decode() == first["text"]

    found = client.get(f"/api/datasets/{dataset}/items", {"q": "第7条", "label": "差评"}).json()["items"]
    assert [one["name"] for one in found] == ["评论.csv#17"]
    assert client.get(f"/api/datasets/{dataset}/items", {"q": "SEA VIEW", "limit": 100}).json()["items"]
    assert client.get(f"/api/datasets/{dataset}/items", {"q": "第29条", "state": "unlabelled"}).json()["items"]

    version = post(client, "/api/labeling/snapshots", {"project": project["id"]})
    rows = client.get(f"/api/versions/{version['id']}/items?limit=100").json()["items"]
    shown = {one["id"]: one for one in page}
    assert len(rows) == 58
    for row in rows:
        assert row["text"] == shown[row["item"]]["text"]
        assert row["media"]["num_characters"] == len(row["text"])
        assert row["annotations"] == shown[row["item"]]["annotations"]
    stored = pq.read_table(version_tree(version["id"]) / "items-00000.parquet")
    assert stored.column("num_characters").to_pylist() == [len(row["text"]) for row in rows]
    assert version["num_annotations_by_label"] == {"好评": 29, "差评": 29}
