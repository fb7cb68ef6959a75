"""Differences between versions: what the merge finds is what a comparison of dictionaries finds."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from automl.contracts.annotation import ClassLabel
from studio.datasets.items.annotations import AnnotationWrite, annotations_write
from studio.datasets.items.services import item_delete
from studio.datasets.models import Item
from studio.datasets.versions import version_diff
from studio.datasets.versions.manifest import version_commit
from studio.datasets.versions.shards import SHARD_SCHEMA
from studio.datasets.versions.version_diff import diff_page, diff_summary, tables_changes
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases

annotation_lists = st.sampled_from(
    ["[]", '[{"kind":"class","label":"a","score":null}]', '[{"kind": "class", "score": null, "label": "b"}]']
)
rows = st.dictionaries(st.integers(0, 30), st.tuples(annotation_lists, st.sampled_from(["train", "test"])), max_size=25)


def tables(state: dict[int, tuple[str, str]], size: int) -> list[pa.Table]:
    listed = [
        {
            "item": f"itm_{number:03d}",
            "name": f"{number}.png",
            "blob": f"{number:064x}",
            "split": split,
            "group": str(number),
            "provenance": "person:usr_x",
            "width": 1,
            "height": 1,
            "format": "png",
            "size_bytes": 1,
            "annotations": text,
        }
        for number, (text, split) in sorted(state.items())
    ]
    return [pa.Table.from_pylist(listed[start : start + size], schema=SHARD_SCHEMA) for start in range(0, len(listed), size)]


@given(rows, rows, st.integers(1, 9), st.integers(1, 9))
def test_the_merge_finds_what_differs_and_nothing_else(before, after, size, other_size):
    changes = [one for block in tables_changes(tables(before, size), tables(after, other_size)) for one in block.changes]
    found = {one.row.item: (one.kind, one.aspects) for one in changes}
    expected = {}
    for number in before.keys() | after.keys():
        if number not in before or number not in after:
            expected[f"itm_{number:03d}"] = ("removed" if number in before else "added", [])
            continue
        old, new = before[number], after[number]
        aspects = ["annotations"] if json.loads(old[0]) != json.loads(new[0]) else []
        aspects += ["split"] if old[1] != new[1] else []
        if aspects:
            expected[f"itm_{number:03d}"] = ("changed", aspects)
    assert found == expected
    assert [one.row.item for one in changes] == sorted(found)


@pytest.fixture
def changed(setup):
    """Version 1, then one item relabelled, one gone, one new, one empty; not cut yet."""
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n, size=(48, 40)) for n in range(12)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    setup.first, _ = version_commit(dataset=setup.dataset, actor=setup.actor)
    relabelled, gone, empty = Item.objects.filter(annotations__0__label="rose").order_by("id")[:3]
    writes = [
        AnnotationWrite(relabelled, (ClassLabel(label="tulip"),), "person:usr_x"),
        AnnotationWrite(empty, (), "person:usr_x"),
    ]
    from django.utils import timezone

    annotations_write(writes=writes, at=timezone.now())
    item_delete(dataset=setup.dataset, items=[gone.id], actor=setup.actor)
    ingest(setup.dataset, zip_of({"rose/new.png": picture(99, size=(48, 40))}), labels="folder")
    setup.relabelled, setup.gone, setup.empty = relabelled, gone, empty
    return setup


def counts(diff) -> tuple[int, ...]:
    return (diff.num_added, diff.num_removed, diff.num_changed, diff.num_annotations_changed, diff.num_split_changed)


def test_a_version_is_compared_with_the_working_state_and_with_the_next_version(changed):
    working = diff_summary(changed.first, changed.dataset)
    second, _ = version_commit(dataset=changed.dataset, actor=changed.actor)
    assert counts(working) == (1, 1, 2, 2, 0)
    assert (
        diff_summary(changed.first, second) == working == diff_summary(changed.first, second)
    )  # the second time from the store
    assert {one.label: (one.added, one.removed) for one in working.labels} == {"rose": (1, 3), "tulip": (1, 0)}
    assert [(one.before, one.after, one.num_items) for one in working.moves] == [("rose", "tulip", 1)]
    back = diff_summary(second, changed.first)
    assert {one.label: (one.added, one.removed) for one in back.labels} == {"rose": (3, 1), "tulip": (0, 1)}
    assert counts(diff_summary(second, changed.dataset)) == (0, 0, 0, 0, 0)


def test_pages_hold_each_difference_once_however_they_are_cut(changed, monkeypatch):
    whole, more = diff_page(changed.first, changed.dataset, kind=None, label=None, cursor="", limit=50)
    assert (len(whole), more) == (4, None)
    by_kind = {kind: diff_page(changed.first, changed.dataset, kind=kind, label=None, cursor="", limit=50)[0] for kind in KINDS}
    assert {kind: [one.item for one in page] for kind, page in by_kind.items()} == {
        "added": [Item.objects.get(name__endswith="new.png").id],
        "removed": [changed.gone.id],
        "changed": sorted([changed.relabelled.id, changed.empty.id]),
    }
    of_tulip, _ = diff_page(changed.first, changed.dataset, kind=None, label="tulip", cursor="", limit=50)
    assert [(one.item, one.gone, one.come) for one in of_tulip] == [(changed.relabelled.id, [0], [0])]
    for limit, scan in ((1, 200_000), (3, 200_000), (2, 1)):
        monkeypatch.setattr(version_diff, "SCAN_ROWS", scan)
        found, cursor = [], ""
        while cursor is not None:
            page, cursor = diff_page(changed.first, changed.dataset, kind=None, label=None, cursor=cursor, limit=limit)
            found += page
        assert found == whole


KINDS = ("added", "removed", "changed")


def test_the_endpoint_compares_only_what_the_project_has(changed):
    client = changed.client()
    project = changed.project.id
    answer = client.get(f"/api/projects/{project}/diff?before={changed.first.id}").json()
    assert (answer["num_added"], answer["num_changed"]) == (1, 2)
    page = client.get(f"/api/projects/{project}/diff/items?before={changed.first.id}&after=working&kind=changed&limit=1").json()
    assert len(page["items"]) == 1
    (first,) = page["items"]
    assert (first["width_px"], first["height_px"]) == (48, 40)
    assert client.get(first["picture_url"]).status_code == 200
    following = client.get(
        f"/api/projects/{project}/diff/items", {"before": changed.first.id, "kind": "changed", "cursor": page["next_cursor"]}
    ).json()
    assert {page["items"][0]["item"], following["items"][0]["item"]} == {changed.relabelled.id, changed.empty.id}
    other = setup_make(email="eve@example.org")
    assert other.client().get(f"/api/projects/{project}/diff?before={changed.first.id}").status_code == 404
    assert other.client().get(f"/api/projects/{other.project.id}/diff?before={changed.first.id}").status_code == 404


def test_rows_of_a_version_are_filtered_by_split_and_label(changed):
    client = changed.client()
    rows = client.get(f"/api/versions/{changed.first.id}/items?limit=200").json()["items"]
    for split in ("train", "validation", "test", None):
        for label in ("rose", "tulip", "nothing", None):
            query = {name: value for name, value in (("split", split), ("label", label)) if value}
            found, cursor = [], None
            while True:
                page = client.get(
                    f"/api/versions/{changed.first.id}/items", {**query, "limit": 2, **({"cursor": cursor} if cursor else {})}
                )
                found += page.json()["items"]
                cursor = page.json()["next_cursor"]
                if cursor is None:
                    break
            expected = [
                row
                for row in rows
                if (split in {None, row["split"]}) and (label in {None, *(one["label"] for one in row["annotations"])})
            ]
            assert found == expected
