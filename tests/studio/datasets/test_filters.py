"""Filters: every combination gives what looking at each item gives, page by page, segment by segment, in bounded steps."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from django.utils import timezone

from labeling.comments.models import Comment
from studio.datasets.items import item_pages, orders
from studio.datasets.items.filters import ItemFilter
from studio.datasets.items.item_pages import item_page, item_positions
from studio.datasets.models import Dataset, Item, ItemFact, ItemFlag, ItemLabel

pytestmark = pytest.mark.both_databases(
    "platform/studio/datasets/items/kinds/tabular.py",
    "platform/studio/datasets/items/item_pages.py",
    "platform/studio/datasets/items/facets.py",
)

LABELS = ("rose", "tulip", "aster")
NUM = 60


@pytest.fixture
def garden(setup):
    """Items of every state, with flags and metadata, drawn by lot."""
    rng = random.Random(3)
    rows, labels, flags, facts, comments = [], [], [], [], []
    for n in range(NUM):
        carried = sorted(rng.sample(LABELS, rng.randrange(3)))
        is_annotated = bool(carried) or rng.random() < 0.3
        is_gone = rng.random() < 0.25
        site = rng.choice(["north", "south"])
        row = Item(
            dataset=setup.dataset,
            name=f"{rng.choice(['Garden', 'meadow'])}/{n}.png",
            blob=str(n),
            width=1,
            height=1,
            format="png",
            size_bytes=1,
            group=str(n),
            split=rng.choice(["train", "validation", "test"]),
            state="annotated" if is_annotated else "unlabelled",
            annotations=[{"kind": "class", "label": one, "score": rng.random()} for one in carried] if is_annotated else None,
            annotated_at=timezone.now() if is_annotated else None,
            provenance=rng.choice(["person:a", "person:b"]) if is_annotated else "",
            deleted_at=timezone.now() if is_gone else None,
            quarantine="act_1" if is_gone and rng.random() < 0.5 else "",
            metadata={"site": site},
        )
        rows.append(row)
        labels += [ItemLabel(dataset=setup.dataset, item=row, label=one) for one in carried if not is_gone]
        facts.append(ItemFact(dataset=setup.dataset, item=row, name="site", value=site))
        if rng.random() < 0.4:
            dismissed = timezone.now() if rng.random() < 0.3 else None
            flags.append(
                ItemFlag(
                    dataset=setup.dataset,
                    item=row,
                    kind=rng.choice(["dark", "blurred"]),
                    severity=1,
                    created_at=timezone.now(),
                    dismissed_at=dismissed,
                )
            )
        for number in range(rng.randrange(4)):
            comments.append(
                Comment(
                    dataset=setup.dataset,
                    item=row,
                    author="person:a",
                    text="?",
                    operation=str(number),
                    resolved_at=timezone.now() if (is_resolved := rng.random() < 0.5) else None,
                    resolved_by="person:b" if is_resolved else "",
                    deleted_at=timezone.now() if rng.random() < 0.3 else None,
                )
            )
    for model, some in ((Item, rows), (ItemLabel, labels), (ItemFlag, flags), (ItemFact, facts), (Comment, comments)):
        model.objects.bulk_create(some)
    return setup.dataset


def matches(item: Item, criteria: ItemFilter, flags: set[tuple[str, str]], discussed: set[str]) -> bool:
    """The filter as a person would explain it."""
    carried = {one["label"] for one in item.annotations or ()}
    scores = [one["score"] for one in item.annotations or ()]
    low, high = criteria.min_score or 0.0, 1.0 if criteria.max_score is None else criteria.max_score
    return all(
        (
            {"present": item.deleted_at is None, "deleted": item.deleted_at is not None, "quarantined": bool(item.quarantine)}[
                criteria.where
            ],
            criteria.state in {None, item.state},
            criteria.split in {None, item.split},
            criteria.by in {None, item.provenance},
            not criteria.labels or bool(carried & set(criteria.labels)),
            not carried & set(criteria.without),
            criteria.flag is None or (item.id, criteria.flag) in flags,
            all(item.metadata.get(name) == value for name, value in criteria.facts),
            criteria.comments is None or item.id in discussed,
            criteria.text.lower() in item.name.lower(),
            (criteria.min_score is None and criteria.max_score is None) or any(low <= score <= high for score in scores),
        )
    )


def expected(dataset: Dataset, criteria: ItemFilter) -> list[str]:
    flags = set(ItemFlag.objects.filter(dismissed_at=None).values_list("item_id", "kind"))
    discussed = set(Comment.objects.filter(resolved_at=None, deleted_at=None).values_list("item_id", flat=True))
    items = Item.objects.filter(dataset=dataset).order_by("id")
    return [item.id for item in items if matches(item, criteria, flags, discussed)]


def walked(dataset: Dataset, criteria: ItemFilter, limit: int) -> list[str]:
    found, cursor = [], None
    while True:
        page = item_page(dataset, criteria=criteria, cursor=cursor, limit=limit)
        assert len(page.items) <= limit
        found += [item.id for item in page.items]
        cursor = page.next_cursor
        if cursor is None:
            return found


def segments(dataset: Dataset, criteria: ItemFilter) -> list[str]:
    """The items as a gallery loads them: segment by segment between positions."""
    starts, num_items, cursor = [], 0, None
    while True:
        part = item_positions(dataset, criteria=criteria, cursor=cursor)
        if part.ids is not None:
            assert part.ids[:: item_pages.SEGMENT] == part.starts
            assert len(part.ids) == part.num_items
        starts += part.starts
        num_items += part.num_items
        cursor = part.next_cursor
        if cursor is None:
            break
    found = []
    for start, stop in pairwise([*starts, ""]):
        cursor = None
        while True:
            page = item_page(dataset, criteria=criteria, cursor=cursor, limit=2, start=start, stop=stop)
            found += [item.id for item in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
    assert num_items == len(found)
    return found


CHOICES = {
    "where": ["present", "deleted", "quarantined"],
    "state": ["annotated", "unlabelled"],
    "split": ["train", "test"],
    "labels": [("rose",), ("rose", "tulip"), ("nothing",)],
    "without": [("aster",), ("aster", "rose")],
    "by": ["person:a", "person:zz"],
    "flag": ["dark", "blurred"],
    "facts": [(("site", "north"),), (("site", "west"),)],
    "comments": ["open"],
    "text": ["garden", "/1"],
    "min_score": [0.5],
    "max_score": [0.7],
}


def filters() -> list[ItemFilter]:
    rng = random.Random(8)
    single = [ItemFilter(**{name: value}) for name, values in CHOICES.items() for value in values]
    mixed = [{name: rng.choice(CHOICES[name]) for name in rng.sample(sorted(CHOICES), rng.randrange(2, 5))} for _ in range(60)]
    return [ItemFilter(), *single, *(ItemFilter(**one) for one in mixed)]


def test_every_filter_gives_what_looking_at_each_item_gives(garden, monkeypatch):
    monkeypatch.setattr(item_pages, "WINDOW", 7)
    monkeypatch.setattr(item_pages, "POSITIONS_WINDOW", 11)
    monkeypatch.setattr(item_pages, "SEGMENT", 4)
    monkeypatch.setattr(item_pages, "SPARSE", 5)
    num_found = 0
    for criteria in filters():
        right = expected(garden, criteria)
        num_found += len(right)
        assert walked(garden, criteria, 5) == right, criteria
        assert segments(garden, criteria) == right, criteria
    assert num_found > 500


def test_a_filter_that_matches_nothing_looks_at_a_window_and_says_where_to_go_on(garden, monkeypatch):
    monkeypatch.setattr(item_pages, "WINDOW", 10)
    page = item_page(garden, criteria=ItemFilter(text="no such name"), cursor=None, limit=5)
    assert page.items == []
    assert page.next_cursor is not None


def test_the_endpoint_takes_several_labels_and_metadata(garden, setup):
    url = f"/api/datasets/{garden.id}/items?label=rose&label=tulip&meta=site%3Dnorth&limit=200"
    found = [item["id"] for item in setup.client().get(url).json()["items"]]
    assert found == expected(garden, ItemFilter(labels=("rose", "tulip"), facts=(("site", "north"),)))
    assert found


def test_all_matches_come_in_the_order_asked_for(garden, setup, monkeypatch):
    url, client = f"/api/datasets/{garden.id}/items/positions?order=", setup.client()
    setup.labels("tulip", "rose", "aster")
    added = expected(garden, ItemFilter())
    for item, severity in ((added[5], 0.4), (added[9], 0.9)):
        ItemFlag.objects.create(
            dataset=garden, item_id=item, kind="wrong_label", severity=severity, created_at=timezone.now(), detail={}
        )
    names = dict(Item.objects.values_list("id", "name"))
    by_name = client.get(f"{url}name").json()["ids"]
    assert [names[item].casefold() for item in by_name] == sorted(
        (names[item].casefold() for item in added), key=lambda name: (name.split("/")[0], int(name.split("/")[1][:-4]))
    )
    assert client.get(f"{url}newest").json()["ids"] == added[::-1]
    assert client.get(f"{url}doubt").json()["ids"] == [
        added[9],
        added[5],
        *(one for one in added if one not in (added[9], added[5])),
    ]
    carried = {item: [label["label"] for label in found or ()] for item, found in Item.objects.values_list("id", "annotations")}
    places = [min((["tulip", "rose", "aster"].index(label) for label in carried[i]), default=3) for i in added]
    by_label = client.get(f"{url}label").json()
    assert by_label["ids"] == [item for _, item in sorted(zip(places, added, strict=True))]
    assert by_label["num_items"] == len(added)
    some = client.get(f"{url}newest&label=rose&where=present").json()["ids"]
    assert some == expected(garden, ItemFilter(labels=("rose",)))[::-1]
    monkeypatch.setattr(orders, "SORTABLE", len(added))
    assert client.get(f"{url}name").json()["ids"] == by_name
    monkeypatch.setattr(orders, "SORTABLE", len(added) - 1)
    refused = client.get(f"{url}name")
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_to_sort")


def test_facets_offer_what_there_is_with_counts(garden, setup):
    client = setup.client()
    setup.labels(*LABELS)
    facets = client.get(f"/api/datasets/{garden.id}/facets").json()
    for kind, name in (("flags", "flag"), ("people", "by"), ("splits", "split")):
        assert facets[kind]
        for choice in facets[kind]:
            assert choice["num_items"] == len(expected(garden, ItemFilter(**{name: choice["value"]})))
    for choice in facets["labels"]:
        assert choice["num_items"] == len(expected(garden, ItemFilter(labels=(choice["value"],))))
    assert facets["metadata"] == ["site"]
    values = client.get(f"/api/datasets/{garden.id}/facets/site").json()
    assert [value["value"] for value in values] == ["north", "south"]
    assert sum(value["num_items"] for value in values) == NUM
    assert [value["value"] for value in client.get(f"/api/datasets/{garden.id}/facets/site?prefix=so").json()] == ["south"]
