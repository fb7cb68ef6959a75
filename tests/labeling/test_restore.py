"""Restoring and branching: the working state becomes the version's, nothing is lost, and one step undoes it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from labeling.branching import services
from labeling.branching.errors import BranchTakenError, BranchUnknownError, RestoreRunningError, RestoreUndoneError
from labeling.branching.handlers import job_run
from labeling.label_changes.plan import LabelRename
from labeling.label_changes.services import label_change_start
from labeling.models import AnnotationRevision
from labeling.services import annotation_save
from studio.datasets.items.annotations import labels_rebuild
from studio.datasets.items.services import item_delete
from studio.datasets.models import Dataset, DatasetVersion, Item, ItemLabel
from studio.datasets.versions.branches import branch_list
from studio.datasets.versions.manifest import version_commit
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ingest, picture, zip_of

pytestmark = pytest.mark.both_databases("labeling/history.py")


@pytest.fixture
def filled(setup):
    files = {f"{'rose' if n % 3 else 'tulip'}/{n}.png": picture(n, size=(48, 40)) for n in range(12)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    setup.first = commit(setup)
    return setup


def commit(setup) -> DatasetVersion:
    setup.refresh()
    return version_commit(dataset=setup.dataset, actor=setup.actor)[0]


def say(setup, item: Item, *labels: str) -> None:
    item = Item.objects.select_related("dataset__project").get(id=item.id)
    annotations = tuple(ClassLabel(label=label) for label in labels)
    annotation_save(
        item=item, annotations=annotations, revision=item.revision, operation=f"op-{item.id}-{item.revision}", actor=setup.actor
    )


def run(job: Job) -> Job:
    job = Job.objects.get(id=job.id)
    job_run(job, InMemoryReporter())
    Job.objects.filter(id=job.id).update(state="succeeded", ended_at=timezone.now())
    return Job.objects.get(id=job.id)


def restore(setup, version: DatasetVersion) -> Job:
    setup.refresh()
    return run(services.restore_submit(dataset=setup.dataset, version=version, actor=setup.actor))


def change_much(setup) -> None:
    """Relabels, empties, deletes, renames a label, adds an item."""
    roses = list(Item.objects.filter(annotations__0__label="rose").order_by("id"))
    say(setup, roses[0], "tulip")
    item_delete(dataset=setup.dataset, items=[roses[1].id], actor=setup.actor)
    ingest(setup.dataset, zip_of({"daisy/new.png": picture(99, size=(48, 40))}), labels="folder")
    setup.refresh()
    label_change_start(dataset=setup.dataset, plan=LabelRename(source="tulip", target="tulipa"), actor=setup.actor)
    setup.refresh()
    setup.changed, setup.deleted, setup.new = roses[0], roses[1], Item.objects.get(name__endswith="new.png")


def labels_are_indexed(setup) -> bool:
    before = set(ItemLabel.objects.values_list("item", "label"))
    labels_rebuild(dataset=setup.dataset)
    return before == set(ItemLabel.objects.values_list("item", "label"))


def test_the_working_state_becomes_the_version(filled):
    change_much(filled)
    job = restore(filled, filled.first)
    assert commit(filled) == filled.first  # the same id: the same items, labels, splits and authors
    assert Item.objects.get(id=filled.new.id).state == "unlabelled"
    assert Item.objects.get(id=filled.new.id).deleted_at is None
    assert Item.objects.get(id=filled.deleted.id).deleted_at is None
    saved = DatasetVersion.objects.get(id=job.payload["saved"])
    assert (saved.number, saved.parent_id, saved.manifest["num_items"]) == (2, filled.first.id, 12)
    assert Dataset.objects.get().base_id == filled.first.id
    assert labels_are_indexed(filled)


def test_histories_say_who_restored_and_items_say_whose_words_they_are(filled):
    owner = f"person:{filled.owner.id}"
    change_much(filled)
    imported = Item.objects.filter(provenance__startswith="import:").first().provenance
    job = restore(filled, filled.first)
    item = Item.objects.get(id=filled.changed.id)
    history = AnnotationRevision.objects.filter(item=item).order_by("revision")
    assert item.provenance == imported
    assert [one.annotations and one.annotations[0]["label"] for one in history][-1] == "rose"
    assert (history.last().provenance, history.last().operation) == (owner, f"restore:{job.id}")
    gone = AnnotationRevision.objects.filter(item=filled.new).order_by("revision")
    assert [one.annotations for one in gone][-1] is None
    assert [one["label"] for one in list(gone)[-2].annotations] == ["daisy"]


def test_one_step_undoes_it_and_another_does_it_again(filled):
    change_much(filled)
    before = commit(filled)
    job = restore(filled, filled.first)
    undone = run(services.restore_undo(dataset=filled.dataset, job=job, actor=filled.actor))
    filled.refresh()
    assert commit(filled) == before
    assert Item.objects.get(id=filled.deleted.id).deleted_at is not None
    assert set(filled.project.labels.names) == {"rose", "tulipa", "daisy"}
    with pytest.raises(RestoreUndoneError):
        services.restore_undo(dataset=filled.dataset, job=job, actor=filled.actor)
    run(services.restore_undo(dataset=filled.dataset, job=undone, actor=filled.actor))
    filled.refresh()
    assert commit(filled) == filled.first
    assert labels_are_indexed(filled)


def test_what_somebody_says_meanwhile_stays(filled):
    change_much(filled)
    job = services.restore_submit(dataset=filled.dataset, version=filled.first, actor=filled.actor)

    class Meanwhile(InMemoryReporter):
        def check_cancelled(self) -> None:
            say(filled, filled.changed, "daisy")

    job_run(Job.objects.get(id=job.id), Meanwhile())
    filled.refresh()
    assert Item.objects.get(id=filled.changed.id).annotations[0]["label"] == "daisy"
    assert Job.objects.get(id=job.id).payload["num_kept"] == 1
    assert filled.project.labels.names[2:] == ("daisy",)  # daisy is used, so it stays behind the version's labels


def test_a_restore_that_was_killed_goes_on(filled, monkeypatch):
    change_much(filled)
    job = services.restore_submit(dataset=filled.dataset, version=filled.first, actor=filled.actor)
    monkeypatch.setattr("labeling.branching.restore.CHUNK", 1)

    class Killed(InMemoryReporter):
        def progress(self, stage: str, fraction: float, remaining_s: float | None = None) -> None:
            if fraction > 0.1:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        job_run(Job.objects.get(id=job.id), Killed())
    num_versions = DatasetVersion.objects.count()
    run(job)
    filled.refresh()
    assert commit(filled) == filled.first
    assert DatasetVersion.objects.count() == num_versions
    entries = AnnotationRevision.objects.filter(operation=f"restore:{job.id}").values_list("item", flat=True)
    assert len(entries) == len(set(entries))


def test_branches_grow_apart_and_one_goes_between_them(filled):
    run(services.branch_create(dataset=filled.dataset, name="试验", version=filled.first, actor=filled.actor))
    filled.refresh()
    change_much(filled)
    there = commit(filled)
    assert (there.branch, there.parent_id) == ("试验", filled.first.id)
    run(services.branch_switch(dataset=filled.dataset, name="main", actor=filled.actor))
    filled.refresh()
    filled.dataset.refresh_from_db()
    assert (filled.dataset.branch, commit(filled)) == ("main", filled.first)
    say(filled, Item.objects.filter(state="annotated").order_by("id").last(), "rose")
    run(
        services.branch_switch(dataset=filled.dataset, name="试验", actor=filled.actor)
    )  # what was unsaved is a version of main
    filled.refresh()
    assert commit(filled) == there
    assert {(one.name, one.head.number, one.num_versions) for one in branch_list(filled.dataset)} == {
        ("main", 3, 2),
        ("试验", 2, 1),
    }
    with pytest.raises(BranchTakenError):
        services.branch_create(dataset=filled.dataset, name="main", version=there, actor=filled.actor)
    with pytest.raises(BranchUnknownError):
        services.branch_switch(dataset=filled.dataset, name="nowhere", actor=filled.actor)


def test_one_restore_at_a_time(filled):
    services.restore_submit(dataset=filled.dataset, version=filled.first, actor=filled.actor)
    with pytest.raises(RestoreRunningError):
        services.restore_submit(dataset=filled.dataset, version=filled.first, actor=filled.actor)


def test_the_endpoint_restores_and_returns_the_last_one(filled):
    change_much(filled)
    client = filled.client()
    body = {"project": filled.project.id, "version": filled.first.id}
    answer = client.post("/api/labeling/restores", body, content_type="application/json")
    assert answer.status_code == 202
    run(Job.objects.get(id=answer.json()["job"]["id"]))
    last = client.get(f"/api/labeling/restores/last?project={filled.project.id}").json()["last"]
    assert (last["version_number"], last["saved_number"], last["num_changed"], last["num_unlabelled"]) == (1, 2, 5, 1)
    assert (last["num_brought_back"], last["can_undo"]) == (1, True)
    answer = client.post("/api/labeling/restores/undo", {"job": last["job"]}, content_type="application/json")
    assert answer.status_code == 202
