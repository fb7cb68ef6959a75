"""Labels are renamed, merged and split with everything that carries them, and it can all be undone."""

from __future__ import annotations

import json

import pytest

from automl.contracts.annotation import ClassLabel
from automl.contracts.dataset import Label, LabelAttribute, LabelSet
from labeling.label_changes import services
from labeling.label_changes.errors import LabelChangeBusyError, LabelChangeUndoneError, LabelPlanError
from labeling.label_changes.models import ChangeState, LabelChange
from labeling.label_changes.plan import LabelMerge, LabelPart, LabelRename, LabelSplit, annotations_after, labels_after
from labeling.label_changes.selectors import label_change_preview
from labeling.label_changes.services import label_change_continue, label_change_start, label_change_undo
from labeling.selectors import item_history
from labeling.services import annotation_save, suggestion_put
from studio.datasets.items.selectors import dataset_summary
from studio.datasets.items.services import item_delete
from studio.datasets.models import Item, ItemLabel
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, ingest, picture, zip_of

pytestmark = pytest.mark.both_databases


@pytest.fixture
def labelled(setup):
    """Six pictures: rose, rose, tulip, tulip, lily, nothing said."""
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(6)}))
    setup.labels("rose", "tulip", "lily")
    for item, label in zip(items(setup), ("rose", "rose", "tulip", "tulip", "lily"), strict=False):
        say(setup, item, label, 0)
    return setup


def items(setup) -> list[Item]:
    return list(Item.objects.select_related("dataset__project").filter(dataset=setup.dataset).order_by("id"))


def say(setup, item, label, revision) -> None:
    item.dataset.project.refresh_from_db()
    annotations = (ClassLabel(label=label),)
    annotation_save(
        item=item, annotations=annotations, revision=revision, operation=f"say-{label}-{revision}", actor=setup.actor
    )


def carried(setup) -> list[str]:
    return ["|".join(one["label"] for one in item.annotations or ()) for item in items(setup)]


def start(setup, plan) -> LabelChange:
    setup.refresh()
    change, job = label_change_start(dataset=setup.dataset, plan=plan, actor=setup.actor)
    assert job is None
    setup.refresh()
    return change


def undo(setup, change) -> LabelChange:
    change, job = label_change_undo(change=change, actor=setup.actor)
    assert job is None
    setup.refresh()
    return change


def index_is_right(setup) -> None:
    living = {(item.id, one["label"]) for item in items(setup) if item.deleted_at is None for one in item.annotations or ()}
    assert set(ItemLabel.objects.filter(dataset=setup.dataset).values_list("item", "label")) == living
    by_label = dataset_summary(setup.dataset).by_label
    assert {label: num for label, num in by_label.items() if num} == {
        label: sum(one == label for _, one in living) for label in {one for _, one in living}
    }


def test_a_renamed_label_is_renamed_everywhere(labelled):
    item_delete(dataset=labelled.dataset, items=[items(labelled)[1].id], actor=labelled.actor)
    suggestion_put(item=items(labelled)[5], annotations=[ClassLabel(label="rose", score=0.8)], provenance="model:art_1")
    change = start(labelled, LabelRename(source="rose", target="briar"))
    assert labelled.project.labels.names == ("briar", "tulip", "lily")
    assert carried(labelled) == ["briar", "briar", "tulip", "tulip", "lily", ""]
    client = labelled.client()
    suggested = client.get(f"/api/labeling/suggestions?items={items(labelled)[5].id}").json()
    assert "briar" in json.dumps(suggested)
    first = items(labelled)[0]
    assert first.provenance == f"person:{labelled.owner.id}"
    assert [entry.revision for entry in item_history(first)] == [2, 1]
    index_is_right(labelled)
    undo(labelled, change)
    assert carried(labelled) == ["rose", "rose", "tulip", "tulip", "lily", ""]
    assert labelled.project.labels.names == ("rose", "tulip", "lily")
    index_is_right(labelled)


def test_merged_labels_come_apart_again(labelled):
    change = start(labelled, LabelMerge(sources=("rose", "tulip"), target="flower"))
    assert labelled.project.labels.names == ("flower", "lily")
    assert carried(labelled) == ["flower", "flower", "flower", "flower", "lily", ""]
    change.refresh_from_db()
    assert (change.state, change.num_items) == (ChangeState.DONE, 4)
    index_is_right(labelled)
    undo(labelled, change)
    assert carried(labelled) == ["rose", "rose", "tulip", "tulip", "lily", ""]
    with pytest.raises(LabelChangeUndoneError):
        label_change_undo(change=change, actor=labelled.actor)


def test_a_label_is_split_by_hand_and_by_metadata(labelled):
    ids = [item.id for item in items(labelled)]
    Item.objects.filter(id=ids[2]).update(metadata={"camera": "north"})
    start(labelled, LabelSplit(source="rose", parts=(LabelPart(label="red rose", by="items", items=(ids[0],)),)))
    assert carried(labelled)[:2] == ["red rose", "rose"]
    start(labelled, LabelSplit(source="tulip", parts=(LabelPart(label="lily", by="metadata", name="camera", value="north"),)))
    assert carried(labelled) == ["red rose", "rose", "lily", "tulip", "lily", ""]
    assert labelled.project.labels.names == ("rose", "red rose", "tulip", "lily")
    index_is_right(labelled)


def test_work_done_after_a_change_survives_its_undo(labelled):
    change = start(labelled, LabelRename(source="rose", target="briar"))
    first, last = items(labelled)[0], items(labelled)[5]
    say(labelled, first, "tulip", first.revision)
    say(labelled, last, "briar", 0)
    undo(labelled, change)
    change.refresh_from_db()
    assert carried(labelled) == ["tulip", "rose", "tulip", "tulip", "lily", "rose"]
    assert change.num_kept == 1
    index_is_right(labelled)


def test_the_preview_tells_what_then_happens(labelled):
    plan = LabelMerge(sources=("rose", "tulip"), target="lily")
    preview = label_change_preview(labelled.dataset, plan)
    assert (preview.num_items, preview.is_sampled, preview.num_joined) == (4, False, 0)
    assert preview.counts_before == {"lily": 1, "rose": 2, "tulip": 2}
    assert preview.counts_after == {"lily": 5, "rose": 0, "tulip": 0}
    assert carried(labelled) == ["rose", "rose", "tulip", "tulip", "lily", ""]
    start(labelled, plan)
    assert preview.label_set == labelled.project.labels
    assert carried(labelled).count("lily") == 5


def test_two_labels_of_one_picture_become_one(setup_of_several):
    setup = setup_of_several
    ingest(setup.dataset, zip_of({"a.png": picture(1)}))
    setup.labels("red", "crimson")
    item = items(setup)[0]
    annotations = (ClassLabel(label="red"), ClassLabel(label="crimson"))
    annotation_save(item=item, annotations=annotations, revision=0, operation="both-labels", actor=setup.actor)
    plan = LabelMerge(sources=("crimson",), target="red")
    assert label_change_preview(setup.dataset, plan).num_joined == 1
    change = start(setup, plan)
    assert carried(setup) == ["red"]
    undo(setup, change)
    assert carried(setup) == ["red|crimson"]
    index_is_right(setup)


def test_a_long_change_is_a_job_that_goes_on_where_it_was_stopped(labelled, monkeypatch):
    monkeypatch.setattr(services, "INLINE_ITEMS", 0)
    monkeypatch.setattr(services, "CHUNK", 1)
    labelled.refresh()
    change, job = label_change_start(
        dataset=labelled.dataset, plan=LabelRename(source="rose", target="briar"), actor=labelled.actor
    )
    assert job is not None
    assert Job.objects.get(id=job.id).kind == "label_change"
    with pytest.raises(LabelChangeBusyError):
        label_change_start(dataset=labelled.dataset, plan=LabelRename(source="lily", target="x"), actor=labelled.actor)

    def stop(num: int) -> None:
        if num == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label_change_continue(change=change, report=stop)
    assert sorted(carried(labelled)[:2]) == ["briar", "rose"]
    from labeling.label_changes.handlers import job_run

    job_run(job, InMemoryReporter())
    labelled.refresh()
    assert carried(labelled)[:2] == ["briar", "briar"]
    assert labelled.project.labels.names == ("briar", "tulip", "lily")


def test_what_cannot_be_done_is_refused(labelled):
    for plan, field in (
        (LabelRename(source="oak", target="x"), "source"),
        (LabelRename(source="rose", target="tulip"), "target"),
        (LabelMerge(sources=("rose",), target="rose"), "sources"),
        (LabelSplit(source="rose", parts=(LabelPart(label="rose", by="items"),)), "parts"),
    ):
        with pytest.raises(LabelPlanError) as error:
            label_change_start(dataset=labelled.dataset, plan=plan, actor=labelled.actor)
        assert field in error.value.fields


def test_over_http(labelled):
    client, project = labelled.client(), labelled.project.id
    body = {"project": project, "plan": {"kind": "rename", "source": "rose", "target": "briar"}}
    assert client.post("/api/labeling/label-changes/preview", body, content_type="application/json").json()["num_items"] == 2
    done = client.post("/api/labeling/label-changes", body, content_type="application/json")
    assert (done.status_code, done.json()["change"]["state"]) == (200, "done")
    listed = client.get(f"/api/labeling/label-changes?project={project}").json()["items"]
    assert [one["plan"]["target"] for one in listed] == ["briar"]
    undone = client.post(f"/api/labeling/label-changes/{listed[0]['id']}/undo")
    assert (undone.status_code, undone.json()["change"]["state"]) == (200, "undone")


def test_trees_and_attributes_follow():
    labels = LabelSet(
        labels=(
            Label(name="animal"),
            Label(name="cat", parent="animal", attributes=(LabelAttribute(name="occluded"),)),
            Label(name="kitten", parent="cat"),
        )
    )
    renamed = labels_after(LabelRename(source="cat", target="feline"), labels)
    assert [(one.name, one.parent) for one in renamed.labels] == [("animal", None), ("feline", "animal"), ("kitten", "feline")]
    assert renamed.labels[1].attributes[0].name == "occluded"
    merged = labels_after(LabelMerge(sources=("animal", "cat"), target="kitten"), labels)
    assert [(one.name, one.parent) for one in merged.labels] == [("kitten", None)]


def test_objects_are_split_by_their_attributes():
    plan = LabelSplit(source="car", parts=(LabelPart(label="parked car", by="attribute", name="parked", value="true"),))
    box = {"kind": "box", "label": "car", "x": 0, "y": 0, "width": 1, "height": 1}
    annotations = [box | {"attributes": [{"name": "parked", "value": True}]}, box, box | {"label": "bus"}]
    after = annotations_after(plan, annotations, item="i", metadata={})
    assert [one["label"] for one in after] == ["parked car", "car", "bus"]
