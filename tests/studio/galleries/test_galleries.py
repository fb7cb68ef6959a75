"""Galleries: named pictures in, the right name out; without training, and over to another model."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from PIL import Image

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.report import REPORT_FILE
from automl.contracts.task import OutputKind
from runtime.predictor import Predictor
from runtime.update_format import ARTEFACT_DIR
from studio.accounts.access import SYSTEM
from studio.common.blobs import blobs
from studio.common.errors import StudioError
from studio.deployments.models import Deployment
from studio.galleries import codes, services
from studio.galleries.index import Index, index_of
from studio.galleries.models import EntryVector, Gallery, GalleryEntry
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.jobs.reporter import JobCancelledError
from tests.exporters.artefact_factory import artefact_write
from tests.studio.predictions.material import artefact_place
from tests.studio.studies.material import report_make, version_make
from tests.support.project_setup import InMemoryReporter, setup_make

pytestmark = pytest.mark.django_db
THRESHOLDS = {"0.1": 0.9, "0.01": 0.99}


@pytest.fixture
def setup(db, home):
    return setup_make()


@pytest.fixture
def models(setup, tmp_path):
    """Two models that compare pictures, each in its own way."""
    version, made = version_make(setup), []
    for seed in (1, 2):
        folder = artefact_write(tmp_path / str(seed), output=OutputKind.VECTOR, seed=seed)
        report_make(version, accuracy=1).write(folder / REPORT_FILE)
        path = folder / MANIFEST_FILE
        ArtefactManifest.read(path).model_copy(update={"thresholds": THRESHOLDS}).write(path)
        made.append(artefact_place(setup, version, folder, number=seed))
    return made


@pytest.fixture
def deployment(setup, models):
    return Deployment.objects.create(
        workspace=setup.workspace, project=setup.project, artefact=models[0], name="D", slug="d", created_by="x"
    )


@pytest.fixture
def client(setup):
    return setup.client()


@pytest.fixture
def gallery(client, setup, deployment):
    body = {"name": "Mugs", "deployment": deployment.id}
    reply = client.post(f"/api/projects/{setup.project.id}/galleries", body, content_type="application/json")
    assert reply.status_code == 201
    return reply.json()


def file(data, name="a.png"):
    return SimpleUploadedFile(name, data)


def colour(seed, *, shift=0):
    """A picture of a thing that has a colour of its own; ``shift`` makes another one of it."""
    own = np.random.default_rng(seed).integers(30, 220, (2, 2, 3)).repeat(20, axis=0).repeat(20, axis=1)
    out = io.BytesIO()
    Image.fromarray(np.clip(own + shift, 0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()


def add(client, gallery, name, *pictures):
    return client.post(f"/api/galleries/{gallery['id']}/entries", {"name": name, "file": [file(each) for each in pictures]})


def search(client, gallery, data, **query):
    reply = client.post(f"/api/galleries/{gallery['id']}/search", {"file": file(data)}, query_params=query)
    assert reply.status_code == 200, reply.content
    return reply.json()


def test_a_new_thing_is_recognised_from_five_pictures_without_training(client, gallery):
    assert gallery["limit"] == THRESHOLDS["0.01"]
    assert search(client, gallery, colour(1))["matches"] == []
    for seed, name in ((1, "red mug"), (2, "blue mug"), (3, "bowl")):
        assert add(client, gallery, name, *(colour(seed, shift=shift) for shift in (-6, -4, -2, 2, 4))).status_code == 201
    found = search(client, gallery, colour(2, shift=6))
    assert found["matches"][0]["name"] == "blue mug"
    assert found["matches"][0]["is_same"]
    assert sorted(each["name"] for each in found["matches"]) == ["blue mug", "bowl", "red mug"], "each name once"
    assert len(search(client, gallery, colour(2), top=1)["matches"]) == 1
    thumbnail = client.get(found["matches"][0]["thumbnail_url"])
    assert thumbnail.content.startswith(b"\xff\xd8")
    now = client.get(f"/api/galleries/{gallery['id']}").json()
    assert (now["num_entries"], now["num_names"]) == (15, 3)


def test_pictures_come_out_by_id_and_by_name(client, gallery):
    add(client, gallery, "mug", colour(1), colour(1, shift=3))
    (entry,) = add(client, gallery, "bowl", colour(2)).json()
    assert client.delete(f"/api/galleries/{gallery['id']}/entries", query_params={"name": "mug"}).json() == {"count": 2}
    listed = client.get(f"/api/galleries/{gallery['id']}/entries").json()["items"]
    assert [each["id"] for each in listed] == [entry["id"]]
    assert [each["name"] for each in search(client, gallery, colour(1))["matches"]] == ["bowl"]
    assert client.delete(f"/api/galleries/{gallery['id']}/entries/{entry['id']}").status_code == 204
    assert search(client, gallery, colour(1))["matches"] == []


def test_two_pictures_are_compared(client, gallery):
    def verify(first, second):
        files = {"first": file(first), "second": file(second)}
        return client.post(f"/api/galleries/{gallery['id']}/verify", files).json()

    same, other = verify(colour(1), colour(1, shift=2)), verify(colour(1), colour(5))
    assert same["is_same"]
    assert same["similarity"] > same["limit"] > other["similarity"]
    assert not other["is_same"]


def test_what_cannot_be_added_is_refused_and_leaves_nothing(client, gallery):
    add(client, gallery, "mug", colour(1))
    for name, pictures, code in (
        ("bowl", [colour(2), b"no picture"], "gallery_picture_unusable"),
        ("bowl", [colour(2), colour(1)], "gallery_picture_taken"),
        ("bowl", [b"x"] * (services.MOST_AT_ONCE + 1), "gallery_batch_size"),
    ):
        reply = add(client, gallery, name, *pictures)
        assert (reply.json()["code"], reply.status_code // 100) == (code, 4)
    assert client.get(f"/api/galleries/{gallery['id']}").json()["num_entries"] == 1
    again = add(client, gallery, "mug", colour(1))
    assert again.status_code == 201, "the same once more is no mistake"
    assert client.get(f"/api/galleries/{gallery['id']}").json()["num_entries"] == 1


def test_a_product_of_the_model_recognises_what_the_gallery_knows(client, gallery, models, tmp_path):
    for seed, name, shifts in ((1, "red mug", (-4, -2, 2)), (2, "blue mug", (0, 3)), (3, "碗", (0,))):
        add(client, gallery, name, *(colour(seed, shift=shift) for shift in shifts))

    def export(model, **body):
        asked = {"artefact": model.id, "target": "model_update", "gallery": gallery["id"], **body}
        return client.post("/api/exports", asked, content_type="application/json").json()

    assert export(models[1])["code"] == "gallery_model_other"
    assert export(models[0], gallery="gal_none")["code"] == "not_found"
    body = {"name": "Bowls", "deployment": gallery["deployment"]}
    address = f"/api/projects/{models[0].project_id}/galleries"
    emptied = client.post(address, body, content_type="application/json").json()
    assert export(models[0], gallery=emptied["id"])["code"] == "gallery_not_joined"
    add(client, emptied, "bowl", colour(3))
    started = export(models[0], gallery=emptied["id"])
    client.delete(f"/api/galleries/{emptied['id']}/entries", query_params={"name": "bowl"})
    with pytest.raises(StudioError, match="empty"):
        job_run(Job.objects.get(id=started["job"]["id"]), InMemoryReporter())
    started = export(models[0])
    assert started["gallery"] == {"id": gallery["id"], "name": "Mugs"}
    job_run(Job.objects.get(id=started["job"]["id"]), InMemoryReporter())
    built = client.get(f"/api/exports/{started['id']}").json()
    assert built["report"]["check"]["is_passed"]

    def told(**body):
        asked = {"artefact": models[0].id, **body}
        return client.post("/api/exports/estimates", asked, content_type="application/json").json()

    with_names, without = told(target="model_update", gallery=gallery["id"]), told(target="model_update")
    assert with_names[0]["size_bytes"] != without[0]["size_bytes"]
    assert with_names[0]["size_bytes"] == pytest.approx(built["report"]["size_bytes"], rel=0.2)
    assert with_names[0] in told(gallery=gallery["id"])
    assert told(gallery="gal_none")["code"] == "not_found"
    with zipfile.ZipFile(io.BytesIO(client.get(built["download_url"]).getvalue())) as packed:
        packed.extractall(tmp_path)
    predictor = Predictor()
    predictor.setup(tmp_path / ARTEFACT_DIR)
    for seed, names in ((1, ["red mug"]), (2, ["blue mug"]), (3, ["碗"]), (5, [])):
        decoded = predictor.decode(colour(seed, shift=1))
        found = predictor.encode(predictor.predict_many(decoded)[0], decoded)
        same = [each for each in search(client, gallery, colour(seed, shift=1))["matches"] if each["is_same"]]
        assert [each["label"] for each in found] == names == [each["name"] for each in same]
        assert [each["score"] for each in found] == pytest.approx([each["similarity"] for each in same], abs=1e-5)


def test_the_rate_of_false_matches_sets_the_limit(client, setup, gallery, deployment):
    address = f"/api/galleries/{gallery['id']}"
    loose = client.patch(address, {"false_match_rate": "0.1"}, content_type="application/json").json()
    assert (loose["limit"], loose["name"]) == (THRESHOLDS["0.1"], "Mugs")
    refused = client.patch(address, {"false_match_rate": "0.5"}, content_type="application/json").json()
    assert refused["code"] == "gallery_rate_unknown"
    strange = {"name": "G", "deployment": deployment.id}
    deployment.artefact.manifest["output"] = "class_scores"
    deployment.artefact.save()
    reply = client.post(f"/api/projects/{setup.project.id}/galleries", strange, content_type="application/json")
    assert reply.json()["code"] == "gallery_model_unfit"


def test_another_model_takes_over_when_all_pictures_have_its_vectors(client, gallery, deployment, models):
    for seed in range(3):
        add(client, gallery, f"thing {seed}", colour(seed))
    address = f"/api/galleries/{gallery['id']}"
    assert client.post(f"{address}/model").json()["code"] == "gallery_current"
    deployment.artefact = models[1]
    deployment.save()
    before = search(client, gallery, colour(1, shift=4))["matches"]
    shown = client.get(address).json()
    assert shown["next_artefact"]["id"] == models[1].id
    started = client.post(f"{address}/model").json()
    assert client.post(f"{address}/model").json()["code"] == "gallery_busy"
    job = Job.objects.get(id=started["job"]["id"])

    class Cancelled(InMemoryReporter):
        def check_cancelled(self):
            raise JobCancelledError

    with pytest.raises(JobCancelledError):
        job_run(job, Cancelled())
    assert search(client, gallery, colour(1, shift=4))["matches"] == before, "the model before answers until the end"
    reporter = InMemoryReporter()
    job_run(job, reporter)
    assert reporter.fractions[-1] == 1.0
    after = client.get(address).json()
    assert after["artefact"]["id"] == models[1].id
    assert after["next_artefact"] is None
    found = search(client, gallery, colour(1, shift=4))["matches"]
    assert found[0]["name"] == "thing 1"
    assert [each["similarity"] for each in found] != [each["similarity"] for each in before]
    assert set(EntryVector.objects.values_list("artefact", flat=True)) == {models[1].id}


def test_a_gallery_keeps_its_model_when_the_deployment_goes_and_its_pictures_while_it_is_there(client, gallery, deployment):
    add(client, gallery, "mug", colour(1))
    deployment.delete()
    assert search(client, gallery, colour(1))["matches"][0]["name"] == "mug"
    blob = Gallery.objects.get(id=gallery["id"]).entries.get().blob
    assert blobs().exists(blob)
    assert client.delete(f"/api/galleries/{gallery['id']}").status_code == 204
    assert client.get(f"/api/galleries/{gallery['id']}").status_code == 404


def test_names_with_many_pictures_do_not_hide_others():
    vectors = np.eye(3, dtype=np.float32)[[0] * 50 + [1] + [2]]
    index = Index(tuple(map(str, range(52))), ("many",) * 50 + ("one", "two"), vectors)
    near = np.array([0.9, 0.4, 0.1], dtype=np.float32)
    found = index.nearest_names(near / np.linalg.norm(near), 3)
    assert [index.names[place] for place, _ in found] == ["many", "one", "two"]


def test_codes_of_a_large_gallery_find_what_comparing_all_finds(client, gallery, monkeypatch):
    monkeypatch.setattr(codes, "FROM", 2_000)
    generator = np.random.default_rng(0)
    things = generator.standard_normal((400, 16), dtype=np.float32).repeat(6, axis=0)
    vectors = things + 0.2 * generator.standard_normal(things.shape, dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)

    def put(places):
        shared = {"gallery_id": gallery["id"], "size_bytes": 1, "created_by": "x"}
        entries = [GalleryEntry(name=f"thing {place // 6}", blob=f"{place:064d}", **shared) for place in places]
        GalleryEntry.objects.bulk_create(entries)
        artefact = gallery["artefact"]["id"]
        pairs = zip(places, entries, strict=True)
        rows = [EntryVector(entry=entry, artefact=artefact, values=vectors[place].tobytes()) for place, entry in pairs]
        EntryVector.objects.bulk_create(rows)
        Gallery.objects.filter(id=gallery["id"]).update(revision=F("revision") + 1)

    def found():
        index = index_of(Gallery.objects.get(id=gallery["id"]))
        assert index.codes.recall > 0.9
        alike = [
            index.nearest_names(vector, 5) == replace(index, codes=None).nearest_names(vector, 5) for vector in vectors[::97]
        ]
        assert np.mean(alike) > 0.9
        return index.codes, len(index.entries)

    put(range(2_200))
    whole, _ = found()
    put(range(2_200, 2_400))
    later, number = found()
    assert (later, number) == (whole, 2_400), "what came is compared beside the codes"
    address = f"/api/galleries/{gallery['id']}/entries"
    assert client.delete(address, query_params={"name": "thing 0"}).json()["count"] == 6
    without, number = found()
    assert (without.faiss is whole.faiss, without.num_known, number) == (True, 2_194, 2_394)
    first = GalleryEntry.objects.filter(gallery=gallery["id"]).order_by("blob").values_list("id", flat=True)[:300]
    assert services.entries_delete(gallery=Gallery.objects.get(id=gallery["id"]), entries=list(first), actor=SYSTEM) == 300
    assert found()[0].faiss is not whole.faiss, "with too many gone they are made anew"


def test_after_changes_a_process_reads_only_what_came(client, gallery):
    def shown():
        found = index_of(Gallery.objects.get(id=gallery["id"]))
        rows = EntryVector.objects.filter(entry__gallery=gallery["id"]).order_by("id").values_list("entry__name", "values")
        return found, [name for name, _ in rows], b"".join(bytes(values) for _, values in rows)

    address = f"/api/galleries/{gallery['id']}/entries"
    ids = [add(client, gallery, f"thing {seed}", colour(seed)).json()[0]["id"] for seed in range(4)]
    for change in (
        lambda: add(client, gallery, "thing 4", colour(4), colour(5)),
        lambda: client.delete(f"{address}/{ids[3]}"),
        lambda: (client.delete(address, query_params={"name": "thing 4"}), add(client, gallery, "again", colour(5))),
    ):
        index, names, vectors = shown()
        assert (list(index.names), index.vectors.tobytes()) == (names, vectors)
        change()
    index, names, vectors = shown()
    assert (list(index.names), index.vectors.tobytes()) == (names, vectors)
    assert names == ["thing 0", "thing 1", "thing 2", "again"]
    # No service changes a vector, so that a change under its hands shows whether it is read again.
    EntryVector.objects.filter(entry=ids[0]).update(values=bytes(len(vectors) // 4))
    add(client, gallery, "new", colour(6))
    later, names, _ = shown()
    assert (list(later.names), later.vectors[:4].tobytes()) == (names, vectors)
    assert index.vectors.tobytes() == vectors, "a search under way keeps what it has"
