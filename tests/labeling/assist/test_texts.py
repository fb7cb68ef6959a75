"""Help with texts: from an upload to suggestions, a map and what is alike, by the same jobs and doors as for pictures."""

from __future__ import annotations

import time

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from automl.contracts.annotation import ClassLabel
from engine.embedding.spec import EDITION, TEXT_EDITION, TEXTS_FILE
from labeling.assist.models import Assist
from labeling.assist.refresh import head_refresh, heads_mark
from labeling.assist.suggest import head_now
from labeling.services import annotation_save_many
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.datasets.embeddings import similar
from studio.datasets.embeddings.jobs import embeddings_sweep, job_ended, job_prepare, map_submit
from studio.datasets.embeddings.similar import text_features, text_read
from studio.datasets.embeddings.store import embeddings_load, map_load
from studio.datasets.models import Item
from studio.jobs.models import Job
from studio.jobs.workdir import workdir_keep
from tests.engine.jobs import run_here
from tests.engine.text_store import text_store
from tests.support.project_setup import ProjectSetup, ingest, picture, setup_make, zip_of

TEXTS = {
    "clean": ["so neat and tidy, not a stain, number {}", "neat, not a stain on it, tidy {}", "tidy neat not a stain {}"],
    "loud": ["drum boom drum boom all through, {}", "boom boom drum, all through it {}", "drum all through boom {}"],
}
"""What texts of a label say, over and over: with made-up weights, like characters make like features."""


def perform(job: Job, settings) -> None:
    """Does a job as the runner does, in this process."""
    workdir = settings.JOBS_DIR / job.id
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, (workdir / "events.jsonl").read_text()[-600:]
    workdir_keep(job.id, has_result=True)
    Job.objects.filter(id=job.id).update(state="succeeded", ended_at=timezone.now())
    job_ended(Job.objects.get(id=job.id))


@pytest.fixture
def written(db, home) -> ProjectSetup:
    """Forty texts of two kinds that nobody has looked at."""
    setup = setup_make(task="text_classification")
    setup.labels(*TEXTS)
    files = {
        f"{label}-{n}.txt": sentences[n % len(sentences)].format(n).encode()
        for label, sentences in TEXTS.items()
        for n in range(20)
    }
    ingest(setup.dataset, zip_of(files))
    return setup


@pytest.fixture
def read(written, settings, tmp_path) -> ProjectSetup:
    """The same, read by a job that the sweep started."""
    settings.ASSETS_DIR, settings.CACHE_DIR = text_store()
    settings.JOBS_DIR = tmp_path / "jobs"
    (job,) = embeddings_sweep(now_s=time.time() + 3)
    perform(job, settings)
    return written


def of(label: str) -> list[Item]:
    return list(Item.objects.filter(name__startswith=label).select_related("dataset__project").order_by("id"))


def say(setup: ProjectSetup, label: str, items: list[Item]) -> None:
    annotation_save_many(
        items=items, annotations=(ClassLabel(label=label),), operation=f"say-{label}-{items[0].id}", actor=setup.actor
    )


def search(setup: ProjectSetup, text: str, user=None):
    return setup.client(user).get("/api/labeling/similar", {"project": setup.project.id, "text": text})


def assist(setup: ProjectSetup) -> dict:
    return setup.client().get("/api/labeling/assist", {"project": setup.project.id}).json()


def test_the_job_of_a_text_project_is_one_of_texts(written, settings, tmp_path):
    settings.JOBS_DIR = tmp_path / "jobs"
    Item.objects.filter(name="loud-3.txt").update(text="x" * 9000)
    (job,) = embeddings_sweep(now_s=time.time() + 3)
    assert (job.title["en"], job.payload["edition"]) == ("Reading the texts", TEXT_EDITION)
    assert embeddings_sweep(now_s=time.time() + 3) == []
    job_prepare(job, tmp_path / "job")
    assert not (tmp_path / "job" / "data" / "blobs").exists()  # the texts themselves are there
    assert (tmp_path / "job" / "data" / TEXTS_FILE).stat().st_size < 10_000


def test_shards_of_pictures_are_not_read_for_texts(read, settings):
    """Such as a job left before texts had an encoder of their own."""
    assert len(embeddings_load(read.dataset)) == 40
    Job.objects.filter(kind="embed").update(payload={"edition": EDITION, "since": "", "until": "itm_z", "takes": []})
    assert len(embeddings_load(read.dataset)) == 0
    (job,) = embeddings_sweep(now_s=time.time() + 3)
    assert job.payload["edition"] == TEXT_EDITION


def test_a_few_labels_are_followed_by_suggestions_and_an_order(read):
    assert (assist(read)["state"], assist(read)["search_by"]) == ("waiting_for_labels", "text")
    for label in TEXTS:
        say(read, label, of(label)[:3])
    heads_mark(datasets=[read.dataset.id])
    assert head_refresh(dataset_id=read.dataset.id) >= 1
    state = assist(read)
    assert (state["state"], state["features_done"], state["head"]["accuracy"]) == ("ready", 40, 1.0)
    for label in TEXTS:
        rest = of(label)[3:]
        answer = read.client().get("/api/labeling/suggestions", {"items": ",".join(item.id for item in rest)}).json()
        assert {one["annotations"][0]["label"] for one in answer.values()} == {label}
        assert len(answer) == len(rest)
    page = read.client().get("/api/labeling/assist/items", {"project": read.project.id, "label": "loud"}).json()
    assert {one["item"]["id"] for one in page["items"]} == {item.id for item in of("loud")[3:]}
    assert all(one["item"]["text"] for one in page["items"])
    body = {"project": read.project.id, "prefetch": 5}
    leased = read.client().post("/api/labeling/assignments", body, content_type="application/json").json()["items"]
    queue = Assist.objects.get(dataset=read.dataset).queue
    assert [one["id"] for one in leased] == queue[:5]
    assert all(one["text"] for one in leased)


def test_suggestions_taken_for_many_texts_at_once_raise_the_meter(read):
    for label in TEXTS:
        say(read, label, of(label)[:3])
    heads_mark(datasets=[read.dataset.id])
    head_refresh(dataset_id=read.dataset.id)
    rest = of("loud")[3:]
    shown = read.client().get("/api/labeling/suggestions", {"items": ",".join(item.id for item in rest)}).json()
    one = shown[rest[0].id]
    body = {
        "items": [item.id for item in rest],
        "annotations": [{"kind": "class", "label": "loud"}],
        "operation": "take-many",
        "suggestion": {"by": one["by"], "annotations": one["annotations"]},
    }
    answer = read.client().post("/api/labeling/annotations/batch", body, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert Item.objects.filter(state="annotated").count() == 6 + len(rest)
    assert assist(read)["agreement"] == {"num": len(rest), "num_accepted": len(rest)}


def test_texts_like_one_are_those_of_its_kind(read):
    item = of("clean")[0]
    found = read.client().get(f"/api/items/{item.id}/similar", {"limit": 19}).json()
    assert {one["item"]["name"].partition("-")[0] for one in found} == {"clean"}
    assert item.id not in {one["item"]["id"] for one in found}


def test_a_sentence_finds_the_text_that_says_it(read):
    item = of("loud")[4]
    first, *others = search(read, f"  {item.text} ").json()
    assert first["item"]["id"] == item.id
    assert first["similarity"] > 0.99 > others[-1]["similarity"]
    assert len(others) == 39
    assert Item.objects.count() == 40  # what was asked about is not kept


def test_the_map_shows_texts(read, settings):
    drawing = Job.objects.get(kind="map")
    assert drawing.title["en"] == "Drawing the map of the texts"
    perform(drawing, settings)
    assert len(map_load(read.dataset).blobs_N) == 40
    answer = read.client().get("/api/labeling/map", {"project": read.project.id}).json()
    assert (answer["num_items"], answer["num_missing"], len(answer["items"])) == (40, 0, 40)
    at = {item: np.array([x, y]) for item, x, y in zip(answer["items"], answer["x"], answer["y"], strict=True)}
    clean, loud = ([at[item.id] for item in of(label)] for label in TEXTS)
    assert np.linalg.norm(np.mean(clean, axis=0) - np.mean(loud, axis=0)) > 10_000
    assert map_submit(dataset=read.dataset).id != drawing.id


def test_a_picture_is_no_way_to_search_texts_and_a_sentence_none_to_search_pictures(read, setup_of_pictures):
    url = f"/api/labeling/similar?project={read.project.id}"
    refused = read.client().post(url, {"file": SimpleUploadedFile("query", picture(1))})
    assert (refused.status_code, refused.json()["code"]) == (422, "search_unfit")
    refused = search(setup_of_pictures, "a red flower")
    assert (refused.status_code, refused.json()["code"]) == (422, "search_unfit")
    assert refused.json()["hint"]
    assert assist(setup_of_pictures)["search_by"] == "picture"


@pytest.fixture
def setup_of_pictures(db, home) -> ProjectSetup:
    return setup_make(email="grace@example.org")


def test_before_anything_was_read_the_search_reports_it(written):
    refused = search(written, "quiet")
    assert (refused.status_code, refused.json()["code"]) == (409, "features_none")
    refused = written.client().get(f"/api/items/{of('loud')[0].id}/similar")
    assert (refused.status_code, refused.json()["code"]) == (409, "features_missing")
    assert search(written, "").status_code == 422


def test_where_no_job_left_the_model_one_is_asked_for_it(read, settings, monkeypatch):
    monkeypatch.setattr(similar, "_TREES", "others")
    before = Job.objects.count()
    refused = [search(read, "boom").json()["code"] for _ in range(2)]
    assert refused == ["search_starting"] * 2
    assert Job.objects.count() == before + 1  # asked for once
    perform(Job.objects.latest("id"), settings)
    assert blobs().fetch_tree(f"others/{TEXT_EDITION}").is_dir()
    assert search(read, of("loud")[0].text).json()[0]["item"]["name"] == "loud-0.txt"


def test_who_reads_the_data_may_search_and_strangers_may_not(read):
    assert search(read, "boom", read.member("eve", Role.VIEWER)).status_code == 200
    assert search(read, "boom", read.member("mia", Role.ANNOTATOR)).status_code == 403


def taught(setup: ProjectSetup) -> None:
    for label in TEXTS:
        say(setup, label, of(label)[:3])
    heads_mark(datasets=[setup.dataset.id])
    head_refresh(dataset_id=setup.dataset.id)


def evidence(setup: ProjectSetup, item: Item, **query: str):
    return setup.client().get(f"/api/labeling/items/{item.id}/evidence", query)


def test_what_a_suggestion_hangs_on_is_what_its_score_falls_by(read):
    item = of("loud")[9]
    answer = evidence(read, item)
    assert (answer.status_code, answer.json()["code"]) == (409, "head_missing")
    taught(read)
    answer = evidence(read, item).json()
    assert answer["label"] == "loud"
    _, head = head_now(read.dataset)
    spans = [(one["start"], one["end"]) for one in answer["segments"]]
    assert "".join(item.text[start:end] for start, end in spans) == text_read(item.text)
    column = head.labels.index("loud")
    whole, *without = (
        float(head.scores(text_features(text)[None])[0, column])
        for text in (item.text, *(item.text[:start] + item.text[end:] for start, end in spans))
    )
    assert answer["score"] == pytest.approx(whole, abs=1e-5)
    assert [one["fall"] for one in answer["segments"]] == pytest.approx([whole - one for one in without], abs=1e-5)
    assert evidence(read, item, label="loud").json() == answer
    against = evidence(read, item, label="clean").json()
    assert [one["fall"] for one in against["segments"]] == pytest.approx([one - whole for one in without], abs=1e-5)
    assert evidence(read, item, label="owl").json()["code"] == "head_missing"


def test_what_a_suggestion_hangs_on_waits_for_the_model(read, monkeypatch):
    taught(read)
    monkeypatch.setattr(similar, "_TREES", "others still")
    before = Job.objects.count()
    assert [evidence(read, of("loud")[0]).json()["code"] for _ in range(2)] == ["search_starting"] * 2
    assert Job.objects.count() == before + 1


def test_only_so_much_of_a_long_text_is_looked_at_as_the_encoder_reads(read):
    text = "  boom drum " + "not a stain " * 2000
    beginning = text_read(text)
    assert text.startswith(beginning)
    assert len(beginning) < len(text) / 2
    assert text_features(beginning) == pytest.approx(text_features(text), abs=1e-5)
