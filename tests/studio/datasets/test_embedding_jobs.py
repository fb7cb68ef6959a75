"""Who is looked at when: the sweep, its marks and pauses, what a job is given, and the whole way from an upload to rows."""

from __future__ import annotations

import tempfile
import time
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from django.utils import timezone

from automl.contracts.job import JobState
from engine.embedding.spec import FEATURES_FILE, MISSING_FILE, SHARDS_DIR, shard_write
from studio.common.blobs import blobs
from studio.common.ids import id_at, id_time_s, new_id
from studio.datasets.embeddings import jobs as embedding_jobs
from studio.datasets.embeddings.jobs import MapTooSmallError, embeddings_sweep, job_ended, job_prepare, map_submit
from studio.datasets.embeddings.store import embeddings_load, map_load, shard_folder, shard_jobs
from studio.datasets.models import Item, Upload
from studio.jobs.models import Job
from studio.jobs.workdir import result_prefix, workdir_keep
from tests.engine.jobs import embedding_store, run_here
from tests.labeling.assist.material import features_of, items_make, shard_put
from tests.support.project_setup import ingest, picture, zip_of


def later() -> float:
    """Seconds since the epoch when what is there now has settled."""
    return time.time() + 3


def end(job: Job, state: JobState = JobState.SUCCEEDED, num_rows: float = 0.0) -> None:
    if state is JobState.SUCCEEDED:
        with tempfile.TemporaryDirectory() as name:
            shard_write(Path(name), np.empty(0, dtype="S64"), np.empty((0, 0), dtype=np.uint16))
            blobs().put_tree(result_prefix(job.id), Path(name))  # changes nothing where the job left a shard
    Job.objects.filter(id=job.id).update(state=state.value, ended_at=timezone.now(), metrics={"num_rows": num_rows})


def test_ids_contain_their_time():
    before = time.time()
    made = new_id("itm")
    assert before - 0.01 <= id_time_s(made) <= time.time()
    assert id_at("itm", before - 1) < made < id_at("itm", time.time() + 1)


def test_the_sweep_starts_one_job_for_what_is_new(setup):
    assert embeddings_sweep(now_s=later()) == []
    items = items_make(setup.dataset, 5)
    assert embeddings_sweep(now_s=time.time() - 60) == []  # too young: its transaction may not be the last one
    (job,) = embeddings_sweep(now_s=later())
    assert job.payload["until"] == max(item.id for item in items)
    assert embeddings_sweep(now_s=later()) == []  # it waits or runs
    shard_put(setup.dataset, [item.blob for item in items], features_of(0, 5))
    Job.objects.filter(id=job.id).delete()
    assert embeddings_sweep(now_s=later()) == []
    items_make(setup.dataset, 1)
    upload = Upload.objects.create(dataset=setup.dataset, created_by="usr_a", name="a", kind="batch", size_bytes=9)
    assert embeddings_sweep(now_s=later()) == []  # a batch that was overtaken may come yet
    Upload.objects.filter(id=upload.id).update(state="done")
    (again,) = embeddings_sweep(now_s=later())
    assert again.id != job.id


def test_a_failed_job_is_tried_again_after_a_while(setup):
    items_make(setup.dataset, 2)
    (job,) = embeddings_sweep(now_s=later())
    end(job, JobState.FAILED)
    assert embeddings_sweep(now_s=later()) == []
    Job.objects.filter(id=job.id).update(ended_at=timezone.now() - timedelta(minutes=6))
    (again,) = embeddings_sweep(now_s=later())
    assert (again.id != job.id, again.payload["until"]) == (True, job.payload["until"])


def test_many_items_are_taken_in_turns(setup, monkeypatch):
    monkeypatch.setattr(embedding_jobs, "ITEMS_PER_JOB", 4)
    items = sorted(items_make(setup.dataset, 10), key=lambda item: item.id)
    batches = []
    for _ in range(3):
        (job,) = embeddings_sweep(now_s=later())
        batches.append(job.payload["until"])
        end(job)
    assert batches == [items[3].id, items[7].id, items[9].id]
    assert embeddings_sweep(now_s=later()) == []


def test_a_job_wants_what_is_not_known_and_takes_small_shards_in(setup, tmp_path):
    known = items_make(setup.dataset, 6)
    shard = shard_put(setup.dataset, [item.blob for item in known[:5]], features_of(0, 5))
    fresh = items_make(setup.dataset, 3)
    Item.objects.filter(id=fresh[0].id).update(deleted_at=timezone.now())  # may come back
    (job,) = embeddings_sweep(now_s=later())
    spec = job_prepare(job, tmp_path / "job")
    assert spec.kind == "embed"
    listed = (tmp_path / "job" / "data" / MISSING_FILE).read_text().split()
    assert sorted(listed) == sorted(item.blob for item in [known[5], *fresh])  # the sixth was committed late
    assert job.payload["takes"] == [shard.id]
    assert len(list((tmp_path / "job" / "data" / SHARDS_DIR).iterdir())) == 1


def test_large_shards_are_left_alone(setup):
    items = items_make(setup.dataset, 30)
    shard_put(setup.dataset, [item.blob for item in items], features_of(0, 30))
    items_make(setup.dataset, 2)
    (job,) = embeddings_sweep(now_s=later())
    assert job.payload["takes"] == []


def test_a_damaged_shard_counts_as_not_there_and_is_made_anew(setup, tmp_path):
    items = items_make(setup.dataset, 30)
    shards = [shard_put(setup.dataset, [item.blob for item in part], features_of(0, 15)) for part in (items[:15], items[15:])]
    whole = shard_folder(shards[0].id) / FEATURES_FILE
    whole.chmod(0o644)
    data = whole.read_bytes()
    whole.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
    assert sorted(embeddings_load(setup.dataset).blobs.tolist()) == sorted(item.blob.encode() for item in items[15:])
    items_make(setup.dataset, 1)
    (job,) = embeddings_sweep(now_s=later())
    job_prepare(job, tmp_path / "job")
    listed = (tmp_path / "job" / "data" / MISSING_FILE).read_text().split()
    assert len(listed) == 16
    assert set(listed) >= {item.blob for item in items[:15]}
    assert shards[0].id in job.payload["takes"]
    placed = {link.resolve() for link in (tmp_path / "job" / "data" / SHARDS_DIR).iterdir()}
    assert shard_folder(shards[0].id).resolve() not in placed
    end(job)
    assert shards[0].id not in {one.id for one in shard_jobs(setup.dataset)}


def test_too_few_pictures_make_no_map(setup):
    with pytest.raises(MapTooSmallError):
        map_submit(dataset=setup.dataset)


def test_from_an_upload_to_a_map(setup, settings, tmp_path):
    settings.ASSETS_DIR, settings.CACHE_DIR = embedding_store()
    settings.JOBS_DIR = tmp_path / "jobs"
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(13)}))
    (job,) = embeddings_sweep(now_s=later())
    perform(job, settings)
    assert len(embeddings_load(setup.dataset)) == 13
    drawing = Job.objects.get(kind="map")
    perform(drawing, settings)
    drawn = map_load(setup.dataset)
    assert sorted(blob.decode() for blob in drawn.blobs_N) == sorted(Item.objects.values_list("blob", flat=True))
    answer = setup.client().get("/api/labeling/map", {"project": setup.project.id}).json()
    assert (answer["num_items"], answer["num_missing"], len(answer["items"])) == (13, 0, 13)
    assert {len(answer[name]) for name in ("x", "y", "label", "split", "flag", "suggestion", "confidence")} == {13}
    assert np.ptp(answer["x"]) > 1000


def perform(job: Job, settings) -> None:
    """Does a job as the runner does, in this process."""
    workdir = settings.JOBS_DIR / job.id
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, (workdir / "events.jsonl").read_text()[-600:]
    workdir_keep(job.id, has_result=True)
    end(job)
    job_ended(Job.objects.get(id=job.id))
