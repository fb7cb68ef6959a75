"""Search by a picture that is no item: the platform's own look at it agrees with the engine's, and each refusal says why."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from engine.embedding.spec import EDITION
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.datasets.embeddings import similar
from studio.datasets.embeddings.jobs import embed_submit, job_ended, job_prepare
from studio.datasets.items.services import item_delete
from studio.datasets.models import Item
from studio.jobs.models import Job
from studio.jobs.workdir import workdir_keep
from tests.engine.jobs import embedding_store, run_here
from tests.support.project_setup import ingest, picture, zip_of


def scene(number: int, form: str = "PNG", size: tuple[int, int] = (400, 300), **options: object) -> bytes:
    """A picture of a few coloured fields, smooth enough to stay itself when saved in another way."""
    image = Image.open(io.BytesIO(picture(number, size=(4, 3)))).resize(size, Image.Resampling.BICUBIC)
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


@pytest.fixture
def looked_at(setup, settings, tmp_path):
    """Pictures that an ``embed`` job has looked at."""
    settings.ASSETS_DIR, settings.CACHE_DIR = embedding_store()
    settings.JOBS_DIR = tmp_path / "jobs"
    ingest(setup.dataset, zip_of({f"{n}.png": scene(n) for n in range(6)}))
    perform(embed_submit(dataset=setup.dataset, newest=Item.objects.latest("id").id), settings)
    return setup


def perform(job: Job, settings) -> None:
    """Does a job as the runner does, in this process."""
    workdir = settings.JOBS_DIR / job.id
    workdir.mkdir(parents=True)
    job_prepare(job, workdir).write(workdir / "job.json")
    assert run_here(workdir) == 0, (workdir / "events.jsonl").read_text()[-600:]
    workdir_keep(job.id, has_result=True)
    Job.objects.filter(id=job.id).update(state="succeeded")
    job_ended(Job.objects.get(id=job.id))


def search(setup, data: bytes, user=None):
    url = f"/api/labeling/similar?project={setup.project.id}"
    return setup.client(user).post(url, {"file": SimpleUploadedFile("query", data)})


@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("PNG", {}),
        ("JPEG", {"quality": 97, "subsampling": 0}),
        ("PNG", {"size": (1600, 1200)}),
        ("WEBP", {"size": (800, 600), "lossless": True}),
    ],
)
def test_a_picture_finds_itself_in_any_form(looked_at, form, options):
    items = {item.name: item.id for item in Item.objects.all()}
    for number in range(3):
        found = search(looked_at, scene(number, form, **options))
        assert found.status_code == 200, found.content
        first, *others = found.json()
        assert first["item"]["id"] == items[f"{number}.png"]
        assert len(others) == 5
        # Made-up weights forgive less than real ones, with which the same is 0.986 and more.
        assert first["similarity"] > 0.85
        assert all(one["similarity"] < first["similarity"] for one in others)
    assert Item.objects.count() == 6  # what was asked about is not kept


def test_the_answer_is_that_of_the_engine(looked_at):
    """The cosines of an uploaded copy are those of the item, to what decoding and bfloat16 leave."""
    item = Item.objects.get(name="2.png")
    of_item = looked_at.client().get(f"/api/items/{item.id}/similar").json()
    of_picture = [one for one in search(looked_at, scene(2)).json() if one["item"]["id"] != item.id]
    by_id = {one["item"]["id"]: one["similarity"] for one in of_picture}
    assert {one["item"]["id"] for one in of_item} == set(by_id)
    assert all(abs(by_id[one["item"]["id"]] - one["similarity"]) < 0.01 for one in of_item)


def test_deleted_items_are_not_found(looked_at):
    item = Item.objects.get(name="1.png")
    item_delete(dataset=looked_at.dataset, items=[item.id], actor=looked_at.actor)
    assert item.id not in {one["item"]["id"] for one in search(looked_at, scene(1)).json()}


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "empty_file"), (b"no picture", "not_a_picture"), (scene(1)[:200], "damaged_picture")],
    ids=["empty", "text", "cut off"],
)
def test_what_is_no_picture_is_named(looked_at, data, reason):
    refused = search(looked_at, data)
    assert (refused.status_code, refused.json()["code"]) == (422, "query_unusable")
    assert refused.json()["extra"]["reason"] == reason
    assert refused.json()["extra"]["reason_text"]["zh"]


def test_before_anything_was_looked_at_it_reports_that(setup):
    ingest(setup.dataset, zip_of({"1.png": scene(1)}))
    refused = search(setup, scene(1))
    assert (refused.status_code, refused.json()["code"]) == (409, "features_none")


def test_where_no_job_left_the_graph_one_is_asked_for_it(looked_at, settings, monkeypatch, tmp_path):
    """Features from before there was a search by picture."""
    monkeypatch.setattr(similar, "_TREES", "others")
    before = Job.objects.count()
    refused = [search(looked_at, scene(1)).json()["code"] for _ in range(2)]
    assert refused == ["search_starting"] * 2
    assert Job.objects.count() == before + 1  # asked for once
    perform(Job.objects.latest("id"), settings)
    assert blobs().fetch_tree(f"others/{EDITION}").is_dir()
    assert search(looked_at, scene(1)).json()[0]["item"]["name"] == "1.png"


def test_who_reads_the_data_may_search_and_strangers_may_not(looked_at):
    assert search(looked_at, scene(1), looked_at.member("eve", Role.VIEWER)).status_code == 200
    assert search(looked_at, scene(1), looked_at.member("mia", Role.ANNOTATOR)).status_code == 403
