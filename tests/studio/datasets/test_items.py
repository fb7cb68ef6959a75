"""Items: pages and filters, the label index, deleting and restoring, pictures, renamed labels."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from labeling.label_changes.plan import LabelRename
from labeling.label_changes.services import label_change_start
from studio.accounts.roles import Role
from studio.datasets.items.annotations import labels_rebuild
from studio.datasets.models import Item, ItemLabel
from studio.datasets.versions import problems
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases("platform/studio/datasets/items/lookup.py")


@pytest.fixture
def filled(setup):
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n) for n in range(9)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    ingest(setup.dataset, zip_of({f"plain-{n}.png": picture(100 + n) for n in range(4)}))
    setup.refresh()
    return setup


def walk(setup, **query) -> list[dict]:
    found, cursor = [], None
    while True:
        params = query | {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = setup.client().get(f"/api/datasets/{setup.dataset.id}/items", params).json()
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


def index() -> set[tuple[str, str]]:
    return set(ItemLabel.objects.values_list("item", "label"))


@pytest.mark.parametrize(
    ("query", "num"),
    [
        ({}, 13),
        ({"state": "annotated"}, 9),
        ({"state": "unlabelled"}, 4),
        ({"label": "tulip"}, 3),
        ({"label": "rose", "q": "rose/1"}, 1),
        ({"label": "unheard"}, 0),
        ({"q": "plain"}, 4),
    ],
)
def test_pages_and_filters(filled, query, num):
    found = walk(filled, **query)
    assert len({item["id"] for item in found}) == len(found) == num
    assert [item["id"] for item in found] == sorted(item["id"] for item in found)


def test_splits_partition_the_items(filled):
    parts = [walk(filled, split=split) for split in ("train", "validation", "test")]
    assert sum(len(part) for part in parts) == 13


def test_the_summary_counts(filled):
    found = filled.client().get(f"/api/datasets/{filled.dataset.id}/summary").json()
    assert (found["items"], found["annotated"], found["unlabelled"]) == (13, 9, 4)
    assert found["by_label"] == {"tulip": 3, "rose": 6}
    assert sum(found["by_split"].values()) == 13
    assert found["size_bytes"] == sum(Item.objects.values_list("size_bytes", flat=True))


def test_a_page_costs_the_same_number_of_queries_for_many_items(filled, django_assert_max_num_queries):
    client = filled.client()
    for limit in (2, 13):
        with django_assert_max_num_queries(8):
            client.get(f"/api/datasets/{filled.dataset.id}/items", {"limit": limit})


def test_deleting_hides_and_restoring_undoes(filled):
    client = filled.client()
    before = index()
    ids = [item["id"] for item in walk(filled, label="tulip")]
    url = f"/api/datasets/{filled.dataset.id}/items"
    assert client.post(f"{url}/delete", {"items": ids}, content_type="application/json").json() == {"num_items": 3}
    assert walk(filled, label="tulip") == []
    assert len(walk(filled)) == 10
    assert client.get(f"/api/items/{ids[0]}").json()["deleted_at"] is not None
    assert client.post(f"{url}/restore", {"items": ids}, content_type="application/json").json() == {"num_items": 3}
    assert index() == before


def test_uploading_a_deleted_picture_brings_it_back(filled):
    item = Item.objects.get(name="tulip/0.png")
    filled.client().delete(f"/api/items/{item.id}")
    ingest(filled.dataset, picture(0), name="again.png", kind="file")
    item.refresh_from_db()
    assert item.deleted_at is None
    assert (item.id, "tulip") in index()


def test_an_item_whose_label_is_gone_comes_back_unlabelled(filled):
    items = list(Item.objects.filter(name__startswith="tulip"))
    client = filled.client()
    url = f"/api/datasets/{filled.dataset.id}/items"
    client.post(f"{url}/delete", {"items": [item.id for item in items]}, content_type="application/json")
    filled.labels("rose")
    client.post(f"{url}/restore", {"items": [item.id for item in items]}, content_type="application/json")
    assert {item.state for item in Item.objects.filter(id__in=[item.id for item in items])} == {"unlabelled"}
    assert {label for _, label in index()} == {"rose"}


def test_a_used_label_cannot_be_removed(filled):
    url = f"/api/projects/{filled.project.id}/labels"
    answer = filled.client().put(url, {"labels": [{"name": "rose", "color": "#112233"}]}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "label_in_use")


def test_a_renamed_label_reaches_items_and_index(filled):
    gone = Item.objects.filter(name="tulip/0.png").get()
    filled.client().delete(f"/api/items/{gone.id}")
    revisions = dict(Item.objects.values_list("id", "revision"))
    label_change_start(dataset=filled.dataset, plan=LabelRename(source="tulip", target="lily"), actor=filled.actor)
    for item in Item.objects.filter(name__startswith="tulip"):
        assert [one["label"] for one in item.annotations] == ["lily"]
        assert item.revision == revisions[item.id] + 1
    assert {label for _, label in index()} == {"rose", "lily"}
    assert len(walk(filled, label="lily")) == 2


def test_the_label_index_equals_the_one_built_anew(filled):
    client = filled.client()
    item = Item.objects.get(name="rose/1.png")
    client.delete(f"/api/items/{Item.objects.get(name='rose/2.png').id}")
    for operation, new in (("first-op", [{"kind": "class", "label": "tulip"}]), ("second-op", []), ("third-op", None)):
        item.refresh_from_db()
        body = {"annotations": new, "revision": item.revision, "operation": operation}
        assert (
            client.put(f"/api/labeling/items/{item.id}/annotations", body, content_type="application/json").status_code == 200
        )
        stored = index()
        labels_rebuild(dataset=filled.dataset)
        assert index() == stored
    assert len(stored) == 7


def test_pictures_are_kept_by_the_browser_for_good(filled):
    client = filled.client()
    item = walk(filled)[0]
    picture_answer = client.get(item["picture_url"])
    assert b"".join(picture_answer.streaming_content) == picture(0)
    assert "immutable" in picture_answer["Cache-Control"]
    assert "private" in picture_answer["Cache-Control"]
    again = client.get(item["picture_url"], headers={"If-None-Match": picture_answer["ETag"]})
    assert again.status_code == 304
    small = client.get(f"/api/items/{item['id']}/thumbnail?size=60")
    with Image.open(io.BytesIO(small.content)) as image:
        assert (image.format, max(image.size)) == ("JPEG", 40)


def test_a_picture_that_browsers_cannot_show_is_shown_as_jpeg(setup):
    ingest(setup.dataset, picture(1, form="TIFF"), name="a.tif", kind="file")
    answer = setup.client().get(f"/api/items/{Item.objects.get().id}/picture")
    assert answer["Content-Type"] == "image/jpeg"
    with Image.open(io.BytesIO(answer.content)) as image:
        assert image.size == (40, 30)


def test_a_viewer_reads_and_writes_nothing(filled):
    viewer = filled.client(filled.member("vera", Role.VIEWER))
    item = Item.objects.first()
    assert viewer.get(f"/api/items/{item.id}").status_code == 200
    answer = viewer.delete(f"/api/items/{item.id}")
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")


def test_a_foreign_item_is_not_there(filled):
    other = setup_make(email="eve@example.org").client()
    item = Item.objects.first()
    for url in (f"/api/items/{item.id}", f"/api/items/{item.id}/picture", f"/api/items/{item.id}/thumbnail"):
        assert other.get(url).status_code == 404
    assert (
        other.post(
            f"/api/datasets/{dataset_id_of(item)}/items/delete", {"items": [item.id]}, content_type="application/json"
        ).status_code
        == 404
    )


def dataset_id_of(item: Item) -> str:
    return item.dataset_id


def test_the_problems_of_a_project_are_listed(filled):
    found = filled.client().get(f"/api/projects/{filled.project.id}/problems").json()["items"]
    assert all(problem["message"]["en"] and problem["remedy"]["zh"] for problem in found)
    tiny = [problem for problem in found if problem["code"] == "picture_tiny"]
    assert len(tiny) == 1
    assert tiny[0]["message"]["en"].startswith("9 pictures")


def test_project_counts_follow(filled):
    counts = filled.client().get(f"/api/projects/{filled.project.id}").json()["counts"]
    assert (counts["items"], counts["annotated"], counts["versions"]) == (13, 9, 0)


def test_problems_that_took_long_are_asked_again_when_a_count_changes(filled, monkeypatch):
    """With every walk taken for a long one."""
    walks = []
    walk_all = problems.dataset_problems

    def counted(dataset):
        walks.append(dataset.id)
        return walk_all(dataset)

    monkeypatch.setattr(problems, "dataset_problems", counted)
    monkeypatch.setattr(problems, "SLOW_S", 0.0)
    monkeypatch.setattr(problems, "CACHE_FACTOR", 1e6)
    client = filled.client()

    def codes() -> set[str]:
        found = client.get(f"/api/projects/{filled.project.id}/problems").json()["items"]
        return {one["code"] for one in found}

    before = codes()
    assert codes() == before
    assert len(walks) == 1
    items = [item["id"] for item in client.get(f"/api/datasets/{filled.dataset.id}/items").json()["items"]]
    body = {"items": items, "change": {"kind": "label", "annotations": None}}
    answer = client.post(f"/api/datasets/{filled.dataset.id}/bulk", body, content_type="application/json")
    assert answer.status_code in {200, 201}, answer.content
    assert codes() != before
    assert len(walks) == 2
