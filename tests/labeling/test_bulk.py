"""One action on all that match: only those, as a job too, cancelled and gone on with, and undone as a whole."""

from __future__ import annotations

import pytest
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from labeling.bulk import services
from labeling.bulk.handlers import job_ended, job_run
from labeling.models import AnnotationRevision
from labeling.services import annotation_save
from studio.datasets.items.counts import counts_counted, counts_of
from studio.datasets.models import BulkChange, BulkItem, Item, ItemFact, ItemLabel
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter

pytestmark = pytest.mark.both_databases

NUM = 24
CHANGES = {
    "label": {"kind": "label", "annotations": [{"kind": "class", "label": "rose"}]},
    "unlabel": {"kind": "label", "annotations": None},
    "quarantine": {"kind": "quarantine"},
    "delete": {"kind": "delete"},
    "restore": {"kind": "restore"},
    "split": {"kind": "split", "split": "test"},
    "metadata": {"kind": "metadata", "metadata": {"site": "north", "batch": None}},
}


@pytest.fixture
def field(setup):
    """Items of which some are labelled, some deleted and some know their batch."""
    setup.labels("rose", "tulip")
    rows = [
        Item(
            dataset=setup.dataset,
            name=f"{'a' if n % 2 else 'b'}-{n}",
            blob=str(n),
            width=1,
            height=1,
            format="png",
            size_bytes=1,
        )
        for n in range(NUM)
    ]
    for n, row in enumerate(rows):
        row.group, row.split = row.blob, ("train", "test")[n % 4 < 2]
        row.metadata = {"batch": "7"} if n % 3 == 0 else {}
    Item.objects.bulk_create(rows)
    ItemFact.objects.bulk_create(
        ItemFact(dataset=setup.dataset, item=row, name="batch", value="7") for row in rows if row.metadata
    )
    for row in rows[::3]:
        row.dataset = setup.dataset
        annotations = (ClassLabel(label="tulip"),)
        annotation_save(item=row, annotations=annotations, revision=0, operation=f"op-{row.blob}", actor=setup.actor)
    setup.client().post(url(setup, "items/delete"), {"items": [row.id for row in rows[:6]]}, content_type="application/json")
    return setup


def url(setup, rest: str) -> str:
    return f"/api/datasets/{setup.dataset.id}/{rest}"


def post(setup, body: dict, status: int = 200) -> dict:
    answer = setup.client().post(url(setup, "bulk"), body, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json()


def undo(setup, change: dict, status: int = 200) -> dict:
    answer = setup.client().post(url(setup, f"bulk/{change['id']}/undo"))
    assert answer.status_code == status, answer.content
    return answer.json()


def state(setup) -> list:
    """All that a bulk change may touch, revisions and times apart."""
    columns = ("id", "annotations", "state", "provenance", "split", "metadata", "quarantine", "deleted_at")
    rows = Item.objects.filter(dataset=setup.dataset).order_by("id").values_list(*columns)
    items = [(*row[:-1], row[-1] is None) for row in rows]
    labels = sorted(ItemLabel.objects.values_list("item", "label"))
    facts = sorted(ItemFact.objects.values_list("item", "name", "value"))
    assert counts_of(setup.dataset.id) == counts_counted(setup.dataset.id)
    return [items, labels, facts]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_all_that_match_touches_only_those_and_can_be_undone(field, name):
    before = state(field)
    where = "deleted" if name == "restore" else "present"
    change = post(field, {"change": CHANGES[name], "matching": {"q": "a-", "where": where}})
    after = state(field)
    differing = [old[0] for old, new in zip(before[0], after[0], strict=True) if old != new]
    assert change["num_items"] == len(differing) > 0
    assert set(Item.objects.filter(id__in=differing, name__startswith="a-").values_list("id", flat=True)) == set(differing)
    undone = undo(field, change)
    assert (undone["state"], undone["num_undone"]) == ("undone", change["num_items"])
    assert state(field) == before
    assert not BulkItem.objects.exists()
    undo(field, change, status=409)


@pytest.mark.parametrize("name", CHANGES)
def test_a_large_change_runs_as_a_job_that_goes_on_where_it_broke_off(field, name, monkeypatch):
    monkeypatch.setattr(services, "INLINE_ITEMS", 2)
    monkeypatch.setattr(services, "PORTION", 3)
    before = state(field)
    body = {"change": CHANGES[name], "matching": {"where": "deleted" if name == "restore" else "present"}}
    change = post(field, body, status=202)
    with pytest.raises(BrokenOffError):
        job_run(Job.objects.get(), BreaksOff())
    num_first = BulkChange.objects.get().num_items
    reporter = InMemoryReporter()
    job_run(Job.objects.get(), reporter)
    done = BulkChange.objects.get()
    assert 0 < num_first < done.num_items or name == "metadata"
    assert (done.state, reporter.fractions == sorted(reporter.fractions)) == ("done", True)
    once = state(field)
    assert once != before
    Job.objects.all().delete()
    undo(field, change, status=202 if done.num_items > 2 else 200)
    for job in Job.objects.all():
        job_run(job, reporter)
    assert state(field) == before


class BrokenOffError(Exception):
    """Stands for a crash or a cancelled job."""


class BreaksOff(InMemoryReporter):
    def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
        raise BrokenOffError


def test_a_cancelled_change_can_be_undone_as_far_as_it_came(field, monkeypatch):
    monkeypatch.setattr(services, "INLINE_ITEMS", 2)
    monkeypatch.setattr(services, "PORTION", 5)
    before = state(field)
    change = post(field, {"change": CHANGES["label"], "matching": {}}, status=202)
    job = Job.objects.get()
    with pytest.raises(BrokenOffError):
        job_run(job, BreaksOff())
    job.state = "cancelled"
    job_ended(job)
    assert BulkChange.objects.get().state == "stopped"
    monkeypatch.setattr(services, "INLINE_ITEMS", 100)
    undo(field, change)
    assert state(field) == before


def test_an_undo_that_broke_off_is_gone_on_with_by_a_job_of_its_own(field, monkeypatch):
    monkeypatch.setattr(services, "INLINE_ITEMS", 2)
    monkeypatch.setattr(services, "PORTION", 5)
    before = state(field)
    change = post(field, {"change": CHANGES["label"], "matching": {}}, status=202)
    job_run(Job.objects.get(), InMemoryReporter())
    undo(field, change, status=202)
    first = Job.objects.order_by("id").last()
    with pytest.raises(BrokenOffError):
        job_run(first, BreaksOff())
    first.state, first.ended_at = "cancelled", timezone.now()
    first.save()
    job_ended(first)
    undo(field, change, status=202)
    second = Job.objects.order_by("id").last()
    assert second.id != first.id
    job_run(second, InMemoryReporter())
    assert state(field) == before


def test_undoing_leaves_what_somebody_changed_since(field):
    change = post(field, {"change": CHANGES["label"], "matching": {"where": "present"}})
    item = Item.objects.select_related("dataset__project").filter(deleted_at=None).first()
    annotation_save(item=item, annotations=(), revision=item.revision, operation="later", actor=field.actor)
    undone = undo(field, change)
    assert undone["num_undone"] == change["num_items"] - 1
    item.refresh_from_db()
    assert item.annotations == []


def test_labelling_many_is_in_the_history_with_the_person(field):
    post(field, {"change": CHANGES["label"], "matching": {}})
    entry = AnnotationRevision.objects.filter(annotations__isnull=False).order_by("-created_at").first()
    assert entry.provenance == f"person:{field.owner.id}"


def test_named_items_and_excluded_ones(field):
    ids = list(Item.objects.filter(deleted_at=None).order_by("id").values_list("id", flat=True))
    assert post(field, {"change": CHANGES["delete"], "items": ids[:2]})["num_items"] == 2
    change = post(field, {"change": CHANGES["delete"], "matching": {}, "excluding": ids[3:5]})
    assert change["num_items"] == len(ids) - 4
    assert set(Item.objects.filter(deleted_at=None).values_list("id", flat=True)) == set(ids[3:5])


def test_what_cannot_be_is_refused(field):
    assert post(field, {"change": CHANGES["delete"]}, status=422)["code"] == "bulk_target_invalid"
    wrong = {"kind": "label", "annotations": [{"kind": "class", "label": "unheard"}]}
    assert post(field, {"change": wrong, "matching": {}}, status=422)["code"] == "annotation_invalid"
    field.client().post("/api/labeling/snapshots", {"project": field.project.id}, content_type="application/json")
    post(field, {"change": {"kind": "label", "annotations": [{"kind": "class", "label": "rose"}]}, "matching": {}})


def test_what_is_put_aside_is_listed_and_comes_back_unless_somebody_threw_it_away(field):
    ids = list(Item.objects.filter(deleted_at=None).order_by("id").values_list("id", flat=True)[:3])
    change = post(field, {"change": CHANGES["quarantine"], "items": ids})
    listed = field.client().get(url(field, "items?where=quarantined")).json()["items"]
    assert [item["id"] for item in listed] == ids
    assert all(item["is_quarantined"] for item in listed)
    for step in ("restore", "delete"):
        field.client().post(url(field, f"items/{step}"), {"items": ids[:1]}, content_type="application/json")
    assert undo(field, change)["num_undone"] == 2
    assert set(Item.objects.filter(id__in=ids, deleted_at=None).values_list("id", flat=True)) == set(ids[1:])
