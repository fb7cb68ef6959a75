"""A model for all devices, tried by one of them first: the others follow, or keep what they have."""

from __future__ import annotations

import pytest
from django.test import Client

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.job import JobState
from automl.contracts.task import OutputKind
from studio.common.blobs import blobs
from studio.deployments.models import Deployment, Export
from studio.devices.models import Device
from studio.devices.schemas import DeviceJoinIn
from studio.devices.services import device_join, join_code_make
from studio.galleries.models import EntryVector, Gallery
from studio.galleries.services import NamedPicture, entries_add, gallery_create, gallery_switch
from studio.jobs.endings import end_handle, job_finish
from studio.jobs.models import Job
from studio.templates.services import MarkedForm, template_add, template_delete
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.studio.predictions.material import artefact_place
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import setup_make

JSON = "application/json"


@pytest.fixture
def gates(db, home):
    """A project with a model and two devices: the setup, the model's id, and each device with its own client."""
    setup = setup_make()
    artefact = artefact_make(setup, version_make(setup))
    devices = []
    for name in ("north", "south"):
        _, code = join_code_make(project=setup.project, actor=setup.actor)
        device, key = device_join(DeviceJoinIn(code=code, name=name, version=1, facts={}))
        devices.append((device, Client(headers={"Authorization": f"Bearer {key}"})))
    return setup, artefact.id, devices


@pytest.fixture
def shops(gates, tmp_path):
    """The same with agents that know galleries, two models that compare pictures, and a gallery of the first."""
    setup, _, devices = gates
    Device.objects.update(version=2)
    version, models = version_make(setup), []
    for seed in (1, 2):
        folder = artefact_write(tmp_path / str(seed), output=OutputKind.VECTOR, seed=seed)
        manifest = ArtefactManifest.read(folder / MANIFEST_FILE)
        manifest.model_copy(update={"thresholds": {"0.1": 0.9, "0.01": 0.99}}).write(folder / MANIFEST_FILE)
        models.append(artefact_place(setup, version, folder, number=seed + 10))
    own = {"workspace": setup.workspace, "project": setup.project, "name": "D", "slug": "d", "created_by": "x"}
    deployment = Deployment.objects.create(artefact=models[0], **own)
    gallery = gallery_create(
        project=setup.project, name="Packs", deployment=deployment, false_match_rate=None, actor=setup.actor
    )
    entries_add(gallery=gallery, pictures=[NamedPicture("tea", "tea.png", picture_bytes(1))], actor=setup.actor)
    return setup, models, gallery, devices


def begin(setup, artefact, first, **more):
    address = f"/api/projects/{setup.project.id}/devices/rollout"
    return setup.client().post(address, {"artefact": artefact, "first": first.id, **more}, content_type=JSON)


def beat(client, device, **values):
    attempt = Device.objects.get(id=device.id).attempt
    body = {"version": 1, "state": "serving", "model": "", "attempt": attempt, **values}
    answer = client.post("/api/device/beat", body, content_type=JSON)
    assert answer.status_code == 200, answer.content
    return answer.json()


def marked_form():
    text, box = {"text": "No.", "points": [[1, 1], [9, 1], [9, 5], [1, 5]]}, {"x": 10, "y": 1, "width": 9, "height": 4}
    content = {"references": [text], "fields": [{"name": "number", "kind": "text", "box": box}]}
    return MarkedForm(b"a picture", 40, 40, [], content)


def built(export):
    export.blob, export.report = blobs().put_bytes(b"tea").sha256, {"size_bytes": 3}
    export.save()


def assigned():
    return dict(Device.objects.values_list("name", "assigned__artefact"))


def test_the_others_follow_when_the_first_serves_the_model(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    own = {"artefact_id": artefact, "target": "model_update", "blob": blobs().put_bytes(b"names too").sha256}
    attached = {"gallery": {"id": "gal_1", "revision": 1}, "templates": None}
    with_gallery = Export.objects.create(project=setup.project, attached=attached, created_by="x", **own)
    begun = begin(setup, artefact, north)
    assert (begun.status_code, begun.json()["state"], begun.json()["first"]) == (201, "first", "north")
    beat(of_north, north, state="updating")
    beat(of_south, south)
    assert assigned() == {"north": artefact, "south": None}, "nobody follows who only began"
    beat(of_north, north, model=artefact)
    assert assigned() == {"north": artefact, "south": artefact}
    shown = setup.client().get(f"/api/projects/{setup.project.id}/devices/rollout").json()
    assert (shown["state"], shown["num_done"], shown["num_devices"]) == ("everywhere", 1, 2)
    assert Export.objects.exclude(id=with_gallery.id).count() == 1, "all install one update, that of the model alone"


def test_the_others_keep_what_they_have_when_the_first_fails(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    assert begin(setup, artefact, north).status_code == 201
    beat(of_north, north, state="failed", error={"code": "update_selftest_failed", "detail": "0.3 apart"})
    beat(of_south, south)
    assert assigned() == {"north": artefact, "south": None}
    shown = setup.client().get(f"/api/projects/{setup.project.id}/devices/rollout").json()
    assert (shown["state"], shown["error"]["code"], shown["build_error"]) == ("failed", "update_selftest_failed", None)
    assert begin(setup, artefact, south).status_code == 201, "another try may begin"
    assert setup.client().delete(f"/api/devices/{south.id}").status_code == 204
    shown = setup.client().get(f"/api/projects/{setup.project.id}/devices/rollout").json()
    assert shown["state"] == "stopped", "there is no device to wait for"


def test_a_rollout_that_cannot_be_built_fails_by_itself_and_begins_again_as_it_was(gates):
    setup, artefact, ((north, of_north), _) = gates
    client, address = setup.client(), f"/api/projects/{setup.project.id}/devices/rollout"
    begin(setup, artefact, north, allows_other_labels=True)
    job = Export.objects.get().job
    why = {"code": "export_check_failed", "message": "0.3 apart", "hint": "Train again.", "items": []}
    job_finish(job, JobState.FAILED, changes={"error": why})
    assert end_handle(job.id)
    shown = client.get(address).json()
    assert (shown["state"], shown["error"], shown["build_error"]) == ("failed", None, why)
    assert (shown["artefact"]["id"], shown["first_id"], shown["allows_other_labels"]) == (artefact, north.id, True)
    begun = begin(setup, artefact, north)
    assert (begun.status_code, begun.json()["state"], begun.json()["build_error"]) == (201, "first", None)
    newest = Export.objects.order_by("-id").first()
    Job.objects.filter(id=newest.job_id).update(state=JobState.CANCELLED)  # it ended before the rollout was there
    beat(of_north, north)
    shown = client.get(address).json()
    assert (shown["state"], shown["build_error"]["code"]) == ("failed", "device_update_not_built")
    assert newest.id != Export.objects.first().id == Export.objects.get(job=job).id, "it was built anew"


def test_a_gallery_goes_along_and_a_changed_one_follows_without_another_model(shops):
    setup, (model, other), gallery, ((north, of_north), (south, of_south)) = shops
    client, address = setup.client(), f"/api/projects/{setup.project.id}/devices/attachments"

    def behind():
        return [(each["num_devices"], each["artefact"] and each["artefact"]["id"]) for each in client.get(address).json()]

    def tell():
        return client.post(address, {"kind": "gallery", "id": gallery.id}, content_type=JSON).json()["num_devices"]

    begun = begin(setup, model.id, north, gallery=gallery.id).json()
    assert (begun["gallery"], begun["num_done"]) == ({"id": gallery.id, "name": "Packs"}, 0)
    export = Export.objects.get()
    built(export)
    client.patch(
        f"/api/galleries/{gallery.id}", {"false_match_rate": "0.1"}, content_type=JSON
    )  # another limit is another product
    state = beat(of_north, north, version=2, model=model.id)["assigned"]["gallery"]
    assert (state["id"], assigned()["south"]) == (gallery.id, None), "the model alone is not what was rolled out"
    beat(of_south, south, version=2, model=model.id, gallery=state)
    assert behind() == [], "what they get is decided"
    assert (
        client.post(address, {"kind": "gallery", "id": gallery.id}, content_type=JSON).json()["code"]
        == "device_rollout_running"
    )
    beat(of_south, south, version=2, model=model.id)
    beat(of_north, north, version=2, model=model.id, gallery=state)
    assert set(Device.objects.values_list("assigned", flat=True)) == {export.id}, "the others get what the first one tried"
    assert behind() == [(1, None)]
    beat(of_south, south, version=2, model=model.id, gallery=state)
    assert client.get(f"/api/projects/{setup.project.id}/devices/rollout").json()["num_done"] == 2
    assert (behind(), tell(), behind(), tell()) == ([(2, None)], 2, [], 0)
    shown = client.get(f"/api/projects/{setup.project.id}/devices").json()["items"][0]
    assert shown["attached"] == [{"kind": "gallery", "id": gallery.id, "name": "Packs", "is_behind": True}]
    assert (shown["state"], shown["assigned_gallery"]["name"]) == ("updating", "Packs")
    newest = Export.objects.exclude(id=export.id).get()
    assert newest.gallery["revision"] > state["revision"]
    EntryVector.objects.update(artefact=other.id)
    assert gallery_switch(gallery=gallery, artefact=other.id)
    assert (behind(), tell(), assigned()) == ([(2, other.id)], 2, {"north": other.id, "south": other.id})


def test_changed_templates_follow_without_another_model(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    client, address = setup.client(), f"/api/projects/{setup.project.id}/devices/attachments"
    wanted = {"kind": "templates"}
    Export.objects.create(
        project=setup.project, artefact_id=artefact, target="model_update", blob="0" * 64, created_by="x"
    )  # says nothing of templates, as older builds do
    for device, of_device in ((north, of_north), (south, of_south)):
        beat(of_device, device, version=3, model=artefact, attached={"gallery": None, "templates": None})
    assert (client.get(address).json(), client.post(address, wanted, content_type=JSON).json()) == ([], {"num_devices": 0})
    template = template_add(project=setup.project, name="Note", slug="note", form=marked_form(), actor=setup.actor)
    behind = {**wanted, "id": None, "name": None, "num_devices": 2, "artefact": None}
    assert client.get(address).json() == [behind]
    assert client.post(address, wanted, content_type=JSON).json() == {"num_devices": 2}
    assert client.get(address).json() == []
    built(Export.objects.get(id=Device.objects.get(id=north.id).assigned_id))
    told = beat(of_north, north, version=3, model=artefact, attached={"gallery": None, "templates": None})["assigned"][
        "attached"
    ]
    beat(of_north, north, version=3, model=artefact, attached=told)
    swapped = beat(of_south, south, version=2, model=artefact, attempt=None)  # an older bundle took the place of its own
    assert swapped["assigned"] is None, "its agent would see nothing to do"
    shown = {each["name"]: each for each in client.get(f"/api/projects/{setup.project.id}/devices").json()["items"]}
    assert (shown["north"]["state"], shown["south"]["error"]["code"]) == ("online", "update_too_new")
    again = client.post(f"/api/devices/{south.id}/model", {"artefact": artefact}, content_type=JSON).json()
    assert again["code"] == "device_bundle_old"
    template_delete(template=template, actor=setup.actor)
    assert client.get(address).json() == [{**behind, "num_devices": 1}], "what is gone here goes there"


def test_an_older_bundle_gets_templates_with_another_model_and_no_other_way(gates):
    setup, artefact, ((north, of_north), (south, of_south)) = gates
    client, other = setup.client(), artefact_make(setup, version_make(setup)).id
    template_add(project=setup.project, name="Note", slug="note", form=marked_form(), actor=setup.actor)

    def told():
        rows = client.get(f"/api/projects/{setup.project.id}/devices").json()["items"]
        return {row["name"]: (row["state"], row["error"] and row["error"]["code"]) for row in rows}

    def assign(model):
        answer = client.post(f"/api/devices/{south.id}/model", {"artefact": model}, content_type=JSON).json()
        return answer.get("code")

    for device, of_device in ((north, of_north), (south, of_south)):
        beat(of_device, device, version=2, model=artefact)
    assert assign(artefact) == "device_bundle_old"
    assert begin(setup, other, north).status_code == 201
    built(Export.objects.get(artefact=other))
    assert beat(of_north, north, version=2, model=artefact)["assigned"]["model"] == other
    beat(of_north, north, version=2, model=other)
    assert assigned()["south"] == other, "the first one has all of it"
    assert beat(of_south, south, version=2, model=other)["assigned"]["model"] == other
    assert told() == {"north": ("online", None), "south": ("online", None)}
    assert assign(other) is None, "it has what it would get"
    template_add(project=setup.project, name="Bill", slug="bill", form=marked_form(), actor=setup.actor)
    assert assign(other) == "device_bundle_old"
    everywhere = {"artefact": other, "first": None}
    begun = client.post(f"/api/projects/{setup.project.id}/devices/rollout", everywhere, content_type=JSON).json()
    assert begun["num_done"] == 0
    for device, of_device in ((north, of_north), (south, of_south)):
        beat(of_device, device, version=2, model=other)
    assert told() == {"north": ("failed", "update_too_new"), "south": ("failed", "update_too_new")}
    beat(of_south, south, version=3, model=other, attached={"gallery": None, "templates": None}, attempt=None)
    assert told()["south"] == ("online", None)
    (behind,) = client.get(f"/api/projects/{setup.project.id}/devices/attachments").json()
    assert (behind["kind"], behind["num_devices"]) == ("templates", 1), "its new bundle can tell"


def test_a_gallery_that_does_not_fit_is_refused(shops):
    setup, (model, other), gallery, ((north, _), (south, of_south)) = shops
    beat(of_south, south, model=model.id)

    def refused(device, artefact, gallery):
        wanted = {"artefact": artefact, "gallery": gallery}
        return setup.client().post(f"/api/devices/{device.id}/model", wanted, content_type=JSON).json()["code"]

    theirs = Gallery.objects.create(
        project=setup_make(email="eve@example.org").project, name="T", artefact=model, false_match_rate="0.1"
    )
    assert refused(north, other.id, gallery.id) == "gallery_model_other"
    assert refused(north, model.id, theirs.id) == "not_found"
    assert refused(south, model.id, gallery.id) == "device_bundle_old"
    assert assigned() == {"north": None, "south": None}
