"""The quality report of texts: from the items to the findings, and every action and its undoing on them."""

from __future__ import annotations

import numpy as np
import pyarrow.parquet as pq
import pytest
from django.utils import timezone

from automl.contracts.items import items_of
from automl.contracts.job import JobState
from automl.contracts.modality import Modality
from automl.contracts.quality import ITEMS_FILE, VECTORS_FILE, FindingKind
from engine.embedding.spec import TEXT_EDITION
from labeling.quality.handlers import job_ended, job_prepare, project_problems
from labeling.quality.job_files import dataset_write
from labeling.quality.models import ActionKind
from labeling.quality.selectors import open_counts, quality_get
from labeling.quality.services import action_take, action_undo, quality_start
from studio.datasets.models import Item
from studio.jobs.models import Job
from studio.jobs.workdir import SPEC_FILE, job_workdir, workdir_keep
from tests.engine.jobs import run_here
from tests.labeling.assist.material import shard_put
from tests.support.project_setup import ProjectSetup, ingest, setup_make, zip_of

TOPICS = {
    "room": ("bed", "bath", "pillow", "window", "towel", "lamp", "carpet", "shower", "door", "curtain"),
    "food": ("noodles", "beef", "soup", "bread", "tea", "rice", "cake", "egg", "fish", "pepper"),
}


def sentence(label: str, seed: int) -> str:
    """Words of a topic in an order of its own."""
    return " and ".join(np.random.default_rng(seed).permutation(TOPICS[label])[:6])


GARBLED = "早餐很好吃，房间也很干净".encode().decode("latin-1")


@pytest.fixture
def texts(db, home) -> ProjectSetup:
    """Labelled texts with a copy of one, one that is garbled, one of marks alone, and one with another's label."""
    setup = setup_make(task="text_classification")
    files = {f"{label}/{n}.txt": sentence(label, n) for label in TOPICS for n in range(30)}
    files |= {
        "food/copied.txt": sentence("food", 50),
        "food/copy.txt": f"{sentence('food', 50).upper()}!!!",
        "food/garbled.txt": GARBLED,
        "food/marks.txt": "?!?!?!?!?!?!",
        "food/wrong.txt": sentence("room", 60),
    }
    ingest(setup.dataset, zip_of({name: text.encode() for name, text in files.items()}), labels="folder")
    setup.refresh()
    return setup


@pytest.fixture
def reported(texts, settings, tmp_path, monkeypatch) -> ProjectSetup:
    """The same, looked at without pretrained weights."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    settings.ASSETS_DIR = tmp_path / "assets"
    job = quality_start(dataset=texts.dataset)
    workdir = job_workdir(job.id)
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / SPEC_FILE)
    assert run_here(workdir) == 0, (workdir / "events.jsonl").read_text()[-600:]
    workdir_keep(job.id, has_result=True)
    Job.objects.filter(id=job.id).update(state=JobState.SUCCEEDED.value, ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))
    return texts


def named(setup: ProjectSetup, kind: FindingKind) -> set[str]:
    url = f"/api/datasets/{setup.dataset.id}/quality/findings"
    return {one["item"]["name"].rpartition("/")[2] for one in setup.client().get(url, {"kind": kind.value}).json()["items"]}


def test_the_job_is_given_the_texts_themselves(texts, tmp_path):
    dataset_write(texts.dataset, tmp_path / "data")
    rows = pq.read_table(tmp_path / "data" / ITEMS_FILE).to_pylist()
    assert {row["item"]: row["text"] for row in rows} == dict(Item.objects.values_list("id", "text"))
    assert not (tmp_path / "data" / "blobs").exists()
    assert not (tmp_path / "data" / VECTORS_FILE).exists()


def test_each_fault_is_among_the_findings(reported):
    assert named(reported, FindingKind.EXACT_DUPLICATE) == {"copied.txt", "copy.txt"}
    assert named(reported, FindingKind.GARBLED) == {"garbled.txt"}
    assert named(reported, FindingKind.LOW_INFORMATION) == {"marks.txt"}
    assert "wrong.txt" in named(reported, FindingKind.WRONG_LABEL)
    report = quality_get(reported.dataset).report
    assert report is not None
    assert set(report.num_found) == set(items_of(Modality.TEXT).findings)
    assert (report.num_items, report.num_annotated) == (65, 65)
    messages = {problem.code: problem.message for problem in project_problems(reported.project)}
    assert messages["quality_garbled"].en == "1 text is garbled, probably decoded with the wrong encoding."
    assert messages["quality_exact_duplicate"].zh == "2 条文本与其他文本完全相同。"


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (ActionKind.QUARANTINE, FindingKind.EXACT_DUPLICATE),
        (ActionKind.DELETE, FindingKind.GARBLED),
        (ActionKind.DISMISS, FindingKind.LOW_INFORMATION),
        (ActionKind.RELABEL, FindingKind.WRONG_LABEL),
        (ActionKind.GROUP, FindingKind.EXACT_DUPLICATE),
    ],
)
def test_every_action_can_be_done_and_undone(reported, action, kind):
    fields = ("id", "deleted_at", "quarantine", "group", "split", "annotations", "text")
    before = list(Item.objects.order_by("id").values_list(*fields)), open_counts(reported.dataset.id)
    done = action_take(dataset=reported.dataset, action=action, kind=kind, items=None, min_severity=0.0, actor=reported.actor)
    assert done.num_items >= 1
    assert open_counts(reported.dataset.id) != before[1]
    undone = action_undo(action=done, actor=reported.actor)
    assert undone.num_kept == 0
    assert (list(Item.objects.order_by("id").values_list(*fields)), open_counts(reported.dataset.id)) == before


def test_relabelled_texts_carry_what_was_suggested(reported):
    wrong = Item.objects.get(name__endswith="wrong.txt")
    action_take(
        dataset=reported.dataset,
        action=ActionKind.RELABEL,
        kind=FindingKind.WRONG_LABEL,
        items=[wrong.id],
        min_severity=0.0,
        actor=reported.actor,
    )
    wrong.refresh_from_db()
    assert [one["label"] for one in wrong.annotations] == ["room"]


def test_embeddings_there_are_come_along(texts, tmp_path):
    known = list(Item.objects.order_by("id")[:4])
    features = np.arange(16, dtype=np.float32).reshape(4, 4)
    job = shard_put(texts.dataset, [item.blob for item in known], features)
    dataset_write(texts.dataset, tmp_path / "pictures")
    assert not (tmp_path / "pictures" / VECTORS_FILE).exists()  # a shard of pictures' features is none of texts
    Job.objects.filter(id=job.id).update(payload={**job.payload, "edition": TEXT_EDITION})
    dataset_write(texts.dataset, tmp_path / "data")
    rows = dict(
        zip(
            [row["item"] for row in pq.read_table(tmp_path / "data" / ITEMS_FILE).to_pylist()],
            np.load(tmp_path / "data" / VECTORS_FILE),
            strict=True,
        )
    )
    for item, expected in zip(known, features, strict=True):
        np.testing.assert_array_equal(rows[item.id], expected)
