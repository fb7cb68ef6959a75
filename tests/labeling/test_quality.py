"""Findings come in, people act on them, and everything can be undone."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest
from django.utils import timezone

from automl.contracts.dataset import Split
from automl.contracts.job import JobState
from automl.contracts.quality import ITEMS_FILE, VECTORS_FILE, Finding, FindingKind
from engine.embedding.spec import BACKBONE, RESOLUTION_PX
from engine.embedding.spec import SIZE as EMBEDDING_SIZE
from engine.quality.items.image.measure import FEATURE_SIDE_PX
from engine.quality.items.image.vectors import FAMILY, SIZE
from labeling.models import AnnotationRevision
from labeling.quality.errors import QualityActionError, QualityNothingError, QualityUndoneError
from labeling.quality.handlers import findings_enter, job_ended, job_prepare, project_problems
from labeling.quality.job_files import dataset_write
from labeling.quality.models import ActionKind
from labeling.quality.selectors import finding_page, open_counts, quality_get
from labeling.quality.services import action_take, action_undo, quality_start
from labeling.services import annotation_save
from studio.accounts.models import AuditRow
from studio.datasets.items.services import item_restore
from studio.datasets.models import Item, ItemFlag, ItemLabel
from studio.datasets.versions.manifest import version_commit
from studio.jobs.models import Job
from studio.jobs.workdir import SPEC_FILE, job_workdir, workdir_keep
from tests.engine.jobs import events, fill_store, run_here
from tests.labeling.assist.material import shard_put
from tests.support.project_setup import ProjectSetup, ingest, picture, zip_of

pytestmark = pytest.mark.django_db


def finding(kind: str, item: Item, severity: float = 0.9, **detail) -> Finding:
    return Finding(item=item.id, kind=FindingKind(kind), severity=severity, detail=detail)


@pytest.fixture
def items(setup: ProjectSetup) -> list[Item]:
    setup.labels("cat", "dog")
    files = {f"{'cat' if seed % 2 else 'dog'}/{seed}.png": picture(seed) for seed in range(8)}
    ingest(setup.dataset, zip_of(files), labels="folder")
    setup.refresh()
    return list(Item.objects.filter(dataset=setup.dataset).order_by("name"))


def copies(items: list[Item], kind: str = "near_duplicate") -> list[Finding]:
    """Three pictures of one thing: the first is the one to keep."""
    one, two, three = items[:3]
    return [
        finding(kind, one, cluster=one.id, is_kept=True, other=two.id),
        finding(kind, two, cluster=one.id, is_kept=False, other=one.id),
        finding(kind, three, cluster=one.id, is_kept=False, other=one.id),
    ]


def act(setup: ProjectSetup, action: str, kind: str, items=None, min_severity: float = 0.0):
    return action_take(
        dataset=setup.dataset,
        action=ActionKind(action),
        kind=FindingKind(kind),
        items=None if items is None else [item.id for item in items],
        min_severity=min_severity,
        actor=setup.actor,
    )


def state(setup: ProjectSetup) -> list[tuple]:
    """All that an action may touch."""
    fields = ("id", "deleted_at", "quarantine", "group", "split", "annotations", "provenance", "state")
    return [
        *Item.objects.filter(dataset=setup.dataset).order_by("id").values_list(*fields),
        *ItemLabel.objects.filter(dataset=setup.dataset).order_by("item", "label").values_list("item", "label"),
        *ItemFlag.objects.filter(dataset=setup.dataset).order_by("item", "kind").values_list("item", "kind", "dismissed_at"),
    ]


@pytest.mark.parametrize("action", ["quarantine", "delete"])
@pytest.mark.parametrize("kind", ["near_duplicate", "exact_duplicate", "leak"])
def test_all_copies_go_but_one_and_come_back(setup, items, action, kind):
    findings_enter(setup.dataset, iter(copies(items, kind)))
    before = state(setup)
    done = act(setup, action, kind)
    assert done.num_items == 2
    gone = Item.objects.filter(dataset=setup.dataset, deleted_at__isnull=False)
    assert {item.id for item in gone} == {items[1].id, items[2].id}
    assert {item.quarantine for item in gone} == {done.id if action == "quarantine" else ""}
    assert not ItemLabel.objects.filter(item__in=gone).exists()
    assert open_counts(setup.dataset.id) == {}
    undone = action_undo(action=done, actor=setup.actor)
    assert (undone.num_kept, state(setup)) == (0, before)


def test_one_copy_stays_when_the_one_to_keep_has_gone(setup, items):
    findings_enter(setup.dataset, iter(copies(items)))
    act(setup, "delete", "near_duplicate", [items[0]])
    assert act(setup, "quarantine", "near_duplicate").num_items == 1
    assert Item.objects.filter(dataset=setup.dataset, deleted_at=None, id__in=[one.id for one in items[:3]]).count() == 1


def test_chosen_items_only(setup, items):
    findings_enter(setup.dataset, (finding("blurred", item, 0.5 + index / 20) for index, item in enumerate(items)))
    assert act(setup, "quarantine", "blurred", items[:2]).num_items == 2
    assert act(setup, "quarantine", "blurred", min_severity=0.74).num_items == 3
    with pytest.raises(QualityNothingError):
        act(setup, "quarantine", "blurred", items[:2])


def test_the_suggested_label_is_taken_with_history_and_given_back(setup, items):
    cats = [item for item in items if item.name.startswith("cat") or item.annotations[0]["label"] == "cat"]
    findings_enter(setup.dataset, (finding("wrong_label", item, label="cat", suggested="dog") for item in cats))
    before = state(setup)
    done = act(setup, "relabel", "wrong_label")
    assert done.num_items == len(cats) == 4
    assert ItemLabel.objects.filter(dataset=setup.dataset, label="dog").count() == 8
    assert AnnotationRevision.objects.filter(item=cats[0], operation=done.id).get().annotations[0]["label"] == "dog"
    assert open_counts(setup.dataset.id) == {}
    action_undo(action=done, actor=setup.actor)
    assert state(setup) == before
    with pytest.raises(QualityUndoneError):
        action_undo(action=done, actor=setup.actor)


def test_a_label_that_somebody_changed_meanwhile_is_not_touched_by_undoing(setup, items):
    cats = [item for item in items if item.annotations[0]["label"] == "cat"]
    findings_enter(setup.dataset, (finding("wrong_label", item, label="cat", suggested="dog") for item in cats))
    done = act(setup, "relabel", "wrong_label")
    item = Item.objects.select_related("dataset__project").get(id=cats[0].id)
    annotation_save(item=item, annotations=(), revision=item.revision, operation="op", actor=setup.actor)
    assert action_undo(action=done, actor=setup.actor).num_kept == 1
    assert Item.objects.get(id=cats[0].id).annotations == []


def test_a_label_that_was_corrected_since_the_report_is_left_alone(setup, items):
    cats = [item for item in items if item.annotations[0]["label"] == "cat"]
    findings_enter(setup.dataset, iter([finding("wrong_label", cats[0], label="dog", suggested="cat")]))
    with pytest.raises(QualityNothingError):
        act(setup, "relabel", "wrong_label")
    assert open_counts(setup.dataset.id) == {}  # nobody has to look at it again


def test_copies_get_one_group_and_one_split(setup, items):
    Item.objects.filter(id=items[0].id).update(split=Split.TRAIN.value)
    Item.objects.filter(id=items[1].id).update(split=Split.TEST.value)
    findings_enter(setup.dataset, iter(copies(items, "leak")))
    before = state(setup)
    done = act(setup, "group", "leak")
    rows = list(Item.objects.filter(id__in=[one.id for one in items[:3]]))
    assert len({row.group for row in rows}) == len({row.split for row in rows}) == 1
    assert open_counts(setup.dataset.id) == {}
    action_undo(action=done, actor=setup.actor)
    assert state(setup) == before


def test_items_that_a_version_may_hold_never_move(setup, items):
    Item.objects.filter(id=items[0].id).update(split=Split.TRAIN.value)
    Item.objects.filter(id__in=[items[1].id, items[2].id]).update(split=Split.TEST.value)
    version_commit(dataset=setup.dataset, actor=setup.actor)
    Item.objects.filter(id=items[2].id).update(revision=0, created_at=timezone.now())  # as if it came later
    findings_enter(setup.dataset, iter(copies(items, "leak")))
    act(setup, "group", "leak")
    assert open_counts(setup.dataset.id) == {FindingKind.LEAK: 3}, "it still leaks"
    splits = dict(Item.objects.filter(id__in=[one.id for one in items[:3]]).values_list("id", "split"))
    first = min(items[0], items[1], key=lambda item: item.id)
    expected = {items[0].id: "train", items[1].id: "test"}
    assert splits == expected | {items[2].id: expected[first.id]}


def test_an_action_must_fit_the_kind(setup, items):
    findings_enter(setup.dataset, iter([finding("blurred", items[0])]))
    with pytest.raises(QualityActionError):
        act(setup, "group", "blurred")
    with pytest.raises(QualityActionError):
        act(setup, "relabel", "blurred")


def test_a_dismissal_outlives_the_next_report_unless_it_says_something_else(setup, items):
    first = finding("wrong_label", items[0], label="cat", suggested="dog")
    findings_enter(setup.dataset, iter([first, finding("blurred", items[1])]))
    act(setup, "dismiss", "wrong_label")
    act(setup, "dismiss", "blurred")
    findings_enter(setup.dataset, iter([first, finding("blurred", items[1], 0.99)]))
    assert open_counts(setup.dataset.id) == {}
    Item.objects.filter(id=items[0].id).update(annotations=[{"kind": "class", "label": "dog"}])
    findings_enter(setup.dataset, iter([finding("wrong_label", items[0], label="dog", suggested="cat")]))
    assert open_counts(setup.dataset.id) == {FindingKind.WRONG_LABEL: 1}


def test_a_new_report_replaces_what_was_open(setup, items):
    findings_enter(setup.dataset, iter([finding("dark", items[0])]))
    findings_enter(setup.dataset, iter([finding("bright", items[1])]))
    assert open_counts(setup.dataset.id) == {FindingKind.BRIGHT: 1}


def test_what_an_action_closed_opens_again_when_a_report_finds_it_again(setup, items):
    findings_enter(setup.dataset, iter(copies(items)))
    act(setup, "quarantine", "near_duplicate")
    item_restore(dataset=setup.dataset, items=[items[1].id], actor=setup.actor)
    findings_enter(setup.dataset, iter(copies(items)[:2]))
    assert open_counts(setup.dataset.id) == {FindingKind.NEAR_DUPLICATE: 2}


def test_copies_of_one_picture_stand_together(setup, items):
    pairs = [(0, 4), (1, 5), (2, 6)]
    found = [
        finding("near_duplicate", items[own], 0.9 + own / 100, cluster=items[a].id, is_kept=own == a, other=items[other].id)
        for a, b in pairs
        for own, other in ((a, b), (b, a))
    ]
    findings_enter(setup.dataset, iter(found))
    clusters, cursor = [], None
    while True:
        page = finding_page(
            setup.dataset, kind=FindingKind.NEAR_DUPLICATE, min_severity=0, is_dismissed=False, cursor=cursor, limit=4
        )
        clusters += [flag.detail["cluster"] for flag in page.flags]
        assert {flag.detail["other"] for flag in page.flags} <= set(page.others)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(clusters) == 6
    assert clusters[::2] == clusters[1::2]


def test_what_was_done_is_audited_and_among_the_problems(setup, items):
    findings_enter(setup.dataset, iter(copies(items)))
    assert [problem.code for problem in project_problems(setup.project)] == ["quality_near_duplicate"]
    done = act(setup, "quarantine", "near_duplicate")
    assert AuditRow.objects.get(action="quality.acted").detail["id"] == done.id


def test_a_repeated_request_runs_once(setup, items):
    assert quality_start(dataset=setup.dataset).id == quality_start(dataset=setup.dataset).id


def test_the_job_from_the_items_to_the_findings(setup, items, settings, tmp_path):
    settings.ASSETS_DIR = fill_store(tmp_path / "assets", "efficientnet_lite")
    blank = zip_of({"cat/blank.png": picture(1, size=(64, 48), mode="1"), "dog/copy.bmp": picture(3, form="BMP")})
    ingest(setup.dataset, blank)
    job = quality_start(dataset=setup.dataset)
    workdir = job_workdir(job.id)
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / SPEC_FILE)
    assert run_here(workdir) == 0, events(workdir)[-1]
    workdir_keep(job.id, has_result=True)
    Job.objects.filter(id=job.id).update(state=JobState.SUCCEEDED.value, ended_at=timezone.now())
    job.refresh_from_db()
    job_ended(job)
    job_ended(job)
    quality = quality_get(setup.dataset)
    assert quality.report is not None
    assert (quality.report.num_items, quality.report.num_annotated, quality.num_added) == (10, 8, 0)
    assert quality.num_open[FindingKind.EXACT_DUPLICATE] == 2
    ingest(setup.dataset, zip_of({"x.png": picture(99)}))
    assert quality_get(setup.dataset).num_added == 1


def test_the_job_is_given_the_embeddings_there_are(setup, items, tmp_path):
    assert FEATURE_SIDE_PX == RESOLUTION_PX
    assert (FAMILY, SIZE) == (BACKBONE, EMBEDDING_SIZE)
    known, features = items[:3], np.arange(12, dtype=np.float32).reshape(3, 4)
    shard_put(setup.dataset, [item.blob for item in known], features)
    dataset_write(setup.dataset, tmp_path / "data")
    placed = [row["item"] for row in pq.read_table(tmp_path / "data" / ITEMS_FILE).to_pylist()]
    rows = dict(zip(placed, np.load(tmp_path / "data" / VECTORS_FILE), strict=True))
    for item, expected in zip(known, features, strict=True):
        np.testing.assert_array_equal(rows[item.id], expected)
    assert all(np.isnan(rows[item.id]).all() for item in items[3:])


def test_without_embeddings_the_job_gets_no_file_of_them(setup, items, tmp_path):
    dataset_write(setup.dataset, tmp_path / "data")
    assert not (tmp_path / "data" / VECTORS_FILE).exists()


def test_the_endpoints(setup, items):
    client = setup.client()
    base = f"/api/datasets/{setup.dataset.id}/quality"
    findings_enter(setup.dataset, iter(copies(items)))
    assert client.get(base).json()["num_open"] == {"near_duplicate": 3}
    page = client.get(f"{base}/findings?kind=near_duplicate&limit=2").json()
    assert [one["other"]["id"] for one in page["items"]] == [items[1].id, items[0].id]
    body = {"action": "quarantine", "kind": "near_duplicate"}
    done = client.post(f"{base}/actions", body, content_type="application/json")
    assert (done.status_code, done.json()["num_items"]) == (201, 2)
    assert client.get(f"{base}/actions").json()["items"][0]["id"] == done.json()["id"]
    undone = client.post(f"/api/quality/actions/{done.json()['id']}/undo")
    assert undone.json()["undone_at"] is not None
    assert client.post(f"/api/quality/actions/{done.json()['id']}/undo").json()["code"] == "quality_undone"
    assert client.post(f"{base}/run").json()["kind"] == "quality"
